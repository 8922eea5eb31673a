"""What the ids of turns are evidence of: which turn it is, or only how many come before it."""

from __future__ import annotations

import enum
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

# Longer runs of digits are cut: nobody counts so far, and such a text may be as long as a file.
_DIGITS = re.compile(r"([0-9]{1,18})")
_FEW_DIGITS, _LONGEST = re.compile(r"([0-9]{1,7})"), 100  # of an id that counts turns
_MOST_A_TURN = 4  # numbers that a turn may take: whoever counts messages counts question, call, result and answer


class IdEvidence(enum.Enum):
    """What equal ids on two sides say."""

    SAME_TURN = "the same turn"
    MAYBE = "numbers that were kept, or given anew"
    NOTHING = "both sides count their turns"


class Numbering(Struct, frozen=True):
    """Ids that are alike but for one number: “turn-1”, “turn-2”. `fixed` is the rest, with a gap for the number."""

    fixed: tuple[str, ...]
    column: int

    @property
    def is_bare(self) -> bool:
        """Whether there is nothing else in the ids that could identify a conversation, as another number does."""
        return not any(_DIGITS.search(part) for part in self.fixed)

    def number(self, turn_id: str) -> int | None:
        """The number in an id; None where it is another kind of id."""
        parts = _DIGITS.split(turn_id)
        if len(parts) <= self.column or self.column < 0:
            return None
        digits = parts[self.column]
        parts[self.column] = ""
        return int(digits) if tuple(parts) == self.fixed else None


class Counted(Struct, frozen=True):
    """Numbers that grow by the same step from turn to turn. `step` is 0 where there is one turn."""

    first: int
    step: int

    @property
    def is_from_the_start(self) -> bool:
        """Whether the count begins with the first turn: at 0, or with the first step."""
        return self.first in (0, self.step)


def numbering(ids: Sequence[str]) -> Numbering | None:
    """How ids are numbered; None where they are not, or where there is only one. "" is no id."""
    given = [_DIGITS.split(turn_id) for turn_id in ids if turn_id]
    if len(given) < 2:
        return None
    first = given[0]
    if any(len(parts) != len(first) for parts in given):
        return None
    differing = [index for index, part in enumerate(first) if any(parts[index] != part for parts in given)]
    if len(differing) != 1 or differing[0] % 2 == 0:  # a text, not a number
        return None
    column = differing[0]
    fixed = [*first]
    fixed[column] = ""
    return Numbering(tuple(fixed), column)


def counted(ids: Sequence[str], of: Numbering) -> Counted | None:
    """How ids count the turns on their side; None where they do not. Turns without an id are counted, too."""
    numbered: list[tuple[int, int]] = []
    for index, turn_id in enumerate(ids):
        if not turn_id:
            continue
        number = of.number(turn_id)
        if number is None:
            return None
        numbered.append((index, number))
    if not numbered:
        return None
    index, number = numbered[0]
    if len(numbered) == 1:
        return Counted(number, 0) if index == 0 else None
    next_at, next_number = numbered[1]
    step = (next_number - number) // (next_at - index)
    counts = step > 0 and all(b - a == step * (j - i) for (i, a), (j, b) in pairwise(numbered))
    return Counted(number - step * index, step) if counts else None


def only_count(ids: Sequence[str]) -> bool:
    """Whether ids say nothing but where each turn stands in its own conversation: “invocation-1”, “invocation-2”.

    One id alone does when its number is one that a count begins with.
    """
    given = [turn_id for turn_id in ids if turn_id]
    if len(given) == 1:
        parts = _DIGITS.split(given[0])
        return len(parts) == 3 and int(parts[1]) in (0, 1)
    of = numbering(ids)
    count = counted(ids, of) if of is not None and of.is_bare else None
    return count is not None and count.is_from_the_start


def evidence_of_ids(left: Sequence[str], right: Sequence[str]) -> IdEvidence:
    """What equal ids of two sides say. "" is no id.

    Two sides that count their turns have equal ids also behind a turn that one of them lost: no evidence. Where only
    one counts, the other may have kept its numbers when it lost some, or number something else, as messages.
    """
    of = numbering(left) or numbering(right)
    if of is None or any(of.number(turn_id) is None for turn_id in (*left, *right) if turn_id):
        return IdEvidence.SAME_TURN
    numbers = [[of.number(turn_id) or 0 for turn_id in side if turn_id] for side in (left, right)]
    if any(earlier >= later for side in numbers for earlier, later in pairwise(side)):
        return IdEvidence.SAME_TURN  # who only counts does not go back
    here, there = counted(left, of), counted(right, of)
    if here is None or there is None:
        return IdEvidence.MAYBE
    same_step = 0 in (here.step, there.step) or here.step == there.step
    anew = here.is_from_the_start and there.is_from_the_start and here.step == there.step
    if same_step and (here.first == there.first or anew):
        return IdEvidence.NOTHING
    return IdEvidence.MAYBE


def unique_ids(ids: Sequence[str]) -> list[str]:
    """The ids without those that several turns share, as that of a session: these identify no turn."""
    counts = Counter(ids)
    return [turn_id if counts[turn_id] == 1 else "" for turn_id in ids]


class TurnNumbers:
    """The ways to count that several conversations have, and how far: what a number says beyond that is no count."""

    def __init__(self) -> None:
        self._ways: dict[Numbering, int] = {}
        self._reached: dict[Numbering, int] = {}

    def learn(self, ids: Sequence[str]) -> None:
        """How the turns of a conversation are counted, if they are."""
        given = [turn_id for turn_id in ids if turn_id]
        if any(len(turn_id) > _LONGEST for turn_id in given):
            return
        of = numbering(ids)
        if of is not None and counted(ids, of) is not None:
            highest = max(of.number(turn_id) or 0 for turn_id in given)
            if highest <= _MOST_A_TURN * (len(ids) + 1):  # “customer 4711” and “customer 9922” also grow by one step
                self._learn(of, highest)
        elif len(given) == 1:
            for way, number in _ways_in(given[0]):
                if number < 2:  # a count begins with it
                    self._learn(way, number)

    def counted(self, turn_id: str) -> tuple[int, int] | None:
        """Which way to count it is, by number, and the number in it; None where it does not count."""
        for way, number in _ways_in(turn_id) if len(turn_id) <= _LONGEST else ():
            if number <= self._reached.get(way, -1):
                return self._ways[way], number
        return None

    def _learn(self, way: Numbering, number: int) -> None:
        self._ways.setdefault(way, len(self._ways) + 1)
        self._reached[way] = max(number, self._reached.get(way, 0))


def _ways_in(turn_id: str) -> Iterator[tuple[Numbering, int]]:
    parts = _FEW_DIGITS.split(turn_id)
    for column in range(1, len(parts), 2):
        yield Numbering((*parts[:column], "", *parts[column + 1 :]), column), int(parts[column])
