"""Records of a tool result: what a table of a document would be, whatever it was written as."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, TypeAlias

from msgspec import Struct

from trace_inspector.core.verdict.verdict import SentenceSupport
from trace_inspector.engine.grounding.evidence.evidence import Source

Scalar: TypeAlias = str | int | float | bool | None


class Field(Struct, frozen=True, gc=False):
    """An attribute of a record: its key as written ("price_usd"), its value, and the two as an excerpt shows them."""

    key: str
    value: Scalar
    text: str


class Record(Struct, frozen=True, gc=False):
    """The attributes of one thing, in the order of the result."""

    fields: tuple[Field, ...]

    @property
    def text(self) -> str:
        """The record as an excerpt shows it."""
        return "; ".join(field.text for field in self.fields)


class Table(Struct, frozen=True):
    """Records of one kind from one result; a single object is a table of one record.

    `is_complete` is false where only a part was read or the result says that there are more: nothing is counted then.
    """

    source: Source
    name: str
    records: tuple[Record, ...]
    is_complete: bool = True

    @property
    def is_log(self) -> bool:
        """Whether its records are lines of a log."""
        return {"time", "message"} <= {field.key for record in self.records for field in record.fields}


class RecordFinding(Struct, frozen=True):
    """What the records say of a sentence: a label, the rule that gave it, its reason and the excerpt to show."""

    support: SentenceSupport
    rule: str
    reason: str
    excerpt: str
    source: Source


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
