"""CSV: an array of objects by the names in the first row. Cells that hold JSON are seen through; all else is text."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import islice
from pathlib import Path

from trace_inspector.core.errors import ReadError
from trace_inspector.core.values.values import Json
from trace_inspector.documents.base.document import Container, Document, Stamp
from trace_inspector.documents.csv.cells import Cell, header, is_open, rows, text_of, value_of, widen
from trace_inspector.documents.text.encoding import Body, body_of
from trace_inspector.documents.text.encoding_warnings import byte_warnings, encoding_warnings
from trace_inspector.documents.text.warnings import MAX_FINDINGS, SourceWarning, findings_of

MAX_ROWS = 1_000_000
MAX_COLUMNS = 2_000
_TICKS = 4096  # rows between two progress points

_SUFFIXES = frozenset({".csv", ".tsv", ".tab"})
_DELIMITERS = (b",", b";", b"\t", b"|")
_HEAD = 1 << 16
_PROBED_ROWS = 20
_NAME = re.compile(r"[^\W\d][\w.:/()#%-]*(?: [\w.:/()#%-]+){0,3}")
_LONGEST_NAME = 64


def is_csv(data: bytes, path: Path) -> bool:
    """Whether a file is a table: by its suffix, or because names and equally many cells stand in its first rows."""
    body = body_of(data[:_HEAD])
    if body.data[body.start :].lstrip()[:1] in (b"{", b"["):
        return False
    if path.suffix.lower() in _SUFFIXES:
        return True
    probed = _probed(body, delimiter_of(body))
    if len(probed) < 2 or len(probed[0]) < 2 or any(len(row) != len(probed[0]) for row in probed):
        return False
    names = [text_of(body, cell) for cell in probed[0]]
    return len(set(names)) == len(names) and all(
        len(name) <= _LONGEST_NAME and _NAME.fullmatch(name) for name in names
    )


def delimiter_of(body: Body) -> bytes:
    """What separates the cells: what cuts the first rows into equally many, and the more the better."""
    return max(_DELIMITERS, key=lambda delimiter: _agreement(_probed(body, delimiter)))


def _probed(body: Body, delimiter: bytes) -> list[list[Cell]]:
    """The first rows, without one that the end of the head may have cut."""
    data = body.data[: body.start + _HEAD]
    probed = list(islice(rows(data, body.start, delimiter), _PROBED_ROWS + 1))
    return probed[:_PROBED_ROWS] if len(data) < _HEAD or len(probed) < 2 else probed[:-1]


def _agreement(probed: list[list[Cell]]) -> tuple[int, int]:
    if not probed or len(probed[0]) < 2:
        return 0, 0
    return sum(len(row) == len(probed[0]) for row in probed), len(probed[0])


def parse_csv(data: bytes, path: Path, stamp: Stamp | None, tick: Callable[[], None]) -> Document:
    """The table that these bytes are."""
    body = body_of(data)
    cells = rows(body.data, body.start, delimiter_of(body))
    first = next(cells, None)
    if first is None:
        raise ReadError("The table has no rows. Check that the program that writes it has finished.", path=str(path))
    _bounded(len(first), path)
    names, renamed = header(body, first)
    odd = [*encoding_warnings(body, data), *byte_warnings(body)]
    odd += [SourceWarning("csv-name", first[column][0], detail=names[column]) for column in renamed]
    values: list[Json] = []
    hidden = 0
    last = first
    for row in cells:
        if len(values) % _TICKS == 0:
            tick()
        if len(values) == MAX_ROWS:
            odd.append(SourceWarning("csv-rows", row[0][0], detail=f"{MAX_ROWS:,}"))
            break
        if len(row) != len(names):
            hidden += len(odd) >= MAX_FINDINGS
            if len(odd) < MAX_FINDINGS:
                counts = f"{len(row)} cells, the first row {len(names)}"
                odd.append(SourceWarning("csv-ragged", row[0][0], pointer=f"/{len(values)}", detail=counts))
            widen(names, _bounded(len(row), path))
        values.append({name: value_of(body, cell) for name, cell in zip(names, row, strict=False)})
        last = row
    if is_open(body.data, last[-1]):
        odd.append(SourceWarning("csv-quote", last[-1][0]))
    return Document(path, data, Container.CSV, values, stamp, findings_of(body, odd, hidden, is_lines=False))


def _bounded(columns: int, path: Path) -> int:
    if columns > MAX_COLUMNS:
        raise ReadError(
            f"The table has more than {MAX_COLUMNS:,} columns. Check what separates them.", path=str(path)
        )
    return columns
