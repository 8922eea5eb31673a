"""Calculations in the order of their values: of most only the value is worked out, until one is asked for."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import accumulate, chain
from operator import attrgetter
from typing import NamedTuple, TypeAlias

from msgspec import Struct


class Calculation(Struct, frozen=True, gc=False):
    """A figure that follows: its words with its operands, and the words that name these."""

    value: float
    words: str
    figures: tuple[float, ...]
    keys: frozenset[str]
    beside: frozenset[str] = frozenset()
    is_exact: bool = False  # a sum of what is stated needs no rounding; a share, a mean or a conversion does


Maker: TypeAlias = Callable[[int, float], Calculation]


class Block(NamedTuple):
    """Values of one kind with how often each is met; what they come from is worked out when one is asked for."""

    values: Sequence[float]
    times: Sequence[int]
    make: Maker  # from the number of a value in the block, and the value


def made(calculations: Sequence[Calculation]) -> Block:
    """Calculations that are worked out."""
    return Block([one.value for one in calculations], [1] * len(calculations), lambda index, _: calculations[index])


class Calculations:
    """Calculations in the order of their values."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self._unordered = list(chain.from_iterable([block.values for block in blocks]))
        self._values = sorted(self._unordered)
        self._blocks = blocks

    def between(self, low: float, high: float) -> list[Calculation]:
        """Those whose value is in a range, equal ones once."""
        first, last = bisect_left(self._values, low), bisect_right(self._values, high)
        if first == last:
            return []
        near = [self._calculation(place) for place in range(first, last)]
        return sorted(near, key=attrgetter("value", "words", "figures"))

    # Most of what is looked for is not met: what tells where a value comes from is only then worked out.

    @cached_property
    def _order(self) -> list[int]:
        return sorted(range(len(self._unordered)), key=self._unordered.__getitem__)

    @cached_property
    def _before(self) -> list[int]:
        times = list(chain.from_iterable([block.times for block in self._blocks]))
        return list(accumulate([times[index] for index in self._order], initial=0))

    @cached_property
    def _starts(self) -> list[int]:
        return list(accumulate([len(block.values) for block in self._blocks], initial=0))

    def _calculation(self, place: int) -> Calculation:
        index = self._order[place]
        number = bisect_right(self._starts, index) - 1
        return self._blocks[number].make(index - self._starts[number], self._values[place])

    def count(self, low: float, high: float) -> int:
        """How many values are in a range."""
        return self._before[bisect_right(self._values, high)] - self._before[bisect_left(self._values, low)]

    def values(self, low: float, high: float) -> list[float]:
        """The values in a range, those of equal calculations once."""
        return self._values[bisect_left(self._values, low) : bisect_right(self._values, high)]
