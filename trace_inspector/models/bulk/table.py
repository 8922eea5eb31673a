"""The preview of a bulk edit as a flat table, with a check box for each golden."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath
from typing import TypeAlias

from PySide6.QtCore import QObject, Qt

from trace_inspector.core.golden.bulk_change import Row
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.translatable import N_
from trace_inspector.documents.text.patch import shared_start
from trace_inspector.models.base.record_table import Cells, Column, RecordTable
from trace_inspector.models.bulk.edit import BulkEdit

_Record: TypeAlias = tuple[int, Row]  # with the number of its file
_CHARS = 300
_LEAD = 10


def _from_change(text: str, other: str) -> str:
    """A text from shortly before its first difference."""
    shared = shared_start(text, other)
    return text if shared <= _LEAD else f"…{text[shared - _LEAD :]}"


def _column(title: str, text: Callable[[Row], str]) -> Column[_Record]:
    return Column(title, lambda record: one_line(text(record[1]), _CHARS))


_COLUMNS = (
    _column("Turn", lambda row: "" if row.turn is None else str(row.turn + 1)),
    _column("What", lambda row: row.what),
    _column("Before", lambda row: _from_change(row.before, row.after)),
    _column("After", lambda row: _from_change(row.after, row.before)),
)


class BulkTable(RecordTable[_Record]):
    """Shows the rows of a bulk edit, and follows its changes."""

    def __init__(self, edit: BulkEdit, parent: QObject | None = None) -> None:
        self._edit = edit
        self._names = {file.number: PurePath(file.path).name for file in edit.files}
        cells: Cells[_Record] = {
            Qt.ItemDataRole.CheckStateRole: self._check_state,
            Qt.ItemDataRole.AccessibleTextRole: self._accessible_text,
        }
        super().__init__(
            (Column(N_("Golden"), self._golden_text, cells=cells), *_COLUMNS), lambda record: record, parent
        )
        edit.changed.connect(self._follow)
        edit.marked.connect(self.refresh)
        self._follow()

    def _golden_text(self, record: _Record) -> str:
        number, row = record
        text = one_line(row.case, _CHARS)
        return f"{text}  ·  {self._names.get(number, '')}" if len(self._edit.scope) > 1 else text

    def _is_excluded(self, record: _Record) -> bool:
        return (record[0], record[1].case_place) in self._edit.excluded

    def _check_state(self, record: _Record) -> Qt.CheckState:
        return Qt.CheckState.Unchecked if self._is_excluded(record) else Qt.CheckState.Checked

    def _accessible_text(self, record: _Record) -> str:
        return f"{self._golden_text(record)}{', left out' if self._is_excluded(record) else ''}"

    def _follow(self) -> None:
        self.show(self._edit.rows)
