"""Verdicts of cases and turns: what fails by itself, what is only named, what is said."""

from __future__ import annotations

import json
import math

import pytest
from msgspec.structs import replace

from tests.engine.builders import case, judged, trace, turn
from tests.helpers.tables import each
from trace_inspector.core.alignment.turn_alignment import CallMatch
from trace_inspector.core.trace.criteria import Criteria, Criterion
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, RunVerdict, Status
from trace_inspector.engine.criteria.criteria import check, complete
from trace_inspector.engine.criteria.outcome import exit_code, undecided
from trace_inspector.engine.metrics import METRICS
from trace_inspector.engine.reports import REPORTS
from trace_inspector.engine.reports.as_json import run_json
from trace_inspector.engine.reports.report import case_names
from trace_inspector.engine.reports.sources import Sources

CALLS = "tool_trajectory_avg_score"
F, G = ToolCall("f", {"n": 1}), ToolCall("g", {"n": 2})


def test_a_missing_turn_fails_the_case_whatever_the_average() -> None:
    verdict = judged(case("c", turn("a", calls=[]), turn("b", calls=[])), trace("t", turn("a", calls=[])), CALLS, 0.4)
    assert (verdict.metrics[0].score, verdict.metrics[0].status) == (0.5, Status.PASSED)
    assert verdict.turns[1].status is Status.FAILED
    assert verdict.status is Status.FAILED


def test_a_missing_turn_that_states_nothing_has_no_score_and_still_fails() -> None:
    verdict = judged(case("c", turn("a", calls=[]), turn("b")), trace("t", turn("a", calls=[])), CALLS)
    assert verdict.metrics[0].score == 1.0
    assert verdict.turns[1].metrics == ()
    assert verdict.turns[1].status is Status.FAILED


def test_by_adk_rules_turns_pair_by_position_whatever_their_texts() -> None:
    golden = case("c", turn("a", calls=[F]), turn("b", calls=[G]))
    swapped = trace("t", turn("b", calls=[G]), turn("a", calls=[F]))
    assert judged(golden, swapped, CALLS, rules="adk").metrics[0].score == 0.0
    assert judged(golden, swapped, CALLS).metrics[0].score == 0.5


def test_a_trace_without_turns_is_a_failed_run() -> None:
    golden = case("c", turn("a", calls=[F]))
    assert judged(golden, trace("t"), CALLS).status is Status.FAILED
    assert judged(golden, trace("t"), CALLS, rules="adk").status is Status.FAILED


@each(
    ("match_type", "made", "sentence"),
    [
        ("EXACT", [G, F], "f was called out of order"),
        ("IN_ORDER", [G, F], "f was called out of order"),
        ("ANY_ORDER", [G, F], ""),
        ("IN_ORDER", [F, ToolCall("h"), G], ""),
        ("IN_ORDER", [F, ToolCall("h")], "g was not called"),
        ("EXACT", [F, ToolCall("h"), G], "h was called but is not expected"),
        ("EXACT", [F, ToolCall("g", {"n": 2, "m": None})], "g: m (absent) ≠ null"),
        ("EXACT", [F, ToolCall("g")], 'g: arguments {"n": 2} ≠ (absent)'),
    ],
)
def test_the_call_that_differs_is_named(match_type: str, made: list[ToolCall], sentence: str) -> None:
    golden, observed = case("c", turn("a", calls=[F, G])), trace("t", turn("a", calls=made))
    verdict = judged(golden, observed, CALLS, options={"match_type": match_type})
    assert verdict.turns[0].metrics[0].reason == sentence


def test_calls_in_another_order_are_the_same_where_any_order_is_right() -> None:
    golden, observed = case("c", turn("a", calls=[F, G])), trace("t", turn("a", calls=[G, F]))
    verdict = judged(golden, observed, CALLS, options={"matchType": "any order"})
    assert {pair.match for pair in verdict.turns[0].metrics[0].calls} == {CallMatch.SAME}


def test_a_named_informational_metric_is_there_once_and_decides_with_a_threshold() -> None:
    given = Criteria((Criterion("local_grounding", 0.5),), "file", asked_for=True)
    names = [item.metric for item in complete(given, METRICS).items]
    assert names.count("local_grounding") == 1
    verdict = judged(None, trace("t", turn("a", "Your code is 7431.", [])), "local_grounding", 0.5)
    assert verdict.status is Status.FAILED


def test_an_option_that_nobody_knows_is_noted() -> None:
    options = {"matchType": "EXACT", "matchtype": "EXACT"}
    notes = check(Criteria((Criterion(CALLS, 1.0, {**options}),)), METRICS)
    assert notes == (f"{CALLS}: the option “matchtype” is unknown and has no effect",)


def run_of(*cases: CaseVerdict, asked_for: frozenset[str] = frozenset()) -> RunVerdict:
    """A run of these cases."""
    return RunVerdict("r", Status.PASSED, 0.0, "", "x", cases, asked_for=asked_for)


PASSED = CaseVerdict("c", "s", "t", Status.PASSED, (MetricVerdict("m", 1.0, Status.PASSED),))


def test_exit_codes() -> None:
    silent = MetricVerdict("n", None, Status.NOT_EVALUATED)
    assert exit_code(run_of(PASSED)) == 0
    assert exit_code(run_of()) == 3
    assert exit_code(run_of(replace(PASSED, metrics=(*PASSED.metrics, silent)))) == 0
    assert exit_code(run_of(replace(PASSED, metrics=(*PASSED.metrics, silent)), asked_for=frozenset({"n"}))) == 3
    assert exit_code(run_of(PASSED, replace(PASSED, status=Status.ERROR))) == 3
    assert exit_code(run_of(PASSED, replace(PASSED, trace_id=None, status=Status.NOT_EVALUATED))) == 3
    assert exit_code(run_of(replace(PASSED, status=Status.FAILED), replace(PASSED, status=Status.ERROR))) == 1
    assert exit_code(run_of(replace(PASSED, status=Status.FAILED)), "never") == 0


def test_a_metric_that_only_informs_was_not_left_undecided() -> None:
    informs = replace(PASSED, metrics=(*PASSED.metrics, MetricVerdict("n", None, Status.INFORMATIONAL)))
    assert undecided(run_of(informs, asked_for=frozenset({"n"}))) == ()


@pytest.mark.parametrize("score", [math.nan, math.inf])
def test_json_has_no_number_that_is_none(score: float) -> None:
    odd = replace(PASSED, metrics=(MetricVerdict("m", score, Status.FAILED),))
    written = json.loads(json.dumps(run_json(run_of(odd), {}), allow_nan=False, default=list))
    metric = written["cases"][0]["metrics"][0]
    assert metric["score"] is None
    assert str(score) in metric["reason"]


def test_repeats_are_told_apart_by_their_files() -> None:
    first, second = (replace(PASSED, trace_path=f"/runs/{name}.json") for name in ("one", "two"))
    assert case_names([first, second]) == ["c (one.json)", "c (two.json)"]
    assert case_names([first]) == ["c"]
    assert case_names([first, replace(first, trace_id="u")]) == ["c (one.json) (t)", "c (one.json) (u)"]


@each("report", REPORTS, ids=lambda report: report.name)
def test_a_report_of_nothing_can_be_written(report: object) -> None:
    assert [one.write(run_of(), Sources()) for one in REPORTS if one is report]
