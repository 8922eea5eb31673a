"""What the panel of failure modes lists: modes, their examples, failures without a mode, and a matrix of places."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt

from trace_inspector.core.review.failure_modes import Matrix, Output
from trace_inspector.core.review.fault_places import FaultPlace
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.translatable import N_
from trace_inspector.core.verdict.figures import percent
from trace_inspector.models.base.record_table import Column, Index, RecordTable
from trace_inspector.models.base.roles import Role
from trace_inspector.models.base.tips import plain_tip
from trace_inspector.models.base.translation import tr

if TYPE_CHECKING:
    from trace_inspector.engine.failure_modes.rates import ModeRate
    from trace_inspector.flows.review.failures import Failures

_NOTE_CHARS, _NAME_CHARS = 400, 80


class FailureRow(Struct, frozen=True):
    """A failure in a list. One without an output is the head of a group: its suggested name and its number."""

    output: Output | None = None
    where: FaultPlace = FaultPlace()
    group: str = ""
    size: int = 0

    @property
    def key(self) -> tuple[str, str]:
        """What it is."""
        return self.group, self.output.subject if self.output is not None else ""


def mode_table(parent: QObject) -> RecordTable[ModeRate]:
    """The modes, most frequent first, with their shares."""
    from trace_inspector.engine.failure_modes import words

    columns: tuple[Column[ModeRate], ...] = (
        Column(
            N_("Failure mode"),
            lambda rate: one_line(rate.counted.mode.name, _NAME_CHARS),
            200,
            sort_key=lambda rate: rate.counted.mode.key,
            cells={Qt.ItemDataRole.ToolTipRole: _mode_tip},
        ),
        Column(
            N_("Count"),
            lambda rate: f"{rate.counted.count:,}",
            68,
            number=True,
            sort_key=lambda rate: rate.counted.count,
        ),
        Column(
            N_("Share"),
            lambda rate: percent(rate.share.value),
            64,
            number=True,
            meaning=N_("of all labelled turns"),
            sort_key=lambda rate: rate.share.value,
        ),
        Column(
            N_("95 % interval"),
            lambda rate: words.interval(rate.share),
            176,
            meaning=N_("where the share lies if the labelled turns were drawn at random"),
            sort_key=lambda rate: rate.share.low,
            cells={Role.SPREAD: lambda rate: (rate.share.low, rate.share.value, rate.share.high)},
        ),
        Column(N_("Description"), lambda rate: one_line(rate.counted.mode.description, _NOTE_CHARS), 200),
    )
    return RecordTable(columns, lambda rate: rate.counted.mode.key, parent)


def _mode_tip(rate: ModeRate) -> str:
    mode = rate.counted.mode
    earlier = tr("Earlier names: {0}").format(", ".join(mode.was)) if mode.was else ""
    return plain_tip("\n".join(filter(None, (mode.name, mode.description, earlier))))


def failure_table(parent: QObject) -> RecordTable[FailureRow]:
    """Failures: what was noted, which turn it is, and where it first went wrong."""
    columns: tuple[Column[FailureRow], ...] = (
        Column(N_("Noted"), _noted, 0, cells={Role.BOLD: lambda row: row.output is None}),
        Column(N_("Turn"), _turn, 180),
        Column(N_("First fault"), lambda row: fault_words(row.where), 150),
    )
    return RecordTable(columns, lambda row: row.key, parent)


def _noted(row: FailureRow) -> str:
    if row.output is None:
        return tr("{0} · {1} alike").format(row.group, f"{row.size:,}") if row.group else tr("Like no other")
    notes = " / ".join(row.output.notes)
    return one_line(notes, _NOTE_CHARS) or tr("no note")


def _turn(row: FailureRow) -> str:
    if row.output is None:
        return ""
    label = row.output.label
    words = [one_line(label.case or label.trace, _NAME_CHARS)]
    words += [tr("turn {0}").format(label.turn + 1)] if label.turn is not None else []
    return " · ".join(filter(None, words))


def fault_words(where: FaultPlace) -> str:
    """Where it first went wrong, in short."""
    place = where.hand_off if where.part == "hand-off" else where.tool or where.part
    return " · ".join(filter(None, (place, where.agent if where.part != "hand-off" else "")))


def example_rows(outputs: Iterable[Output], where: Callable[[Output], FaultPlace]) -> list[FailureRow]:
    """A row for each."""
    return [FailureRow(output, where(output)) for output in outputs]


def untagged_rows(failures: Failures, where: Callable[[Output], FaultPlace]) -> Iterator[FailureRow]:
    """The groups, the largest first, then failures that are like no other."""
    grouped: set[str] = set()
    for group in failures.groups:
        yield FailureRow(group=group.name, size=len(group.outputs))
        for output in group.outputs:
            grouped.add(output.subject)
            yield FailureRow(output, where(output), group.name)
    alone = [output for output in failures.read.untagged if output.subject not in grouped]
    if alone and grouped:
        yield FailureRow(size=len(alone))
    yield from (FailureRow(output, where(output)) for output in alone)


class MatrixModel(QAbstractTableModel):
    """How often each mode first went wrong where."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._matrix = Matrix((), ())

    @property
    def most(self) -> int:
        """The largest number of a cell."""
        return max((len(cell) for _name, cells in self._matrix.rows for cell in cells), default=0)

    def show(self, matrix: Matrix) -> None:
        """Show another one."""
        if matrix != self._matrix:
            self.beginResetModel()
            self._matrix = matrix
            self.endResetModel()

    def cell(self, index: Index) -> tuple[str, str, Sequence[Output]]:
        """The mode, the place, and the failures of a cell."""
        name, cells = self._matrix.rows[index.row()]
        return name, self._matrix.columns[index.column()], cells[index.column()]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._matrix.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._matrix.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        name, place, cell = self.cell(index)
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return f"{len(cell):,}" if cell else ""
            case Qt.ItemDataRole.AccessibleTextRole | Qt.ItemDataRole.ToolTipRole:
                words = f"{name}, {place or tr('not stated')}: {len(cell):,}"
                return plain_tip(words) if role == Qt.ItemDataRole.ToolTipRole else words
            case Role.FRACTION:
                return len(cell) / self.most if self.most else 0.0
            case Qt.ItemDataRole.TextAlignmentRole:
                return Qt.AlignmentFlag.AlignCenter
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        if orientation is Qt.Orientation.Horizontal:
            names = [column or tr("not stated") for column in self._matrix.columns]
        else:
            names = [one_line(name, _NAME_CHARS) for name, _cells in self._matrix.rows]
        if not 0 <= section < len(names):
            return None
        return plain_tip(names[section]) if role == Qt.ItemDataRole.ToolTipRole else names[section]
