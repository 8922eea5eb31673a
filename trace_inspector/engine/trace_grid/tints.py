"""Which stretches of a text the other sides do not have; an empty one is a place where they have more."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import TypeAlias

from trace_inspector.engine.trace_diff.word_difference import Piece, word_pieces

_KEPT = 200  # pairs of texts
Spans: TypeAlias = list[tuple[int, int]]


def apart_in(text: str, other: str, *, carets: bool = False) -> Spans:
    """Where a text differs from another, word by word."""
    mine, theirs = _pieces(text, other)
    spans = _spans(mine)
    return [*spans, *_carets(mine, theirs)] if carets else spans


@lru_cache(maxsize=_KEPT)
def _pieces(text: str, other: str) -> tuple[list[Piece], list[Piece]]:
    """Kept: the same texts are laid out for both sides, and again at each width."""
    return word_pieces(text, other)


def values_apart(text: str, other: str) -> Spans:
    """Of strings the words, of anything else the whole."""
    if text.startswith('"') and other.startswith('"'):
        return apart_in(text, other, carets=True)
    return whole_apart(text, other)


def whole_apart(text: str, other: str) -> Spans:
    """All of it, or nothing."""
    return [(0, len(text))] if text != other else []


def apart_among(texts: Sequence[str | None], index: int, differ: Callable[[str, str], Spans]) -> Spans:
    """Where one of several texts stands alone: the first among all others, another one against the first."""
    mine, spans = texts[index] or "", None
    for other in texts[1:] if index == 0 else texts[:1]:
        apart = [(0, len(mine))] if other is None else differ(mine, other)
        spans = apart if spans is None else _shared(spans, apart)
    return spans or []


def _shared(first: Spans, second: Spans) -> Spans:
    """What lies in both; of empty ones, those that are at the same place."""
    shared = [span for span in first if span[0] == span[1] and span in second]
    mine, theirs = ([span for span in spans if span[0] < span[1]] for spans in (first, second))
    index = to = 0
    while index < len(mine) and to < len(theirs):
        start, end = max(mine[index][0], theirs[to][0]), min(mine[index][1], theirs[to][1])
        if start < end:
            shared.append((start, end))
        if mine[index][1] < theirs[to][1]:
            index += 1
        else:
            to += 1
    return shared


def _spans(pieces: Sequence[Piece]) -> Spans:
    spans, position = Spans(), 0
    for piece in pieces:
        if not piece.shared:
            spans.append((position, position + len(piece.text)))
        position += len(piece.text)
    return spans


def _carets(mine: Sequence[Piece], theirs: Sequence[Piece]) -> Spans:
    """Where this text has nothing in the place of what the other has; what they share is the same on both sides."""
    carets, more, own = Spans(), 0, iter(_unshared(mine))
    here = next(own, None)
    for shared, _size in _unshared(theirs):
        while here is not None and here[0] < shared:
            more += here[1]
            here = next(own, None)
        if here is None or here[0] != shared:
            carets.append((shared + more, shared + more))
    return carets


def _unshared(pieces: Sequence[Piece]) -> Iterator[tuple[int, int]]:
    """Each stretch of its own: behind how many shared letters it stands, and how long it is."""
    shared = 0
    for piece in pieces:
        if piece.shared:
            shared += len(piece.text)
        else:
            yield shared, len(piece.text)
