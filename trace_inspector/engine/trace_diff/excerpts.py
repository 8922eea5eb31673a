"""Long values and texts, cut so that what differs among them is seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from trace_inspector.core.alignment.value_difference import same_value
from trace_inspector.core.trace.summary import compact, one_line
from trace_inspector.core.values.values import Absent, Json

_BEFORE = 40  # characters that are shown before the first difference
_MOST_CHARS = 200_000  # of each that are looked through
_T = TypeVar("_T")


def value_excerpts(values: Sequence[Json | Absent], limit: int) -> tuple[str | None, ...]:
    """Each value on one line, None for nothing. Those that part beyond the limit begin shortly before that."""
    texts = [None if isinstance(value, Absent) else compact(value, limit) for value in values]
    return tuple(_parted(values, texts, same_value, _whole, lambda value, start: _line_from(value, start, limit)))


def text_excerpts(texts: Sequence[str | None], limit: int) -> tuple[str | None, ...]:
    """The same of texts with their lines; where only white space differs, nothing does."""
    heads = [None if text is None else _from(text, 0, limit) for text in texts]
    given = [text or "" for text in texts]
    return tuple(_parted(given, heads, _same_words, str, lambda text, start: _from(text, start, limit)))


def _parted(
    given: Sequence[_T],
    texts: Sequence[str | None],
    same: Callable[[_T, _T], bool],
    whole: Callable[[_T], str],
    since: Callable[[_T, int], str],
) -> list[str | None]:
    parted = list(texts)
    for text in {other for other in texts if other}:
        alike = [index for index, other in enumerate(texts) if other == text]
        if all(same(given[alike[0]], given[index]) for index in alike):
            continue
        start = shared_start([whole(given[index])[:_MOST_CHARS] for index in alike]) - _BEFORE
        for index in alike if start > 0 else ():
            parted[index] = since(given[index], start)
    return parted


def shared_start(texts: Sequence[str]) -> int:
    """Where the first character stands that is not the same in all."""
    first, *others = texts
    low, high = 0, min(map(len, texts))
    while low < high:
        middle = (low + high + 1) // 2
        start = first[:middle]
        if all(other.startswith(start) for other in others):
            low = middle
        else:
            high = middle - 1
    return low


def _same_words(left: str, right: str) -> bool:
    return left.split() == right.split()


def _whole(value: Json | Absent) -> str:
    return value if isinstance(value, str) else compact(value, _MOST_CHARS)


def _line_from(value: Json | Absent, start: int, limit: int) -> str:
    if isinstance(value, str):
        return compact(f"…{value[start:]}", limit)
    return one_line(f"…{_whole(value)[start:]}", limit)


def _from(text: str, start: int, limit: int) -> str:
    lead, rest = "…" if start else "", text[start:]
    return f"{lead}{rest}" if len(rest) <= limit else f"{lead}{rest[:limit]}…"
