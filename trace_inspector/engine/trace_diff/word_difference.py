"""Two texts compared word by word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from msgspec import Struct

from trace_inspector.core.alignment.sequence_alignment import sure_links

# Words, also of letters that are joined, and signs, also of several parts: half of an emoji is none.
_TOKEN = re.compile(
    "\\s+|\\w+(?:[\u200c\u200d]\\w+)*|[^\\w\\s](?:[\ufe0e\ufe0f\U0001f3fb-\U0001f3ff]|\u200d[^\\w\\s])*"
)
_MOST_TOKENS = 800  # of both together between two words that surely belong together; more of them differ as a whole


class Piece(Struct, frozen=True):
    """A stretch of a text, and whether the other side has it too."""

    text: str
    shared: bool


def word_pieces(left: str, right: str) -> tuple[list[Piece], list[Piece]]:
    """Both texts in pieces; put together they are the texts. Takes a moment, however long they are."""
    here, there = words_of(left), words_of(right)
    mine, theirs = list[Piece](), list[Piece]()
    for some, others, shared in _opcodes(here, there):
        _put(mine, here[some.start : some.stop], shared=shared)
        _put(theirs, there[others.start : others.stop], shared=shared)
    return mine, theirs


def words_of(text: str) -> list[str]:
    """The words, signs and white space of a text; put together they are the text."""
    return _TOKEN.findall(text)


def word_changes(left: str, right: str) -> Iterator[tuple[range, range]]:
    """Where words of one text stand in the place of words of the other, by number."""
    for some, others, shared in _opcodes(words_of(left), words_of(right)):
        if not shared and (some or others):
            yield some, others


def _opcodes(left: Sequence[str], right: Sequence[str]) -> Iterator[tuple[range, range, bool]]:
    """Which tokens belong together, and whether they are the same."""
    row = to = 0
    for next_at, next_to in (*sure_links(left, right), (len(left), len(right))):
        yield from _between(left, right, range(row, next_at), range(to, next_to))
        row, to = next_at + 1, next_to + 1
        yield range(next_at, row), range(next_to, to), True


def _between(
    left: Sequence[str], right: Sequence[str], rows: range, columns: range
) -> Iterator[tuple[range, range, bool]]:
    if not rows or not columns or len(rows) + len(columns) > _MOST_TOKENS:
        yield rows, columns, False
        return
    here, there = left[rows.start : rows.stop], right[columns.start : columns.stop]
    for kind, start, end, other, other_end in SequenceMatcher(None, here, there, autojunk=False).get_opcodes():
        yield rows[start:end], columns[other:other_end], kind == "equal"


def _put(pieces: list[Piece], tokens: Sequence[str], *, shared: bool) -> None:
    """One piece more, or a longer one."""
    if not tokens:
        return
    text = "".join(tokens)
    if pieces and pieces[-1].shared is shared:
        text = pieces.pop().text + text
    pieces.append(Piece(text, shared))
