"""The cases of two runs in their groups: sorted within them by any column, filtered by group and by words.

Qt keeps the rows themselves, without contents: it asks for each of them while it lays out the list, and 10,000
answers in Python take longer than a key may.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import Any

from PySide6.QtCore import QItemSelection, QModelIndex, QObject, Qt
from PySide6.QtGui import QStandardItem, QStandardItemModel

from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.translatable import N_
from trace_inspector.engine.run_comparison.change_group import Group
from trace_inspector.models.base.record_table import TEXT_ROLES, Column, Index, header_data
from trace_inspector.models.base.roles import Role
from trace_inspector.models.base.tips import plain_tip
from trace_inspector.models.evaluation.score_cells import SHORT
from trace_inspector.models.runs.run_pair import RunPair
from trace_inspector.models.runs.run_pair_words import GROUPS, change_text, meaning, seconds_change, verdicts_text
from trace_inspector.work.runs.comparison_messages import CaseLine

NAME, VERDICT, WORDS, SCORES = 0, 1, 2, 3
_OF_GROUP = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole)
_FLAGS = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable


def _text_column(title: str, text: Callable[[CaseLine], str]) -> Column[CaseLine]:
    return Column(title, text, cells={Qt.ItemDataRole.ToolTipRole: lambda line: plain_tip(text(line))})


def _score_column(number: int, name: str) -> Column[CaseLine]:
    meaning = f"{name}: by how much the score changed"
    return Column(SHORT.get(name, name), lambda line: change_text(*line.scores[number]), number=True, meaning=meaning)


_TEXTS = (
    _text_column(N_("Case"), attrgetter("name")),
    _text_column(N_("Verdict"), verdicts_text),
    _text_column(N_("What changed"), attrgetter("words")),
)
_TIME: Column[CaseLine] = Column(
    N_("Turn p50"),
    lambda line: seconds_change(*line.seconds),
    number=True,
    meaning=N_("Change of the median time of a turn"),
)


def _columns_with(criteria: Iterable[str]) -> tuple[Column[CaseLine], ...]:
    return (*_TEXTS, *(_score_column(number, name) for number, name in enumerate(criteria)), _TIME)


class RunPairTable(QStandardItemModel):
    """Two levels: groups that have cases, and the cases. Takes everything from the pair when that changes."""

    def __init__(self, pair: RunPair, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pair = pair
        self._compared = pair.compared
        self._columns = _columns_with(())
        self._shown: list[tuple[Group, Sequence[int]]] = []  # the numbers of their cases
        self._by, self._order = -1, Qt.SortOrder.AscendingOrder
        self._group_numbers: list[int] = []  # the group number of each case
        self.shares: frozenset[tuple[str, str]] = frozenset()  # texts of how many repeats passed, before and after
        self.words = ""
        self.only: Group | None = None
        pair.changed.connect(self._take)

    @property
    def shown(self) -> int:
        """How many cases the filter shows."""
        return sum(len(numbers) for _group, numbers in self._shown)

    @property
    def repeated(self) -> bool:
        """Whether any case ran several times."""
        return any(before or after for before, after in self.shares)

    def line(self, index: Index) -> CaseLine | None:
        """The case of a row; None for a group."""
        group = index.parent()
        if not group.isValid():
            return None
        return self._compared.lines[self._shown[group.row()][1][index.row()]]

    def group(self, index: Index) -> Group | None:
        """The group of a row, which is the group or in it."""
        if not index.isValid():
            return None
        group = index.parent()
        return self._shown[(group if group.isValid() else index).row()][0]

    def count(self, index: Index) -> int:
        """How many cases of a group are shown."""
        return len(self._shown[index.row()][1])

    def index_of(self, name: str) -> QModelIndex:
        """The index of a case by its name; invalid when it is not shown."""
        lines = self._compared.lines
        number = next((number for number, line in enumerate(lines) if line.name == name), -1)
        for row, (_group, numbers) in enumerate(self._shown):
            if number in numbers:
                return self.index(numbers.index(number), 0, self.index(row, 0))
        return QModelIndex()

    def is_score(self, column: int) -> bool:
        """Whether a column has changes of a score, where more is better, and not of a count or a time."""
        head, number = self._compared.head, column - SCORES
        if head is None or not 0 <= number < len(head.columns):
            return False
        return any(change.is_score for change in head.criteria if change.metric == head.columns[number])

    def next_named(self, letters: str, index: Index, *, further: bool) -> QModelIndex:
        """The next case whose name has a prefix, from a row on or (`further`) after it; invalid for none."""
        groups = enumerate(self._shown)
        rows = [(place, row) for place, (_group, numbers) in groups for row in range(len(numbers))]
        group = index.parent() if index.parent().isValid() else index
        begin = bisect_left(rows, (group.row(), index.row() if group is not index else -1)) + further
        prefix, searched = letters.casefold(), self._compared.searched  # the searched text begins with the name
        for place, row in (*rows[begin:], *rows[:begin]):
            if searched[self._shown[place][1][row]].startswith(prefix):
                return self.index(row, 0, self.index(place, 0))
        return QModelIndex()

    def rows_text(self, selected: QItemSelection) -> str:
        """The rows of a selection as tab-separated text, in their order."""
        texts: dict[tuple[int, int], str] = {}
        for part in map(selected.at, range(selected.size())):
            group = part.parent()
            for row in range(part.top(), part.bottom() + 1):
                if group.isValid():
                    line = self._compared.lines[self._shown[group.row()][1][row]]
                    cells = (column.text(line) for column in self._columns)
                    texts[group.row(), row] = "\t".join(cell.replace("\t", " ") for cell in cells)
                else:
                    texts[row, -1] = str(self.index(row, 0).data())
        return "\n".join(texts[place] for place in sorted(texts))

    def filter(self, words: str | None = None, only: Group | None = None, *, every: bool = False) -> None:
        """Only cases with all of these words; only those of a group, or `every` group again."""
        self.words = self.words if words is None else words
        self.only = None if every else only or self.only
        self._refill()

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        line = self.line(index)
        if line is None:
            return self._of_group(index, role)
        column = self._columns[index.column()]
        cell = column.text if role in TEXT_ROLES else column.cells.get(role)
        return cell(line) if cell is not None else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        return header_data(self._columns, section, orientation, role)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort within the groups; missing figures come last in either order. -1 restores the order of the runs."""
        if (column, order) != (self._by, self._order):
            self._by, self._order = column, order
            self._refill()

    def _take(self) -> None:
        self.beginResetModel()
        self._compared = self._pair.compared
        numbers = {group: number for number, group in enumerate(Group)}
        self._group_numbers = [numbers[line.group] for line in self._compared.lines]
        self.shares = frozenset((line.base.share, line.new.share) for line in self._compared.lines)
        self._columns = _columns_with(self._compared.head.columns if self._compared.head is not None else ())
        self._fill()
        self.endResetModel()

    def _refill(self) -> None:
        self.beginResetModel()
        self._fill()
        self.endResetModel()

    def _fill(self) -> None:
        cases = self._filtered()
        # Groups stay together in any order.
        ends = [bisect_right(cases, number, key=self._group_numbers.__getitem__) for number in range(len(Group))]
        self._shown = [
            (group, cases[first:end])
            for group, first, end in zip(Group, (0, *ends), ends, strict=False)
            if first < end and self.only in (None, group)
        ]
        self.blockSignals(True)  # noqa: FBT003 - one reset announces everything
        self._lay_rows(len(self._columns))
        self.blockSignals(False)  # noqa: FBT003

    def _lay_rows(self, columns: int) -> None:
        self.setRowCount(0)
        self.setColumnCount(columns)
        for _group, numbers in self._shown:
            row = QStandardItem()
            row.setFlags(_FLAGS)
            row.setColumnCount(columns)
            row.setRowCount(len(numbers))
            self.appendRow(row)

    def _filtered(self) -> Sequence[int]:
        """The numbers of the cases with all words, in order."""
        head, searched = self._compared.head, self._compared.searched
        cases: Sequence[int] = range(len(self._group_numbers))
        if head is not None and 0 <= self._by < len(head.orders):
            cases = head.orders[self._by][self._order is Qt.SortOrder.DescendingOrder]
        for word in self.words.casefold().split():
            cases = [number for number in cases if word in searched[number]]
        return cases

    def text(self, line: CaseLine, column: int) -> str:
        """The text of a cell."""
        return self._columns[column].text(line)

    def _of_group(self, index: Index, role: int) -> Any:
        if not index.isValid():
            return None
        if role == Role.KIND:
            return Kind.SUITE  # groups have the background of a suite
        if role not in _OF_GROUP or index.column():
            return None
        group, numbers = self._shown[index.row()]
        title = f"{GROUPS[group][0]} {len(numbers):,}"
        return title if role == Qt.ItemDataRole.DisplayRole else f"{title}, {meaning(group, repeated=self.repeated)}"
