"""Labels as a table for spreadsheets: CSV whose columns are the members of a label."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

from trace_inspector.core.errors import ReadError
from trace_inspector.core.review.label import Label
from trace_inspector.core.review.label_lines import (
    LONGEST_LINE_BYTES,
    MEMBERS,
    LabelError,
    LabelsRead,
    label_of,
    members_of,
    read_each,
)
from trace_inspector.core.values.json_numbers import parse_exactly
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.engine.reports.csv_cells import exact_cell, text_of

ENDING = ".csv"
_DELIMITERS = ",;\t"
_FLAGS = frozenset({"overrules", "blind"})
_NUMBERS = frozenset({"seconds", "turn"})
_MOST_COLUMNS = 200


def write_table(labels: Iterable[Label]) -> str:
    """A line for each label. What no column of ours holds gets one of its own, as JSON."""
    rows = [*map(members_of, labels)]
    others = sorted({name for row in rows for name in row} - {*MEMBERS})
    out = io.StringIO(newline="")
    writer = csv.writer(out, quoting=csv.QUOTE_ALL)
    writer.writerow([*MEMBERS, *map(exact_cell, others)])
    writer.writerows([_cell(row, name) for name in (*MEMBERS, *others)] for row in rows)
    return out.getvalue()


def read_table(data: bytes, path: Path) -> LabelsRead:
    """The labels in a table; ReadError where it is none."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise ReadError("The table is not UTF-8. Save it as “CSV UTF-8”.", path=str(path)) from problem
    head = text[: text.find("\n")] if "\n" in text else text
    delimiter = max(_DELIMITERS, key=head.count)
    csv.field_size_limit(LONGEST_LINE_BYTES)  # a note may be longer than the module allows as it comes
    rows = _rows(text, delimiter, path)
    _line, names = next(rows, (1, []))
    names = [text_of(name.strip()) for name in names]
    if "subject" not in names or len(names) > _MOST_COLUMNS:
        raise ReadError("The table has no column “subject”, so it holds no labels.", path=str(path))
    return read_each(rows, partial(_label, names))


def _rows(text: str, delimiter: str, path: Path) -> Iterator[tuple[int, list[str]]]:
    """The rows that hold something, each with the line where it begins; ReadError where one is no row of a table."""
    # Strict: without that, a quotation mark that is never closed makes one cell of all that follows.
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    try:
        for row in reader:
            if any(row):
                yield line, row
            line = reader.line_num + 1
    except csv.Error as problem:
        sentence = f"The table cannot be read from line {line:,} on: {problem}. Are its quotation marks closed?"
        raise ReadError(sentence, path=str(path)) from problem


def _label(names: Sequence[str], row: Sequence[str]) -> Label:
    if any(row[len(names) :]):
        raise LabelError(f"it has {len(row):,} cells for {len(names):,} columns; a cell with a comma needs quotes")
    cells = zip(names, row, strict=False)  # what is missing at the end is empty
    return label_of({name: _value(name, text_of(text)) for name, text in cells if text})


def _value(name: str, text: str) -> Json:
    if name in _FLAGS:
        return {"true": True, "false": False}.get(text.strip().lower(), text)
    if name == "tags":
        return _parsed(text) if text.startswith("[") else [tag.strip() for tag in text.split(";") if tag.strip()]
    if name in _NUMBERS or name == "value" or name not in MEMBERS:
        return _parsed(text)
    return text


def _parsed(text: str) -> Json:
    """The value in a cell: a number or other JSON, else text."""
    try:
        return parse_exactly(text)
    except (ValueError, RecursionError):
        return text


def _cell(row: JsonObject, name: str) -> str:
    """A text as it is, unless it would be read as something else; anything else as JSON."""
    if name not in row:
        return ""
    value = row[name]
    as_it_is = isinstance(value, str) and (name in MEMBERS or (value and _parsed(value) == value))
    return exact_cell(value if isinstance(value, str) and as_it_is else json.dumps(value, ensure_ascii=False))
