"""The best of all largest pairings: as many pairs as possible, and among these the greatest total fit."""

from __future__ import annotations

import math
from collections.abc import Callable

from trace_inspector.core.alignment.max_matching import max_matching

_MOST_COMPARISONS = 4_096  # beyond that only the number of pairs is maximised
_NEVER = 1e6


def best_pairs(lefts: int, rights: int, suits: Callable[[int, int], float | None]) -> dict[int, int]:
    """A largest pairing of `lefts` with `rights` with the greatest sum of `suits`, from 0 to 1; None forbids a pair.

    Among equally good pairings the order is kept where possible: a small cost of order breaks ties.
    """
    if lefts * rights > _MOST_COMPARISONS:
        return max_matching(lefts, rights, lambda row, column: suits(row, column) is not None)
    size = max(lefts, rights)
    costs = [[_NEVER] * size for _ in range(size)]
    for row in range(lefts):
        for column in range(rights):
            suit = suits(row, column)
            if suit is not None:
                out_of_order = abs(row - column) / (size * size * size)
                costs[row][column] = 1.0 - suit + out_of_order / size
    assigned = _cheapest(costs, size)
    return {
        row: column
        for row, column in assigned.items()
        if row < lefts and column < rights and costs[row][column] < _NEVER
    }


def _cheapest(costs: list[list[float]], size: int) -> dict[int, int]:
    """The assignment of every row to a column of its own that costs the least (Kuhn and Munkres, with potentials)."""
    row_price, column_price = [0.0] * (size + 1), [0.0] * (size + 1)
    row_of, came_from = [size] * (size + 1), [size] * (size + 1)
    for row in range(size):
        row_of[size] = row
        column = size
        least, seen = [math.inf] * (size + 1), [False] * (size + 1)
        while row_of[column] != size:
            seen[column] = True
            here, step, following = row_of[column], math.inf, size
            for other in range(size):
                if seen[other]:
                    continue
                price = costs[here][other] - row_price[here] - column_price[other]
                if price < least[other]:
                    least[other], came_from[other] = price, column
                if least[other] < step:
                    step, following = least[other], other
            for other in range(size + 1):
                if seen[other]:
                    row_price[row_of[other]] += step
                    column_price[other] -= step
                else:
                    least[other] -= step
            column = following
        while column != size:
            row_of[column] = row_of[came_from[column]]
            column = came_from[column]
    return {row_of[column]: column for column in range(size) if row_of[column] != size}
