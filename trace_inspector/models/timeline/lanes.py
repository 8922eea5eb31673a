"""The lanes of the timeline from top to bottom: turns, their events, their pieces; a folded turn is one lane."""

from __future__ import annotations

import enum
from array import array
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate

from msgspec import Struct

from trace_inspector.core.rows.timing import NOWHERE, Mark, Work

_HIDDEN = int(Mark.PLUMBING)


class LaneKind(enum.Enum):
    """What a lane shows."""

    TURN = "turn"
    EVENTS = "events"
    PIECE = "piece"
    UNTIMED = "untimed"  # how many pieces of the turn have no time; they follow


class Lane(Struct, frozen=True):
    """One lane. `piece` is an index in the work of the head, NOWHERE for lanes of the turn itself."""

    kind: LaneKind
    head: int
    piece: int = NOWHERE


class Lanes:
    """Lanes by number, made on demand, so that a million of them cost nothing."""

    def __init__(self) -> None:
        self._works: Mapping[int, Work] = {}
        self._heads: Sequence[int] = ()
        self._open: set[int] = set()
        self._shown: dict[int, array[int]] = {}  # head → the pieces that have a lane
        self._firsts: list[int] = [0]  # the first lane of each head
        self._places: dict[int, int] = {}
        self.plumbing_hidden = True

    def __len__(self) -> int:
        """How many there are."""
        return self._firsts[-1]

    def show(self, heads: Sequence[int], works: Mapping[int, Work]) -> None:
        """Show these heads in this order; changed works are laid out again."""
        self._heads, self._works = heads, works
        self._places = {head: index for index, head in enumerate(heads)}
        self._lay_out()

    def forget(self) -> None:
        """Forget open turns and their pieces: other turns follow."""
        self._open.clear()
        self._shown.clear()
        self.show((), {})

    def refresh(self, head: int) -> None:
        """Forget the pieces of a turn, which has others now."""
        self._shown.pop(head, None)

    def hide_plumbing(self, hidden: bool) -> None:
        """Hide or show transport, queues and wrappers."""
        self.plumbing_hidden = hidden
        self._shown.clear()
        self._lay_out()

    def is_open(self, head: int) -> bool:
        """Whether a turn's pieces are shown."""
        return head in self._open

    def unfold(self, heads: Sequence[int], unfolded: bool = True) -> None:
        """Unfold or fold these turns."""
        self._open = self._open | set(heads) if unfolded else self._open - set(heads)
        self._lay_out()

    def __getitem__(self, number: int) -> Lane:
        index = bisect_right(self._firsts, number) - 1
        head = self._heads[index]
        inside = number - self._firsts[index]
        if not inside:
            return Lane(LaneKind.TURN, head)
        work = self._works[head]
        if work.sign:
            inside -= 1
        if not inside:
            return Lane(LaneKind.EVENTS, head)
        pieces = self._pieces(head)
        timed = self._timed(head)
        if inside <= timed:
            return Lane(LaneKind.PIECE, head, pieces[inside - 1])
        if inside == timed + 1:
            return Lane(LaneKind.UNTIMED, head)
        return Lane(LaneKind.PIECE, head, pieces[inside - 2])

    def number_of(self, head: int, piece: int = NOWHERE) -> int:
        """The lane of a turn or of a piece; for a hidden piece, the nearest one around it; -1 for an unknown turn."""
        index = self._places.get(head, -1)
        if index < 0 or piece == NOWHERE or head not in self._open:
            return self._firsts[index] if index >= 0 else -1
        work, pieces = self._works[head], self._pieces(head)
        while piece != NOWHERE and self.plumbing_hidden and work.mark[piece] & _HIDDEN:
            piece = work.around[piece]
        if piece == NOWHERE:
            return self._firsts[index]
        inside = bisect_right(pieces, piece) - 1
        behind_line = inside >= self._timed(head)
        return self._firsts[index] + 1 + bool(work.sign) + inside + behind_line

    def depth(self, head: int, piece: int) -> int:
        """How many shown pieces a piece is nested in."""
        work, depth = self._works[head], 0
        above = work.around[piece]
        while above != NOWHERE:
            depth += not (self.plumbing_hidden and work.mark[above] & _HIDDEN)
            above = work.around[above]
        return depth

    def heads_between(self, first: int, last: int) -> Sequence[tuple[int, int, int]]:
        """The turns with lanes in that range: head, its first lane, the first lane after it."""
        begin = max(0, bisect_right(self._firsts, first) - 1)
        end = bisect_right(self._firsts, last)
        return [
            (self._heads[index], self._firsts[index], self._firsts[index + 1])
            for index in range(begin, min(end, len(self._heads)))
        ]

    @property
    def hidden(self) -> int:
        """How many pieces are hidden plumbing."""
        return sum(work.plumbing for work in self._works.values()) if self.plumbing_hidden else 0

    def untimed(self, head: int) -> int:
        """How many of the turn's shown pieces have no time."""
        return len(self._pieces(head)) - self._timed(head)

    def _timed(self, head: int) -> int:
        return bisect_right(self._pieces(head), self._works[head].timed - 1)

    def _pieces(self, head: int) -> array[int]:
        shown = self._shown.get(head)
        if shown is None:
            work = self._works[head]
            every = range(len(work))
            kept = [piece for piece in every if not work.mark[piece] & _HIDDEN] if self.plumbing_hidden else every
            shown = self._shown[head] = array("i", kept)
        return shown

    def _lay_out(self) -> None:
        self._firsts = list(accumulate((self._height(head) for head in self._heads), initial=0))

    def _height(self, head: int) -> int:
        work = self._works.get(head)
        if work is None or head not in self._open:
            return 1
        untimed = self.untimed(head)
        return 1 + bool(work.sign) + len(self._pieces(head)) + (untimed > 0)
