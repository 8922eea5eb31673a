"""Regular expressions from files and people: searched with a time limit, and refused when building them has none."""

from __future__ import annotations

import re
from collections.abc import Iterator

import regex

MOST_S = 0.5  # a pattern that takes longer on one value is no pattern to judge by
_MOST_SIZE = 20_000  # of the expanded pattern; compiling one of a million takes seconds, and no timeout stops that

_MOST_NEW = 1 << 22  # characters that come into one text

# What matters for the size: one thing that matches, a group's ends, a repetition.
_TOKEN = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\((?:\?[^()]*?[:=!>])?|\)|\{(\d*)(?:,(\d*))?\}|.", re.DOTALL)


def why_unusable(pattern: str) -> str:
    """Why a pattern cannot be used, "" when it can."""
    if _size(pattern) > _MOST_SIZE:
        return "its repetitions are too large"
    try:
        regex.compile(pattern)
    except (regex.error, RecursionError, OverflowError) as problem:
        return f"it is not a regular expression: {problem}"
    return ""


def is_found(pattern: str, text: str) -> bool:
    """Whether a pattern matches somewhere. TimeoutError when that takes too long."""
    return regex.search(pattern, text, timeout=MOST_S) is not None


def replaced_in(pattern: str, new: str, text: str, *, any_case: bool = False) -> str:
    """The text with each match replaced; the new text refers to groups as \\1.

    TimeoutError when that takes too long, ValueError when the new text names no group or the whole gets too large.
    """
    pieces: list[str] = []
    copied = size = 0
    try:
        for match in regex.finditer(pattern, text, regex.IGNORECASE if any_case else 0, timeout=MOST_S):
            pieces += (text[copied : match.start()], match.expand(new))
            copied = match.end()
            size += len(pieces[-1])
            if size > _MOST_NEW:
                raise ValueError("the text gets too large")
    except (regex.error, IndexError) as problem:
        raise ValueError(str(problem)) from problem
    return "".join((*pieces, text[copied:]))


def groups_of(pattern: str) -> int:
    """How many groups a usable pattern has."""
    return int(regex.compile(pattern).groups)


def first_groups(pattern: str, text: str) -> Iterator[str]:
    """The first group of each match. TimeoutError when that takes too long."""
    for match in regex.finditer(pattern, text, timeout=MOST_S):
        if match.group(1) is not None:
            yield match.group(1)


def spans_of(pattern: str, text: str) -> Iterator[tuple[int, int]]:
    """Where the pattern matches. TimeoutError when that takes too long."""
    for match in regex.finditer(pattern, text, timeout=MOST_S):
        yield match.span()


def _size(pattern: str) -> int:
    """How many things the pattern unfolds to, a repetition counted as often as it may happen."""
    open_groups, last = [0], 0
    for token in _TOKEN.finditer(pattern):
        text = token.group()
        if text.startswith("("):
            open_groups.append(0)
            last = 0
        elif text == ")":
            last = open_groups.pop() if len(open_groups) > 1 else 0
            open_groups[-1] += last
        elif text.startswith("{") and len(text) > 1:
            counts = [int(number) for number in token.groups() if number]
            more = last * (max(counts, default=1) - 1)
            open_groups[-1] += more
            last += more
        elif text not in "*+?|":
            last = 1
            open_groups[-1] += 1
    return sum(open_groups)
