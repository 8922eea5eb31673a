"""The calls that a person paired, while the conversations they were paired in go on being edited."""

from __future__ import annotations

from collections.abc import Sequence

from trace_inspector.engine.trace_grid.by_hand import HandCall

Bodies = tuple[tuple[bytes, ...], ...]


class HandPairs:
    """Kept as they were made, with what they were made in: an edit that is undone brings back what it took away."""

    def __init__(self) -> None:
        self.shown: tuple[HandCall, ...] = ()  # as the rows have them
        self._made: tuple[HandCall, ...] = ()
        self._made_in: Bodies = ()

    def make(self, pairs: tuple[HandCall, ...], bodies: Bodies) -> None:
        """These, told by the numbers that calls have in those conversations."""
        self.shown, self._made, self._made_in = pairs, pairs, bodies

    def sent(self, sides: Sequence[tuple[bytes, ...]]) -> tuple[tuple[HandCall, ...], tuple[bytes, ...]]:
        """The pairs for sides as they are now, and the first side as it was; without those of other conversations."""
        made_in = self._made_in
        kept = tuple(one for one in self._made if made_in[one.side] == sides[one.side])
        return kept, made_in[0] if kept else ()
