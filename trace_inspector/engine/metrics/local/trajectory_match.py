"""`trajectory_match`: the share of turns with the golden's calls, comparing arguments by its matchers."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.alignment.turn_alignment import align_calls, how_they_differ, same_call
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.trace.trace import Turn, calls_of
from trace_inspector.core.verdict.parting import Parting
from trace_inspector.engine.metrics.adk.tool_trajectory import POLICIES, unstated_calls
from trace_inspector.engine.scoring.argument_case import respelled
from trace_inspector.engine.scoring.call_options import Parameters, read_parameters
from trace_inspector.engine.scoring.call_orders import MatchType
from trace_inspector.engine.scoring.call_sentence import call_sentence
from trace_inspector.engine.scoring.matched_calls import matched_calls
from trace_inspector.engine.scoring.matching import Matchers, matchers_of
from trace_inspector.engine.scoring.metric import Judged, Method, PairedTurn, Subject
from trace_inspector.engine.scoring.partings import partings_of
from trace_inspector.engine.scoring.scoring import NO_COUNTERPART, TurnScore, compare_turns

_ANY_SPELLING = "names of arguments may differ in snake_case and camelCase"


class OwnParameters(Parameters):
    """ADK's options, and one for traces in which argument names were converted."""

    any_spelling: bool = False


class _MatchComparison(Struct, frozen=True):
    parameters: OwnParameters
    matchers: Matchers

    def compare(self, golden: Turn, observed: Turn) -> TurnScore:
        """One turn: 1.0 or 0.0, and how the calls pair."""
        if self.parameters.any_spelling:
            observed = respelled(observed, golden)
        pairs = matched_calls(golden, observed, self.matchers, names_only=self.parameters.ignore_args)
        policy = POLICIES[self.parameters.match_type]
        wrong = any(pair.counts(policy) for pair in pairs)
        reason = call_sentence(pairs, calls_of(golden), calls_of(observed), policy) if wrong else ""
        return TurnScore(0.0 if wrong else 1.0, reason, tuple(pairs))

    def missing(self, golden: Turn) -> TurnScore:
        """A turn that is missing in the trace lacks every call."""
        return TurnScore(0.0, NO_COUNTERPART, tuple(align_calls(calls_of(golden), ())))


def _parameters_of(criterion: Criterion) -> OwnParameters:
    return read_parameters(OwnParameters, criterion)


def _judge(subject: Subject, criterion: Criterion) -> Judged:
    matchers = matchers_of(subject.case.matchers if subject.case else ())
    comparison = _MatchComparison(_parameters_of(criterion), matchers)
    judged = compare_turns(
        subject, criterion, unstated=unstated_calls, compare=comparison.compare, missing=comparison.missing
    )
    idle = _idle(subject.case, matchers) if subject.case else ""
    spelling = _ANY_SPELLING if comparison.parameters.any_spelling else ""
    reason = "; ".join(filter(None, (judged.overall.reason, idle, spelling)))
    return replace(judged, overall=replace(judged.overall, reason=reason))


def _partings(subject: Subject, criterion: Criterion) -> list[Parting]:
    """Where others may be called as well, what is expected may always still come."""
    parameters = _parameters_of(criterion)
    if parameters.match_type is not MatchType.EXACT:
        return []
    matchers = matchers_of(subject.case.matchers if subject.case else ())
    rows = [_as_spelled(row) for row in subject.turns] if parameters.any_spelling else subject.turns
    same = matchers.same_call if matchers.by_place else same_call
    differing = matchers.differing if matchers.by_place else how_they_differ
    return partings_of(rows, _same_name if parameters.ignore_args else same, differing)


def _as_spelled(row: PairedTurn) -> PairedTurn:
    if row.golden is None or row.observed is None:
        return row
    return PairedTurn(row.golden, respelled(row.observed, row.golden))


def _same_name(expected: ToolCall, observed: ToolCall) -> bool:
    return expected.stated_name == observed.stated_name


def _idle(case: Case, matchers: Matchers) -> str:
    """A note on matchers at places where nothing is compared."""
    compared = {f"{call.place}/args" for turn in case.turns for call in calls_of(turn)}
    compared |= {case.final_state_place} - {""}
    idle = [place for place in matchers.by_place if compared.isdisjoint(_above(place))]
    if not idle:
        return ""
    more = f" (and {len(idle) - 1} more)" if len(idle) > 1 else ""
    return f"the matcher at {one_line(idle[0], 120)} belongs to no expected argument and has no effect{more}"


def _above(place: str) -> list[str]:
    """A place and all places above it."""
    return [place, *(place[:index] for index, char in enumerate(place) if char == "/" and index)]


METHOD = Method(_judge, parameters=OwnParameters, check=_parameters_of, partings=_partings)
