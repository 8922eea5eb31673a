"""Two sequences of things, one alignment of least cost: equal things anchor it, what lies between is paired exactly.

`i` and `j` are indexes into the left and the right sequence. Nothing here knows what the things are.
"""

from __future__ import annotations

import enum
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import pairwise
from typing import TypeAlias, TypeVar

from msgspec import Struct

GAP = 80  # a thing without a counterpart
GAP_OPENS = 10  # more for the first of several in a row, so that gaps stay together
NEVER = 2 * (GAP + GAP_OPENS) + 1  # costs more than leaving both without a partner

# What pairing each of some left things with each of some right ones costs: one row for each left thing.
Costs: TypeAlias = Callable[[range, range], list[list[int]]]
Link: TypeAlias = tuple[int, int]
Place = TypeVar("Place", int, tuple[int, int])

# A table of so many cells takes about 0.1 s. What is longer, and has no anchors, is aligned block by block.
_MOST_CELLS = 160_000
_BLOCK = 100
# Anchors are single things that are unique on both sides; where these are too few to be trusted, longer runs are
# tried, which are unique far more often. Between two anchors it goes on with the next length.
_GRAMS = (1, 8, 4, 1, 2)


class Order(enum.Enum):
    """Where the two things of a pair stand among the others."""

    KEPT = "in order"
    SWAPPED = "in another order within one group"
    MOVED = "moved"


class AlignedRow(Struct, frozen=True):
    """One row: indices into both sides, None where a side has nothing; `equal` steps differ in nothing."""

    left: int | None
    right: int | None
    equal: bool = False
    order: Order = Order.KEPT


class Linked(Struct, frozen=True):
    """Which things pair, in order on both sides; not `exact` where the sides were too long for the best answer."""

    links: tuple[Link, ...]
    exact: bool = True


def link(left: Sequence[Hashable], right: Sequence[Hashable], costs: Costs) -> Linked:
    """Pair two sequences. Things with equal keys cost nothing; `costs` says what every other pair does."""
    links: list[Link] = []
    exact = True
    for rows, columns in _stretches(left, right, range(len(left)), range(len(right)), _GRAMS, links):
        for some_rows, some_columns in _blocks(rows, columns):
            exact = exact and some_rows == rows
            links.extend(_least_cost(some_rows, some_columns, costs(some_rows, some_columns)))
    return Linked(tuple(sorted(links)), exact)


def total_cost(links: Sequence[Link], left: int, right: int, cost: Callable[[int, int], int]) -> int:
    """What pairing two sequences of those lengths so costs, the gaps included."""
    total = 0
    last_i = last_j = -1
    for i, j in (*links, (left, right)):
        for gap in (i - last_i - 1, j - last_j - 1):
            total += GAP * gap + GAP_OPENS * (gap > 0)
        if i < left:
            total += cost(i, j)
        last_i, last_j = i, j
    return total


def sure_links(left: Sequence[Hashable], right: Sequence[Hashable]) -> list[Link]:
    """Equal things that surely belong together, in order on both sides: both ends, and what stands once on each side.

    Takes time as the sequences are long; what lies between may have equal things, too.
    """
    links: list[Link] = []
    for _between in _stretches(left, right, range(len(left)), range(len(right)), _GRAMS, links):
        pass
    return sorted(links)


def _stretches(
    left: Sequence[Hashable],
    right: Sequence[Hashable],
    rows: range,
    columns: range,
    grams: Sequence[int],
    links: list[Link],
) -> Iterator[tuple[range, range]]:
    """The stretches between sure links, which are noted on the way."""
    rows, columns = _trimmed(left, right, rows, columns, links)
    if not rows or not columns:
        return
    if len(rows) * len(columns) <= _SMALL or not grams:
        yield rows, columns
        return
    anchors = _anchors([left[i] for i in rows], [right[i] for i in columns], grams[0])
    if len(anchors) * _TRUSTED < min(len(rows), len(columns)):  # chance, or something that moved far
        yield from _stretches(left, right, rows, columns, grams[1:], links)
        return
    links.extend((rows[i], columns[j]) for i, j in anchors)
    edges = [(-1, -1), *anchors, (len(rows), len(columns))]
    for (i, j), (next_i, next_j) in pairwise(edges):
        inner = rows[i + 1 : next_i], columns[j + 1 : next_j]
        yield from _stretches(left, right, *inner, grams[1:], links)


_SMALL = 64 * 64  # a few milliseconds, so nothing needs to be sure
_TRUSTED = 8  # anchors that are fewer than this share of the things may be chance


