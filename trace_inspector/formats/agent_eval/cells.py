"""Cells of agent-eval's rows: values, or JSON in a text, as its tables have them."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import Json
from trace_inspector.formats.common.fields import Fields, Report, objects_in, or_null, spellings
from trace_inspector.formats.common.span_attributes import from_text

_NOTHING: tuple[Json, ...] = (None, "", [], {})


def cell(row: Fields, name: str) -> Json:
    """A value; what is not there is null, JSON in a text is seen through."""
    return from_text(or_null(row.get(name)))


def cell_object(row: Fields, name: str) -> Fields | None:
    """An object with its place, else None."""
    value = cell(row, name)
    return Fields(value, row.pointer(name)) if isinstance(value, dict) else None


def cell_list(row: Fields, name: str) -> list[Json]:
    """A list, empty where there is none."""
    value = cell(row, name)
    return value if isinstance(value, list) else []


def cell_objects(row: Fields, name: str) -> list[Fields]:
    """The objects of a list with their places."""
    return objects_in(cell_list(row, name), row.pointer(name))


def bounded_cells(row: Fields, name: str, report: Report) -> list[Fields]:
    """The same, as far as there is room for them."""
    cells = cell_objects(row, name)
    return cells[: len(report.bounded_list([item.value for item in cells], row.pointer(name)))]


def texts_in(row: Fields, name: str) -> Iterator[tuple[str, str]]:
    """The texts of a list, or one text alone, each with its place."""
    listed = cell(row, name)
    alone = row.text(name)
    if alone and not isinstance(listed, list):
        yield alone, row.pointer(name)
    for index, words in enumerate(listed if isinstance(listed, list) else ()):
        if isinstance(words, str):
            yield words, join(row.pointer(name), index)


def name_in(row: Fields, name: str) -> str:
    """An id or a name: a text, or a number as one."""
    value = or_null(row.get(name))
    return value if isinstance(value, str) else str(value) if isinstance(value, int) else ""


def extras_in(row: Fields, read: Collection[str]) -> Iterator[Extra]:
    """Every value that is not empty under a key that is not among those read."""
    spelled = spellings(*read)
    for key, value in row.value.items():
        if key not in spelled and value not in _NOTHING:
            yield Extra(key, from_text(value), join(row.place, key))
