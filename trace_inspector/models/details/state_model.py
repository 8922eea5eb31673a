"""Two states beside each other as a table: key path, before, after."""

from __future__ import annotations

from operator import attrgetter

from PySide6.QtCore import QObject

from trace_inspector.core.trace.summary import compact, one_line
from trace_inspector.core.translatable import N_
from trace_inspector.core.values.values import Absent, Json
from trace_inspector.models.base.record_table import Cells, Column, RecordTable
from trace_inspector.models.base.roles import Role
from trace_inspector.models.details.state_changes import Change, StateLine, scope_of

_MARKS = {Change.ADDED: "extra", Change.CHANGED: "differs", Change.REMOVED: "missing", Change.SAME: ""}


def _key_text(line: StateLine) -> str:
    return one_line(line.path.removeprefix("/") if line.path.count("/") == 1 else line.path)


def _value_text(value: Json | Absent) -> str:
    return "–" if isinstance(value, Absent) else compact(value)


_COLUMNS: tuple[Column[StateLine], ...] = (
    Column(N_("Key"), _key_text),
    Column(N_("Before"), lambda line: _value_text(line.before)),
    Column(N_("After"), lambda line: _value_text(line.after)),
    Column(N_("Scope"), lambda line: scope_of(line.path) or "this session"),
)


class StateModel(RecordTable[StateLine]):
    """Differences come first."""

    def __init__(self, parent: QObject | None = None) -> None:
        cells: Cells[StateLine] = {
            Role.MARK: lambda line: _MARKS[line.change],
            Role.DIM: lambda line: line.change is Change.SAME,
        }
        super().__init__(_COLUMNS, attrgetter("path"), parent, cells)
