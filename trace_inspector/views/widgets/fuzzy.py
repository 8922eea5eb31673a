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
    # Skipping to the start of a word finds what is meant, and may skip letters that are needed.
    points = _walk(wanted, held, skipping=True)
    if points is None:
        points = _walk(wanted, held, skipping=False)
    return None if points is None else points - len(text) // 16


def score_with_caption(query: str, title: str, caption: str) -> int | None:
    """The same for a title, else for the title with the quieter words beside it."""
    points = score(query, title)
    if points is None and caption:
        points = score(query, f"{title} {caption}")
        points = points - _IN_CAPTION if points is not None else None
    return points


def ranked(query: str, texts: Iterable[tuple[str, str]]) -> list[int]:
    """The indices of the matching (title, caption) pairs, best first; equal ones keep their order."""
    if not query.strip():
        return [number for number, _pair in enumerate(texts)]
    found = []
    for number, (title, caption) in enumerate(texts):
        points = score_with_caption(query, title, caption)
        if points is not None:
            found.append((number, points))
    found.sort(key=lambda pair: -pair[1])
    return [number for number, _points in found]


def _walk(wanted: str, held: str, *, skipping: bool) -> int | None:
    total, last = 0, -1
    for letter in wanted:
        at = held.find(letter, last + 1)
        if skipping and last < 0:
            at = _at_word(letter, held, at)
        if at < 0:
            return None
        total += _worth(held, at, last)
        last = at
    return total


def _at_word(letter: str, held: str, plain: int) -> int:
    """The first place of a letter at the start of a word, else its first place."""
    at = plain
    while at >= 0 and not _starts_word(held, at):
        at = held.find(letter, at + 1)
    return at if at >= 0 else plain


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
