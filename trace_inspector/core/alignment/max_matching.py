"""As many pairs as can be had at once, where one thing may fit several others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

MOST_COMPARISONS = 250_000  # beyond that the first that fits is taken
_NONE: Mapping[int, int] = MappingProxyType({})


def max_matching(
    lefts: int, rights: int, fits: Callable[[int, int], bool], begun: Mapping[int, int] = _NONE
) -> dict[int, int]:
    """The largest pairing of `lefts` with `rights` in which all pairs fit; the earliest partner is tried first.

    Pairs that were `begun` fit already, and are given up only where that makes room for more.
    """
    if lefts * rights > MOST_COMPARISONS:
        return _first_pairs(lefts, rights, fits, begun)
    partners: dict[int, list[int]] = {}

    def partners_of(i: int) -> list[int]:
        if i not in partners:
            partners[i] = [j for j in range(rights) if fits(i, j)]
        return partners[i]

    paired = dict(begun)
    owners = {j: i for i, j in paired.items()}
    for start in range(lefts):
        if start not in paired:
            _pair(start, partners_of, paired, owners)
    return paired


def _pair(
    start: int, partners_of: Callable[[int], list[int]], paired: dict[int, int], owners: dict[int, int]
) -> None:
    """Find a partner for one more by an augmenting path: others move on to another partner where that makes room.

    The search goes breadth first, so that as few pairs as possible change.
    """
    reached_from: dict[int, int] = {}
    queue = [start]
    for i in queue:
        for j in partners_of(i):
            if j in reached_from:
                continue
            reached_from[j] = i
            if j in owners:
                queue.append(owners[j])
                continue
            free: int | None = j
            while free is not None:
                mover = reached_from[free]
                given_up = paired.get(mover)
                paired[mover], owners[free] = free, mover
                free = given_up
            return


def _first_pairs(
    lefts: int, rights: int, fits: Callable[[int, int], bool], begun: Mapping[int, int]
) -> dict[int, int]:
    pairs = dict(begun)
    taken = set(pairs.values())
    free = [j for j in range(rights) if j not in taken]
    for i in range(lefts):
        j = None if i in pairs else next((j for j in free if fits(i, j)), None)
        if j is not None:
            pairs[i] = j
            free.remove(j)
    return pairs
