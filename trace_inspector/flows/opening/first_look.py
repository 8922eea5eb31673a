"""A preview of the first turns of a large file: those that do not change when twice as much is read."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

from trace_inspector.core.trace.trace import Trace, Turn
from trace_inspector.documents.large.large import Large, large_file
from trace_inspector.documents.large.pieces import Shape
from trace_inspector.formats import recognise
from trace_inspector.formats.common.format import Format, Source
from trace_inspector.formats.spans.conversation_builder import BUILT_AT_END_BYTES

WORTH_BYTES = 1 << 24  # smaller files are read within a second
LEAST_BYTES = 1 << 19  # read at first, then twice as much each time
ENOUGH_TURNS = 3
_SHARE = 10  # at most this part of the file is read for it

_TraceOrTurn: TypeAlias = Trace | Turn


class FirstLook(Struct, frozen=True):
    """The name of the format, and the likely first items of the file. The traces may get more when it is read."""

    format: str = ""
    items: tuple[_TraceOrTurn, ...] = ()


def _no_tick() -> None:
    """Reports no progress: a preview takes less than half a second."""


def first_look(path: Path) -> FirstLook:
    """Read the beginning; no items where it has no stable turns, or where reading gives turns early anyway."""
    with large_file(path, WORTH_BYTES) as large:
        file_format = recognise(large.sketch(_no_tick)) if large is not None else None
        if large is None or file_format is None or file_format.shape is None or len(large.data) > BUILT_AT_END_BYTES:
            return FirstLook()
        return FirstLook(file_format.name, tuple(_stable(large, file_format, file_format.shape)))


def _stable(large: Large, file_format: Format, shape: Shape) -> list[_TraceOrTurn]:
    before: list[_TraceOrTurn] = []
    stable: list[_TraceOrTurn] = []
    turns = 0
    left_bytes, wanted_bytes = len(large.data) // _SHARE, LEAST_BYTES
    while wanted_bytes <= left_bytes and turns < ENOUGH_TURNS:
        items = _beginning(large, file_format, shape, wanted_bytes)
        stable, before = _agreed(before, items), items
        turns = sum(isinstance(item, Turn) for item in stable)
        left_bytes, wanted_bytes = left_bytes - wanted_bytes, 2 * wanted_bytes
    return stable if turns else []


def _beginning(large: Large, file_format: Format, shape: Shape, wanted_bytes: int) -> list[_TraceOrTurn]:
    """The traces and turns of the file if it ended there."""
    pieces = takewhile(lambda piece: piece.start < wanted_bytes, large.pieces(shape, _no_tick, unique=False))
    items = file_format.read(Source(None, large.path.name, pieces=pieces))
    return [item for item in items if isinstance(item, _TraceOrTurn)]


def _agreed(before: Iterable[_TraceOrTurn], after: Iterable[_TraceOrTurn]) -> list[_TraceOrTurn]:
    """The common beginning. Spans outside of turns come after them, so the last trace may still grow."""
    agreed: list[_TraceOrTurn] = []
    spans_agree = True
    for earlier, later in zip(before, after, strict=False):
        if isinstance(earlier, Trace) and isinstance(later, Trace):
            if not spans_agree or (earlier.id, earlier.place) != (later.id, later.place):
                break
            spans_agree = earlier.spans == later.spans
        elif earlier != later or "borders" in later.guessed:  # the end of a turn depends on what follows
            break
        agreed.append(later)
    return agreed
