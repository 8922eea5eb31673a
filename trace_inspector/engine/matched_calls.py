"""The calls of a golden turn paired with observed ones, as the golden's matchers compare them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from trace_inspector.core.align import CallPair, Match, align_calls, call_groups
from trace_inspector.core.aligned import Order
from trace_inspector.core.parts import ToolCall
from trace_inspector.core.sequence import increasing
from trace_inspector.core.trace import Turn, calls_of
from trace_inspector.engine.matching import Matchers
from trace_inspector.engine.most_pairs import most_pairs


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
