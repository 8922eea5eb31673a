"""Finding a line by a few of its letters, best first."""

from __future__ import annotations

from collections.abc import Iterable

MOST_CHARS = 200  # of a query; nobody types more, and pasted text must not take seconds

_WORD_START = 8
_NEXT_TO_LAST = 10
_AT_START = 12
_IN_CAPTION = 20


def score(query: str, text: str) -> int | None:
    """How well the letters of a query appear in order in a text; None when they do not."""
    wanted = query[:MOST_CHARS].casefold().replace(" ", "")
    held = text.casefold()
    total, last = 0, -1
    for letter in wanted:
        at = _next(letter, held, last)
        if at < 0:
            return None
        total += _worth(held, at, last)
        last = at
    return total - len(text) // 16


def ranked(query: str, texts: Iterable[tuple[str, str]]) -> list[int]:
    """The indices of the matching (title, caption) pairs, best first; equal ones keep their order."""
    if not query.strip():
        return [number for number, _pair in enumerate(texts)]
    found = []
    for number, (title, caption) in enumerate(texts):
        points = score(query, title)
        if points is None and caption:
            points = score(query, f"{title} {caption}")
            points = points - _IN_CAPTION if points is not None else None
        if points is not None:
            found.append((number, points))
    found.sort(key=lambda pair: -pair[1])
    return [number for number, _points in found]


def _next(letter: str, held: str, last: int) -> int:
    """The next place of a letter, at the start of a word when there is one ahead and it is not simply the next."""
    plain = held.find(letter, last + 1)
    if plain <= last + 1 or _starts_word(held, plain):
        return plain
    at = plain
    while at >= 0 and not _starts_word(held, at):
        at = held.find(letter, at + 1)
    return at if at >= 0 and last < 0 else plain


def _starts_word(held: str, at: int) -> bool:
    return at == 0 or not held[at - 1].isalnum()


def _worth(held: str, at: int, last: int) -> int:
    points = 1
    if at == 0:
        points += _AT_START
    if _starts_word(held, at):
        points += _WORD_START
    if at == last + 1 and last >= 0:
        points += _NEXT_TO_LAST
    return points
