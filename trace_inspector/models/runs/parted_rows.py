"""The rows at which turns that still run part from their goldens: found again when rows or partings are others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from PySide6.QtCore import QObject

from trace_inspector.core.verdict.parting import Parting
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.row_table import TOP
from trace_inspector.models.evaluation.shown_run import ShownRun
from trace_inspector.models.files.files import Files
from trace_inspector.models.files.growth import Growth

Partings: TypeAlias = Mapping[str, Sequence[Parting]]  # by the conversation


class PartedRows(QObject):
    """Marks the call that parts, and the rows above it, as long as that is so.

    Rows and partings come from two processes that do not wait for each other. A call is known by where it stands in
    the file, so that no other row is marked meanwhile; one whose row is not there yet is marked when it comes.
    """

    def __init__(self, files: Files, growth: Growth, shown: ShownRun, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._files, self._shown = files, shown
        self._paths: tuple[Path, ...] = ()
        self._partings: Partings = {}
        files.replaced.connect(self._find_again)  # before anybody shows them
        growth.grew.connect(self._follow)

    def note(self, paths: Sequence[Path], partings: Partings) -> None:
        """Note where the turns of these files part now; what was noted before holds no more."""
        self._paths, self._partings = tuple(paths), partings
        for file in self._recorded():
            self._follow(file.number)

    def _follow(self, number: int, _grown: object = None) -> None:
        file = self._files.get(number)
        before = file.parted if file is not None else {}
        self._find_again(number)
        if file is not None and file.parted != before:
            self._shown.parted.emit(number)

    def _find_again(self, number: int) -> None:
        file = self._files.get(number)
        if file is not None and (file.parted or (self._partings and file in self._recorded())):
            file.parted = self._rows(file)

    def _recorded(self) -> list[OpenFile]:
        return [file for path in self._paths if (file := self._files.by_path(path)) is not None]

    def _rows(self, file: OpenFile) -> dict[int, Parting]:
        table = file.table
        rows: dict[int, Parting] = {}
        for name, partings in self._partings.items():
            tops = table.named.called(name)
            turns = table.turns(tops[0]) if tops else ()
            for parting in partings:
                calls = table.calls(turns[parting.turn]) if parting.turn < len(turns) else ()
                row = calls[parting.call] if parting.call < len(calls) else TOP
                if row == TOP or table.place(row) != parting.place:
                    continue
                while row != TOP:
                    rows.setdefault(row, parting)
                    row = table.parent(row)
        return rows
