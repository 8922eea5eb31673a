"""Sides that a person chose outlive that one of their files is read again."""

from __future__ import annotations

from dataclasses import replace

from trace_inspector.models.base.open_file import FileState
from trace_inspector.models.base.row_table import TOP
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.compare.sides import SideRef, top_of
from trace_inspector.models.workspace.workspace import Workspace


class SidesAgain:
    """What to compare once every file of it is there."""

    def __init__(self) -> None:
        self._sides: tuple[SideRef, ...] = ()
        self._selected = 0  # the file in which something was selected, and is again once it was read

    def expect(self, sides: tuple[SideRef, ...], number: int, new: int, selection: Selection | None) -> None:
        """A file of these sides, or of those that are waited for, comes again under a new number."""
        if selection is not None and selection.file == number:
            self._selected = new
        sides = sides or self._sides
        if any(ref.file == number for ref in sides):
            self._sides = tuple(replace(ref, file=new) if ref.file == number else ref for ref in sides)

    def drop(self) -> None:
        """Somebody chose others."""
        self._sides = ()

    def selected(self, selection: Selection | None) -> bool:
        """Who selects something in another file does not want them any more. Gives whether anybody chose it."""
        if selection is None:
            return True
        if selection.file == self._selected:
            return False
        if all(ref.file != selection.file for ref in self._sides):
            self.drop()
        return True

    def found(self, _place: Selection) -> None:
        """What was selected is there again; what is selected from now on is chosen."""
        self._selected = 0

    def take(self, workspace: Workspace) -> tuple[SideRef, ...]:
        """The sides, if all of them are there now; nothing if they are not, or not any more."""
        files = [workspace.file(ref.file) for ref in self._sides]
        if any(file is not None and file.state is FileState.LOADING for file in files):
            return ()
        sides, self._sides = self._sides, ()
        return sides if all(top_of(workspace, ref) != TOP for ref in sides) else ()
