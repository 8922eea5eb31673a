"""`trajectory_match`: the share of turns whose calls are the golden's as its own matchers compare arguments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from trace_inspector.core.align import CallPair, Match, align_calls, call_groups
from trace_inspector.core.aligned import Order
from trace_inspector.core.criteria import Criterion
from trace_inspector.core.golden import Case
from trace_inspector.core.parts import ToolCall
from trace_inspector.core.sequence import increasing
from trace_inspector.core.summary import one_line
from trace_inspector.core.trace import Turn, calls_of
from trace_inspector.engine.call_sentence import call_sentence
from trace_inspector.engine.matching import Matchers, matchers_of
from trace_inspector.engine.metric import Judged, Metric, Subject
from trace_inspector.engine.metrics.tool_trajectory import POLICIES, Parameters, read_parameters, unstated_calls
from trace_inspector.engine.most_pairs import most_pairs
from trace_inspector.engine.respelling import respelled
from trace_inspector.engine.scoring import NO_COUNTERPART, Compared, compare_turns

NAME = "trajectory_match"
_ANY_SPELLING = "names of arguments may differ in snake_case and camelCase"


class OwnParameters(Parameters):
    """ADK's options, and one for traces whose names of arguments were written anew."""

    any_spelling: bool = False


@dataclass(frozen=True, slots=True)
class _Comparison:
    parameters: OwnParameters
    matchers: Matchers

    def compare(self, golden: Turn, observed: Turn) -> Compared:
        """One turn: 1.0 or 0.0, and how the calls pair."""
        if self.parameters.any_spelling:
            observed = respelled(observed, golden)
        pairs = matched_calls(golden, observed, self.matchers, names_only=self.parameters.ignore_args)
        policy = POLICIES[self.parameters.match_type]
        wrong = any(pair.counts(policy) for pair in pairs)
        reason = call_sentence(pairs, calls_of(golden), calls_of(observed), policy) if wrong else ""
        return Compared(0.0 if wrong else 1.0, reason, tuple(pairs))

    def missing(self, golden: Turn) -> Compared:
        """A turn that the trace does not have misses every call."""
        return Compared(0.0, NO_COUNTERPART, tuple(align_calls(calls_of(golden), ())))


def matched_calls(golden: Turn, observed: Turn, matchers: Matchers, *, names_only: bool = False) -> list[CallPair]:
    """The calls of two turns, paired; equal is what the golden's matchers let through."""
    expected, made = calls_of(golden), calls_of(observed)
    pairs = align_calls(
        expected,
        made,
        groups=(call_groups(golden), call_groups(observed)),
        names_only=names_only,
        same=matchers.same_call if matchers.by_place else None,
    )
    if not matchers.by_place:
        return pairs
    if not names_only:
        pairs = _as_many(pairs, expected, made, matchers)
    return [
        CallPair(pair.match, pair.expected, pair.observed, _named(pair, golden, observed, matchers), pair.order)
        if pair.match is Match.ARGUMENTS
        else pair
        for pair in pairs
    ]


def _as_many(
    pairs: list[CallPair], expected: Sequence[ToolCall], made: Sequence[ToolCall], matchers: Matchers
) -> list[CallPair]:
    """Pairs of which as many as possible are right: a call may fit several that the golden expects."""
    right = sum(pair.match is Match.SAME for pair in pairs)
    if right == min(len(expected), len(made)):
        return pairs
    best = most_pairs(len(expected), len(made), lambda at, to: matchers.same_call(expected[at], made[to]))
    if len(best) <= right:
        return pairs
    here = [at for at in range(len(expected)) if at not in best]
    there = sorted(set(range(len(made))) - set(best.values()))
    rest = [
        replace(
            pair,
            expected=None if pair.expected is None else here[pair.expected],
            observed=None if pair.observed is None else there[pair.observed],
        )
        for pair in align_calls([expected[at] for at in here], [made[to] for to in there], same=matchers.same_call)
    ]
    kept = set(increasing(sorted(best.items())))
    found = [
        CallPair(Match.SAME, at, to, order=Order.KEPT if (at, to) in kept else Order.MOVED) for at, to in best.items()
    ]
    return sorted([*found, *rest], key=lambda pair: (pair.expected is None, pair.expected, pair.observed))


def _named(pair: CallPair, golden: Turn, observed: Turn, matchers: Matchers) -> tuple[str, ...]:
    if pair.expected is None or pair.observed is None:
        return ()
    differing = matchers.differing(calls_of(golden)[pair.expected], calls_of(observed)[pair.observed])
    return () if differing == ("",) else differing


def _parameters_of(criterion: Criterion) -> OwnParameters:
    return read_parameters(OwnParameters, criterion)


def _judge(subject: Subject, criterion: Criterion) -> Judged:
    matchers = matchers_of(subject.case.matchers if subject.case else ())
    comparison = _Comparison(_parameters_of(criterion), matchers)
    judged = compare_turns(
        subject, criterion, unstated=unstated_calls, compare=comparison.compare, missing=comparison.missing
    )
    idle = _idle(subject.case, matchers) if subject.case else ""
    spelling = _ANY_SPELLING if comparison.parameters.any_spelling else ""
    reason = "; ".join(filter(None, (judged.overall.reason, idle, spelling)))
    return replace(judged, overall=replace(judged.overall, reason=reason))


def _idle(case: Case, matchers: Matchers) -> str:
    """What to say of matchers that stand at nothing that is compared."""
    compared = {f"{call.place}/args" for turn in case.turns for call in calls_of(turn)}
    compared |= {case.final_state_place} - {""}
    idle = [place for place in matchers.by_place if compared.isdisjoint(_above(place))]
    if not idle:
        return ""
    more = f" (and {len(idle) - 1} more)" if len(idle) > 1 else ""
    return f"the matcher at {one_line(idle[0], 120)} stands at no expected argument and has no effect{more}"


def _above(place: str) -> list[str]:
    """A place and all places that hold it."""
    return [place, *(place[:at] for at, char in enumerate(place) if char == "/" and at)]


METRIC = Metric(
    name=NAME,
    title="Matched calls",
    family="local",
    meaning="The share of turns whose tool calls are those of the golden, argument by argument as it says.",
    judge=_judge,
    needs=frozenset({"golden"}),
    reads=("tool calls",),
    default_threshold=1.0,
    parameters=OwnParameters,
    check=_parameters_of,
)
