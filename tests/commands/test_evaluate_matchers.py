"""A golden's matchers stand in for google-adk's comparison, also for what a run is asked to decide."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from trace_inspector.cli import main
from trace_inspector.core.values.values import JsonObject


def eval_set(path: Path, value: str, **more: JsonObject) -> str:
    turn: JsonObject = {
        "user_content": {"parts": [{"text": "hi"}]},
        "final_response": {"parts": [{"text": "yes"}]},
        "intermediate_data": {"tool_uses": [{"name": "f", "args": {"x": value}}]},
    }
    path.write_text(
        json.dumps({"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "conversation": [turn], **more}]})
    )
    return str(path)


def key(matcher: JsonObject) -> JsonObject:
    place = "/conversation/0/intermediate_data/tool_uses/0/args/x"
    return {"version": 1, "origin": {"format": "adk-eval-set"}, "matchers": {place: matcher}}


@pytest.mark.parametrize(
    ("matcher", "code"),
    [
        ({"match": "ignore"}, 0),
        ({"match": "contains", "text": "aab"}, 0),
        ({"match": "contains", "text": "c"}, 1),
        (
            {"match": "regexp", "pattern": "^(a|aa)+$"},
            3,
        ),  # the answer passes, but the pattern takes too long on the call
    ],
)
def test_matchers_decide_what_the_criterion_asks_for(matcher: JsonObject, code: int, tmp_path: Path) -> None:
    golden = eval_set(tmp_path / "g.json", "other", traceInspector=key(matcher))
    traces = eval_set(tmp_path / "t.json", "a" * 60 + "b")
    criteria = tmp_path / "c.json"
    criteria.write_text(json.dumps({"criteria": {"tool_trajectory_avg_score": 1.0, "response_match_score": 0.5}}))
    assert main(["evaluate", traces, "--golden", golden, "--criteria", str(criteria)]) == code


@pytest.mark.parametrize(
    ("place", "matcher", "said"),
    [
        ("/conversation/0/user_content", {"match": "any"}, "belongs to no expected argument and has no effect"),
        ("/conversation/0/intermediate_data/tool_uses/0/args/y", {"match": "ignore"}, "There is no value at"),
        ("/conversation/0/intermediate_data/tool_uses/0/args/x", {"match": "roughly"}, "A matcher needs "),
    ],
)
def test_a_matcher_without_effect_is_said(
    place: str, matcher: JsonObject, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    held: JsonObject = {"version": 1, "matchers": {place: matcher}}
    golden = eval_set(tmp_path / "g.json", "other", traceInspector=held)
    assert main(["evaluate", eval_set(tmp_path / "t.json", "one"), "--golden", golden, "--json"]) == 1
    assert said in capsys.readouterr().out


@pytest.mark.parametrize("outer", [{"match": "exact"}, {"match": "tolerance", "absolute": 1}])
def test_a_matcher_that_refuses_the_goldens_own_value_is_asked(outer: JsonObject, tmp_path: Path) -> None:
    place = "/conversation/0/intermediate_data/tool_uses/0/args"
    inner: JsonObject = {"match": "regexp", "pattern": "^right$"}
    held: JsonObject = {"version": 1, "matchers": {place: outer, f"{place}/x": inner}}
    golden = eval_set(tmp_path / "g.json", "wrong", traceInspector=held)
    for value, code in (("wrong", 1), ("right", 0)):
        traces = eval_set(tmp_path / "t.json", value)
        assert main(["evaluate", traces, "--golden", golden, "--only", "trajectory_match"]) == code
