"""Sort orders of compared cases, computed in the child, so that the window only applies them."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, TypeAlias

from trace_inspector.core.verdict.verdict import Status
from trace_inspector.engine.run_comparison.change_group import Group
from trace_inspector.work.runs.comparison_messages import CaseLine, CaseSide, Orders

_Key: TypeAlias = Callable[[CaseLine], Any]

_WORST_FIRST = (
    Status.FAILED,
    Status.ERROR,
    Status.NOT_EVALUATED,
    Status.PENDING,
    Status.SKIPPED,
    Status.INFORMATIONAL,
    Status.PASSED,
    None,
)
_RANKS = {status: rank for rank, status in enumerate(_WORST_FIRST)}
_HEAPS = {group: number for number, group in enumerate(Group)}


def in_groups(lines: Sequence[CaseLine]) -> list[CaseLine]:
    """By group, within a group in the order of the runs."""
    return sorted(lines, key=lambda line: _HEAPS[line.group])


def orders_of(lines: Sequence[CaseLine], scores: int) -> tuple[Orders, ...]:
    """For each column the indexes of grouped cases: within each group ascending, and descending.

    A case without a value in the column is last either way.
    """
    return tuple((_order(lines, key, turned=False), _order(lines, key, turned=True)) for key in _keys(scores))


def _order(lines: Sequence[CaseLine], key: _Key, *, turned: bool) -> array[int]:
    keys = [key(line) for line in lines]
    numbers = sorted(
        (index for index, value in enumerate(keys) if value is not None), key=keys.__getitem__, reverse=turned
    )
    numbers += [index for index, value in enumerate(keys) if value is None]
    return array("I", sorted(numbers, key=lambda index: _HEAPS[lines[index].group]))


def _keys(scores: int) -> Iterator[_Key]:
    """The sort keys of the columns: names, verdicts, texts, changes of scores and of times."""
    yield lambda line: line.name.casefold()
    yield lambda line: (_rank(line.base), _rank(line.new))
    yield lambda line: line.words.casefold() or None
    for column in range(scores):
        yield partial(_score_change, column)
    yield lambda line: _change(*line.seconds)


def _rank(side: CaseSide) -> tuple[int, str]:
    return _RANKS[side.status], side.share


def _score_change(column: int, line: CaseLine) -> float | None:
    return _change(*line.scores[column])


def _change(before: float | None, after: float | None) -> float | None:
    return after - before if before is not None and after is not None else None