def _trimmed(
    left: Sequence[Hashable], right: Sequence[Hashable], rows: range, columns: range, links: list[Link]
) -> tuple[range, range]:
    """What is left when equal ends are linked."""
    shorter = min(len(rows), len(columns))
    head = 0
    while head < shorter and left[rows[head]] == right[columns[head]]:
        head += 1
    tail = 0
    while tail < shorter - head and left[rows[-1 - tail]] == right[columns[-1 - tail]]:
        tail += 1
    links.extend((rows[offset], columns[offset]) for offset in range(head))
    links.extend((rows[-1 - offset], columns[-1 - offset]) for offset in range(tail))
    return rows[head : len(rows) - tail], columns[head : len(columns) - tail]


def _anchors(left: Sequence[Hashable], right: Sequence[Hashable], size: int) -> list[Link]:
    """The longest increasing run of things, or of `size` things in a row, that are unique on each side."""
    here, there = _once(left, size), _once(right, size)
    common = [(i, there[gram]) for gram, i in here.items() if gram in there]
    return increasing(common)


def _once(things: Sequence[Hashable], size: int) -> dict[Hashable, int]:
    grams = list(things) if size == 1 else list(zip(*(things[index:] for index in range(size)), strict=False))
    counts = Counter(grams)
    return {gram: index for index, gram in enumerate(grams) if counts[gram] == 1}


def increasing(links: Sequence[tuple[int, Place]]) -> list[tuple[int, Place]]:
    """The longest run of links whose second members go forward."""
    ends: list[Place] = []  # the smallest second member that a run of each length ends with
    which: list[int] = []
    before: list[int] = []
    for number, (_i, j) in enumerate(links):
        length = bisect_left(ends, j)
        before.append(which[length - 1] if length else -1)
        if length == len(ends):
            ends.append(j)
            which.append(number)
        else:
            ends[length], which[length] = j, number
    run: list[tuple[int, Place]] = []
    number = which[-1] if which else -1
    while number >= 0:
        run.append(links[number])
        number = before[number]
    return run[::-1]


def _blocks(rows: range, columns: range) -> Iterator[tuple[range, range]]:
    """The whole, or stretches of both sides at the same share of the way when the whole is too large."""
    if len(rows) * len(columns) <= _MOST_CELLS:
        yield rows, columns
        return
    count = -(-max(len(rows), len(columns)) // _BLOCK)
    cuts = [(len(rows) * number // count, len(columns) * number // count) for number in range(count + 1)]
    for (row, column), (next_row, next_column) in pairwise(cuts):
        yield rows[row:next_row], columns[column:next_column]


_PAIR, _UP, _LEFT = 0, 1, 2
_UP_GOES_ON, _LEFT_GOES_ON = 4, 8


def _least_cost(rows: range, columns: range, costs: list[list[int]]) -> Iterator[Link]:
    """The links of least cost, gaps kept together (Gotoh's algorithm: alignment with affine gap costs).

    Only one row of costs is kept. Of each cell one byte remembers which of the three moves led there, and whether a
    gap goes on: that is all that tracing the path back needs, and 160,000 cells stay small.
    """
    width = len(columns)
    opens = GAP + GAP_OPENS
    above = [0, *(GAP_OPENS + GAP * (j + 1) for j in range(width))]
    ups = [NEVER * (len(rows) + width)] * (width + 1)
    ways: list[bytearray] = []
    for i, row in enumerate(costs):
        way = bytearray(width)
        diagonal = above[0]
        here = above[0] = GAP_OPENS + GAP * (i + 1)
        sideways = here + NEVER * (len(rows) + width)
        for j, cost in enumerate(row, 1):
            over = above[j]
            mark = 0
            up = ups[j] + GAP
            if over + opens < up:
                up = over + opens
            else:
                mark = _UP_GOES_ON
            sideways += GAP
            if here + opens < sideways:
                sideways = here + opens
            else:
                mark |= _LEFT_GOES_ON
            here = diagonal + cost
            if up < here:
                here = up
                mark |= _UP
            if sideways < here:
                here = sideways
                mark = mark & ~_UP | _LEFT
            ups[j] = up
            diagonal = over
            above[j] = here
            way[j - 1] = mark
        ways.append(way)
    yield from _traced_back(rows, columns, ways)


def _traced_back(rows: range, columns: range, ways: Sequence[bytearray]) -> Iterator[Link]:
    i, j = len(rows) - 1, len(columns) - 1
    state = _PAIR
    while i >= 0 and j >= 0:
        mark = ways[i][j]
        if state == _PAIR:
            state = mark & 3
        if state == _PAIR:
            yield rows[i], columns[j]
            i, j = i - 1, j - 1
        elif state == _UP:
            state = _UP if mark & _UP_GOES_ON else _PAIR
            i -= 1
        else:
            state = _LEFT if mark & _LEFT_GOES_ON else _PAIR
            j -= 1
