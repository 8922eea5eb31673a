"""The audit lists where a verdict contradicts its parts; failures are sorted in the order of the reference (A7)."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.engine.ces.ces_stories import scenario_of
from tests.helpers.tables import each
from trace_inspector.core.alignment.turn_alignment import CallMatch, CallPair
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.triage import (
    CRITERIA_METRICS,
    TEXT_METRICS,
    TOOL_METRICS,
    Bucket,
    triage,
    triage_note,
    triage_of_ces,
)
from trace_inspector.core.verdict.verdict import (
    CaseVerdict,
    ExpectationVerdict,
    MetricVerdict,
    Provenance,
    RubricVerdict,
    Status,
    TurnVerdict,
)
from trace_inspector.engine.audit.audit import audit
from trace_inspector.engine.ces.derived_verdict import derived, goal_status
from trace_inspector.engine.ces.run_method import mixed_methods, run_method, why_not_alike, with_run_method
from trace_inspector.engine.metrics import METRICS
from trace_inspector.engine.run_comparison.compared_case import Change
from trace_inspector.engine.run_comparison.compared_runs import compare_runs

P, F, N, E, INFO, S = (
    Status.PASSED,
    Status.FAILED,
    Status.NOT_EVALUATED,
    Status.ERROR,
    Status.INFORMATIONAL,
    Status.SKIPPED,
)


def metric(
    name: str,
    status: Status,
    score: float | None = None,
    *expectations: ExpectationVerdict,
    threshold: float | None = None,
    reason: str = "",
    crashed: bool = False,
) -> MetricVerdict:
    """A verdict of a metric as a file reports it."""
    return MetricVerdict(
        name, score, status, threshold, reason, Provenance.REPORTED, expectations=expectations, crashed=crashed
    )


def verdict(
    status: Status,
    *metrics: MetricVerdict,
    turns: tuple[tuple[Status, tuple[MetricVerdict, ...]], ...] = (),
    extras: tuple[Extra, ...] = (),
    reason: str = "",
) -> CaseVerdict:
    """A case as a file reports it."""
    told = tuple(TurnVerdict(at, None, one, held) for at, (one, held) in enumerate(turns))
    return CaseVerdict(
        "c", "", "t", status, metrics, told, reason=reason, provenance=Provenance.REPORTED, extras=extras
    )


GOOD = metric("ces_tool_invocation", P, 1.0, threshold=1.0)
WRONG = metric("ces_tool_invocation", F, 0.0, threshold=1.0)
GOOD_WORDS = metric("ces_llm_criteria", P, 1.0)
SILENT = metric("ces_semantic_similarity", N, reason="a call of the judge failed: no line")


def codes(found: CaseVerdict) -> list[str]:
    return [one.code for one in audit(found)]


@each(
    ("about", "found", "expected"),
    [
        ("nothing is wrong", verdict(P, turns=((P, (GOOD,)),)), []),
        ("an honest failure", verdict(F, turns=((F, (WRONG,)),)), []),
        (
            "all scores pass, and the platform says FAIL",
            verdict(F, turns=((P, (GOOD,)),)),
            ["scores-pass-but-fail"],
        ),
        ("green on top of red", verdict(P, turns=((F, (WRONG,)),)), ["passed-with-failure"]),
        ("nothing was checked", verdict(P, turns=((N, ()),)), ["nothing-checked"]),
        ("fewer turns checked than exist", verdict(P, turns=((P, (GOOD,)), (N, ()))), ["turns-unchecked"]),
        ("a crashed metric", verdict(P, GOOD, metric("judge_prompt", N, crashed=True)), ["crash-hidden"]),
        ("a judge that failed", verdict(P, turns=((P, (GOOD, SILENT)),)), ["judge-failed"]),
        (
            "an error beside a pass",
            verdict(P, turns=((P, (GOOD,)),), extras=(Extra("errorInfo", {"errorType": 1}),)),
            ["error-hidden"],
        ),
        ("an error that is said", verdict(E, extras=(Extra("errorInfo", {"errorType": 1}),)), []),
        (
            "a score below its threshold",
            verdict(P, turns=((P, (metric("ces_tool_invocation", P, 0.5, threshold=1.0),)),)),
            ["score-against-threshold"],
        ),
        (
            "a score above its threshold",
            verdict(F, turns=((F, (metric("ces_tool_invocation", F, 1.0, threshold=1.0),)),)),
            ["score-against-threshold"],
        ),
        (
            "single precision is near enough",
            verdict(P, turns=((P, (metric("ces_tool_invocation", P, 0.6666666, threshold=2 / 3),)),)),
            [],
        ),
        (
            "a case is no mean of its turns",
            verdict(F, metric("ces_tool_invocation", F, 0.75, threshold=0.5), turns=((F, (WRONG,)),)),
            [],
        ),
        (
            "-1 is nothing to assess",
            verdict(F, turns=((F, (metric("ces_hallucination", F, -1.0),)),)),
            ["nothing-to-assess"],
        ),
        (
            "green on top of a red expectation",
            verdict(P, turns=((P, (metric("ces_expectations", P, None, ExpectationVerdict("call find", F)),)),)),
            ["derived-differs", "metric-against-parts"],
        ),
        (
            "a turn that fails by nothing",
            verdict(F, turns=((F, (GOOD,)),)),
            ["derived-differs", "turn-against-parts"],
        ),
        (
            "a completed task without its goal",
            verdict(P, metric("ces_task_completed", P), metric("ces_user_goal", F, 0.0)),
            ["passed-with-failure", "task-against-terms"],
        ),
        (
            "an ADK result is not derived by CES's rules",
            verdict(F, metric("response_match_score", F, 0.1, threshold=0.8)),
            [],
        ),
    ],
)
def test_contradictions(about: str, found: CaseVerdict, expected: list[str]) -> None:
    assert codes(found) == expected, about
    assert all(one.sentence.endswith(".") for one in audit(found))


def test_turns_that_only_the_trace_has_are_missed() -> None:
    found = verdict(P, turns=((P, (GOOD,)),))
    assert audit(found, turns=1) == ()
    assert "1 of 2 turns" in audit(found, turns=2)[0].sentence


def test_the_known_cause_of_a_failure_without_failure_is_named() -> None:
    claims = metric("ces_hallucination", INFO, 0.0)
    (first, *_) = audit(verdict(F, turns=((P, (GOOD, claims)),)))
    assert "hallucination" in first.sentence


@each(
    ("section", "metrics", "status"),
    [
        ("A7 FAIL if the tool outcome is FAIL", (WRONG,), F),
        ("A7 FAIL if the semantic outcome is FAIL", (GOOD, metric("ces_semantic_similarity", F, 1.0)), F),
        ("A7 FAIL if an expectation is FAIL", (metric("ces_expectations", N, None, ExpectationVerdict("x", F)),), F),
        ("A7 hallucination 0 while ENABLED", (GOOD, metric("ces_hallucination", F, 0.0)), F),
        ("A7 hallucination 0, DISABLED", (GOOD, metric("ces_hallucination", INFO, 0.0)), P),
        ("A7 SKIPPED never counts", (metric("ces_expectations", S, None, ExpectationVerdict("x", S)),), N),
        ("A6 the ordered score informs", (metric("ces_tool_order", INFO, 0.0),), N),
        ("A7 nothing was judged", (), N),
    ],
)
def test_derived_verdicts_of_turns(section: str, metrics: tuple[MetricVerdict, ...], status: Status) -> None:
    ours = derived(verdict(P, turns=((N, metrics),)))
    assert ours.turns[0].status is status, section
    assert ours.turns[0].provenance is ours.provenance is Provenance.DERIVED
    assert ours.status is status


def test_an_error_stands_before_what_failed() -> None:
    """A7: ERROR if errorInfo; else FAIL."""
    assert derived(verdict(N, turns=((E, (WRONG,)),))).turns[0].status is E


@each(
    ("line", "goal", "score", "status"),
    [
        ("A7 SATISFIED needs score 1", "USER_GOAL_SATISFIED", 1.0, P),
        ("A7 SATISFIED needs score 1", "USER_GOAL_SATISFIED", 0.0, F),
        ("A7 REJECTED needs score 0", "USER_GOAL_REJECTED", 0.0, P),
        ("A7 REJECTED needs score 0", "USER_GOAL_REJECTED", 1.0, F),
        ("A7 IGNORED drops the term", "USER_GOAL_IGNORED", 0.0, INFO),
        ("A2 UNSPECIFIED acts as SATISFIED", "", 0.0, F),
        ("A3 a result has no userGoalBehavior", None, 0.0, N),
        ("A3 a result has no userGoalBehavior", None, 1.0, N),
        ("A3 -1 unspecified", None, -1.0, N),
    ],
)
def test_a_goal_counts_as_the_scenario_wants_it(line: str, goal: str | None, score: float, status: Status) -> None:
    assert goal_status(score, goal)[0] is status, line
    found = verdict(P, GOOD_WORDS, metric("ces_user_goal", N, score))
    alone = {F: F, N: P if score == -1 else N}.get(status, P)
    assert derived(found, scenario_of(goal=goal)).status is alone, line


@pytest.mark.parametrize("stated", [P, F])
@pytest.mark.parametrize("score", [0.0, 1.0])
def test_a_goal_that_nobody_can_decide_on_contradicts_nothing(stated: Status, score: float) -> None:
    found = verdict(stated, GOOD_WORDS, metric("ces_user_goal", N, score))
    assert codes(found) == []
    assert triage(found) in (None, Bucket.UNKNOWN)


def compared(*matches: CallMatch) -> MetricVerdict:
    """A failed trajectory with its calls."""
    pairs = tuple(CallPair(one, None, None) for one in matches)
    return replace(metric("tool_trajectory_avg_score", F, 0.0), calls=pairs)


def rated(*scores: float | None) -> MetricVerdict:
    """A failed metric with its rubrics."""
    rubrics = tuple(RubricVerdict(f"r{at}", score) for at, score in enumerate(scores))
    return replace(metric("general_quality_v1", F, 0.5), rubrics=rubrics)


EXTRA = metric("ces_expectations", F, None, ExpectationVerdict("call pay", F, extra=True))
CRITERION = metric("ces_llm_criteria", F, 0.0)
ANSWER = metric("ces_semantic_similarity", F, 1.0)


@each(
    ("bucket", "found"),
    [
        (Bucket.TIMEOUT, verdict(F, CRITERION, EXTRA, reason="RUNTIME_FAILURE: request timed out")),
        (Bucket.TIMEOUT, verdict(E, extras=(Extra("errorInfo", {"errorMessage": "Deadline exceeded"}),))),
        (Bucket.EXPECTATION_FAIL, verdict(F, CRITERION, EXTRA)),
        (Bucket.EXTRA_TURNS, verdict(F, EXTRA, WRONG)),
        (Bucket.EXTRA_TURNS, replace(verdict(F, GOOD), extra_turns=(3,))),
        (Bucket.SCORES_PASS_BUT_FAIL, verdict(F, GOOD)),
        (Bucket.TOOL_MISSING, verdict(F, WRONG, ANSWER)),
        (Bucket.TEXT_MISMATCH, verdict(F, ANSWER)),
        (Bucket.UNKNOWN, verdict(F, metric("latency_budget", F, 0.0))),
        (Bucket.TOOL_MISSING, verdict(F, metric("tool_trajectory_avg_score", F, 0.0))),
        (Bucket.TOOL_MISSING, verdict(F, compared(CallMatch.MISSING, CallMatch.EXTRA))),
        (Bucket.EXTRA_TURNS, verdict(F, compared(CallMatch.SAME, CallMatch.EXTRA))),
        (Bucket.TEXT_MISMATCH, verdict(F, metric("final_response_match_v2", F, 0.0))),
        (Bucket.TEXT_MISMATCH, verdict(F, metric("rouge_l_sum", F, 0.1))),
        (Bucket.EXPECTATION_FAIL, verdict(F, rated(1.0, 0.0))),
        (Bucket.UNKNOWN, verdict(F, rated(1.0, None))),
        (Bucket.EXPECTATION_FAIL, verdict(F, metric("judge_prompt:tone", F, 0.0))),
        (None, verdict(P, GOOD)),
        (None, verdict(N)),
    ],
)
def test_failures_are_sorted_in_the_order_of_the_tests(bucket: Bucket | None, found: CaseVerdict) -> None:
    assert triage(found) is bucket


def test_buckets_name_metrics_that_exist() -> None:
    assert {metric.name for metric in METRICS} >= TOOL_METRICS | TEXT_METRICS | CRITERIA_METRICS


def test_a_tolerated_extra_call_is_no_reason() -> None:
    allowed = metric("ces_expectations", INFO, None, ExpectationVerdict("call pay", INFO, extra=True))
    assert triage(verdict(F, allowed, WRONG)) is Bucket.TOOL_MISSING


def test_failures_are_counted_by_bucket() -> None:
    assert triage_note({Bucket.TEXT_MISMATCH: 2, Bucket.TIMEOUT: 0, Bucket.TOOL_MISSING: 1}) == (
        "failures by kind: 1 TOOL_MISSING (an expected call was not made, or not as expected), 2 TEXT_MISMATCH (the "
        "agent said something else)"
    )


def ran(method: Json) -> CaseVerdict:
    return verdict(P, extras=(Extra("goldenRunMethod", method),))


def test_failures_by_ces_are_told_in_a_sentence_and_others_are_not() -> None:
    buckets = map(triage_of_ces, [verdict(F, WRONG), verdict(P, GOOD), verdict(F, metric("final_state", F))])
    assert [*buckets] == [Bucket.TOOL_MISSING, None, None]
    assert triage_note({}) == ""


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [("STABLE", "STABLE", True), ("STABLE", "NAIVE", False), (1, 2, False), (None, "NAIVE", False), (None, 1, True)],
)
def test_stable_and_naive_runs_are_not_alike(one: Json, other: Json, alike: bool) -> None:
    """A5: in STABLE a failing turn never cascades, so they are not like for like; STABLE is the default."""
    assert (why_not_alike(ran(one), ran(other)) == "") is alike
    assert (why_not_alike(ran(other), ran(one)) == "") is alike


def test_cases_that_were_replayed_otherwise_are_not_compared() -> None:
    (case,) = compare_runs([ran("STABLE")], [ran("NAIVE")]).cases
    assert case.change is Change.NOT_COMPARABLE
    assert "replayed STABLE there and NAIVE here" in case.why
    assert compare_runs([ran("NAIVE")], [ran("NAIVE")]).cases[0].change is not Change.REGRESSED


def test_a_run_with_both_methods_says_so() -> None:
    assert mixed_methods(Counter(map(run_method, [ran("STABLE"), ran("STABLE")]))) == ""
    assert mixed_methods(Counter(map(run_method, [ran("STABLE"), ran(2), ran("NAIVE")]))).startswith(
        "1 of the results were replayed STABLE and 2"
    )


def test_our_verdicts_keep_how_their_traces_were_replayed() -> None:
    own = CaseVerdict("c", "", "t", P, trace_path="a.json", trace_place="/0")
    kept = with_run_method(own, {("a.json", "/0", "t"): "NAIVE"})
    assert run_method(kept) == "NAIVE"
    assert with_run_method(own, {}) is own


_METRICS = st.builds(
    metric,
    st.sampled_from(["ces_tool_invocation", "ces_hallucination", "ces_expectations", "ces_user_goal", "other"]),
    st.sampled_from(Status),
    st.none() | st.sampled_from([-1.0, 0.0, 0.5, 1.0]),
)


@given(st.sampled_from(Status), st.lists(_METRICS, max_size=4), st.lists(_METRICS, max_size=3))
def test_what_is_derived_never_differs_from_itself(
    status: Status, whole: list[MetricVerdict], parts: list[MetricVerdict]
) -> None:
    found = verdict(status, *whole, turns=((status, tuple(parts)),))
    once = derived(found)
    assert derived(once).status is once.status
    assert "derived-differs" not in codes(replace(once, provenance=Provenance.REPORTED))
    assert (triage(found) is None) is (status not in (F, E))
