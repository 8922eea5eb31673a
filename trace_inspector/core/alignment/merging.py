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
    of_third = {first_index: other_index for first_index, other_index in third if first_index is not None}
    lone = dict(_lone(third))
    rows: list[Triple] = []
    waiting: list[int] = []
    last = -1

    def put_lone() -> None:
        rows.extend(
            (None, second_index, third_index) for second_index, third_index in match(waiting, lone.pop(last, []))
        )
        waiting.clear()

    for first_index, other_index in second:
        if first_index is None:
            if other_index is not None:
                waiting.append(other_index)
            continue
        put_lone()
        rows.append((first_index, other_index, of_third.get(first_index)))
        last = first_index
    put_lone()
    return rows


def _lone(pairs: Sequence[Pair]) -> Iterator[tuple[int, list[int]]]:
    """What the first side does not have, by what it has just before."""
    last, waiting = -1, list[int]()
    for first_index, other_index in pairs:
        if first_index is None:
            if other_index is not None:
                waiting.append(other_index)
            continue
        yield last, waiting
        last, waiting = first_index, []
    yield last, waiting
