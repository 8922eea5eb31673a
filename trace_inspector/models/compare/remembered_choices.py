"""Choices of a person that outlive changes: sides when a file is read again, paired calls when a golden is edited."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from trace_inspector.engine.trace_grid.manual_pairs import HandCall
from trace_inspector.models.base.open_file import FileState
from trace_inspector.models.base.row_table import TOP
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.compare.sides import SideRef, top_of
from trace_inspector.models.files.files import Files

_Bodies = tuple[tuple[bytes, ...], ...]


class PendingSides:
    """The sides to compare once all their files are read."""

    def __init__(self) -> None:
        self._sides: tuple[SideRef, ...] = ()
        self._selected = 0  # the file in which something was selected, and is again once it was read

    def expect(self, sides: tuple[SideRef, ...], number: int, new: int, selection: Selection | None) -> None:
        """A file of these sides, or of the pending ones, is opened again under a new number."""
        if selection is not None and selection.file == number:
            self._selected = new
        sides = sides or self._sides
        if any(ref.file == number for ref in sides):
            self._sides = tuple(replace(ref, file=new) if ref.file == number else ref for ref in sides)

    def drop(self) -> None:
        """Forget them: other sides were chosen."""
        self._sides = ()

    def selected(self, selection: Selection | None) -> bool:
        """Forget them when a person selects something in another file; returns whether a person selected it."""
        if selection is None:
            return True
        if selection.file == self._selected:
            return False
        if all(ref.file != selection.file for ref in self._sides):
            self.drop()
        return True

    def place_ready(self, _place: Selection) -> None:
        """The former selection is restored; any later one was made by a person."""
        self._selected = 0

    def take(self, files: Files) -> tuple[SideRef, ...]:
        """The sides, if all of them are read now; nothing otherwise."""
        there = [files.get(ref.file) for ref in self._sides]
        if any(file is not None and file.state is FileState.LOADING for file in there):
            return ()
        sides, self._sides = self._sides, ()
        return sides if all(top_of(files, ref) != TOP for ref in sides) else ()


class HandPairs:
    """The calls that a person paired, while the conversations they were paired in go on being edited.

    Kept with the conversations in which they were made, so that undoing an edit brings back the pairs it removed.
    """

    def __init__(self) -> None:
        self.shown: tuple[HandCall, ...] = ()  # the pairs in the rows
        self._made: tuple[HandCall, ...] = ()
        self._made_in: _Bodies = ()

    def make(self, pairs: tuple[HandCall, ...], bodies: _Bodies) -> None:
        """Set the pairs, which name calls by their indexes in these conversations."""
        self.shown, self._made, self._made_in = pairs, pairs, bodies

    def sent(self, sides: Sequence[tuple[bytes, ...]]) -> tuple[tuple[HandCall, ...], tuple[bytes, ...]]:
        """The pairs of these sides, and the first side as it was then; without the pairs of other conversations."""
        made_in = self._made_in
        kept = tuple(pair for pair in self._made if made_in[pair.side] == sides[pair.side])
        return kept, made_in[0] if kept else ()
