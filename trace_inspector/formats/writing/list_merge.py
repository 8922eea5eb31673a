"""A list of which some items are wanted otherwise, while those between them stay where they are."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence

from trace_inspector.core.values.values import Json


def refilled(
    listed: Sequence[Json], stated: Collection[int], wanted: Sequence[tuple[int | None, Json]], first: int
) -> list[Json]:
    """The list with the `stated` items as they are wanted; each says the number it had, None for a new one.

    Kept ones take the places of kept ones, a new one follows the one before it. `first` is where those begin that
    follow none.
    """
    free = deque(sorted(at for at, _ in wanted if at is not None))
    at = free[0] if free else first
    filled: dict[int, list[Json]] = {at: []}
    for number, raw in wanted:
        if number is not None:
            at = free.popleft()
        filled.setdefault(at, []).append(raw)
    kept = {at: [item] for at, item in enumerate(listed) if at not in stated}
    return [item for at in range(len(listed) + 1) for item in (*filled.get(at, ()), *kept.get(at, ()))]
