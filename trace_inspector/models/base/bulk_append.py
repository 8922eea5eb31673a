"""Work on every row that arrives, in C loops of the standard library: a Python loop takes ten times as long."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from trace_inspector.core.rows.rows import Flag, Kind

_NOT_PLUMBING = bytes(not flag & Flag.PLUMBING.value for flag in range(256))
_COUNTED = (Kind.CALL, Kind.STATE, Kind.AGENTS, Kind.TURN, Kind.CASE, Kind.TRACE)
_ADDS_UP = re.compile(b"[%s]" % re.escape(bytes(_COUNTED)))


def siblings(
    parents: Iterable[int], start: int, children: Mapping[int, Sequence[int]]
) -> tuple[dict[int, array[int]], array[int]]:
    """New rows, numbered from `start`, by parent; and the index of each among the children of its parent."""
    groups: dict[int, array[int]] = {}
    taken: dict[int, int] = {}
    positions, row = array("i"), start
    for parent, same in groupby(parents):  # siblings are consecutive
        count = len(list(same))
        if parent not in groups:
            groups[parent], taken[parent] = array("i"), len(children.get(parent, ()))
        taken_count = taken[parent]
        positions.extend(range(taken_count, taken_count + count))
        groups[parent].extend(range(row, row + count))
        taken[parent], row = taken_count + count, row + count
    return groups, positions


def not_plumbing(rows: Iterable[int], flags: Sequence[int]) -> bytes:
    """1 for every row that is work, 0 for transport and queues."""
    return bytes(map(flags.__getitem__, rows)).translate(_NOT_PLUMBING)


def counted_rows(kinds: bytes | bytearray, start: int) -> Iterator[tuple[int, int]]:
    """Rows and kinds that a table counts: calls, turns, cases, traces and the like."""
    return ((start + match.start(), match[0][0]) for match in _ADDS_UP.finditer(kinds))
