"""The flat table: whatever lists it is given one after the other, rows are those of the last, and indexes follow."""

from __future__ import annotations

from collections import Counter
from operator import itemgetter
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester

from trace_inspector.models.base.record_table import Column, RecordTable
from trace_inspector.models.base.roles import Role

Pair: TypeAlias = tuple[int, str]  # a key, and what is shown of it

pytestmark = pytest.mark.usefixtures("qapp")  # signals need an application
COLUMNS: tuple[Column[Pair], ...] = (
    Column("Key", lambda pair: str(pair[0]), number=True, meaning="what it goes by"),
    Column("Text", itemgetter(1), sort_key=lambda pair: pair[1] or None),
)
LISTS = st.lists(st.lists(st.tuples(st.integers(0, 7), st.sampled_from(["", "a", "b"])), max_size=8), max_size=5)


def shown(table: RecordTable[Pair]) -> list[Pair]:
    return [(int(table.index(row, 0).data()), table.index(row, 1).data()) for row in range(table.rowCount())]


def expected(pairs: list[Pair], column: int, order: Qt.SortOrder) -> list[Pair]:
    if column < 0:
        return pairs
    backwards = order is Qt.SortOrder.DescendingOrder
    if column == 0:
        return sorted(pairs, key=lambda pair: str(pair[0]), reverse=backwards)
    texts = sorted([pair for pair in pairs if pair[1]], key=itemgetter(1), reverse=backwards)
    return texts + [pair for pair in pairs if not pair[1]]


@given(LISTS, st.integers(-1, 1), st.sampled_from(Qt.SortOrder))
def test_rows_are_the_last_list_and_indexes_follow_their_keys(
    lists: list[list[Pair]], column: int, order: Qt.SortOrder
) -> None:
    table = RecordTable(COLUMNS, itemgetter(0))
    tester = QAbstractItemModelTester(table, QAbstractItemModelTester.FailureReportingMode.Fatal)
    table.sort(column, order)
    changed: set[int] = set()
    table.dataChanged.connect(lambda first, last: changed.update(range(first.row(), last.row() + 1)))
    resets: list[None] = []
    table.modelReset.connect(lambda: resets.append(None))
    for pairs in lists:
        before = shown(table)
        indexes = [QPersistentModelIndex(table.index(row, 1)) for row in range(table.rowCount())]
        changed.clear()
        table.show(pairs)
        assert shown(table) == expected(pairs, column, order)
        rows = {index.row() for index in indexes if index.isValid()}
        both = Counter(key for key, _text in before) & Counter(key for key, _text in pairs)
        assert len(rows) == both.total(), "each key that is in both lists keeps its index, and no two meet"
        for (key, text), index in zip(before, indexes, strict=True):
            if index.isValid():
                now = table.records[index.row()]
                assert now[0] == key
                assert now[1] == text or index.row() in changed, "views must hear of another text"
    assert not resets, "a view would lose what is selected"
    del tester


def test_sorting_and_more_rows_keep_indexes() -> None:
    table = RecordTable(COLUMNS, itemgetter(0))
    table.show([(1, "b"), (2, ""), (3, "a")])
    index = QPersistentModelIndex(table.index(0, 1))
    table.sort(1)
    assert (shown(table), index.row()) == ([(3, "a"), (1, "b"), (2, "")], 1)
    table.append([(4, "a")])
    assert shown(table)[-1] == (4, "a"), "until somebody sorts again"
    table.sort(1, Qt.SortOrder.DescendingOrder)
    assert (shown(table), index.row()) == ([(1, "b"), (3, "a"), (4, "a"), (2, "")], 0)
    table.sort(-1)
    assert [key for key, _text in shown(table)] == [1, 2, 3, 4]
    table.reset([(1, "b")])
    assert not index.isValid(), "another list"


def test_header_and_cells_are_those_of_the_columns() -> None:
    table = RecordTable(COLUMNS, itemgetter(0), cells={Role.DIM: lambda pair: not pair[1]})
    table.show([(1, "b"), (2, "")])
    across, spoken = Qt.Orientation.Horizontal, Qt.ItemDataRole.AccessibleTextRole
    tips = [table.headerData(column, across, Qt.ItemDataRole.ToolTipRole) for column in range(2)]
    assert [table.headerData(column, across) for column in range(3)] == ["Key", "Text", None]
    assert (tips, table.headerData(0, Qt.Orientation.Vertical)) == (["what it goes by", ""], None)
    assert [table.index(0, column).data(Role.NUMBER) for column in range(2)] == [True, None]
    assert [table.index(row, 1).data(Role.DIM) for row in range(2)] == [False, True]
    assert (table.index(0, 1).data(spoken), QModelIndex().data()) == ("b", None)
    assert (table.row_of(2), table.row_of(5), table.record(0), table.record(2)) == (1, -1, (1, "b"), None)
