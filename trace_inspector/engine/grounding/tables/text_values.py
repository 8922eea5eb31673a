"""Cells of text tables as values: numbers, booleans, nothing, or the text itself."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from trace_inspector.engine.grounding.tables.record import Field, Record, Scalar

_WHOLE: Final = re.compile(r"-?(?:0|[1-9]\d{0,14})")
_DECIMAL: Final = re.compile(r"-?(?:0|[1-9]\d{0,14})\.\d{1,12}")
_WORDS: Final[dict[str, bool | None]] = {
    "true": True, "false": False, "yes": True, "no": False, "": None, "null": None, "none": None, "n/a": None,
    "-": None, "–": None, "—": None, "nan": None,
}  # fmt: skip


def value_of(text: str) -> Scalar:
    """The value that a cell has; what begins with noughts is no number."""
    cell = text.strip()
    lowered = cell.lower()
    if lowered in _WORDS:
        return _WORDS[lowered]
    if _WHOLE.fullmatch(cell):
        return int(cell)
    return float(cell) if _DECIMAL.fullmatch(cell) else cell


def field_of(key: str, text: str) -> Field:
    """A field of a text table."""
    return Field(key, value_of(text), f"{key}: {text.strip()}")


def record_of(cells: Iterable[tuple[str, str]]) -> Record:
    """A record of keys and cells in order."""
    return Record(tuple(field_of(key, text) for key, text in cells))
