"""Vertex AI's trajectory metrics: all calls of a conversation against all that its golden expects."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct
from pydantic import BaseModel

from trace_inspector.core.alignment.turn_alignment import same_call
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.verdict.parting import Parting
from trace_inspector.engine.judges.questions.options import options_of
from trace_inspector.engine.scoring.call_orders import CallOrder, any_order, exact, in_order
from trace_inspector.engine.scoring.metric import CannotJudge, Judged, Method, Subject
from trace_inspector.engine.scoring.partings import is_compared, made_in, parting_from
from trace_inspector.engine.vertex.whole_conversation import expected_calls, made_calls, scored

_Calls = Sequence[ToolCall]
_Score = Callable[[_Calls, _Calls], float]


def _count_among(calls: _Calls, among: _Calls) -> int:
    """How many of some calls are among others, each compared independently."""
    return sum(any(same_call(call, other) for other in among) for call in calls)


def precision(expected: _Calls, made: _Calls) -> float:
    """Of the calls made, the share that the golden expects; none made is right where none is expected."""
    return _count_among(made, expected) / len(made) if made else float(not expected)


def recall(expected: _Calls, made: _Calls) -> float:
    """Of the calls expected, the share that was made."""
    return _count_among(expected, made) / len(expected) if expected else 1.0


class _Matching(Struct, frozen=True):
    """All or nothing; a value, so that it can be pickled."""

    order: CallOrder

    def __call__(self, expected: _Calls, made: _Calls) -> float:
        return float(self.order(expected, made, same_call))


class Trajectory(Struct, frozen=True):
    """One figure over both lists of calls."""

    score: _Score

    def judge(self, subject: Subject, criterion: Criterion) -> Judged:
        """Compare whole conversations."""
        expected, made = expected_calls(subject), made_calls(subject)
        reason = f"{_count_among(expected, made)} of {len(expected)} expected calls among {len(made)} made"
        return scored(subject, criterion, self.score(expected, made), reason)


class SingleToolParameters(BaseModel):
    """Which tool must be used."""

    tool_name: str = ""


def _single_tool(criterion: Criterion) -> str:
    name = options_of(SingleToolParameters, criterion).tool_name
    if not name:
        raise CannotJudge(f"{criterion.metric}: the option “tool_name” is missing; name the tool to be used")
    return name


def _judge_single(subject: Subject, criterion: Criterion) -> Judged:
    name = _single_tool(criterion)
    used = any(call.name == name for call in made_calls(subject))
    return scored(subject, criterion, float(used), f"no call of “{one_line(name, 60)}”")


def _partings(subject: Subject, _criterion: Criterion) -> list[Parting]:
    """Of the whole conversation: the first call that the golden's do not have."""
    made = [each for row in subject.turns if row.observed and is_compared(row) for each in made_in(row.observed)]
    parting = parting_from(expected_calls(subject), made, same_call)
    return [parting] if parting is not None else []


METHODS = {
    "trajectory_exact_match": Method(Trajectory(_Matching(exact)).judge, partings=_partings),
    "trajectory_in_order_match": Method(Trajectory(_Matching(in_order)).judge),
    "trajectory_any_order_match": Method(Trajectory(_Matching(any_order)).judge),
    "trajectory_single_tool_use": Method(_judge_single, parameters=SingleToolParameters, check=_single_tool),
}
