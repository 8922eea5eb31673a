"""Reads rows of a table or tree as shown: without hidden columns, in the order the columns were dragged to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from PySide6.QtCore import QModelIndex, Qt

from trace_inspector.flows.opening.table_text import Line, Table
from trace_inspector.models.base.roles import MARK_NAMES, Role
from trace_inspector.views.widgets.tree_view import TreeView

MOST_COPIED = 10_000
MOST_EXPORTED = 50_000
_MARK = "Verdict"


def selected_table(view: TreeView) -> Table:
    """The selected rows."""
    rows = sorted((index for index in view.selectionModel().selectedRows()), key=_path)[: MOST_COPIED + 1]
    sections = _sections(view)
    lines = [_line(index, sections, _depth(index)) for index in islice(rows, MOST_COPIED)]
    least = min((line.depth for line in lines), default=0)
    lines = [Line(line.depth - least, line.cells) for line in lines]
    return Table(view.accessibleName(), columns(view), lines, more=len(rows) > MOST_COPIED)


def columns(view: TreeView) -> tuple[str, ...]:
    """The column names; the mark of a row is a separate column."""
    model = view.model()
    titles = (str(model.headerData(index, Qt.Orientation.Horizontal) or "") for index in _sections(view))
    return _MARK, *(title or f"Column {index}" for index, title in enumerate(titles, 1))


def shown_lines(view: TreeView, top: QModelIndex | None = None) -> Iterator[Line]:
    """The unfolded rows in order; with a `top`, that row and everything in it."""
    sections = _sections(view)
    if top is not None:
        yield _line(top, sections, 0)
    yield from _below(view, top or QModelIndex(), sections, 1 if top is not None else 0, whole=top is not None)


def _below(view: TreeView, parent: QModelIndex, sections: list[int], depth: int, *, whole: bool) -> Iterator[Line]:
    model = view.model()
    waiting = [(parent, 0, depth)]
    while waiting:
        above, row, level = waiting.pop()
        if row >= model.rowCount(above):
            continue
        waiting.append((above, row + 1, level))
        index = model.index(row, 0, above)
        yield _line(index, sections, level)
        if whole or view.isExpanded(index):
            waiting.append((index, 0, level + 1))


def _sections(view: TreeView) -> list[int]:
    head = view.header()
    order: Iterable[int] = (head.logicalIndex(index) for index in range(head.count()))
    return [section for section in order if not view.isColumnHidden(section)]


def _line(index: QModelIndex, sections: list[int], depth: int) -> Line:
    mark = str(index.data(Role.MARK) or "")
    cells = (index.siblingAtColumn(section).data() for section in sections)
    return Line(depth, (MARK_NAMES.get(mark, mark), *(str(cell if cell is not None else "") for cell in cells)))


def _path(index: QModelIndex) -> list[int]:
    path = []
    while index.isValid():
        path.append(index.row())
        index = index.parent()
    return path[::-1]


def _depth(index: QModelIndex) -> int:
    return len(_path(index)) - 1
