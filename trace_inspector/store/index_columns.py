"""Batches of rows as plain bytes and back: only numbers and text, nothing that could be executed."""

from __future__ import annotations

import operator
from array import array
from collections.abc import Sequence
from itertools import count

from trace_inspector.core.rows.rows import PLAIN_COLUMNS, Kind, RowBatch, RowDetails, TextColumn

_TEXTS = ("label", "place")
_ENDS = "q"
_INSIDE_A_CHARACTER = bytes(range(0x80, 0xC0))
# The meaning of the bytes, a part of the name of the program that wrote an entry.
LAYOUT = ",".join(
    [*(f"{name}:{getattr(RowBatch(), name, 0)!r}" for name in PLAIN_COLUMNS), *_TEXTS, *RowDetails._fields]
)


class Unsound(Exception):
    """The bytes are not a valid batch at this position."""


def to_sections(batch: RowBatch) -> list[bytes | bytearray]:
    """The columns in order."""
    texts = [part for name in _TEXTS for part in getattr(batch, name).parts()]
    return [bytes(memoryview(column)) for column in (*(getattr(batch, name) for name in PLAIN_COLUMNS), *texts)]


def from_sections(sections: Sequence[memoryview], authors: list[str]) -> RowBatch:
    """The batch from its columns."""
    batch = RowBatch(authors=authors)
    plain, texts = sections[: len(PLAIN_COLUMNS)], sections[len(PLAIN_COLUMNS) :]
    for name, section in zip(PLAIN_COLUMNS, plain, strict=True):
        column = getattr(batch, name)
        if isinstance(column, array):
            column.frombytes(section)
        else:
            column.extend(section)
    for name, data, ends in zip(_TEXTS, texts[::2], texts[1::2], strict=True):
        offsets = array(_ENDS)
        offsets.frombytes(ends)
        setattr(batch, name, TextColumn.of(bytes(data), offsets))
    return batch


def check(batch: RowBatch, rows: int, bodies: int, authors: int) -> None:
    """Refuse indexes beyond the rows, bodies and authors, with `rows` rows before this batch."""
    columns = [getattr(batch, name) for name in PLAIN_COLUMNS]
    texts = [getattr(batch, name) for name in _TEXTS]
    if len({len(column) for column in (*columns, *texts)}) != 1:
        raise Unsound
    if not len(batch):
        return
    sound = (
        max(batch.kind) < len(Kind)
        and min(batch.parent) >= -1
        and all(map(operator.lt, batch.parent, count(rows)))
        and min(batch.body) >= -1
        and max(batch.body) < bodies
        and min(batch.author) >= 0
        and max(batch.author) < authors
        and all(_reads(text) for text in texts)
    )
    if not sound:
        raise Unsound


def _reads(column: TextColumn) -> bool:
    """Whether all texts are in order and begin and end between characters."""
    data, ends = column.parts()
    if ends[0] < 0 or ends[-1] != len(data) or sorted(ends) != ends.tolist():
        return False
    if data.isascii():
        return True
    try:
        data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return False
    firsts = bytes(map((data + b" ").__getitem__, ends))
    return len(firsts.translate(None, _INSIDE_A_CHARACTER)) == len(firsts)
