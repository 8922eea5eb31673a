"""Two conversations, one alignment: turns first, then the calls inside a pair of turns."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Callable, Container, Hashable, Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.alignment.sequence_alignment import NEVER, AlignedRow, Link, Order, link
from trace_inspector.core.alignment.turn_evidence import (
    EVIDENCE,
    Evidence,
    Question,
    action_cost,
    pairing_cost,
    questions,
)
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.trace.steps import call_steps, named_step, typed_step
from trace_inspector.core.trace.trace import Steps, Turn
from trace_inspector.core.values.values import ABSENT, Json

# The names of the arguments that keep an observed call from being the expected one: none where it is that, and
# WHOLE where there are no names to tell, as for another tool.
Differing: TypeAlias = Callable[[ToolCall, ToolCall], tuple[str, ...]]
WHOLE = ("",)


class CallMatch(enum.Enum):
    """How an expected and an observed thing relate."""

    SAME = "same"
    ARGUMENTS = "arguments differ"
    RENAMED = "another tool"
    MISSING = "missing"
    EXTRA = "extra"


class Policy(enum.Enum):
    """What of an alignment counts against the observed side."""

    EXACT = "exact"
    IN_ORDER = "in order"
    ANY_ORDER = "any order"
    NO_OTHERS = "any order and no others"  # CES's: order has no outcome there, a call that nobody expects has

    @property
    def wants_order(self) -> bool:
        """Whether calls must come in the expected order."""
        return self in (Policy.EXACT, Policy.IN_ORDER)

    @property
    def takes_others(self) -> bool:
        """Whether calls that nobody expects may be made."""
        return self in (Policy.IN_ORDER, Policy.ANY_ORDER)


class TurnPair(Struct, frozen=True):
    """Indices into the golden's and the trace's turns; None on one side is a missing or an extra turn."""

    golden: int | None
    observed: int | None


class CallPair(Struct, frozen=True):
    """Indices into the expected and observed calls of a turn, and the arguments that differ: none for the whole."""

    match: CallMatch
    expected: int | None
    observed: int | None
    differing: tuple[str, ...] = ()
    order: Order = Order.KEPT

    def counts(self, policy: Policy, *, is_free: bool = False) -> bool:
        """Whether this pair breaks the policy; a call that is free to be made only explains one like it."""
        if self.match is CallMatch.EXTRA or (is_free and self.match is CallMatch.RENAMED):
            return not policy.takes_others
        if is_free:
            return False
        return self.match is not CallMatch.SAME or (policy.wants_order and self.order is not Order.KEPT)


_NONE: tuple[frozenset[int], frozenset[int]] = (frozenset(), frozenset())


def first_divergence(
    pairs: Sequence[CallPair],
    policy: Policy,
    free: Container[int | None] = (),
    aside: tuple[Container[int | None], Container[int | None]] = _NONE,
) -> int | None:
    """Which row is the first that breaks the rule; None when none does.

    Expected calls that are `free` may be made or not, wherever. Those of each side that are set `aside` are none.
    """
    passed = {pair.observed for pair in pairs if pair.expected in free or pair.observed in aside[1]}
    place = 0
    for index, pair in enumerate(pairs):
        if pair.expected in aside[0] or pair.observed in aside[1]:
            continue
        is_free = pair.expected in free
        if pair.counts(policy, is_free=is_free):
            return index
        if is_free:
            continue
        while place in passed:
            place += 1
        if policy is Policy.EXACT and pair.observed != place:
            return index  # what moved came before it
        place += 1
    return None


def align_turns(
    golden: Sequence[Turn], observed: Sequence[Turn], among: tuple[Sequence[int], Sequence[int]] | None = None
) -> list[TurnPair]:
    """Pair turns in order: the surest evidence first, and what lies between two sure pairs by weaker evidence.

    Of turns that ask the same, those pair in which the same was done, unless each side has equally many of them. Ids
    that only count the turns are no evidence. Where nothing agrees, equally many turns on both sides are reworded
    questions and pair by position; unequal numbers leave them missing and extra.

    `among` are the indices of those turns that are to be paired, where that is not all of them.
    """
    chosen = among or (range(len(golden)), range(len(observed)))
    if len(chosen[0]) == len(chosen[1]) == 1:  # where nothing agrees they are one question, reworded
        return [TurnPair(chosen[0][0], chosen[1][0])]
    left, right = questions(golden, observed, chosen)
    links = _links(left, right)
    if any(question.maybe_id for question in left):
        by_id = _links(*([replace(asked, id=asked.maybe_id) for asked in side] for side in (left, right)))
        links = min(by_id, links, key=lambda candidate: pairing_cost(left, right, candidate))
    pairs: list[TurnPair] = []
    last_golden = last_observed = 0
    for i, j in (*links, (len(left), len(right))):
        pairs.extend(TurnPair(chosen[0][missing], None) for missing in range(last_golden, i))
        pairs.extend(TurnPair(None, chosen[1][extra]) for extra in range(last_observed, j))
        if i < len(left):
            pairs.append(TurnPair(chosen[0][i], chosen[1][j]))
        last_golden, last_observed = i + 1, j + 1
    return pairs


def _rank(side: Sequence[Question]) -> tuple[int, list[tuple[str, str]]]:
    """What decides which side comes first, so that both ways round give the same pairs."""
    return len(side), [(asked.text, asked.id) for asked in side]


def _links(left: Sequence[Question], right: Sequence[Question]) -> list[Link]:
    # Of two pairings equally good the same one is found from both sides.
    if _rank(right) < _rank(left):
        return [(i, j) for j, i in _pair_turns(right, left, range(len(right)), range(len(left)), EVIDENCE)]
    return _pair_turns(left, right, range(len(left)), range(len(right)), EVIDENCE)


def _pair_turns(
    left: Sequence[Question],
    right: Sequence[Question],
    golden: range,
    observed: range,
    all_evidence: Sequence[Evidence],
) -> list[Link]:
    if not (golden and observed and all_evidence):
        return list(zip(golden, observed, strict=True)) if len(golden) == len(observed) else []
    evidence = all_evidence[0]
    # Where a question has no key, it gets one that is like no other.
    here = [("left", i) if (key := evidence.key(left[i])) is None else key for i in golden]
    there = [("right", j) if (key := evidence.key(right[j])) is None else key for j in observed]

    agrees = evidence.agrees
    if agrees is None and not {*here} & {*there}:
        return _pair_turns(left, right, golden, observed, all_evidence[1:])
    # Turns that all say “yes” differ only in what was done then; elsewhere that would cost time and decide nothing.
    repeats = agrees is None and _repeat_unevenly(here, there)

    def costs(rows: range, columns: range) -> list[list[int]]:
        asked = [right[observed[j]] for j in columns]
        if agrees is not None:
            return [[0 if agrees(left[golden[i]], other) else NEVER for other in asked] for i in rows]
        if not repeats:
            return [[0 if here[i] == there[j] else NEVER for j in columns] for i in rows]
        return [
            [
                action_cost(left[golden[i]], other) if here[i] == there[j] else NEVER
                for j, other in zip(columns, asked, strict=True)
            ]
            for i in rows
        ]

    sides: tuple[Sequence[Hashable], Sequence[Hashable]] = (here, there)
    if repeats:
        sides = (
            [(key, left[i].done) for key, i in zip(here, golden, strict=True)],
            [(key, right[j].done) for key, j in zip(there, observed, strict=True)],
        )
    links: list[Link] = []
    last_golden = last_observed = 0
    for i, j in (*link(*sides, costs).links, (len(golden), len(observed))):
        between = golden[last_golden:i], observed[last_observed:j]
        links.extend(_pair_turns(left, right, *between, all_evidence[1:]))
        if i < len(golden):
            links.append((golden[i], observed[j]))
        last_golden, last_observed = i + 1, j + 1
    return links


def _repeat_unevenly(here: Sequence[Hashable], there: Sequence[Hashable]) -> bool:
    """Whether one side has more of what comes again and again."""
    counts, other = Counter(here), Counter(there)
    if len(counts) + len(other) == len(here) + len(there):
        return False
    return len(here) != len(there) or any(
        counts[key] != other[key] and max(counts[key], other[key]) > 1 for key in counts.keys() & other.keys()
    )


def call_groups(turn: Turn) -> list[int]:
    """For each call of a turn the group it came in: calls of one event were asked for at once.

    ADK's old form knows no events, so there each call stands for itself.
    """
    if turn.steps is not Steps.EVENTS:
        return []
    return [index for index, event in enumerate(turn.events) for part in event.parts if isinstance(part, ToolCall)]


def align_calls(
    expected: Sequence[ToolCall],
    observed: Sequence[ToolCall],
    *,
    groups: tuple[Sequence[int], Sequence[int]] = ((), ()),
    differing: Differing | None = None,
    by_hand: Sequence[Link] = (),
) -> list[CallPair]:
    """Pair calls: equal ones first, then calls of the same tool whose arguments differ, then a tool renamed.

    Where there is `differing`, it alone says which calls of one tool are equal, as a golden's matchers do.
    """
    rows = None if by_hand else _in_place(expected, observed, differing)
    if rows is None:
        rows = _best_rows(expected, observed, groups, differing, by_hand)
    return [_call_pair(row, expected, observed, differing or how_they_differ) for row in rows]


def _best_rows(
    expected: Sequence[ToolCall],
    observed: Sequence[ToolCall],
    groups: tuple[Sequence[int], Sequence[int]],
    differing: Differing | None,
    by_hand: Sequence[Link],
) -> Sequence[AlignedRow]:
    from trace_inspector.core.alignment.step_alignment import align_steps

    if differing is None:
        return align_steps(call_steps(expected, groups[0]), call_steps(observed, groups[1]), by_hand=by_hand).rows
    steps = call_steps(expected, groups[0], typed_step), call_steps(observed, groups[1], typed_step)
    return align_steps(*steps, lambda i, j: not differing(expected[i], observed[j]), by_hand).rows


def align_names(
    expected: Sequence[ToolCall],
    observed: Sequence[ToolCall],
    groups: tuple[Sequence[int], Sequence[int]] = ((), ()),
) -> list[CallPair]:
    """Pair calls of which the tool alone is looked at."""
    from trace_inspector.core.alignment.step_alignment import align_steps

    steps = call_steps(expected, groups[0], named_step), call_steps(observed, groups[1], named_step)
    return [_call_pair(row, expected, observed, how_they_differ) for row in align_steps(*steps).rows]


def _in_place(
    expected: Sequence[ToolCall], observed: Sequence[ToolCall], differing: Differing | None
) -> Sequence[AlignedRow] | None:
    """The rows where nothing, or the arguments of one call, differ, as in most turns: nothing could be better.

    By a rule nothing may differ: one call that does not fit could fit elsewhere, and another fit in its place.
    """
    if len(expected) != len(observed):
        return None
    differ, most = (how_they_differ, 1) if differing is None else (differing, 0)
    unequal: list[int] = []
    for index, (expected_call, observed_call) in enumerate(zip(expected, observed, strict=True)):
        if expected_call.stated_name != observed_call.stated_name:
            return None
        if differ(expected_call, observed_call):
            unequal.append(index)
        if len(unequal) > most:
            return None
    return [AlignedRow(index, index, index not in unequal) for index in range(len(expected))]


def _call_pair(
    row: AlignedRow, expected: Sequence[ToolCall], observed: Sequence[ToolCall], differing: Differing
) -> CallPair:
    if row.left is None or row.right is None:
        return CallPair(CallMatch.MISSING if row.right is None else CallMatch.EXTRA, row.left, row.right)
    if row.equal:
        return CallPair(CallMatch.SAME, row.left, row.right, order=row.order)
    expected_call, observed_call = expected[row.left], observed[row.right]
    renamed = expected_call.stated_name != observed_call.stated_name
    names = (
        how_they_differ(
            replace(expected_call, name=observed_call.name, nameless=observed_call.nameless), observed_call
        )
        if renamed
        else differing(expected_call, observed_call)
    )
    match = CallMatch.RENAMED if renamed else CallMatch.ARGUMENTS
    return CallPair(match, row.left, row.right, () if names == WHOLE else names, row.order)


def same_call(expected: ToolCall, observed: ToolCall) -> bool:
    """Equal names and, by value, equal arguments; ids are never compared."""
    return expected.stated_name == observed.stated_name and _plain(expected) == _plain(observed)


def how_they_differ(expected: ToolCall, observed: ToolCall) -> tuple[str, ...]:
    """The names of the top-level arguments that differ by value, for calls about which no rule decides."""
    if expected.stated_name != observed.stated_name:
        return WHOLE
    left, right = _plain(expected), _plain(observed)
    if not isinstance(left, dict) or not isinstance(right, dict):
        return () if left == right else WHOLE
    names = [*left, *(name for name in right if name not in left)]
    return tuple(name for name in names if left.get(name, ABSENT) != right.get(name, ABSENT))


def _plain(call: ToolCall) -> Json:
    return None if call.args is ABSENT else call.args
