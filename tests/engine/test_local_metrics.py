"""Final state and budgets: tables of what goes in and what is decided."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.engine.builders import case, judged, trace, turn
from tests.helpers.tables import each
from trace_inspector.core.errors import UsageError
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.matcher import Match, Matcher
from trace_inspector.core.trace.criteria import Criteria, Criterion
from trace_inspector.core.trace.trace import Event, Trace, Turn, Usage
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.verdict import MetricVerdict, Status
from trace_inspector.engine.criteria.criteria import check
from trace_inspector.engine.metrics import METRICS

PASSED, FAILED, SILENT = Status.PASSED, Status.FAILED, Status.NOT_EVALUATED


def state_verdict(
    expected: JsonObject | None, observed: JsonObject | None, *matchers: Matcher, **options: Json
) -> MetricVerdict:
    golden = replace(case("c", turn("q", "a")), final_state=expected, final_state_place="/s", matchers=matchers)
    return judged(
        golden, replace(trace("t", turn("q", "a")), final_state=observed), "final_state", 1.0, options
    ).metrics[0]


@each(
    ("expected", "observed", "options", "score", "status", "reason"),
    [
        ({"a": 1}, {"a": 1}, {}, 1.0, PASSED, ""),
        ({"a": 1}, {"a": 1, "b": 2}, {}, 1.0, PASSED, ""),
        ({"a": 1}, {"a": 1, "b": 2}, {"exact": True}, 0.5, FAILED, "b is not expected"),
        ({"a": 1, "b": 2}, {"a": 1}, {}, 0.5, FAILED, "b is missing"),
        ({"a": 1, "b": 2}, {"a": 1}, {"exact": True}, 0.5, FAILED, "b is missing"),
        ({"a": 1}, {"a": "1"}, {}, 0.0, FAILED, 'a 1 ≠ "1"'),
        ({"a": None}, {}, {}, 0.0, FAILED, "a is missing"),
        ({"a": None}, {"a": None}, {}, 1.0, PASSED, ""),
        ({"a": {"x": [1, 2]}}, {"a": {"x": [1, 2]}}, {}, 1.0, PASSED, ""),
        ({"a": {"x": 1}}, {"a": {"x": 1, "y": 2}}, {}, 0.0, FAILED, 'a {"x": 1} ≠ {"x": 1, "y": 2}'),
        ({}, {"a": 1}, {}, None, SILENT, "the golden expects no key in the final state"),
        ({}, {}, {"exact": True}, 1.0, PASSED, ""),
        ({}, {"a": 1}, {"exact": True}, 0.0, FAILED, "a is not expected"),
        (None, {"a": 1}, {}, None, SILENT, "the golden says nothing about the final state"),
        ({"a": 1}, None, {}, None, SILENT, "the trace does not record its final state"),
        ({"\x1b[2J": 1}, {}, {}, 0.0, FAILED, "\N{REPLACEMENT CHARACTER}[2J is missing"),
    ],
)
def test_final_state(
    expected: JsonObject | None,
    observed: JsonObject | None,
    options: JsonObject,
    score: float | None,
    status: Status,
    reason: str,
) -> None:
    verdict = state_verdict(expected, observed, **options)
    assert (verdict.score, verdict.status, verdict.reason) == (score, status, reason)


@pytest.mark.parametrize(
    ("matcher", "score"),
    [
        (Matcher("/s/id", Match.ANY), 1.0),
        (Matcher("/s/id", Match.IGNORE), 1.0),
        (Matcher("/s/id", Match.REGEXP, r"^R-\d+$"), 1.0),
        (Matcher("/s/id", Match.CONTAINS, "X"), 0.0),
        (Matcher("/elsewhere/id", Match.ANY), 0.0),
    ],
)
def test_the_matchers_of_the_golden_hold_for_its_state(matcher: Matcher, score: float) -> None:
    assert state_verdict({"id": "R-1"}, {"id": "R-2"}, matcher).score == score


def test_many_differences_are_counted() -> None:
    verdict = state_verdict({f"k{at}": at for at in range(9)}, {})
    assert verdict.reason.endswith("k4 is missing (and 4 more)")


def timed(duration_s: float | None, model_s: float | None = None, tool_s: float | None = None) -> Turn:
    return replace(turn("q", "a"), duration_s=duration_s, model_duration_s=model_s, tool_duration_s=tool_s)


def used(prompt: int | None, candidates: int | None = None) -> Turn:
    event = Event("agent", usage=Usage(prompt=prompt, candidates=candidates))
    return replace(turn("q", "a"), events=(event,))


GUESSED = replace(timed(1.0), guessed=frozenset({"times"}))

LATENCY = [
    ([timed(1.0), timed(2.0)], {"max_turn_s": 2}, 1.0, 1.0, PASSED, ""),
    (
        [timed(1.0), timed(3.5)],
        {"max_turn_s": 2},
        1.0,
        0.5,
        FAILED,
        "turn 2: the time of the turn 3.5 s, more than 2 s",
    ),
    (
        [timed(1.0), timed(3.5)],
        {"maxTurnS": 2},
        0.5,
        0.5,
        PASSED,
        "turn 2: the time of the turn 3.5 s, more than 2 s",
    ),
    ([timed(1.0), timed(None)], {"max_turn_s": 2}, 1.0, None, SILENT, "turn 2: the time of the turn is not recorded"),
    ([timed(1.0), timed(None)], {"max_turn_s": 2}, 0.5, 0.5, PASSED, "turn 2: the time of the turn is not recorded"),
    ([timed(3.0), timed(None)], {"max_turn_s": 2}, 0.9, 0.0, FAILED, "turn 1: the time of the turn 3 s"),
    ([GUESSED], {"max_turn_s": 2}, 1.0, None, SILENT, "not recorded"),
    ([timed(9.0, 1.0, 2.0)], {"max_model_s": 1, "max_tool_s": 1.5}, 1.0, 0.0, FAILED, "the time of the tools 2 s"),
    ([timed(9.0, 1.0)], {"max_model_s": 1, "max_tool_s": 1}, 1.0, None, SILENT, "the tools is not recorded"),
    ([timed(2.0), timed(2.0)], {"max_total_s": 4}, 1.0, 1.0, PASSED, ""),
    ([timed(2.0), timed(2.0)], {"max_total_s": 3}, 1.0, 0.0, FAILED, "the time of all turns 4 s, more than 3 s"),
    ([timed(5.0), timed(None)], {"max_total_s": 3}, 1.0, 0.0, FAILED, "the time of all turns 5 s, more than 3 s"),
    ([timed(1.0), timed(None)], {"max_total_s": 3}, 1.0, None, SILENT, "is not recorded for every turn"),
    ([timed(1.0), timed(9.0)], {"max_turn_s": 2, "max_total_s": 99}, 0.5, 0.5, PASSED, "turn 2"),
    ([timed(1.0), timed(1.0)], {"max_turn_s": 2, "max_total_s": 1}, 0.5, 0.0, FAILED, "all turns 2 s"),
    ([timed(float("nan"))], {"max_turn_s": 2}, 1.0, None, SILENT, "is not recorded"),
    ([timed(-1.0)], {"max_turn_s": 2}, 1.0, None, SILENT, "is not recorded"),
    ([timed(float("inf"))], {"max_turn_s": 2}, 1.0, 0.0, FAILED, "the time of the turn inf s, more than 2 s"),
    ([timed(5.0), timed(-9.0)], {"max_total_s": 3}, 1.0, 0.0, FAILED, "the time of all turns 5 s, more than 3 s"),
    ([], {"max_turn_s": 2}, 1.0, None, SILENT, "the trace has no turns"),
]


@each(("turns", "options", "threshold", "score", "status", "reason"), LATENCY)
def test_latency_budget(
    turns: list[Turn], options: JsonObject, threshold: float, score: float | None, status: Status, reason: str
) -> None:
    verdict = judged(None, trace("t", *turns), "latency_budget", threshold, options).metrics[0]
    assert (verdict.score, verdict.status) == (score, status)
    assert reason in verdict.reason
    assert bool(verdict.reason) == bool(reason)


@each(
    ("turns", "options", "score", "status", "reason"),
    [
        ([used(90, 10)], {"max_total_tokens": 100}, 1.0, PASSED, ""),
        ([used(90, 11)], {"max_total_tokens": 100}, 0.0, FAILED, "total tokens 101, more than 100"),
        ([used(1200, 1)], {"max_input_tokens": 1000}, 0.0, FAILED, "input tokens 1,200, more than 1,000"),
        ([used(1200, 1)], {"max_output_tokens": 1}, 1.0, PASSED, ""),
        ([used(1200)], {"max_output_tokens": 1}, None, SILENT, "output tokens is not recorded"),
        (
            [used(5), used(6)],
            {"max_case_input_tokens": 10},
            0.0,
            FAILED,
            "input tokens of all turns 11, more than 10",
        ),
        ([used(5), used(6)], {"max_case_total_tokens": 11}, 1.0, PASSED, ""),
        ([used(5), turn("q", "a")], {"max_case_output_tokens": 9}, None, SILENT, "not recorded"),
        ([used(0, 0)], {"max_total_tokens": 0}, 1.0, PASSED, ""),
    ],
)
def test_token_budget(
    turns: list[Turn], options: JsonObject, score: float | None, status: Status, reason: str
) -> None:
    verdict = judged(None, trace("t", *turns), "token_budget", 1.0, options).metrics[0]
    assert (verdict.score, verdict.status) == (score, status)
    assert reason in verdict.reason


def test_turns_have_verdicts_of_their_own_with_what_was_measured() -> None:
    verdict = judged(None, trace("t", timed(1.0), timed(5.0)), "latency_budget", 1.0, {"max_turn_s": 2})
    assert [one.metrics[0].status for one in verdict.turns] == [PASSED, FAILED]
    assert verdict.turns[1].metrics[0].figures == (("turn_s", 5.0),)


def test_a_missing_turn_took_no_time() -> None:
    golden = case("c", turn("first", "a"), turn("second", "b"))
    recorded: Trace = trace("t", replace(turn("first", "a"), duration_s=1.0))
    verdict = judged(golden, recorded, "latency_budget", 1.0, {"max_turn_s": 2})
    assert verdict.metrics[0].status is PASSED


@each("metric", ["latency_budget", "token_budget"])
@each("options", [{}, {"max_trun_s": 2}, {"max_turn_s": -1, "max_total_tokens": -1}, {"max_total_tokens": "many"}])
def test_a_budget_that_limits_nothing_is_refused(metric: str, options: JsonObject) -> None:
    with pytest.raises(UsageError, match=metric):
        check(Criteria((Criterion(metric, 1.0, options),)), METRICS)


def test_an_option_of_final_state_that_is_misspelled_is_refused() -> None:
    with pytest.raises(UsageError, match="exactly"):
        check(Criteria((Criterion("final_state", 1.0, {"exactly": True}),)), METRICS)


def test_the_final_state_needs_a_golden() -> None:
    verdict = judged(None, replace(trace("t", turn("q", "a")), final_state={"a": 1}), "final_state")
    assert verdict.metrics[0].reason == "there is no golden for this trace"
    scenario = Case("s", final_state={"a": 1})
    assert judged(scenario, Trace("t", final_state={"a": 1}), "final_state").metrics[0].status is PASSED
