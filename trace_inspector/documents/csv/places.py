"""Where the rows and cells of a table stand. What is in a cell stands where the cell does."""

from __future__ import annotations

from trace_inspector.core.errors import EditError
from trace_inspector.core.values import pointer as pointers
from trace_inspector.core.values.edit import Edit
from trace_inspector.core.values.pointer import index_of
from trace_inspector.core.values.values import Json, present
from trace_inspector.documents.base.document import Document
from trace_inspector.documents.csv.cells import Cell, header, rows, value_of, widen
from trace_inspector.documents.csv.document import delimiter_of
from trace_inspector.documents.text.encoding import Body
from trace_inspector.documents.text.requested_places import Place, Watch


def fill_in_csv(body: Body, watch: Watch) -> None:
    """Fill in a tree of requested places, as offsets into the body."""
    watch.place = Place(body.start, body.start, len(body.data))
    cells = rows(body.data, body.start, delimiter_of(body))
    names, _ = header(body, next(cells, []))
    by_index = {index: child for token, child in watch.children.items() if (index := index_of(token)) is not None}
    for number, row in enumerate(cells):
        if watch.members is not None:
            watch.members.append(_row_place(row))
        widen(names, len(row))
        if child := by_index.pop(number, None):
            child.place = _row_place(row)
            _fill_in_row(body, child, dict(zip(names, row, strict=False)))
        if not by_index and watch.members is None:
            return


def _row_place(row: list[Cell]) -> Place:
    return Place(row[0][0], row[0][0], row[-1][1])


def _fill_in_row(body: Body, watch: Watch, cells: dict[str, Cell]) -> None:
    if watch.members is not None:
        watch.members.extend(Place(start, start, end) for start, end in cells.values())
    for name, child in watch.children.items():
        if name in cells:
            start, end = cells[name]
            _fill_in_cell(child, value_of(body, cells[name]), Place(start, start, end))


def _fill_in_cell(watch: Watch, value: Json, place: Place) -> None:
    stack = [(watch, value)]
    while stack:
        node, value = stack.pop()
        node.place = place
        for token, child in node.children.items():
            inner = pointers.resolve(value, pointers.join("", token))
            if present(inner):
                stack.append((child, inner))


def csv_change(_document: Document, _edit: Edit) -> tuple[int, int, str]:
    """A table is only read."""
    raise EditError("A CSV file can only be read. Convert it to a JSON format, and edit that.")
