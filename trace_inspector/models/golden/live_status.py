"""How an expected call and its arguments fare now, in a mark and words: the engine says how, this how it is shown."""

from __future__ import annotations

from msgspec import Struct, field

from trace_inspector.core.alignment.sequence_alignment import Order
from trace_inspector.core.alignment.turn_alignment import CallMatch, CallPair
from trace_inspector.core.golden.golden_change import ExpectedCall
from trace_inspector.core.golden.matcher import Match, Matcher
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.translatable import N_
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import ABSENT
from trace_inspector.engine.scoring.call_comparison import CallComparison, compare_calls
from trace_inspector.engine.scoring.cannot_judge import CannotJudge
from trace_inspector.engine.scoring.matching import matchers_of
from trace_inspector.models.base.translation import tr
from trace_inspector.models.golden.call_comparison_rule import ran_by_name
from trace_inspector.models.golden.calls import argument, matcher_at
from trace_inspector.models.golden.context import GoldenContext


class Now(Struct, frozen=True):
    """A mark and a few words."""

    mark: str
    words: str


class Comparison(Struct, frozen=True):
    """The calls of a turn beside those that were observed."""

    context: GoldenContext
    calls: CallComparison = field(default_factory=CallComparison)

    @property
    def has_pairs(self) -> bool:
        """Whether anything was observed that the calls can be held against."""
        return bool(self.calls.pairs)

    @property
    def extra(self) -> tuple[int, ...]:
        """The observed calls that nobody expects."""
        return self.calls.extra

    def observed(self, index: int) -> ToolCall | None:
        """The call that belongs to an expected one; None when it was not made."""
        pair = self._pair(index)
        if pair is None or pair.observed is None or pair.observed >= len(self.context.calls):
            return None
        return self.context.calls[pair.observed]

    def _pair(self, index: int) -> CallPair | None:
        return self.calls.pairs.get(index)

    def of_call(self, index: int) -> Now:
        """How the call fares as a whole."""
        pair = self._pair(index)
        if pair is None:
            return Now("", "")
        observed = self.observed(index)
        match pair.match:
            case CallMatch.SAME if pair.order is Order.MOVED:
                return Now("moved", tr("matches, out of order"))
            case CallMatch.SAME:
                return Now("passed", tr("matches"))
            case CallMatch.MISSING:
                return Now("failed", tr("not called"))
            case CallMatch.RENAMED:
                return Now("failed", tr("{0} called").format(one_line(observed.name, 40) if observed else "–"))
            case _:
                count = len(pair.differing)
                return Now("failed", tr("{0} differ").format(count) if count > 1 else tr("differs"))

    def of_argument(self, index: int, expected: ExpectedCall, name: str | None) -> Now:
        """How one argument fares; None is all of them together."""
        matcher = matcher_at(expected, name)
        if self._pair(index) is None:
            return Now("", "")
        if matcher.match is Match.IGNORE:
            return Now("skip", tr("not compared"))
        observed = self.observed(index)
        if observed is None:
            return Now("failed", tr("missing"))
        all_place = f"{expected.call.place}/args"
        place = all_place if name is None else join(all_place, name)
        given = argument(observed, name)
        try:
            same = self.calls.same(index, name, argument(expected.call, name), given, all_place, place)
        except CannotJudge as problem:
            return Now("warning", str(problem))
        if same is None:
            return Now("none", tr("not compared yet"))
        if given is ABSENT and not same:
            return Now("failed", tr("absent"))
        words = _MATCHING_TEXT if same else _DIFFERING_TEXT
        shown = tr(words[matcher.match]).format(_bounds(expected, name, matcher))
        return Now("passed" if same else "failed", shown)


_MATCHING_TEXT = {
    Match.EXACT: N_("equal"),
    Match.IGNORE: N_("not compared"),
    Match.ANY: N_("is present"),
    Match.CONTAINS: N_("contains it"),
    Match.REGEXP: N_("the pattern matches"),
    Match.TOLERANCE: "{0}",
    Match.SEMANTIC: N_("equal"),
    Match.SUBSET: N_("contains all of it"),
}
_DIFFERING_TEXT = {
    Match.EXACT: N_("differs"),
    Match.IGNORE: N_("not compared"),
    Match.ANY: N_("absent"),
    Match.CONTAINS: N_("does not contain it"),
    Match.REGEXP: N_("the pattern does not match"),
    Match.TOLERANCE: N_("not {0}"),
    Match.SEMANTIC: N_("not equal; a judge decides"),
    Match.SUBSET: N_("something is missing"),
}


def compared(context: GoldenContext) -> Comparison:
    """The calls of a golden turn beside those of its observed one."""
    turn, verdict = context.turn, context.turn_verdict
    if turn is None or verdict is None:
        return Comparison(context)
    matchers, by_name = matchers_of(context.case.matchers), ran_by_name(context)
    return Comparison(
        context,
        compare_calls(turn, context.observed, len(context.calls), verdict, matchers, by_name=by_name),
    )


def _bounds(expected: ExpectedCall, name: str | None, matcher: Matcher) -> str:
    """From where to where a number may be."""
    value = argument(expected.call, name)
    if matcher.match is not Match.TOLERANCE or isinstance(value, bool) or not isinstance(value, int | float):
        return ""
    try:
        off = max(matcher.absolute or 0.0, (matcher.relative or 0.0) * abs(value))
        return tr("{0} to {1}").format(f"{value - off:.15g}", f"{value + off:.15g}")
    except OverflowError:  # an integer that no other number comes near
        return ""
