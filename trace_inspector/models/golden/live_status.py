"""How an expected call fares now: paired as the run pairs calls, and each argument as the engine compares it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from trace_inspector.core.alignment.step_alignment import Order
from trace_inspector.core.alignment.turn_alignment import CallMatch, CallPair
from trace_inspector.core.golden.golden_change import ExpectedCall
from trace_inspector.core.golden.matcher import Match, Matcher
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.trace.trace import calls_of
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.value_edits import is_below
from trace_inspector.core.values.values import ABSENT
from trace_inspector.core.verdict.verdict import MetricVerdict, TurnVerdict
from trace_inspector.engine.scoring.cannot_judge import CannotJudge
from trace_inspector.engine.scoring.matched_calls import matched_calls
from trace_inspector.engine.scoring.matching import Matchers, matchers_of
from trace_inspector.models.base.translation import tr
from trace_inspector.models.golden.calls import argument, matcher_at
from trace_inspector.models.golden.context import GoldenContext

WITH_MATCHERS, BY_ADK = "trajectory_match", "tool_trajectory_avg_score"
_MOST_HERE = 400  # pairs of calls that are aligned in the window, where the run compared none
_SLOW = (Match.REGEXP, Match.SUBSET)  # may take long: what the run says of them is shown


@dataclass(frozen=True, slots=True)
class Now:
    """A mark and a few words."""

    mark: str
    words: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """The pairs of a turn by its expected calls, and the observed calls that nobody expects."""

    context: GoldenContext
    pairs: Mapping[int, CallPair] = field(default_factory=dict)
    extra: tuple[int, ...] = ()
    by_run: bool = False  # the run compared these calls with their matchers
    matchers: Matchers = field(default_factory=Matchers)

    @property
    def known(self) -> bool:
        """Whether anything was observed that the calls can be held against."""
        return bool(self.pairs)

    def observed(self, at: int) -> ToolCall | None:
        """The call that belongs to an expected one; None when it was not made."""
        pair = self.pairs.get(at)
        if pair is None or pair.observed is None or pair.observed >= len(self.context.calls):
            return None
        return self.context.calls[pair.observed]

    def of_call(self, at: int) -> Now:
        """How the call fares as a whole."""
        pair = self.pairs.get(at)
        if pair is None:
            return Now("", "")
        observed = self.observed(at)
        match pair.match:
            case CallMatch.SAME if pair.order is Order.MOVED:
                return Now("moved", tr("matches, elsewhere"))
            case CallMatch.SAME:
                return Now("passed", tr("matches"))
            case CallMatch.MISSING:
                return Now("failed", tr("not called"))
            case CallMatch.RENAMED:
                return Now("failed", tr("{0} called").format(one_line(observed.name, 40) if observed else "–"))
            case _:
                count = len(pair.differing)
                return Now("failed", tr("{0} differ").format(count) if count > 1 else tr("differs"))

    def of_argument(self, at: int, one: ExpectedCall, name: str | None) -> Now:
        """How one argument fares; None is all of them together."""
        matcher = matcher_at(one, name)
        if at not in self.pairs:
            return Now("", "")
        if matcher.match is Match.IGNORE:
            return Now("skip", tr("not compared"))
        observed = self.observed(at)
        if observed is None:
            return Now("failed", tr("missing"))
        place = f"{one.call.place}/args" if name is None else join(f"{one.call.place}/args", name)
        given = argument(observed, name)
        try:
            same = self._same(at, one, name, place, observed)
        except CannotJudge as problem:
            return Now("warning", str(problem))
        if same is None:
            return Now("none", tr("not compared yet"))
        if given is ABSENT and not same:
            return Now("failed", tr("absent"))
        words = _FITS if same else _FITS_NOT
        shown = words[matcher.match].format(_bounds(one, name, matcher))
        return Now("passed" if same else "failed", shown)

    def _same(self, at: int, one: ExpectedCall, name: str | None, place: str, observed: ToolCall) -> bool | None:
        if any(each.match in _SLOW and is_below(each.place, place) for each in self.matchers.by_place.values()):
            pair = self.pairs[at]
            if not self.by_run or pair.match is CallMatch.RENAMED:
                return None
            return pair.match is CallMatch.SAME or (
                name is not None and bool(pair.differing) and name not in pair.differing
            )
        return self.matchers.same(argument(one.call, name), argument(observed, name), place)


_FITS = {
    Match.EXACT: "equal",
    Match.IGNORE: "not compared",
    Match.ANY: "is there",
    Match.CONTAINS: "contains it",
    Match.REGEXP: "the pattern fits",
    Match.TOLERANCE: "{0}",
    Match.SEMANTIC: "equal",
    Match.SUBSET: "has all of it",
}
_FITS_NOT = {
    Match.EXACT: "differs",
    Match.IGNORE: "not compared",
    Match.ANY: "absent",
    Match.CONTAINS: "does not contain it",
    Match.REGEXP: "the pattern does not fit",
    Match.TOLERANCE: "not {0}",
    Match.SEMANTIC: "not equal; a judge decides",
    Match.SUBSET: "something is missing",
}


def compared(context: GoldenContext) -> Comparison:
    """The calls of a golden turn beside those of its observed one, as the run paired them."""
    turn, verdict = context.turn, context.turn_verdict
    if turn is None or verdict is None:
        return Comparison(context)
    matchers = matchers_of(context.case.matchers)
    expected = len(calls_of(turn))
    told = metric_of(verdict, WITH_MATCHERS) or metric_of(verdict, BY_ADK)
    pairs = told.calls if told is not None else ()
    if told is None and context.observed is not None and expected * len(context.calls) <= _MOST_HERE:
        slow = any(each.match in _SLOW for each in context.case.matchers)
        pairs = () if slow else tuple(matched_calls(turn, context.observed, matchers))
    by_expected = {pair.expected: pair for pair in pairs if pair.expected is not None and pair.expected < expected}
    extra = tuple(pair.observed for pair in pairs if pair.expected is None and pair.observed is not None)
    by_run = told is not None and (told.metric == WITH_MATCHERS or not matchers.by_place)
    return Comparison(context, by_expected, extra, by_run, matchers)


def metric_of(verdict: TurnVerdict | None, name: str) -> MetricVerdict | None:
    """What one metric says of a turn."""
    return next((metric for metric in verdict.metrics if metric.metric == name), None) if verdict else None


def _bounds(one: ExpectedCall, name: str | None, matcher: Matcher) -> str:
    """From where to where a number may be."""
    wanted = argument(one.call, name)
    if matcher.match is not Match.TOLERANCE or isinstance(wanted, bool) or not isinstance(wanted, int | float):
        return ""
    try:
        off = max(matcher.absolute or 0.0, (matcher.relative or 0.0) * abs(wanted))
        return tr("{0} to {1}").format(f"{wanted - off:.15g}", f"{wanted + off:.15g}")
    except OverflowError:  # an integer that no other number comes near
        return ""
