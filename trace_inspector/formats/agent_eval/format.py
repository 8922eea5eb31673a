"""agent-eval's own files: `agent-eval`, rows of conversations, golden questions and metric files."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping

from trace_inspector.core.errors import UsageError
from trace_inspector.core.rows.contents import Item
from trace_inspector.core.values.json_numbers import Layout, formatted, number_text, quoted
from trace_inspector.core.values.values import Json
from trace_inspector.formats.agent_eval.golden import read_questions
from trace_inspector.formats.agent_eval.metrics import read_metrics
from trace_inspector.formats.agent_eval.recognisers import metrics, questions
from trace_inspector.formats.agent_eval.rows import read_rows
from trace_inspector.formats.agent_eval.writer import write
from trace_inspector.formats.common.fields import fields_of
from trace_inspector.formats.common.format import Implementation, Source

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def as_lines(value: Json) -> str:
    """One row a line."""
    return "".join(f"{_line(row)}\n" for row in _rows(value))


def as_table(value: Json) -> str:
    """Columns by every key that a row has."""
    rows = [row for row in _rows(value) if isinstance(row, dict)]
    names = list(dict.fromkeys(key for row in rows for key in row))
    made = io.StringIO()
    writer = csv.writer(made, lineterminator="\n")
    writer.writerow(names)
    writer.writerows([_cell(row.get(name)) for name in names] for row in rows)
    return made.getvalue()


def _rows(value: Json) -> list[Json]:
    if isinstance(value, list):
        return value
    if isinstance(value, dict) and "question_id" in value:
        return [value]
    raise UsageError("Golden questions are one JSON object, not rows. Give the new file the suffix .json.")


def _cell(value: Json) -> str:
    """Text as it is, but for what a spreadsheet would take for a formula, which gets an apostrophe."""
    if value is None:
        return ""
    if isinstance(value, str):
        return f"'{value}" if value.startswith(_FORMULA) else value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return number_text(value)
    return _line(value)


def _line(value: Json) -> str:
    return formatted(value, Layout(quoted, indent=""))


LAYOUTS: Mapping[str, Callable[[Json], str]] = {
    ".jsonl": as_lines,
    ".ndjson": as_lines,
    ".csv": as_table,
}


def read(source: Source) -> Iterator[Item]:
    """Whichever of the three it is."""
    fields = fields_of(source.value, source.place)
    if questions(source.value):
        yield from read_questions(fields, source)
    elif metrics(source.value):
        yield from read_metrics(fields, source)
    else:
        yield from read_rows(source)


IMPLEMENTATION = Implementation(read=read, write=write, layouts=LAYOUTS)
