"""Acceptance 3 to 6 for CES and Vertex AI: numbers, unknown words, presence and times survive an edit, and show."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.formats import ces_golden_files, ces_result_files
from trace_inspector.cli import main
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.flows.opening.open_file import open_file

TIMES = ("2026-01-02T03:04:05.123456789+05:30", "2026-01-02T03:04:05Z")
DURATIONS = ("3.5s", "3.500000001s", "3.500s")


def edited(path: Path, value: Json, pointer: str, text: str) -> str:
    """The file after one edit; all else is to be as it was."""
    before = json.dumps(value, indent=2)
    path.write_text(before, encoding="utf-8")
    assert main(["edit", str(path), "--set", f"{pointer}={text}"]) == 0
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("status", ["MAYBE", 17, -1])
def test_4_an_unknown_outcome_is_told_and_is_no_failure(
    status: Json, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "r.json"
    value = ces_result_files.result(evaluationStatus=status)
    assert f'"evaluationStatus": {json.dumps(status)}' in edited(path, value, "/displayName", '"other"')
    capsys.readouterr()
    assert main(["validate", str(path)]) == 0
    assert "unknown-enum" in capsys.readouterr().out
    (verdict,) = open_file(path).contents.reported
    assert verdict.status.value == "NOT_EVALUATED"


@pytest.mark.parametrize(("number", "status"), [(1, "PASSED"), (2, "FAILED"), (3, "SKIPPED")])
def test_4_a_number_stands_for_its_name(number: int, status: str, tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    edited(path, ces_result_files.result(evaluationStatus=number), "/displayName", '"other"')
    (verdict,) = open_file(path).contents.reported
    assert (verdict.status.value, verdict.native) == (status, number)


def test_5_empty_absent_and_false_switches_differ_and_survive(tmp_path: Path) -> None:
    told = []
    switches: list[JsonObject] = [{}, {"toolCorrectnessMetricsConfig": {}}]
    switches += [{"toolCorrectnessMetricsConfig": {"enableToolCorrectnessMetrics": on}} for on in (True, False)]
    for switch in switches:
        config: JsonObject = {"goldenMetricsConfig": switch}
        value = {**ces_golden_files.golden(), "evaluationMetricsConfigOverride": config}
        path = tmp_path / "e.json"
        text = edited(path, value, "/displayName", '"other"')
        assert json.loads(text)["evaluationMetricsConfigOverride"] == config
        (case,) = open_file(path).contents.suites[0].cases
        told.append(repr([(one.metric, one.options) for one in case.criteria]))
    absent, empty, on, off = told
    assert len({absent, empty, on}) == 3
    assert empty.replace("{}", "") != on
    assert off != on


@pytest.mark.parametrize("duration", DURATIONS)
@pytest.mark.parametrize("time", TIMES)
def test_6_times_and_durations_survive_and_are_read(duration: str, time: str, tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    value = ces_result_files.result(ces_result_files.replay(turnLatency=duration), createTime=time)
    text = edited(path, value, "/displayName", '"other"')
    assert text == json.dumps({**value, "displayName": "other"}, indent=2)
    (trace,) = open_file(path).contents.traces
    assert trace.turns[0].duration_s == pytest.approx(float(duration[:-1]), abs=1e-10)


def test_3_numbers_in_arguments_survive_an_edit_and_a_conversion(tmp_path: Path) -> None:
    path, there, back = tmp_path / "e.json", tmp_path / "v.json", tmp_path / "b.json"
    numbers = "[9007199254740993, 1e400, 0.10, -0, 1.0, 6]"
    text = json.dumps(ces_golden_files.full_golden()).replace('"seat": 2, "words"', f'"seat": {numbers}, "words"')
    path.write_text(text, encoding="utf-8")
    assert numbers in text
    assert main(["edit", str(path), "--set", '/displayName="other"']) == 0
    assert numbers in path.read_text(encoding="utf-8")
    assert main(["convert", str(path), "--to", "vertex-item", "-o", str(there)]) == 0
    assert main(["convert", str(there), "--to", "ces-evaluation", "-o", str(back)]) == 0
    spelled = " ".join(back.read_text(encoding="utf-8").split()).replace("[ ", "[").replace(" ]", "]")
    assert numbers in spelled
