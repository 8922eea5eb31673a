"""Runs aligned into columns of steps: which steps belong together, and how many runs went where."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct

from trace_inspector.engine.braid.attempts import Attempt, Label, StepKind

# A step that needs a column beyond these is counted, not shown: no screen shows so many.
MOST_COLUMNS = 3_000


class Branch(Struct, frozen=True):
    """One step of a column, and the runs that went there, as bits by their index."""

    label: Label
    runs: int


class BraidColumn(Struct, frozen=True):
    """Steps of which no run made two, at one place of the order."""

    branches: tuple[Branch, ...]

    @property
    def runs(self) -> int:
        """All runs that made one of its steps."""
        runs = 0
        for branch in self.branches:
            runs |= branch.runs
        return runs

    @property
    def turn(self) -> str:
        """The number of the turn that begins here; "" for steps."""
        kind, name = self.branches[0].label
        return name if kind is StepKind.TURN else ""


class Braid(Struct, frozen=True):
    """Columns in order. `visits` has for each run the columns of its steps; None found no column."""

    columns: tuple[BraidColumn, ...]
    visits: tuple[tuple[int | None, ...], ...]
    unplaced: int = 0  # steps without a column


def braid_of(attempts: Sequence[Attempt]) -> Braid:
    """Align runs. The most frequent way comes first, so that the others are told by how they leave it."""
    by_way: dict[tuple[Label, ...], int] = defaultdict(int)
    for index, attempt in enumerate(attempts):
        by_way[tuple(step.label for step in attempt.steps)] |= 1 << index
    # Names order ways of which equally many runs are: the order of the files says nothing.
    ways = sorted(
        by_way.items(), key=lambda way: (-way[1].bit_count(), -len(way[0]), [_name(label) for label in way[0]])
    )
    lanes: list[_Lane] = []
    placed: list[tuple[int, list[_Lane | None]]] = []
    for labels, runs in ways:
        placed.append((runs, _joined(lanes, labels, runs)))
    columns, column_of = _columns(lanes, (own for _runs, own in placed))
    visits: list[tuple[int | None, ...]] = [()] * len(attempts)
    unplaced = 0
    for runs, own in placed:
        way_columns = tuple(None if lane is None else column_of[id(lane)] for lane in own)
        unplaced += way_columns.count(None) * runs.bit_count()
        for index in indexes_of(runs):
            visits[index] = way_columns
    return Braid(columns, tuple(visits), unplaced)


def indexes_of(runs: int) -> list[int]:
    """The indexes of the runs whose bits are set."""
    found = []
    while runs:
        lowest = runs & -runs
        found.append(lowest.bit_length() - 1)
        runs ^= lowest
    return found


def _name(label: Label) -> tuple[str, str]:
    return label[0].value, label[1]


class _Lane(Struct, eq=False):
    """One label at one place of the order, while runs are joined."""

    label: Label
    runs: int = 0


def _joined(lanes: list[_Lane], labels: Sequence[Label], runs: int) -> list[_Lane | None]:
    """Add a way: its steps go where an equal one stands, the others get lanes of their own between these."""
    matched = dict(_matched(lanes, labels))
    own: list[_Lane | None] = []
    merged: list[_Lane] = []
    room = MOST_COLUMNS - len(lanes)
    taken = 0
    for index, label in enumerate(labels):
        if index in matched:
            merged += lanes[taken : matched[index] + 1]
            taken = matched[index] + 1
            lane = merged[-1]
        elif room > 0:
            room -= 1
            lane = _Lane(label)
            merged.append(lane)
        else:
            own.append(None)
            continue
        lane.runs |= runs
        own.append(lane)
    lanes[:] = merged + lanes[taken:]
    return own


def _matched(lanes: Sequence[_Lane], labels: Sequence[Label]) -> Iterator[tuple[int, int]]:
    """Which steps go to which lanes: first to those where most runs went, then to the others between these.

    Without that, an optional step that stands at two places would pull what everybody does apart.
    """
    most = max((lane.runs.bit_count() for lane in lanes), default=0)
    main = [index for index, lane in enumerate(lanes) if 2 * lane.runs.bit_count() > most]
    anchors = [(i, main[j]) for i, j in longest_common([lanes[index].label for index in main], labels)]
    for (i, j), (next_i, next_j) in pairwise([(-1, -1), *anchors, (len(labels), len(lanes))]):
        if i >= 0:
            yield i, j
        if next_i > i + 1 and next_j > j + 1:
            between = longest_common([lane.label for lane in lanes[j + 1 : next_j]], labels[i + 1 : next_i])
            yield from ((i + 1 + own, j + 1 + other) for own, other in between)


def longest_common(left: Sequence[Label], right: Sequence[Label]) -> list[tuple[int, int]]:
    """The longest common subsequence, as pairs of (index in right, index in left), in order.

    A row of the table is one integer with a bit for each of the left (Hyyrö's bit-parallel algorithm), so that a step
    costs a few operations however many columns there are.
    """
    positions: dict[Label, int] = defaultdict(int)
    for index, label in enumerate(left):
        positions[label] |= 1 << index
    everything = (1 << len(left)) - 1
    row = everything
    rows: list[int] = []
    for label in right:
        common = row & positions.get(label, 0)
        row = ((row + common) | (row - common)) & everything
        rows.append(row)
    pairs: list[tuple[int, int]] = []
    i, j = len(right), len(left)
    while i and j:
        if rows[i - 1] >> (j - 1) & 1:
            j -= 1
            continue
        i -= 1
        if not i or rows[i - 1] >> (j - 1) & 1:
            j -= 1
            pairs.append((i, j))
    return pairs[::-1]


def _columns(
    lanes: Sequence[_Lane], ways: Iterable[Sequence[_Lane | None]]
) -> tuple[tuple[BraidColumn, ...], Mapping[int, int]]:
    """Each step as far to the left as the steps before it allow, so that ways that part stand beside each other.

    A turn begins behind everything before it. The second result is the column of each lane, by its id.
    """
    before: dict[int, set[int]] = defaultdict(set)
    for way in ways:
        placed = [id(lane) for lane in way if lane is not None]
        for earlier, later in pairwise(placed):
            before[later].add(earlier)
    column_of: dict[int, int] = {}
    branches: list[dict[Label, int]] = []
    least = 0
    for lane in lanes:
        is_turn = lane.label[0] is StepKind.TURN
        column = max([least, *(column_of[other] + 1 for other in before[id(lane)])])
        if is_turn:
            column = len(branches)
            least = column + 1
        column_of[id(lane)] = column
        if column == len(branches):
            branches.append({})
        branches[column][lane.label] = branches[column].get(lane.label, 0) | lane.runs
    return tuple(
        BraidColumn(
            tuple(
                Branch(label, runs)
                for label, runs in sorted(own.items(), key=lambda item: (-item[1].bit_count(), _name(item[0])))
            )
        )
        for own in branches
    ), column_of
