"""Thresholds and switches at every level, and whose verdicts name: the most specific one counts (reference A5)."""

from __future__ import annotations

from msgspec.structs import replace

from tests.engine.ces.ces_stories import (
    ONE,
    answer,
    call,
    calls,
    case_of,
    golden,
    judged_by,
    observed,
    says,
    trace_of,
    verdict_of,
)
from tests.helpers.tables import each
from trace_inspector.core.trace.criteria import Criteria, Criterion
from trace_inspector.core.values.values import JsonObject
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.engine.ces.defaults import ces_defaults
from trace_inspector.engine.criteria.criteria import settings_over

HALF = trace_of(observed(call("find", {"q": 1, "n": 2})))


@each(
    ("expectation", "turn", "case", "run", "threshold", "whose"),
    [
        (0.1, 0.2, 0.3, 0.4, 0.1, "of the expectation"),
        (None, 0.2, 0.3, 0.4, 0.2, "of the turn"),
        (None, None, 0.3, 0.4, 0.3, "of the case"),
        (None, None, None, 0.4, 0.4, "of the run"),
        (None, None, None, None, 1.0, "by default"),
        (0.9, 0.2, 0.3, 0.4, 0.9, "of the expectation"),
    ],
)
def test_the_most_specific_threshold_counts_and_is_named(
    expectation: float | None,
    turn: float | None,
    case: float | None,
    run: float | None,
    threshold: float,
    whose: str,
) -> None:
    metric = "ces_parameter_correctness"

    def level(value: float | None) -> tuple[Criterion, ...]:
        return () if value is None else (Criterion(metric, value),)

    wanted = replace(calls(call("find", {"q": 1, "n": 3}))[0], criteria=level(expectation))
    given = case_of(golden(wanted, criteria=level(turn)), criteria=level(case))
    verdict = judged_by(given, HALF, Criterion(metric, run)).turns[0].metrics[0]
    (outcome,) = verdict.expectations
    assert outcome.score == 0.5
    assert f"threshold {threshold:g} {whose}" in outcome.reason
    assert outcome.status is (Status.PASSED if threshold <= 0.5 else Status.FAILED)


@each(
    ("turn", "case", "run", "off"),
    [
        (None, None, {"enabled": False}, "switched off in the run"),
        (None, {"enabled": True}, {"enabled": False}, ""),
        ({"enabled": False}, {"enabled": True}, {}, "switched off in the turn"),
        ({}, {"enabled": False}, {"enabled": True}, "switched off in the case"),
        (None, None, {}, ""),
        (None, None, {"enabled": None}, ""),
    ],
)
def test_a_switch_has_three_states(
    turn: JsonObject | None, case: JsonObject | None, run: JsonObject, off: str
) -> None:
    """A5: absent is the behaviour of the level above; true is on; false, also by being left out, is off."""
    metric = "ces_tool_invocation"

    def level(options: JsonObject | None) -> tuple[Criterion, ...]:
        return () if options is None else (Criterion(metric, None, options),)

    given = case_of(golden(*calls(call("find")), criteria=level(turn)), criteria=level(case))
    verdict = verdict_of(given, HALF, metric, 1.0, run)
    assert verdict.status is (Status.SKIPPED if off else Status.PASSED)
    if off:
        assert verdict.reason == off


def test_one_expectation_can_be_switched_off_alone() -> None:
    off = (Criterion("ces_parameter_correctness", None, {"enabled": False}),)
    first, second = calls(call("find", {"q": 0}), call("pay", {"n": 0}))
    given = case_of(golden(replace(first, criteria=off), second))
    trace = trace_of(observed(call("find", {"q": 9}), call("pay", {"n": 0})))
    verdict = judged_by(given, trace, Criterion("ces_parameter_correctness", 1.0))
    assert [one.status for one in verdict.turns[0].metrics[0].expectations] == [Status.SKIPPED, Status.PASSED]


