"""Pairs of a first side with a second and with a third, put together to rows of three."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

Pair: TypeAlias = tuple[int | None, int | None]
Triple: TypeAlias = tuple[int | None, ...]


def merged(
    second: Sequence[Pair], third: Sequence[Pair], match: Callable[[list[int], list[int]], Sequence[Pair]]
) -> list[Triple]:
    """Rows in the order of the first two; `match` pairs what the others alone have at one place."""
    of_third = {at: to for at, to in third if at is not None}
    lone = dict(_lone(third))
    rows: list[Triple] = []
    waiting: list[int] = []
    last = -1

    def put_lone() -> None:
        rows.extend((None, one, two) for one, two in match(waiting, lone.pop(last, [])))
        waiting.clear()

    for at, to in second:
        if at is None:
            if to is not None:
                waiting.append(to)
            continue
        put_lone()
        rows.append((at, to, of_third.get(at)))
        last = at
    put_lone()
    return rows


def _lone(pairs: Sequence[Pair]) -> Iterator[tuple[int, list[int]]]:
    """What the first side does not have, by what it has just before."""
    last, waiting = -1, list[int]()
    for at, to in pairs:
        if at is None:
            if to is not None:
                waiting.append(to)
            continue
        yield last, waiting
        last, waiting = at, []
    yield last, waiting
