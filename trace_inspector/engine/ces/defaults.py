"""The default criteria of CES: what the cases of a file state, and what a judge can decide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.criteria import Criteria, Criterion
from trace_inspector.core.trace.expectation import Expects
from trace_inspector.engine.ces.calls import call_expectations

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
        yield Criterion("ces_tool_invocation", 1.0)
        yield Criterion("ces_tool_order")
        yield Criterion("ces_parameter_correctness", 1.0)
    yield Criterion("ces_extra_calls", 1.0)
    for kind, metric in _OF_TURNS.items():
        if kind in kinds:
            yield Criterion(metric, 1.0)
    if kinds:
        yield Criterion("ces_expectations", 1.0)
    answers = Expects.ANSWER in kinds or any(turn.final_response for case in goldens for turn in case.turns)
    if judged and answers:
        yield Criterion("ces_semantic_similarity", 3.0)


def _of_scenarios(scenarios: Sequence[Case], judged: bool) -> Iterator[Criterion]:
    kinds = {expectation.kind for case in scenarios for expectation in case.expectations}
    if kinds & {Expects.CALL, Expects.ANSWER}:
        yield Criterion("ces_expectations", 1.0)
    if judged:
        yield Criterion("ces_user_goal", 1.0)
        yield Criterion("ces_task_completed", 1.0)
        if any(case.rubrics for case in scenarios):
            yield Criterion("ces_rubrics")


def _of_both(cases: Sequence[Case], judged: bool) -> Iterator[Criterion]:
    if not judged:
        return
    yield Criterion("ces_hallucination")
    if any(expectation.kind is Expects.CRITERION for case in cases for expectation in case.expectations):
        yield Criterion("ces_llm_criteria", 1.0)
