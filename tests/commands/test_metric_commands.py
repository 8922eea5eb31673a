"""Metrics that commands compute: the protocol, the limits, and who may name one."""

from __future__ import annotations

import json
import os
import shlex
import sys
from pathlib import Path

import pytest

from tests.helpers.small_set import small_set
from trace_inspector.cli import main
from trace_inspector.core.errors import PluginError
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.engine.metrics.added import command_process
from trace_inspector.engine.metrics.added.command_process import answer_of
from trace_inspector.settings import PLUGIN_SETTINGS

KEEP = "import json, pathlib, sys\npathlib.Path({!r}).write_text(sys.stdin.read())\nprint(json.dumps({}))"


def python(code: str) -> tuple[str, str, str]:
    return sys.executable, "-c", code


def answers(text: str) -> tuple[str, str, str]:
    return python(f"print({text!r})")


def named(name: str, command: tuple[str, ...]) -> list[str]:
    return ["--metric-command", f"{name}={shlex.join(command)}"]


@pytest.fixture(autouse=True)
def _own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRACE_INSPECTOR_DATA", str(tmp_path / "data"))


def run(capsys: pytest.CaptureFixture[str], folder: Path, *words: str) -> tuple[int, JsonObject, str]:
    goldens, recording = small_set(folder)
    status = main(["evaluate", str(recording), "--golden", str(goldens), *words, "--json"])
    told = capsys.readouterr()
    return status, json.loads(told.out) if told.out else {}, told.err


def verdict_of(report: JsonObject, metric: str) -> JsonObject:
    (case,) = json.loads(json.dumps(report))["cases"]
    found: JsonObject = next(each for each in case["metrics"] if each["name"] == metric)
    return found


