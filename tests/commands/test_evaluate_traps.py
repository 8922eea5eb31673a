"""What other tools get wrong, as exit codes and verdicts of `evaluate`; and texts that mean harm, in every report."""

from __future__ import annotations

import csv
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.eval_sets import call, case, turn, write_criteria, write_eval_set
from trace_inspector.cli import main
from trace_inspector.core.values.values import Json
from trace_inspector.flows.runs.requested_reports import RUN_REPORTS

CALLS = "tool_trajectory_avg_score"
TEN = [turn(f"Question {at}?", f"Answer {at}.", [call("look", n=at)]) for at in range(10)]


class Judged:
    """What one run says: its exit code and its first case."""

    def __init__(self, code: int, run: dict[str, Any]) -> None:
        self.code = code
        self.cases = run["cases"]
        self.case = run["cases"][0]
        self.said = json.dumps(run, ensure_ascii=False)

    def metric(self, name: str) -> dict[str, Any]:
        """A criterion over the whole case."""
        found: dict[str, Any] = next(one for one in self.case["metrics"] if one["name"] == name)
        return found


def judge(capsys: pytest.CaptureFixture[str], *arguments: object) -> Judged:
    """Evaluate and read the JSON."""
    code = main(["evaluate", *(str(argument) for argument in arguments), "--json"])
    return Judged(code, json.loads(capsys.readouterr().out))


def write(folder: Path, golden: Sequence[Json], recorded: Sequence[Json], name: str = "c") -> tuple[Path, str, Path]:
    """A golden and a recording of one case, as arguments."""
    traces = write_eval_set(folder / "t.json", case(name, *recorded))
    return traces, "--golden", write_eval_set(folder / "g.json", case(name, *golden))


def test_one_right_turn_of_ten_is_a_tenth_and_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = judge(capsys, *write(tmp_path, [*TEN], TEN[:1]), "--only", CALLS)
    assert found.code == 1
    assert (found.metric(CALLS)["score"], found.metric(CALLS)["status"]) == (0.1, "FAILED")
    assert found.case["missing_turns"] == list(range(1, 10))


def test_missing_turns_are_named_in_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    traces, option, golden = write(tmp_path, [*TEN], TEN[:1])
    assert main(["evaluate", str(traces), option, str(golden)]) == 1
    said = capsys.readouterr().out
    assert all(f"“Question {at}?”" in said for at in range(1, 10))


def test_a_first_turn_too_many_does_not_spoil_the_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = write(tmp_path, [*TEN], [turn("Hello!", "Hi.", []), *TEN])
    found = judge(capsys, *arguments, "--only", CALLS)
    assert found.metric(CALLS)["score"] == 1.0
    assert (found.code, found.case["status"], found.case["extra_turns"]) == (1, "FAILED", [0])
    allowed = judge(capsys, *arguments, "--only", CALLS, "--extra-turns", "allow")
    assert (allowed.code, allowed.case["status"]) == (0, "PASSED")


def test_a_turn_too_many_in_the_middle_shifts_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recorded = [*TEN[:4], turn("Wait a moment.", "Sure.", []), *TEN[4:]]
    found = judge(capsys, *write(tmp_path, [*TEN], recorded), "--only", CALLS)
    assert found.metric(CALLS)["score"] == 1.0
    assert found.case["extra_turns"] == [4]