def test_an_answer_can_be_switched_off_alone() -> None:
    off = (Criterion("ces_semantic_similarity", None, {"enabled": False}),)
    given = case_of(golden(replace(answer("one"), criteria=off), answer("two", place="/two")))
    judge = says(4)
    verdict_of(given, trace_of(observed(says="2")), "ces_semantic_similarity", 3.0, {**ONE}, judge)
    assert dict(judge.asked[0].fields)["expected"] == "two"
    alone = case_of(golden(replace(answer("one"), criteria=off)))
    verdict = verdict_of(alone, trace_of(observed(says="2")), "ces_semantic_similarity", 3.0, {**ONE}, says())
    assert (verdict.status, verdict.reason) == (Status.SKIPPED, "switched off in the expectation")


def test_an_answer_switches_hallucination_off() -> None:
    """A4: agentResponseHallucinationMetricsConfigOverride."""
    off = (Criterion("ces_hallucination", None, {"enabled": False}),)
    given = case_of(golden(replace(answer("one"), criteria=off)))
    verdict = verdict_of(given, trace_of(observed(says="2")), "ces_hallucination", 1.0, {**ONE}, says())
    assert (verdict.status, verdict.reason) == (Status.SKIPPED, "switched off in the expectation")


def test_the_turn_has_its_own_similarity_threshold() -> None:
    given = case_of(
        golden(answer("one"), criteria=[Criterion("ces_semantic_similarity", 1.0)]), golden(answer("two"), user="b")
    )
    trace = trace_of(observed(says="1"), observed(says="2", user="b"))
    verdict = judged_by(given, trace, Criterion("ces_semantic_similarity", 3.0, {**ONE}), judge=says(2, 2))
    assert [turn.status for turn in verdict.turns] == [Status.PASSED, Status.FAILED]
    assert [turn.metrics[0].threshold for turn in verdict.turns] == [1.0, 3.0]
    assert (verdict.metrics[0].status, verdict.metrics[0].score) == (Status.FAILED, 2.0)


def test_the_turn_switches_its_own_hallucination() -> None:
    """A4: hallucinationMetricBehaviorOverride of a golden turn stands before the app's word."""
    off = [Criterion("ces_hallucination", None, {"hallucinationMetricBehavior": "DISABLED"})]
    given = case_of(golden(criteria=off))
    on: JsonObject = {**ONE, "goldenHallucinationMetricBehavior": "ENABLED"}
    verdict = verdict_of(given, trace_of(observed(says="x")), "ces_hallucination", None, on, says(0))
    assert (verdict.score, verdict.status) == (0.0, Status.INFORMATIONAL)
    assert "DISABLED of the turn" in verdict.reason


def test_the_defaults_are_what_the_cases_state_and_a_judge_adds_the_rest() -> None:
    given = case_of(golden(*calls(call("find")), answer("hi")))
    alone = [one.metric for one in ces_defaults([given], judged=False).items]
    assert alone == [
        "ces_tool_invocation",
        "ces_tool_order",
        "ces_parameter_correctness",
        "ces_extra_calls",
        "ces_expectations",
    ]
    judged = {one.metric: one.threshold for one in ces_defaults([given], judged=True).items}
    assert judged["ces_semantic_similarity"] == 3.0
    assert judged["ces_hallucination"] is None
    assert set(judged) - set(alone) == {"ces_semantic_similarity", "ces_hallucination"}


def test_goldens_without_calls_are_not_asked_for_any() -> None:
    quiet = case_of(golden(answer("hi")))
    assert [one.metric for one in ces_defaults([quiet], judged=False).items] == [
        "ces_extra_calls",
        "ces_expectations",
    ]
    assert len(ces_defaults([], judged=False).items) == 4


def test_what_an_app_states_are_settings_of_the_defaults() -> None:
    app = Criteria(
        (
            Criterion("ces_extra_calls", None, {"extraToolCallBehavior": "ALLOW"}),
            Criterion("ces_tool_invocation", 0.5),
            Criterion("ces_semantic_similarity", 0.0),
        ),
        "app.json",
    )
    defaults = ces_defaults([case_of(golden(*calls(call("find"))))], judged=False)
    found = {one.metric: one for one in settings_over(app, defaults).items}
    assert list(found) == [one.metric for one in defaults.items]
    assert found["ces_tool_invocation"].threshold == 0.5
    assert (found["ces_extra_calls"].threshold, found["ces_extra_calls"].options) == (
        1.0,
        {"extraToolCallBehavior": "ALLOW"},
    )
    assert found["ces_parameter_correctness"].threshold == 1.0
