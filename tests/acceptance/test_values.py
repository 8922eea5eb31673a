"""Acceptance 3 to 6: numbers, unknown words, presence and times survive, and show as what they are."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.formats.session_files import event, said, session
from tests.helpers.eval_sets import case, turn, write_eval_set
from trace_inspector.cli import main
from trace_inspector.core.values.values import Json, JsonObject

NUMBERS = ("9007199254740993", "1e400", "0.10", "-0", "1.0", "6")


def put(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


def inspected(path: str, capsys: pytest.CaptureFixture[str]) -> JsonObject:
    capsys.readouterr()
    assert main(["inspect", path, "--json"]) == 0
    (document,) = json.loads(capsys.readouterr().out)["documents"]
    assert isinstance(document, dict)
    return document


def validated(path: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[str]]:
    """The exit code, and each finding without the path."""
    capsys.readouterr()
    status = main(["validate", path])
    return status, [line.removeprefix(f"{path}:") for line in capsys.readouterr().out.splitlines()]


def of_numbers(folder: Path) -> str:
    """An eval set with a call that has every number among its arguments."""
    path = write_eval_set(folder / "n.json", case("c", turn("q", "a", [{"name": "t", "args": {"numbers": "HERE"}}])))
    return put(path, path.read_text(encoding="utf-8").replace('"HERE"', f"[{', '.join(NUMBERS)}]"))


def test_3_numbers_survive_an_edit_and_a_conversion(tmp_path: Path) -> None:
    path = of_numbers(tmp_path)
    assert main(["edit", path, "--set", '/eval_cases/0/eval_id="d"']) == 0
    assert f"[{', '.join(NUMBERS)}]" in Path(path).read_text(encoding="utf-8")
    for target in ("adk-session", "adk-eval-result"):
        out, back = str(tmp_path / target), str(tmp_path / f"{target}.back")
        assert main(["convert", path, "--to", target, "-o", out]) == 0
        assert main(["convert", out, "--to", "adk-eval-set", "-o", back]) == 0
        spelled = re.sub(r"\s+", " ", Path(back).read_text(encoding="utf-8"))
        assert f"[ {', '.join(NUMBERS)} ]" in spelled


def test_3_whole_numbers_in_arguments_stay_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = inspected(of_numbers(tmp_path), capsys)
    shown = re.findall(r"9007199254740993|\b6\b|1\.0", json.dumps(document["cases"]))
    assert shown == ["9007199254740993", "1.0", "6"]


def result(**more: Json) -> str:
    told: JsonObject = {"user_content": {"parts": [{"text": "q"}], "role": "user"}}
    metric: JsonObject = {"metric_name": "m", "threshold": 0.5, "score": 1.0, "eval_status": 1}
    metric.update(more)
    held: JsonObject = {
        "eval_id": "c",
        "final_eval_status": metric["eval_status"],
        "session_id": "s",
        "overall_eval_metric_results": [{key: value for key, value in metric.items() if value != "absent"}],
        "eval_metric_result_per_invocation": [{"actual_invocation": told}],
    }
    return json.dumps({"eval_set_result_id": "r", "eval_set_id": "s", "eval_case_results": [held]}, indent=2)


@pytest.mark.parametrize("status", ["MAYBE", 17, "EVAL_STATUS_UNSPECIFIED", -1])
def test_4_an_unknown_word_is_told_and_is_no_failure(
    status: Json, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = put(tmp_path / "r.json", result(eval_status=status))
    exit_code, findings = validated(path, capsys)
    assert exit_code == 0
    assert any("warning unknown-status" in finding for finding in findings)
    assert main(["inspect", path]) == 0
    assert "1 case, 0 failed" in capsys.readouterr().out
    assert main(["edit", path, "--set", '/eval_set_id="t"']) == 0
    assert f'"eval_status": {json.dumps(status)}' in Path(path).read_text(encoding="utf-8")


@pytest.mark.parametrize("criterion", [{"threshold": 1, "match_type": "FUZZY"}, {"threshold": 1, "match_type": 9}])
def test_4_an_unknown_way_of_matching_is_told(
    criterion: Json, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = put(tmp_path / "c.json", json.dumps({"criteria": {"tool_trajectory_avg_score": criterion}}))
    _exit_code, findings = validated(path, capsys)
    (finding,) = [finding for finding in findings if "unknown-word" in finding]
    assert "EXACT, IN_ORDER or ANY_ORDER" in finding


def shown(text: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """What `validate` says, without lines and columns."""
    _exit_code, findings = validated(put(folder / "x.json", text), capsys)
    return [finding.split(": ", 1)[1] for finding in findings]


def test_5_empty_absent_and_null_criteria_show_differently(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    criteria: list[JsonObject] = [{}, {"m": None}, {"m": {}}, {"m": {"threshold": None}}, {"m": {"threshold": 1}}]
    told = [shown(json.dumps({"criteria": each}), tmp_path, capsys) for each in criteria]
    told += [shown(text, tmp_path, capsys) for text in ('{"criteria": null}', '{"criteria": {"m": 1}, "x": 1}')]
    assert len({tuple(each) for each in told}) == len(told)


def test_5_empty_absent_and_null_scores_show_differently(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scores: list[Json] = [{}, "absent", None, 1.0]
    told = [tuple(shown(result(score=score), tmp_path, capsys)) for score in scores]
    assert len({each for each in told if each}) == 2
    assert told[2] == told[3] == ()
    for score in scores:
        path = put(tmp_path / "r.json", result(score=score))
        assert main(["edit", path, "--set", '/eval_set_id="t"']) == 0
        text = Path(path).read_text(encoding="utf-8")
        assert text == result(score=score).replace('"eval_set_id": "s"', '"eval_set_id": "t"')


TIMES = ("2026-01-02T03:04:05.123456789+05:30", "2026-01-02T03:04:05.1Z", "3.5s", "3.500000001s")


def test_6_times_and_durations_survive(tmp_path: Path) -> None:
    value = session(event("user", said("q")), event("guide", said("a"), customMetadata={"times": [*TIMES]}))
    text = json.dumps(value).replace('"timestamp": 1.0', '"timestamp": 1767322445.123456789')
    path, out, back = put(tmp_path / "s.json", text), str(tmp_path / "e.json"), str(tmp_path / "b.json")
    assert main(["convert", path, "--to", "adk-eval-set", "-o", out]) == 0
    assert main(["convert", out, "--to", "adk-session", "-o", back]) == 0
    restored = Path(back).read_text(encoding="utf-8")
    assert restored.count("1767322445.123456789") == text.count("1767322445.123456789") == 2
    assert json.loads(restored) == json.loads(text)
    assert main(["edit", path, "--set", '/appName="other"']) == 0
    assert Path(path).read_text(encoding="utf-8") == text.replace('"guide", "userId"', '"other", "userId"')


@pytest.mark.parametrize("start", TIMES[:2])
def test_6_a_time_with_nine_digits_or_an_offset_is_read(
    start: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    span: JsonObject = {
        "name": "chat m",
        "context": {"trace_id": "0x" + "1" * 32, "span_id": "0x" + "2" * 16},
        "parent_id": None,
        "start_time": start,
        "end_time": start,
        "attributes": {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m"},
    }
    document = inspected(put(tmp_path / "spans.json", json.dumps([span])), capsys)
    assert document["format"] == "spans"
    (starts,) = re.findall(r'"start_s": ([0-9.]+)', json.dumps(document["traces"])) or [""]
    assert float(starts) == pytest.approx(1767303245.123457 if "+" in start else 1767323045.1)
