"""Two conversations side by side: turns first, then what each pair of turns did, folded, and where they part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from trace_inspector.core.alignment.step_alignment import AlignedRow, Alignment, Order, align_steps
from trace_inspector.core.alignment.turn_alignment import align_turns
from trace_inspector.core.trace.steps import Step, steps_of
from trace_inspector.core.trace.trace import Turn


@dataclass(frozen=True, slots=True)
class AlignedTurn:
    """A pair of turns with their steps in rows; where one side has no turn, every row is missing or extra."""

    left: int | None
    right: int | None
    left_steps: tuple[Step, ...]
    right_steps: tuple[Step, ...]
    alignment: Alignment

    @property
    def divergence(self) -> int | None:
        """The first row that is not the same on both sides, or before which something stands that moved."""
        rows = self.alignment.rows
        moved = min((row.right for row in rows if row.right is not None and row.order is Order.MOVED), default=None)
        for at, row in enumerate(rows):
            behind = moved is not None and row.right is not None and row.right > moved
            if behind or not row.equal or row.order is Order.MOVED:
                return at
        return None


@dataclass(frozen=True, slots=True)
class Fold:
    """Rows `start` to `end` (not included): `period` rows, and the same ones again and again."""

    start: int
    end: int
    period: int = 1

    @property
    def times(self) -> int:
        """How often the rows come."""
        return (self.end - self.start) // self.period


@dataclass(frozen=True, slots=True)
class Parting:
    """The first turn that differs, and its first row that does; no row where a whole turn is missing or extra."""

    turn: int
    row: int | None


def align_conversations(left: Sequence[Turn], right: Sequence[Turn]) -> list[AlignedTurn]:
    """Both conversations, turn by turn and step by step."""
    found = []
    for pair in align_turns(left, right):
        here = () if pair.golden is None else tuple(steps_of(left[pair.golden]))
        there = () if pair.observed is None else tuple(steps_of(right[pair.observed]))
        found.append(AlignedTurn(pair.golden, pair.observed, here, there, align_steps(here, there)))
    return found


def first_parting(turns: Sequence[AlignedTurn]) -> Parting | None:
    """Where two conversations part first; None when they do the same. Answers are not looked at."""
    for at, turn in enumerate(turns):
        if turn.left is None or turn.right is None:
            return Parting(at, None)
        row = turn.divergence
        if row is not None:
            return Parting(at, row)
    return None


_LONGEST_PERIOD = 8


def folded(turn: AlignedTurn) -> Iterator[Fold]:
    """The rows of a turn, those that repeat themselves as one fold: polling reads as one row and how often."""
    looks = [_look(turn, row) for row in turn.alignment.rows]
    at = 0
    while at < len(looks):
        folds = (Fold(at, _end(looks, at, period), period) for period in range(1, _LONGEST_PERIOD + 1))
        best = max((fold for fold in folds if fold.times > 1), key=lambda fold: fold.end, default=Fold(at, at + 1))
        yield best
        at = best.end


def _end(looks: Sequence[object], at: int, period: int) -> int:
    """Where the last whole repeat ends."""
    end = at + period
    while end < len(looks) and looks[end] == looks[end - period]:
        end += 1
    return end - (end - at) % period


def _look(turn: AlignedTurn, row: AlignedRow) -> tuple[object, ...]:
    """What a row shows; two rows that look the same can be folded."""
    here = None if row.left is None else turn.left_steps[row.left]
    there = None if row.right is None else turn.right_steps[row.right]
    return here and (here.kind, here.key), there and (there.kind, there.key), row.equal, row.order
