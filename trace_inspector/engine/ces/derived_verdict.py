"""Derives verdicts from the parts of a CES result: of turns, for which CES states none, and of the whole."""

from __future__ import annotations

from msgspec.structs import replace

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.values.values import ABSENT
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, Provenance, Status, TurnVerdict, compose
from trace_inspector.engine.ces.settings import (
    EXPECTATIONS,
    EXTRA_CALLS,
    HALLUCINATION,
    LLM_CRITERIA,
    SEMANTIC_SIMILARITY,
    TOOL_INVOCATION,
    USER_GOAL,
)

SATISFIED, REJECTED, IGNORED = "USER_GOAL_SATISFIED", "USER_GOAL_REJECTED", "USER_GOAL_IGNORED"
_GOALS = {"": SATISFIED, SATISFIED: SATISFIED, REJECTED: REJECTED, IGNORED: IGNORED}
_OF_A_TURN = (EXPECTATIONS, SEMANTIC_SIMILARITY, TOOL_INVOCATION, EXTRA_CALLS, HALLUCINATION)
_OF_THE_WHOLE = (EXPECTATIONS, LLM_CRITERIA, HALLUCINATION, USER_GOAL)


def derived(verdict: CaseVerdict, case: Case | None = None) -> CaseVerdict:
    """The verdict with statuses derived from its parts. The case is needed for a scenario's expected goal."""
    turns = tuple(_derived_turn(turn) for turn in verdict.turns)
    summed = {metric.metric for turn in verdict.turns for metric in turn.metrics}
    parts = [metric for metric in verdict.metrics if metric.metric in _OF_THE_WHOLE and metric.metric not in summed]
    whole = [_status(metric, case) for metric in parts]
    status = compose([*(turn.status for turn in turns), *whole])
    if status is Status.PASSED and any(map(_is_open_goal, parts, whole)):
        status = Status.NOT_EVALUATED
    return replace(verdict, status=status, turns=turns, native=ABSENT, provenance=Provenance.DERIVED)


def _is_open_goal(metric: MetricVerdict, status: Status) -> bool:
    """Whether it is known that a goal was met or not, but not whether it should have been."""
    return metric.metric == USER_GOAL and status is Status.NOT_EVALUATED and metric.score in (0.0, 1.0)


def _derived_turn(turn: TurnVerdict) -> TurnVerdict:
    """Error before failed before passed; skipped and informational parts do not count."""
    counted = [_status(metric) for metric in turn.metrics if metric.metric in _OF_A_TURN]
    broke = turn.status is Status.ERROR or Status.ERROR in counted
    return replace(turn, status=Status.ERROR if broke else compose(counted), provenance=Provenance.DERIVED)


def _status(metric: MetricVerdict, case: Case | None = None) -> Status:
    """The status of a part, derived from its own parts where it has some."""
    goal = case.scenario.goal if case is not None and case.scenario is not None else None
    if metric.metric == USER_GOAL and goal is not None:
        return goal_status(metric.score, goal)[0]
    if metric.metric == EXPECTATIONS and metric.expectations:
        return compose(expectation.status for expectation in metric.expectations)
    return metric.status


def goal_status(score: float | None, goal: str | None) -> tuple[Status, str]:
    """The status of a goal's score: the goal may have to be satisfied, rejected, or ignored; None is unknown."""
    expected_goal = _GOALS.get(goal) if goal is not None else None
    if expected_goal is None and goal is not None:
        return Status.NOT_EVALUATED, f"“{one_line(goal, 40)}” is not a known behaviour for the user’s goal"
    if expected_goal == IGNORED:
        return Status.INFORMATIONAL, f"{IGNORED}: it does not decide"
    if score not in (0.0, 1.0):
        return Status.NOT_EVALUATED, "it cannot be decided (−1)" if score == -1 else ""
    met = "the user’s goal was met" if score == 1.0 else "the user’s goal was not met"
    if expected_goal is None:
        return Status.NOT_EVALUATED, f"{met}; whether that is right is stated in the evaluation, which is not open"
    passed = score == (1.0 if expected_goal == SATISFIED else 0.0)
    return Status.PASSED if passed else Status.FAILED, f"{met}, {expected_goal} is expected"