def test_a_command_is_given_turns_and_its_criterion(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = tmp_path / "given.json"
    criteria = tmp_path / "criteria.json"
    criteria.write_text(json.dumps({"criteria": {"mine": {"threshold": 0.6, "most": 20}}}), "utf-8")
    command = python(KEEP.format(str(kept), {"score": 0.7, "per_invocation_scores": [0.5, None, 1]}))
    status, report, told = run(capsys, tmp_path, "--criteria", str(criteria), *named("mine", command))
    assert status == 0, told
    assert (verdict_of(report, "mine")["score"], verdict_of(report, "mine")["status"]) == (0.7, "PASSED")
    assert "unknown" not in json.dumps(report)  # of its options none is
    given = json.loads(kept.read_text("utf-8"))
    first = given["invocations"][0]
    assert {key: given[key] for key in ("protocol_version", "metric_name", "threshold", "config")} == {
        "protocol_version": "1.0", "metric_name": "mine", "threshold": 0.6, "config": {"most": 20},
    }  # fmt: skip
    assert first["user_content"] == "How many pairs of number 0 are on the shelf?"
    assert first["final_response"] == "There are 3 pairs on shelf 0."
    steps = first["intermediate_steps"]
    assert steps["tool_calls"] == [{"name": "count_shelf", "args": {"number": 0, "shop": "Chur"}}]
    assert [json.loads(each["output"]) for each in steps["tool_responses"]] == [{"pairs": 3, "shelf": 0}]
    assert len(given["expected_invocations"]) == len(given["invocations"])


SAID: dict[str, tuple[Json, str, float | None]] = {
    "below": ({"score": 0.4}, "FAILED", 0.4),
    "stated": ({"score": 0.4, "status": "PASSED"}, "PASSED", 0.4),
    "undecided": ({"score": 0, "status": "NOT_EVALUATED", "details": {"why": "no key"}}, "NOT_EVALUATED", 0),
    "later": ({"score": 1, "added_in": "1.1", "status": None, "details": None}, "PASSED", 1),
}


@pytest.mark.parametrize("case", SAID)
def test_what_it_says_is_the_verdict(case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer, status, score = SAID[case]
    _code, report, _told = run(capsys, tmp_path, "--only", "mine", *named("mine", answers(json.dumps(answer))))
    verdict = verdict_of(report, "mine")
    assert (verdict["status"], verdict["score"]) == (status, score)
    assert ("no key" in str(verdict.get("reason"))) is (case == "undecided")


FAULTS = {
    "code": (python("import sys\nprint('half a word', file=sys.stderr)\nsys.exit(3)"), "exit code 3: half a word"),
    "signal": (python("import os\nos.kill(os.getpid(), 9)"), "was ended by SIGKILL"),
    "nothing": (python(""), "wrote nothing"),
    "text": (answers("fine"), "did not answer with one JSON object, but “fine”"),
    "list": (answers("[1]"), "did not answer with one JSON object"),
    "deep": (python("print('[' * 100000)"), "did not answer with one JSON object"),
    "no score": (answers("{}"), "gave no score from 0 to 1: “score” is null"),
    "over": (answers('{"score": 1.5}'), "“score” is 1.5"),
    "nan": (answers('{"score": NaN}'), "“score” is NaN"),
    "true": (answers('{"score": true}'), "“score” is true"),
    "word": (answers('{"score": 1, "status": "GREAT"}'), 'gave the status "GREAT", which is none'),
    "turns": (answers('{"score": 1, "per_invocation_scores": [2]}'), "gave “per_invocation_scores” that are no list"),
    "absent": (("/no/such/program",), "could not be started: No such file or directory"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_command_that_fails_is_an_error_that_names_it(
    fault: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command, sentence = FAULTS[fault]
    status, report, _told = run(capsys, tmp_path, "--only", "mine", *named("mine", command))
    verdict = verdict_of(report, "mine")
    assert (status, verdict["status"], verdict["score"]) == (3, "ERROR", None)
    assert str(verdict["reason"]).startswith(f"the command “{shlex.join(command)[:20]}")
    assert sentence in str(verdict["reason"])


def test_time_output_and_memory_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(PluginError, match="wrote more than 1,048,576 bytes"):
        answer_of(python("import sys\nwhile True: sys.stdout.write('x' * 65536)"), b"")
    if sys.platform == "linux":
        with pytest.raises(PluginError, match="MemoryError"):
            answer_of(python("x = bytearray(3 << 30)"), b"")
    monkeypatch.setattr(command_process, "TIME_S", 0.2)
    with pytest.raises(PluginError, match="did not answer within"):
        answer_of(("sh", "-c", "sleep 60; echo"), b"x" * 1_000_000)


def test_what_it_started_ends_with_it(tmp_path: Path) -> None:
    started = tmp_path / "number"
    answer_of(("sh", "-c", f"sleep 60 & echo $! > {shlex.quote(str(started))}; echo 1"), b"")
    number = int(started.read_text("utf-8"))
    state = Path(f"/proc/{number}/stat")
    assert not state.exists() or state.read_text("utf-8").rpartition(")")[2].split()[0] == "Z"


def test_no_shell_sees_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sprung = tmp_path / "sprung"
    run(capsys, tmp_path, "--only", "mine", "--metric-command", f"mine=echo $(touch {sprung}) ; touch {sprung}")
    assert not sprung.exists()


def test_the_settings_name_commands_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "data").mkdir()
    command = json.dumps([*answers('{"score": 1}')])
    (tmp_path / "data" / PLUGIN_SETTINGS).write_text(f"[metric_commands]\nkept = {command}\n", "utf-8")
    assert run(capsys, tmp_path, "--only", "kept")[0] == 0
    assert run(capsys, tmp_path, "--only", "kept", "--jobs", "2")[0] == 0
    assert main(["metrics"]) == 0
    assert "kept\n  What “" in capsys.readouterr().out


def test_a_file_names_no_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sprung = tmp_path / "sprung"
    script = tmp_path / "script.py"
    script.write_text(f"import pathlib\npathlib.Path({str(sprung)!r}).touch()\nprint('{{\"score\": 1}}')", "utf-8")
    evaluator = {"type": "code", "path": str(script), "command": [sys.executable, str(script)], "threshold": 0.5}
    criteria = tmp_path / "criteria.json"
    criteria.write_text(json.dumps({"criteria": {"mine": evaluator, str(script): 0.5}}), "utf-8")
    _status, report, _told = run(capsys, tmp_path, "--criteria", str(criteria))
    assert "there is no built-in metric “mine”" in json.dumps(report, ensure_ascii=False)
    assert not sprung.exists()


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("mine", "is no NAME=COMMAND"),
        ("mine=", "is no NAME=COMMAND"),
        ("=python3 x", "is no NAME=COMMAND"),
        ("mine='x", "Close every quotation mark"),
        ("tool_trajectory_avg_score=x", "is a built-in metric"),
    ],
)
def test_a_command_line_that_names_none_is_told(
    given: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, _report, told = run(capsys, tmp_path, "--metric-command", given)
    assert (status, sentence in told) == (2, True), told


def test_the_environment_is_as_before(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = dict(os.environ)
    run(capsys, tmp_path, "--only", "mine", *named("mine", answers('{"score": 1}')), "--no-plugins")
    assert dict(os.environ) == before
