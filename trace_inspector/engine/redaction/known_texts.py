"""Very many texts, looked for in one go: it costs more where more is looked through, not where there are more."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator

from trace_inspector.engine.redaction.spellings import SHORTEST

_ANY_CASE = 8  # characters from which on a text is no ordinary word, and is the same in any case
_LONG = 16
_FEW = 64
_MOST_CUT = 4_096  # characters before “…” that may be the beginning of a known text
_SPACES = re.compile(r"\s+")
_ODD_SPACES = re.compile(r"\s{2,}|[^\S ]")
Span = tuple[int, int]


class KnownTexts:
    """Texts of some length, found whatever white space stands between their words; long ones in any case."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._raw = _Heads(SHORTEST)  # of little but white space, which then counts
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
        """Where they stand, in order; those that overlap are one."""
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
        """The text with a mark for each of them, and for the beginning of one before “…”."""
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
    """Texts by their first characters, then by their length."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._by_head: dict[str, dict[int, set[str]]] = {}

    def __bool__(self) -> bool:
        return bool(self._by_head)

    def add(self, text: str) -> None:
        """One more, that is as long as a head at least."""
        self._by_head.setdefault(text[: self._size], {}).setdefault(len(text), set()).add(text)

    def spans_in(self, text: str) -> Iterator[Span]:
        """Where each stands; of those that begin at one place the longest."""
        for start in self._places(text):
            lengths = self._by_head[text[start : start + self._size]]
            fitting = [length for length, texts in lengths.items() if text[start : start + length] in texts]
            if fitting:
                yield start, start + max(fitting)

    def _places(self, text: str) -> Iterator[int]:
        """Where heads stand. Few are found sooner one by one."""
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
    """The text with a mark for each span; they stand in order and apart."""
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
    """The text with single blanks for white space, and where each of its characters stood before."""
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
    """In small letters, each character staying one."""
    lower = text.lower()
    return lower if len(lower) == len(text) else "".join(map(_small, text))


def _small(char: str) -> str:
    small = char.lower()
    return small if len(small) == 1 else char


def _start_of_last(text: str, count: int) -> int:
    """Where the last so many characters begin, white space counted as one and not at the end."""
    folded, back = _folded(text.rstrip())
    return back(max(0, len(folded) - count))