@pytest.mark.parametrize("metric", [CALLS, "response_match_score", "trajectory_f1", "final_state"])
def test_a_metric_without_its_golden_is_not_a_pass(
    metric: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trace = write_eval_set(tmp_path / "t.json", case("c", *TEN))
    found = judge(capsys, trace, "--only", metric)
    assert (found.code, found.metric(metric)["status"]) == (3, "NOT_EVALUATED")
    assert found.metric(metric)["reason"]


def test_a_lone_golden_is_not_paired_with_whatever_trace_there_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    golden = write_eval_set(tmp_path / "g.json", case("parking", turn("Where can I park?", "There.", [])))
    trace = write_eval_set(tmp_path / "t.json", case("weather", turn("Will it rain?", "Yes.", [])), set_id="other")
    found = judge(capsys, trace, "--golden", golden)
    assert found.code == 3
    assert [(one["id"], one["trace"]) for one in found.cases] == [("parking", None), ("weather", "weather")]


def test_by_adks_rules_unequal_numbers_of_turns_decide_nothing_and_say_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = judge(capsys, *write(tmp_path, [*TEN], TEN[:1]), "--rules", "adk", "--only", CALLS)
    assert (found.code, found.metric(CALLS)["status"]) == (3, "NOT_EVALUATED")
    assert "the golden has 10 turns and the trace has 1" in found.metric(CALLS)["reason"]


def test_half_right_is_half_where_partial_credit_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted: list[Json] = [turn("q", "a", [call("f", x=1), call("g", y=1)])]
    arguments = write(tmp_path, wanted, [turn("q", "a", [call("f", x=1)])])
    found = judge(capsys, *arguments, "--only", CALLS, "trajectory_recall", "trajectory_precision")
    scores = [found.metric(name)["score"] for name in (CALLS, "trajectory_recall", "trajectory_precision")]
    assert scores == [0.0, 0.5, 1.0]


def test_nothing_to_score_is_not_a_pass(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = judge(capsys, *write(tmp_path, [turn("q")], [turn("q")]))
    assert found.code == 3
    assert found.case["status"] == "NOT_EVALUATED"


def test_a_misspelled_metric_in_a_criteria_file_is_not_skipped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    criteria = write_criteria(tmp_path / "c.json", tool_trajectory_score=1.0, response_match_score=0.5)
    found = judge(capsys, *write(tmp_path, [*TEN], [*TEN]), "--criteria", criteria)
    assert found.code == 3
    assert "no built-in metric “tool_trajectory_score”" in found.metric("tool_trajectory_score")["reason"]


def test_a_criterion_that_needs_a_judge_is_not_a_pass_without_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GOOGLE_API_KEY", "GEMINI_API_KEY", "GOOGLE_CLOUD_PROJECT"):
        monkeypatch.delenv(name, raising=False)
    criterion: Json = {"threshold": 0.5, "prompt": "Is {answer} kind? Say 0 or 1."}
    criteria = write_criteria(tmp_path / "c.json", judge_prompt=criterion)
    found = judge(capsys, *write(tmp_path, [*TEN], [*TEN]), "--criteria", criteria)
    assert (found.code, found.metric("judge_prompt")["status"]) == (3, "NOT_EVALUATED")


@pytest.mark.parametrize(
    ("metric", "criterion", "said"),
    [
        ("latency_budget", {"threshold": 1}, "give a limit, one or more of max_turn_s"),
        ("token_budget", {"threshold": 1, "max_tokens": 5}, "max_tokens"),
        ("judge_prompt", {"threshold": 0.5, "prompt": "Is {reply} kind?"}, "{reply}"),
        ("final_state", {"threshold": 1, "exact": "yes"}, "exact"),
    ],
)
def test_a_criterion_that_would_check_nothing_cannot_run(
    metric: str, criterion: Json, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    criteria = write_criteria(tmp_path / "c.json", **{metric: criterion})
    arguments = [str(one) for one in write(tmp_path, [*TEN], [*TEN])]
    assert main(["evaluate", *arguments, "--criteria", str(criteria)]) == 2
    assert said in capsys.readouterr().err


def test_times_that_nobody_recorded_are_not_fast(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    criteria = write_criteria(tmp_path / "c.json", latency_budget={"threshold": 1, "max_turn_s": 100})
    found = judge(capsys, *write(tmp_path, [*TEN], [*TEN]), "--criteria", criteria)
    assert (found.code, found.metric("latency_budget")["status"]) == (3, "NOT_EVALUATED")


HOSTILE = (
    "</style></details><img src=x onerror=alert(1)>",
    "\x1b]0;title\x07\x1b[31m",
    "\u202etxt.exe\u2066",
    "=HYPERLINK(1)",
    "@SUM(A1)",
    "first\n::error file=other.py,line=1::forged",
    "a|b`c``d\n# heading\n![x](http://127.0.0.1/x)",
)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_stay_texts_in_every_report(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = write(
        tmp_path,
        [turn(text, text, [call(text, **{text: text})])],
        [turn(text, "other", [call(text, **{text: 1})])],
        text,
    )
    kinds = sorted(RUN_REPORTS)
    reports = [one for kind in kinds for one in ("--report", f"{kind}={tmp_path / kind}")]
    assert main(["evaluate", *(str(one) for one in arguments), *reports]) == 1
    captured = capsys.readouterr()
    assert "\x1b" not in captured.out + captured.err
    written = {kind: (tmp_path / kind).read_text(encoding="utf-8") for kind in kinds}
    # Result files are data: they keep every character, those that command as JSON writes them.
    to_read = "".join(written[kind] for kind in kinds if kind not in ("adk", "ces", "vertex"))
    assert not re.search("[\x00-\x08\x0b-\x1f\u202a-\u202e\u2066-\u2069]", to_read)
    assert "<img" not in written["html"] + written["junit"]
    assert all(line.startswith("::") for line in written["github"].splitlines())
    assert sum(line.startswith("::error") for line in written["github"].splitlines()) == 1
    with (tmp_path / "csv").open(encoding="utf-8", newline="") as lines:
        assert not any(cell[:1] in "=+-@" for line in csv.reader(lines) for cell in line if cell)
    assert not re.search(r"^# heading", written["markdown"], re.MULTILINE)
    ET.fromstring(written["junit"].encode())
    json.loads(written["adk"])


def test_annotations_name_the_line_of_the_golden_turn(tmp_path: Path) -> None:
    golden = tmp_path / "g.json"
    stated = {"eval_set_id": "s", "eval_cases": [case("c", *TEN[:3])]}
    golden.write_text(json.dumps(stated, indent=1), encoding="utf-8")
    wrong = turn("Question 1?", "Answer 1.", [call("look", n=99)])
    trace = write_eval_set(tmp_path / "t.json", case("c", TEN[0], wrong, TEN[2]))
    notes = tmp_path / "notes.txt"
    assert main(["evaluate", str(trace), "--golden", str(golden), "--report", f"github={notes}"]) == 1
    first = notes.read_text(encoding="utf-8").splitlines()[0]
    found = re.fullmatch(r"::error file=.*g\.json,line=(\d+),col=\d+,title=failed%3A c::turn 2: .*", first)
    assert found
    lines = golden.read_text(encoding="utf-8").splitlines()[int(found[1]) - 1 :]
    assert "Question 1?" in "".join(lines[:10])
    assert not any("Question 0?" in line for line in lines)
