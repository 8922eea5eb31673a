"""The cases of two runs in their groups: sorted within them by any column, filtered by group and by words."""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import Any, TypeAlias, overload

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from trace_inspector.core.rows import Kind
from trace_inspector.engine.between_runs.group import Group
from trace_inspector.models.roles import MARK_NAMES, MARK_OF, Role
from trace_inspector.models.run_pair import RunPair
from trace_inspector.models.run_pair_words import GROUPS, change_text, seconds_change
from trace_inspector.models.runs_model import SHORT
from trace_inspector.models.tips import plain_tip
from trace_inspector.work.run_pairs import CaseLine, CaseSide

Index = QModelIndex | QPersistentModelIndex
_Key: TypeAlias = float | str | None

NAME, VERDICT, WORDS, SCORES = 0, 1, 2, 3
_NOWHERE = QModelIndex()
_FLAGS = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable


class RunPairTable(QAbstractItemModel):
    """Two levels: groups that have cases, and the cases. Takes everything from the pair when that changes."""

    def __init__(self, pair: RunPair, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pair = pair
        self._columns: tuple[str, ...] = ()
        self._shown: list[tuple[Group, list[CaseLine]]] = []
        self._by, self._order = -1, Qt.SortOrder.AscendingOrder
        self._told: list[str] = []  # what each case is searched by, made at the first search
        self.words = ""
        self.only: Group | None = None
        pair.changed.connect(self._take)

    @property
    def shown(self) -> int:
        """How many cases are left by the filter."""
        return sum(len(lines) for _group, lines in self._shown)

    def line(self, index: Index) -> CaseLine | None:
        """The case of a row; None for a group's."""
        if not index.isValid() or not index.internalId():
            return None
        return self._shown[index.internalId() - 1][1][index.row()]

    def group(self, index: Index) -> Group | None:
        """The group that a row is, or is in."""
        if not index.isValid():
            return None
        return self._shown[index.internalId() - 1 if index.internalId() else index.row()][0]

    def count(self, index: Index) -> int:
        """How many cases of a group are shown."""
        return len(self._shown[index.row()][1])

    def index_of(self, name: str) -> QModelIndex:
        """Where a case stands, by its name; invalid for nowhere."""
        for at, (_group, lines) in enumerate(self._shown):
            for row, line in enumerate(lines):
                if line.name == name:
                    return self.createIndex(row, 0, at + 1)
        return QModelIndex()

    def filter(self, words: str | None = None, only: Group | None = None, *, every: bool = False) -> None:
        """Only cases with all of these words; only those of a group, or `every` group again."""
        self.words = self.words if words is None else words
        self.only = None if every else only or self.only
        self._refill()

    def columnCount(self, _parent: Index = _NOWHERE) -> int:
        return SCORES + len(self._columns) + 1

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        if not parent.isValid():
            return len(self._shown)
        return 0 if parent.internalId() or parent.column() else len(self._shown[parent.row()][1])

    def index(self, row: int, column: int, parent: Index = _NOWHERE) -> QModelIndex:
        if not (0 <= row < self.rowCount(parent) and 0 <= column < self.columnCount()):
            return QModelIndex()
        return self.createIndex(row, column, parent.row() + 1 if parent.isValid() else 0)

    @overload
    def parent(self, /) -> QObject | None: ...
    @overload
    def parent(self, child: Index, /) -> QModelIndex: ...
    def parent(self, child: Index | None = None) -> QObject | QModelIndex | None:
        """The group of a case; without an index, Qt's owner of the model."""
        if child is None:
            return super().parent()
        if not child.isValid() or not child.internalId():
            return QModelIndex()
        return self.createIndex(child.internalId() - 1, 0, 0)

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        return _FLAGS | Qt.ItemFlag.ItemNeverHasChildren if index.internalId() else _FLAGS

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        line = self.line(index)
        if line is None:
            return self._of_group(index, role)
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.AccessibleTextRole:
                return self._text(line, index.column())
            case Qt.ItemDataRole.ToolTipRole if index.column() in (NAME, WORDS):
                return plain_tip(self._text(line, index.column()))
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < self.columnCount():
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            titles = (
                "Case",
                "Verdict",
                "What changed",
                *(SHORT.get(name, name) for name in self._columns),
                "Turn p50",
            )
            return titles[section]
        if role == Qt.ItemDataRole.TextAlignmentRole and section >= SCORES:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.ToolTipRole and section >= SCORES:
            names = [f"{name}: by how much the score changed" for name in self._columns]
            return plain_tip(
                (*names, "By how much the time of a turn changed, in the middle of all")[section - SCORES]
            )
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Within the groups; what is not known stands last either way. -1: as the runs have them."""
        if (column, order) != (self._by, self._order):
            self._by, self._order = column, order
            self._refill()

    def _take(self) -> None:
        self._told = []
        self._refill()

    def _refill(self) -> None:
        self.beginResetModel()
        self._columns = self._pair.head.columns if self._pair.head is not None else ()
        wanted = self.words.casefold().split()
        groups: dict[Group, list[CaseLine]] = {group: [] for group in Group}
        if wanted and not self._told:
            self._told = [_told(line) for line in self._pair.lines]
        for at, line in enumerate(self._pair.lines):
            if self.only in (None, line.group) and all(word in self._told[at] for word in wanted):
                groups[line.group].append(line)
        self._shown = [(group, self._sorted(lines)) for group, lines in groups.items() if lines]
        self.endResetModel()

    def _sorted(self, lines: list[CaseLine]) -> list[CaseLine]:
        if not 0 <= self._by < self.columnCount():
            return lines
        keyed = [(self._key(line), line) for line in lines]
        known = [pair for pair in keyed if pair[0] is not None]
        known.sort(key=itemgetter(0), reverse=self._order is Qt.SortOrder.DescendingOrder)
        return [line for _key, line in (*known, *(pair for pair in keyed if pair[0] is None))]

    def _key(self, line: CaseLine) -> Any:
        keys: tuple[Callable[[CaseLine], _Key], ...] = (
            lambda one: one.name.casefold(),
            lambda one: f"{_word(one.base)} {_word(one.new)}",
            lambda one: one.words.casefold() or None,
        )
        if self._by < SCORES:
            return keys[self._by](line)
        before, after = (*line.scores, line.seconds)[self._by - SCORES]
        return after - before if before is not None and after is not None else None

    def _text(self, line: CaseLine, column: int) -> str:
        if column < SCORES:
            return (line.name, f"{_word(line.base)} → {_word(line.new)}", line.words)[column]
        if column < SCORES + len(self._columns):
            return change_text(*line.scores[column - SCORES])
        return seconds_change(*line.seconds)

    def _of_group(self, index: Index, role: int) -> Any:
        if not index.isValid():
            return None
        if role == Role.KIND:
            return Kind.SUITE  # on a raised ground
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole) or index.column():
            return None
        group, lines = self._shown[index.row()]
        title, meaning = GROUPS[group]
        return f"{title} {len(lines):,}" + (f", {meaning}" if role == Qt.ItemDataRole.AccessibleTextRole else "")


def _told(line: CaseLine) -> str:
    return f"{line.name} {line.words} {GROUPS[line.group][0]} {_word(line.base)} {_word(line.new)}".casefold()


def _word(side: CaseSide) -> str:
    if side.status is None:
        return "none"
    return f"{MARK_NAMES[MARK_OF[side.status]]}{f' ({side.told})' if side.told else ''}"
