"""Records of a tool result: what a table of a document would be, whatever it was written as."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from trace_inspector.core.verdict.verdict import SentenceSupport
from trace_inspector.engine.grounding.evidence.evidence import Source

Scalar: TypeAlias = str | int | float | bool | None


class Field(NamedTuple):
    """An attribute of a record: its key as written ("price_usd"), its value, and the two as an excerpt shows them."""

    key: str
    value: Scalar
    text: str


@dataclass(frozen=True, slots=True)
class Record:
    """The attributes of one thing, in the order of the result."""

    fields: tuple[Field, ...]

    @property
    def text(self) -> str:
        """The record as an excerpt shows it."""
        return "; ".join(field.text for field in self.fields)


@dataclass(frozen=True, slots=True)
class Table:
    """Records of one kind from one result; a single object is a table of one record.

    `is_complete` is false where only a part was read or the result says that there are more: nothing is counted then.
    """

    source: Source
    name: str
    records: tuple[Record, ...]
    is_complete: bool = True


@dataclass(frozen=True, slots=True)
class RecordFinding:
    """What the records say of a sentence: a label, the rule that gave it, its reason and the excerpt to show."""

    support: SentenceSupport
    rule: str
    reason: str
    excerpt: str
    source: Source
