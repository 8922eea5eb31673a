"""The cells of a table in the order of the file, with their offsets. Python's csv module says nothing of places."""

from __future__ import annotations

import functools
import re
from collections.abc import Collection, Iterator

from trace_inspector.core.values.values import Json
from trace_inspector.documents.json.strict import fast_value
from trace_inspector.documents.text.encoding import Body

Cell = tuple[int, int]  # offsets into the body, quotation marks included

_QUOTED = re.compile(rb'"((?:[^"]++|"")*+)("?)(.*)', re.DOTALL)


@functools.cache
def _cell(delimiter: bytes) -> re.Pattern[bytes]:
    plain = rb"[^%s\r\n]*+" % re.escape(delimiter)
    return re.compile(
        rb'("(?:[^"]++|"")*+"?' + plain + b"|" + plain + rb")(" + re.escape(delimiter) + rb"|\r\n?|\n|\Z)"
    )


def rows(data: bytes, start: int, delimiter: bytes) -> Iterator[list[Cell]]:
    """The rows, blank lines left out; only what stands in quotation marks goes over several lines."""
    pattern, row = _cell(delimiter), list[Cell]()
    while start < len(data) and (match := pattern.match(data, start)) is not None:
        row.append(match.span(1))
        start = match.end()
        if match[2] == delimiter:
            if start == len(data):
                row.append((start, start))
            continue
        if len(row) > 1 or row[0][0] < row[0][1]:
            yield row
        row = []
    if row:
        yield row


def is_open(data: bytes, cell: Cell) -> bool:
    """Whether the quotation mark of a cell is never closed."""
    match = _QUOTED.match(data, *cell)
    return match is not None and not match[2]


def text_of(body: Body, cell: Cell) -> str:
    """What a cell says."""
    start, end = cell
    match = _QUOTED.match(body.data, start, end) if body.data.startswith(b'"', start, end) else None
    if match is None:
        return body.decode(start, end)
    return (match[1].replace(b'""', b'"') + match[3]).decode("utf-8", body.encoding.errors)


def value_of(body: Body, cell: Cell) -> Json:
    """The value of a cell: an object or an array when it is whole JSON, else text."""
    text = text_of(body, cell)
    if not text.lstrip().startswith(("{", "[")):
        return text
    try:
        return fast_value(text.encode("utf-8", body.encoding.errors), unique=False)
    except ValueError:
        return text


def header(body: Body, row: list[Cell]) -> tuple[list[str], list[int]]:
    """The names of the columns, and which of them had no name of their own."""
    names: dict[str, None] = {}
    renamed: list[int] = []
    for column, cell in enumerate(row):
        name = text_of(body, cell)
        if not name or name in names:
            renamed.append(column)
            name = _free_name(column, names)
        names[name] = None
    return list(names), renamed


def widen(names: list[str], count: int) -> None:
    """Name the columns that only later rows have."""
    for column in range(len(names), count):
        names.append(_free_name(column, names))


def _free_name(column: int, taken: Collection[str]) -> str:
    """What a column without a name of its own is called."""
    name = f"column {column + 1}"
    while name in taken:
        name += "'"
    return name
