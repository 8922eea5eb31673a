"""Answers beside each other, however long they are: excerpts around what differs, with the stretches to tint."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from trace_inspector.engine.trace_diff.excerpts import shared_start
from trace_inspector.engine.trace_grid.tints import apart_among, apart_in

_ALIKE_CHARS = 600  # that are shown of answers that do not differ
_APART_CHARS = 3_000  # that are compared, from shortly before the first difference
_AROUND_CHARS = 100  # of what all have, before and behind a difference


class Stretch(Struct, frozen=True):
    """A stretch of an answer; `apart` is what the other sides do not have. A `left_out` one stands for more."""

    text: str
    apart: bool = False
    left_out: bool = False


class Excerpt(Struct, frozen=True):
    """What is shown of an answer, of so many characters."""

    stretches: tuple[Stretch, ...]
    chars: int

    @property
    def shown(self) -> int:
        """How many characters are shown."""
        return sum(len(stretch.text) for stretch in self.stretches)


def excerpts(answers: Sequence[str], *, differ: bool) -> list[Excerpt]:
    """Of each answer what sets it apart from the others; where they do not differ, its beginning."""
    if not differ or len(answers) < 2:
        return [_of(answer, 0, min(len(answer), _ALIKE_CHARS), ()) for answer in answers]
    lead = shared_start(answers)
    start = max(0, lead - _AROUND_CHARS)
    tail = shared_start([answer[lead:][::-1] for answer in answers])
    ends = [min(len(answer) - max(0, tail - _AROUND_CHARS), start + _APART_CHARS) for answer in answers]
    parts = [answer[start:end] for answer, end in zip(answers, ends, strict=True)]
    return [
        _of(answer, start, end, apart_among(parts, index, apart_in))
        for index, (answer, end) in enumerate(zip(answers, ends, strict=True))
    ]


def _of(answer: str, start: int, end: int, spans: Sequence[tuple[int, int]]) -> Excerpt:
    pieces = [Stretch("", left_out=True)] if start else []
    pieces += _stretches(answer[start:end], spans)
    pieces += [Stretch("", left_out=True)] if end < len(answer) else []
    return Excerpt(tuple(pieces), len(answer))


def _stretches(text: str, spans: Sequence[tuple[int, int]]) -> Iterator[Stretch]:
    """What differs, and of long stretches between that all have their ends alone."""
    if not spans:
        yield Stretch(text)
        return
    position = 0
    for start, end in spans:
        yield from _shared(text[position:start])
        yield Stretch(text[start:end], apart=True)
        position = end
    yield from _shared(text[position:])


def _shared(text: str) -> Iterator[Stretch]:
    if len(text) <= 3 * _AROUND_CHARS:
        yield from [Stretch(text)] if text else []
        return
    yield Stretch(text[:_AROUND_CHARS])
    yield Stretch("", left_out=True)
    yield Stretch(text[-_AROUND_CHARS:])
