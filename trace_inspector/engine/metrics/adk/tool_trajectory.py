"""`tool_trajectory_avg_score`: the share of turns whose calls are the golden's, with ADK 2.13's numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from trace_inspector.core.alignment.turn_alignment import Policy, align_calls, align_names, call_groups, same_call
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.trace.trace import Steps, Turn, calls_of
from trace_inspector.engine.scoring.call_orders import MatchType, any_order, exact, in_order
from trace_inspector.engine.scoring.metric import Judged, Method, Subject
from trace_inspector.engine.scoring.scoring import NO_COUNTERPART, TurnScore, compare_turns

if TYPE_CHECKING:
    from pydantic import BaseModel

    from trace_inspector.core.verdict.parting import Parting


class _Options(Struct, frozen=True):
    """The criterion's options of comparison; most have none."""

    match_type: MatchType = MatchType.EXACT
    ignore_args: bool = False


def _options_of(criterion: Criterion) -> _Options:
    if not criterion.options:
        return _Options()
    from trace_inspector.engine.scoring.call_options import parameters_of

    stated = parameters_of(criterion)
    return _Options(stated.match_type, stated.ignore_args)


def _parameters() -> type[BaseModel]:
    from trace_inspector.engine.scoring.call_options import Parameters

    return Parameters


_MATCHES = {MatchType.EXACT: exact, MatchType.IN_ORDER: in_order, MatchType.ANY_ORDER: any_order}
POLICIES = {
    MatchType.EXACT: Policy.EXACT,
    MatchType.IN_ORDER: Policy.IN_ORDER,
    MatchType.ANY_ORDER: Policy.ANY_ORDER,
}


def _same_name(expected: ToolCall, observed: ToolCall) -> bool:
    return expected.stated_name == observed.stated_name


class _TrajectoryComparison(Struct, frozen=True):
    options: _Options

    def compare(self, golden: Turn, observed: Turn) -> TurnScore:
        """One turn: 1.0 or 0.0, and how the calls pair."""
        match_type = self.options.match_type
        same = _same_name if self.options.ignore_args else same_call
        expected, made = calls_of(golden), calls_of(observed)
        matches = _MATCHES[match_type](expected, made, same)
        groups = call_groups(golden), call_groups(observed)
        by_name = self.options.ignore_args
        pairs = align_names(expected, made, groups) if by_name else align_calls(expected, made, groups=groups)
        if matches:
            return TurnScore(1.0, "", tuple(pairs))
        from trace_inspector.engine.scoring.call_sentence import call_sentence

        return TurnScore(0.0, call_sentence(pairs, expected, made, POLICIES[match_type]), tuple(pairs))

    def missing(self, golden: Turn) -> TurnScore:
        """A turn that is missing in the trace lacks every call."""
        return TurnScore(0.0, NO_COUNTERPART, tuple(align_calls(calls_of(golden), ())))


def _judge(subject: Subject, criterion: Criterion) -> Judged:
    comparison = _TrajectoryComparison(_options_of(criterion))
    return compare_turns(
        subject, criterion, unstated=unstated_calls, compare=comparison.compare, missing=comparison.missing
    )


def _partings(subject: Subject, criterion: Criterion) -> list[Parting]:
    """Where others may be called as well, what is expected may always still come."""
    options = _options_of(criterion)
    if options.match_type is not MatchType.EXACT:
        return []
    from trace_inspector.engine.scoring.partings import partings_of

    return partings_of(subject.turns, _same_name if options.ignore_args else same_call)


def unstated_calls(golden: Turn) -> str:
    """Why a golden turn gives no calls to compare with, "" when it does."""
    return "the golden does not say which calls to expect" if golden.steps is Steps.ABSENT else ""


METHOD = Method(_judge, model=_parameters, check=_options_of, partings=_partings)
