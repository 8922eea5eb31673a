"""As many pairs as can be had at once, where one thing may fit several others."""

from __future__ import annotations

from collections.abc import Callable

_MOST_COMPARISONS = 250_000  # beyond that the first that fits is taken


def most_pairs(lefts: int, rights: int, fits: Callable[[int, int], bool]) -> dict[int, int]:
    """The largest pairing of `lefts` with `rights` in which all pairs fit; the earliest partner is tried first."""
    if lefts * rights > _MOST_COMPARISONS:
        return _first_pairs(lefts, rights, fits)
    partners = [[to for to in range(rights) if fits(at, to)] for at in range(lefts)]
    paired: dict[int, int] = {}
    owners: dict[int, int] = {}
    for start in range(lefts):
        _pair(start, partners, paired, owners)
    return paired


def _pair(start: int, partners: list[list[int]], paired: dict[int, int], owners: dict[int, int]) -> None:
    """Find a partner for one more; others move on to another of theirs where that makes room."""
    wanted_by: dict[int, int] = {}
    waiting = [start]
    for at in waiting:
        for to in partners[at]:
            if to in wanted_by:
                continue
            wanted_by[to] = at
            if to in owners:
                waiting.append(owners[to])
                continue
            free: int | None = to
            while free is not None:
                mover = wanted_by[free]
                left_behind = paired.get(mover)
                paired[mover], owners[free] = free, mover
                free = left_behind
            return


def _first_pairs(lefts: int, rights: int, fits: Callable[[int, int], bool]) -> dict[int, int]:
    left_over = list(range(rights))
    found: dict[int, int] = {}
    for at in range(lefts):
        to = next((to for to in left_over if fits(at, to)), None)
        if to is not None:
            found[at] = to
            left_over.remove(to)
    return found
