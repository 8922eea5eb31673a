"""Few rows of a large product that still hold every two values together.

Most faults that two columns make between them show with any values in the others. Columns of five, six and seven
values make 210 rows; 43 of these hold every two values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, product
from typing import Any, TypeAlias

Cell: TypeAlias = tuple[int, int]  # of which column which value
Row: TypeAlias = tuple[Any, ...]


def all_pairs(*columns: Sequence[Any], fits: Callable[[Row], bool] = lambda _row: True) -> list[Row]:
    """Rows of the product that fit, in which every two values stand together that do so in any row that fits."""
    left: dict[tuple[int, ...], set[tuple[Cell, Cell]]] = {}
    for chosen in product(*(range(len(column)) for column in columns)):
        if fits(_values(columns, chosen)):
            left[chosen] = set(combinations(enumerate(chosen), 2))
    missing = set().union(*left.values())
    rows: list[Row] = []
    while missing:
        best = max(left, key=lambda chosen: len(left[chosen] & missing))
        missing -= left.pop(best)
        rows.append(_values(columns, best))
    return rows


def _values(columns: Sequence[Sequence[Any]], chosen: tuple[int, ...]) -> Row:
    return tuple(column[at] for column, at in zip(columns, chosen, strict=True))
