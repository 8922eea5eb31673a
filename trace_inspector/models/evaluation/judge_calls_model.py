"""Calls of judges as a flat table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from trace_inspector.models.base.figures import seconds_text, when_text
from trace_inspector.models.base.roles import MARK_NAMES, Role
from trace_inspector.work.runs.judge_calls import CallLine, CallsWanted, Question, TextWanted

Index = QModelIndex | QPersistentModelIndex

_NOWHERE = QModelIndex()
_FLAGS = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
_MARKS = {True: "passed", False: "no", None: "none"}
_DAY_S, _HOUR_S, _MINUTE_S = 86_400.0, 3_600.0, 60.0


@dataclass(frozen=True, slots=True)
class Call:
    """A line with the question that it belongs to. `kept_s`: how long before the run the reply was given."""

    line: CallLine
    question: Question
    kept_s: float | None = None

    @property
    def source(self) -> str:
        """Where the reply comes from."""
        if not self.line.there:
            return "gone"
        if self.line.started_s is None:
            return "recorded"
        return "asked" if self.kept_s is None else f"kept, {age_text(self.kept_s)} old"


@dataclass(frozen=True, slots=True)
class Column:
    """What stands in a column, and how wide it is at first."""

    title: str
    text: Callable[[Call], str]
    width_px: int
    number: bool = False


COLUMNS = (
    Column("Criterion", lambda call: call.question.metric, 220),
    Column("Case", lambda call: call.question.case_id, 130),
    Column("Turn", lambda call: "" if call.question.turn is None else f"{call.question.turn + 1}", 48, number=True),
    Column("Vote", lambda call: f"{call.line.sample + 1} of {call.line.count}", 64, number=True),
    Column("Result", lambda call: call.line.vote or call.line.why, 110),
    Column("Time", lambda call: seconds_text(call.line.duration_s), 64, number=True),
    Column("Tokens in / out", lambda call: _tokens(call.line), 112, number=True),
    Column("Source", lambda call: call.source, 110),
    Column("Model", lambda call: call.line.model, 130),
    Column("Tries", lambda call: f"{call.line.attempts}" if call.line.attempts else "", 48, number=True),
    Column("Asked at", lambda call: when_text(call.line.started_s) if call.line.started_s is not None else "", 150),
)
CASE = 1


class JudgeCallsModel(QAbstractTableModel):
    """Shows what it is given, in the order in which it was asked."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._calls: tuple[Call, ...] = ()

    def show(self, wanted: CallsWanted, lines: Sequence[CallLine], started_s: float) -> None:
        """Another list."""
        self.beginResetModel()
        self._calls = tuple(Call(line, wanted.questions[line.question], _kept(line, started_s)) for line in lines)
        self.endResetModel()

    def call(self, row: int) -> Call | None:
        """The call in that row."""
        return self._calls[row] if 0 <= row < len(self._calls) else None

    def row_of(self, digest: str) -> int:
        """Where the reply with that digest is listed, -1 for nowhere."""
        return next((row for row, call in enumerate(self._calls) if call.line.digest == digest), -1)

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._calls)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(COLUMNS)

    def flags(self, index: Index) -> Qt.ItemFlag:
        return _FLAGS if index.isValid() else Qt.ItemFlag.NoItemFlags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        call, column = self._calls[index.row()], COLUMNS[index.column()]
        mark = "warning" if call.line.why else _MARKS[call.line.yes]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.text(call)
        if role == Role.MARK:
            return mark if index.column() == 0 else ""
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{MARK_NAMES[mark]}, {column.text(call)}" if index.column() == 0 else column.text(call)
        return column.number if role == Role.NUMBER else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(COLUMNS):
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole and COLUMNS[section].number:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return COLUMNS[section].title if role == Qt.ItemDataRole.DisplayRole else None


def text_wanted(call: Call, recorded: str) -> TextWanted:
    """How to ask for the texts of a call."""
    return TextWanted(call.question, call.line.sample, call.line.digest, recorded)


def age_text(age_s: float) -> str:
    """3 days, 2 hours, 5 minutes, a moment."""
    for unit_s, name in ((_DAY_S, "day"), (_HOUR_S, "hour"), (_MINUTE_S, "minute")):
        count = int(age_s // unit_s)
        if count:
            return f"{count:,} {name}{'' if count == 1 else 's'}"
    return "a moment"


def _kept(line: CallLine, started_s: float) -> float | None:
    if line.started_s is None or line.started_s >= started_s:
        return None
    return started_s - line.started_s


def _tokens(line: CallLine) -> str:
    if line.input_tokens is None and line.output_tokens is None:
        return ""
    given, got = ("–" if count is None else f"{count:,}" for count in (line.input_tokens, line.output_tokens))
    return f"{given} / {got}"
