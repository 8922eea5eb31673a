"""Finding a line by a few of its letters, best first."""

from __future__ import annotations

from collections.abc import Iterable

MOST_CHARS = 200  # of a query; pasted text must not take seconds

_WORD_START = 8
_NEXT_TO_LAST = 10
_AT_START = 12
_IN_CAPTION = 20


def score(query: str, text: str) -> int | None:
    """The score of a query whose letters appear in order in a text; None when they do not."""
    letters = query[:MOST_CHARS].casefold().replace(" ", "")
    folded = text.casefold()
    # Skipping to the start of a word finds what is meant, and may skip letters that are needed.
    points = _walk(letters, folded, skipping=True)
    if points is None:
        points = _walk(letters, folded, skipping=False)
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
    matches = []
    for number, (title, caption) in enumerate(texts):
        points = score_with_caption(query, title, caption)
        if points is not None:
            matches.append((number, points))
    matches.sort(key=lambda pair: -pair[1])
    return [number for number, _points in matches]


def _walk(letters: str, text: str, *, skipping: bool) -> int | None:
    total, last = 0, -1
    for letter in letters:
        index = text.find(letter, last + 1)
        if skipping and last < 0:
            index = _at_word(letter, text, index)
        if index < 0:
            return None
        total += _points(text, index, last)
        last = index
    return total


def _at_word(letter: str, text: str, plain: int) -> int:
    """The first place of a letter at the start of a word, else its first place."""
    index = plain
    while index >= 0 and not _starts_word(text, index):
        index = text.find(letter, index + 1)
    return index if index >= 0 else plain


def _starts_word(text: str, index: int) -> bool:
    return index == 0 or not text[index - 1].isalnum()


def _points(text: str, index: int, last: int) -> int:
    points = 1
    if index == 0:
        points += _AT_START
    if _starts_word(text, index):
        points += _WORD_START
    if index == last + 1 and last >= 0:
        points += _NEXT_TO_LAST
    return points
