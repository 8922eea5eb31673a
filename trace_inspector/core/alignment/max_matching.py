"""As many pairs as can be had at once, where one thing may fit several others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

MOST_COMPARISONS = 250_000  # beyond that the first that fits is taken
_NONE: Mapping[int, int] = MappingProxyType({})


def most_pairs(
    lefts: int, rights: int, fits: Callable[[int, int], bool], begun: Mapping[int, int] = _NONE
) -> dict[int, int]:
    """The largest pairing of `lefts` with `rights` in which all pairs fit; the earliest partner is tried first.

    Pairs that were `begun` fit already, and are given up only where that makes room for more.
    """
    if lefts * rights > MOST_COMPARISONS:
        return _first_pairs(lefts, rights, fits, begun)
    partners: dict[int, list[int]] = {}

    def partners_of(at: int) -> list[int]:
        if at not in partners:
            partners[at] = [to for to in range(rights) if fits(at, to)]
        return partners[at]

    paired = dict(begun)
    owners = {to: at for at, to in paired.items()}
    for start in range(lefts):
        if start not in paired:
            _pair(start, partners_of, paired, owners)
    return paired


def _pair(
    start: int, partners_of: Callable[[int], list[int]], paired: dict[int, int], owners: dict[int, int]
) -> None:
    """Find a partner for one more; others move on to another of theirs where that makes room."""
    wanted_by: dict[int, int] = {}
    waiting = [start]
    for at in waiting:
        for to in partners_of(at):
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


def _first_pairs(
    lefts: int, rights: int, fits: Callable[[int, int], bool], begun: Mapping[int, int]
) -> dict[int, int]:
    found = dict(begun)
    taken = set(found.values())
    left_over = [to for to in range(rights) if to not in taken]
    for at in range(lefts):
        to = None if at in found else next((to for to in left_over if fits(at, to)), None)
        if to is not None:
            found[at] = to
            left_over.remove(to)
    return found
