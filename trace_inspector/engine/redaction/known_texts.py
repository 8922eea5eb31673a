"""Searches for very many texts at once: the cost grows with the text searched, not with the number of patterns."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator

from trace_inspector.engine.redaction.spellings import SHORTEST

_ANY_CASE = 8  # from this length on a text is no ordinary word, so it is matched in any letter case
_LONG = 16
_FEW = 64
_MOST_CUT = 4_096  # characters before “…” that may be the beginning of a known text
_SPACES = re.compile(r"\s+")
_ODD_SPACES = re.compile(r"\s{2,}|[^\S ]")
Span = tuple[int, int]


class KnownTexts:
    """A set of texts to find, whatever white space is between their words; long ones in any letter case.

    Texts are grouped by their first characters, so that one dictionary look-up per position rules nearly all of them
    out. Three lengths of such heads are kept, because a longer head rules out more and short texts have none."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._raw = _Heads(SHORTEST)  # mostly white space, which is then significant
        self._exact, self._short, self._long = _Heads(SHORTEST), _Heads(_ANY_CASE), _Heads(_LONG)
        folded = set()
        for text in (text for text in texts if len(text) >= SHORTEST):
            words = " ".join(text.split())
            if len(words) < SHORTEST:
                self._raw.add(text)
            elif len(words) < _ANY_CASE:
                self._exact.add(words)
            else:
                (self._short if len(words) < _LONG else self._long).add(_lower(words))
            folded.add(_lower(words))
        self._beginnings = sorted(words for words in folded if len(words) > SHORTEST)
        self._first = {words[:SHORTEST] for words in self._beginnings}

    def spans_in(self, text: str) -> list[Span]:
        """Their spans in order, overlapping ones merged."""
        if len(text) < SHORTEST:
            return []
        spans = list(self._raw.spans_in(text)) if self._raw else []
        if not (self._exact or self._short or self._long):
            return _joined(spans)
        folded, back = _folded(text)
        inside = list(self._exact.spans_in(folded))
        if self._short or self._long:
            lower = _lower(folded)
            inside += (*self._short.spans_in(lower), *self._long.spans_in(lower))
        return _joined([*spans, *((back(start), back(end - 1) + 1) for start, end in inside)])

    def without(self, text: str, mark: str) -> str:
        """The text with a mark for each of them, also for the beginning of one that “…” cut off."""
        *cut, last = replaced_at(text, self.spans_in(text), mark).split("…")
        return "…".join([*(self._without_beginning(piece, mark) for piece in cut), last])

    def _without_beginning(self, text: str, mark: str) -> str:
        tail = _lower(" ".join(text[-_MOST_CUT:].split()))
        for start in range(len(tail) - SHORTEST + 1):
            if tail[start : start + SHORTEST] in self._first and self._is_beginning(tail[start:]):
                return text[: _start_of_last(text, len(tail) - start)] + mark
        return text

    def _is_beginning(self, text: str) -> bool:
        index = bisect_left(self._beginnings, text)
        return index < len(self._beginnings) and self._beginnings[index].startswith(text)


class _Heads:
    """Texts by their first characters (heads), then by their length."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._by_head: dict[str, dict[int, set[str]]] = {}

    def __bool__(self) -> bool:
        return bool(self._by_head)

    def add(self, text: str) -> None:
        """Add a text, which is at least as long as a head."""
        self._by_head.setdefault(text[: self._size], {}).setdefault(len(text), set()).add(text)

    def spans_in(self, text: str) -> Iterator[Span]:
        """The spans of matches; of several that begin at one position the longest."""
        for start in self._places(text):
            lengths = self._by_head[text[start : start + self._size]]
            fitting = [length for length, texts in lengths.items() if text[start : start + length] in texts]
            if fitting:
                yield start, start + max(fitting)

    def _places(self, text: str) -> Iterator[int]:
        """The positions of heads. A few heads are faster to find one after the other."""
        size, heads = self._size, self._by_head
        if len(heads) > _FEW:
            yield from (start for start in range(len(text) - size + 1) if text[start : start + size] in heads)
            return
        for head in heads:
            start = text.find(head)
            while start >= 0:
                yield start
                start = text.find(head, start + 1)


def replaced_at(text: str, spans: Iterable[Span], mark: str) -> str:
    """The text with a mark in place of each span; spans are in order and do not overlap."""
    pieces: list[str] = []
    copied = 0
    for start, end in spans:
        pieces += (text[copied:start], mark)
        copied = end
    return "".join((*pieces, text[copied:]))


def _joined(spans: list[Span]) -> list[Span]:
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start < joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return joined


def _folded(text: str) -> tuple[str, Callable[[int], int]]:
    """The text with runs of white space as single blanks, and a mapping back to the original positions."""
    if not _ODD_SPACES.search(text):
        return text, lambda position: position
    pieces: list[str] = []
    now, before = [0], [0]
    length = end = 0
    for spaces in _SPACES.finditer(text):
        pieces += (text[end : spaces.start()], " ")
        length += spaces.start() - end + 1
        end = spaces.end()
        now.append(length)
        before.append(end)
    pieces.append(text[end:])

    def back(position: int) -> int:
        piece = bisect_right(now, position) - 1
        return before[piece] + position - now[piece]

    return "".join(pieces), back


def _lower(text: str) -> str:
    """In lower case without a change of length, so that positions stay valid."""
    lower = text.lower()
    return lower if len(lower) == len(text) else "".join(map(_small, text))


def _small(char: str) -> str:
    small = char.lower()
    return small if len(small) == 1 else char


def _start_of_last(text: str, count: int) -> int:
    """Where the last `count` characters begin; a run of white space counts once, and not at the end."""
    folded, back = _folded(text.rstrip())
    return back(max(0, len(folded) - count))
