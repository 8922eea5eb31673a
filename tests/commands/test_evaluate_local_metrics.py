"""The local metrics from the outside: criteria in a file, a verdict and an exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.helpers.eval_sets import case, turn, write_criteria, write_eval_set
from trace_inspector.cli import main
from trace_inspector.core.values.values import Json, JsonObject

TURNS = (turn("Is it open?", "Yes, it is open.", []), turn("Thanks", "You are welcome.", []))


def evaluate(folder: Path, criterion: JsonObject, metric: str, *more: str, **cases: JsonObject) -> int:
    """The exit code of one criterion on one case."""
    golden = write_eval_set(folder / "g.json", {**case("c", *TURNS), **cases.get("golden", {})})
    traces = write_eval_set(folder / "t.json", {**case("c", *TURNS), **cases.get("recorded", {})})
    criteria = write_criteria(folder / "c.json", **{metric: criterion})
    return main(["evaluate", str(traces), "--golden", str(golden), "--criteria", str(criteria), *more])


@pytest.mark.parametrize(
    ("recorded", "exact", "code"),
    [({"open": True, "seen": 1}, False, 0), ({"open": True, "seen": 1}, True, 1), ({"open": False}, False, 1)],
)
def test_final_state(recorded: JsonObject, exact: bool, code: int, tmp_path: Path) -> None:
    criterion: JsonObject = {"threshold": 1, "exact": exact}
    sides: dict[str, JsonObject] = {
        "golden": {"final_session_state": {"open": True}},
        "recorded": {"final_session_state": recorded},
    }
    assert evaluate(tmp_path, criterion, "final_state", **sides) == code


def test_a_matcher_of_the_golden_holds_for_its_final_state(tmp_path: Path) -> None:
    matchers: JsonObject = {"/final_session_state/id": {"match": "regexp", "pattern": r"^R-\d+$"}}
    golden: JsonObject = {
        "final_session_state": {"id": "R-1"},
        "traceInspector": {"version": 1, "matchers": matchers},
    }
    for recorded, code in (("R-20", 0), ("S-20", 1)):
        sides: dict[str, JsonObject] = {"golden": golden, "recorded": {"final_session_state": {"id": recorded}}}
        assert evaluate(tmp_path, {"threshold": 1}, "final_state", **sides) == code


@pytest.mark.parametrize(("second", "code"), [("4", 0), ("2", 1), ("9", 3)])
def test_an_own_prompt(second: str, code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    listed: list[Json] = [
        {"metric": "judge_prompt", "case": "c", "turn": at, "sample": 0, "reply": f'{{"mark": {mark}}}'}
        for at, mark in enumerate((second, second))
    ]
    replies = tmp_path / "replies.json"
    replies.write_text(json.dumps({"version": 1, "replies": listed}), encoding="utf-8")
    criterion: JsonObject = {
        "threshold": 3,
        "prompt": 'Mark from 1 to 5 how kind this is: {answer}\nReply {{"mark": N}}.',
        "range": [1, 5],
        "field": "mark",
        "judge_model_options": {"num_samples": 1},
    }
    assert evaluate(tmp_path, criterion, "judge_prompt", "--judge", f"recorded:{replies}", "--json") == code
    metric = json.loads(capsys.readouterr().out)["cases"][0]["metrics"][0]
    assert metric["score"] == (None if code == 3 else float(second))
    assert ("9 lies outside the range [1, 5]" in metric["reason"]) == (code == 3)
