"""The default criteria of CES: what the cases of a file state, and what a judge can decide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.criteria import Criteria, Criterion
from trace_inspector.core.trace.expectation import Expects
from trace_inspector.engine.ces.calls import call_expectations
from trace_inspector.engine.ces.settings import DEFAULT_THRESHOLDS, EVERYTHING

_OF_TURNS = {
    Expects.NO_CALLS: "ces_no_tool_calls",
    Expects.TRANSFER: "ces_transfers",
    Expects.VARIABLES: "ces_variables",
}


def ces_defaults(cases: Sequence[Case], judged: bool) -> Criteria:
    """CES's metrics that apply to these cases; judged ones only with a judge."""
    goldens = [case for case in cases if case.scenario is None]
    scenarios = [case for case in cases if case.scenario is not None]
    items = [
        *(_of_goldens(goldens, judged) if goldens or not cases else ()),
        *(_of_scenarios(scenarios, judged) if scenarios else ()),
        *_of_both(cases, judged),
    ]
    return Criteria(tuple({item.metric: item for item in items}.values()), "the defaults of CES")


def _of_goldens(goldens: Sequence[Case], judged: bool) -> Iterator[Criterion]:
    kinds = {expectation.kind for case in goldens for turn in case.turns for expectation in turn.expectations}
    if not goldens or any(call_expectations(turn) for case in goldens for turn in case.turns):
        yield _criterion("ces_tool_invocation")
        yield Criterion("ces_tool_order")
        yield _criterion("ces_parameter_correctness")
    yield _criterion("ces_extra_calls")
    for kind, metric in _OF_TURNS.items():
        if kind in kinds:
            yield _criterion(metric)
    if kinds:
        yield _criterion("ces_expectations")
    answers = Expects.ANSWER in kinds or any(turn.final_response for case in goldens for turn in case.turns)
    if judged and answers:
        yield _criterion("ces_semantic_similarity")


def _of_scenarios(scenarios: Sequence[Case], judged: bool) -> Iterator[Criterion]:
    kinds = {expectation.kind for case in scenarios for expectation in case.expectations}
    if kinds & {Expects.CALL, Expects.ANSWER}:
        yield _criterion("ces_expectations")
    if judged:
        yield _criterion("ces_user_goal")
        yield _criterion("ces_task_completed")
        if any(case.rubrics for case in scenarios):
            yield Criterion("ces_rubrics")


def _of_both(cases: Sequence[Case], judged: bool) -> Iterator[Criterion]:
    if not judged:
        return
    yield Criterion("ces_hallucination")
    if any(expectation.kind is Expects.CRITERION for case in cases for expectation in case.expectations):
        yield _criterion("ces_llm_criteria")


def _criterion(metric: str) -> Criterion:
    """The metric with its threshold."""
    return Criterion(metric, DEFAULT_THRESHOLDS.get(metric, EVERYTHING))
