"""Compares the expected calls of a turn with the observed ones: as its verdict states, else as metrics do.

It runs in the process that shows it, also for goldens that are not edited; docs/decisions/0046 has the figures.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from trace_inspector.core.alignment.turn_alignment import CallMatch, CallPair
from trace_inspector.core.golden.matcher import Match
from trace_inspector.core.trace.trace import Turn, calls_of
from trace_inspector.core.values.value_edits import is_below
from trace_inspector.core.values.values import Absent, Json
from trace_inspector.core.verdict.verdict import MetricVerdict, Status, TurnVerdict
from trace_inspector.engine.scoring.matched_calls import matched_calls
from trace_inspector.engine.scoring.matching import Matchers
from trace_inspector.engine.scoring.metric_names import TOOL_TRAJECTORY, TRAJECTORY_MATCH

_MOST_COMPARED = 400  # pairs of calls that are aligned here, where the run compared none
_SLOW = (Match.REGEXP, Match.SUBSET)  # may take long: only the run compares by them


class CallComparison(Struct, frozen=True):
    """The pairs of a turn by its expected calls, and the extra observed calls."""

    pairs: Mapping[int, CallPair] = field(default_factory=dict)
    extra: tuple[int, ...] = ()
    by_run: bool = False  # the run compared these calls with their matchers
    states_arguments: bool = False  # and each of their arguments, as the golden has them now
    matchers: Matchers = field(default_factory=Matchers)

    def same(
        self, index: int, name: str | None, expected: Json | Absent, given: Json | Absent, args_place: str, place: str
    ) -> bool | None:
        """Whether an argument of an expected call is as expected; None where only a run can say.

        Without a name it is all arguments; `args_place` is theirs, `place` that of the argument.
        """
        pair = self.pairs[index]
        stated = self._stated(pair, name)
        if self.states_arguments and stated is not None and args_place not in self.matchers.by_place:
            return stated
        rules = self.matchers.by_place.values()
        if any(rule.match in _SLOW and is_below(rule.place, place) for rule in rules):
            if not self.by_run or pair.match is CallMatch.RENAMED:
                return None
            return bool(stated) or pair.match is CallMatch.SAME
        return self.matchers.same(expected, given, place)

    @staticmethod
    def _stated(pair: CallPair, name: str | None) -> bool | None:
        """What a pair states of one argument. A pair of other tools, or without names, states nothing."""
        if name is None:
            return None
        if pair.match is CallMatch.SAME:
            return True
        return name not in pair.differing if pair.match is CallMatch.ARGUMENTS and pair.differing else None


def compare_calls(
    golden: Turn,
    observed: Turn | None,
    observed_calls: int,
    verdict: TurnVerdict,
    matchers: Matchers,
    *,
    by_name: bool,
) -> CallComparison:
    """The calls of a golden and an observed turn, as the run paired them, or else as it would.

    `by_name`: the run compares names of tools alone, or it is unknown. For a long turn `observed` may have no calls.
    """
    expected = len(calls_of(golden))
    metric = calls_metric_of(verdict)
    pairs = metric.calls if metric is not None else ()
    if metric is None and observed is not None and expected * observed_calls <= _MOST_COMPARED:
        slow = any(matcher.match in _SLOW for matcher in matchers.by_place.values())
        pairs = () if slow else tuple(matched_calls(golden, observed, matchers))
    by_run = metric is not None and (metric.metric == TRAJECTORY_MATCH or not matchers.by_place)
    return CallComparison(
        {pair.expected: pair for pair in pairs if pair.expected is not None and pair.expected < expected},
        tuple(pair.observed for pair in pairs if pair.expected is None and pair.observed is not None),
        by_run,
        by_run and not by_name and verdict.status is not Status.PENDING,
        matchers,
    )


def metric_of(verdict: TurnVerdict | None, name: str) -> MetricVerdict | None:
    """The verdict of one metric on a turn."""
    return next((metric for metric in verdict.metrics if metric.metric == name), None) if verdict else None


def calls_metric_of(verdict: TurnVerdict | None) -> MetricVerdict | None:
    """The verdict of the metric that compares calls: the one with matchers, where it was applied."""
    return metric_of(verdict, TRAJECTORY_MATCH) or metric_of(verdict, TOOL_TRAJECTORY)
