"""Ids of turns that only count them go on counting when all texts go: turns are aligned by what ids are worth."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from trace_inspector.core.trace.turn_ids import Numbering, counted, numbering

_DIGITS = re.compile(r"([0-9]{1,7})")
_LONGEST = 100  # characters of an id that counts


class TurnNumbers:
    """The ways to count that a pack has. A number stays only where several turns were counted up to it."""

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
            self._learn(of, max(of.number(turn_id) or 0 for turn_id in given))
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
    parts = _DIGITS.split(turn_id)
    for column in range(1, len(parts), 2):
        yield Numbering((*parts[:column], "", *parts[column + 1 :]), column), int(parts[column])
