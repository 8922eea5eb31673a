"""What hangs conversations of a file together, for very many of them: arrays in the place of objects."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import TypeAlias, overload

from trace_inspector.core.values.spilled import Picked
from trace_inspector.engine.pairing.pairing import TraceLocation
from trace_inspector.flows.opening.line_parts import LineShard

Numbers: TypeAlias = Sequence[int]
_LEAST_SLOTS = 1 << 12


class Ties:
    """Of each outline, by its number: its first document, and its keys as 64 bits each.

    Two keys that are one by chance only let lines be read once more.
    """

    def __init__(self) -> None:
        self.first = array("Q")
        self._ends = array("Q", [0])
        self._keys = array("q")

    def add(self, first: int, keys: Iterable[str]) -> int:
        """One more outline, and its number."""
        self.first.append(first)
        self._keys.extend(map(hash, keys))
        self._ends.append(len(self._keys))
        return len(self.first) - 1

    def keys(self, number: int) -> Sequence[int]:
        """The keys of an outline."""
        return self._keys[self._ends[number] : self._ends[number + 1]]

    def tied(self, parts: Sequence[Numbers]) -> set[int]:
        """The keys of all that is in more than one part, and of whatever is tied to it."""
        part_of = _PartOf()
        tied: set[int] = set()
        for index, part in enumerate(parts):
            for number in part:
                tied.update(key for key in self.keys(number) if part_of.put(key, index) != index)
        size = -1
        while tied and size != len(tied):
            size = len(tied)
            for part in parts:
                for number in part:
                    keys = self.keys(number)
                    if not tied.isdisjoint(keys):
                        tied.update(keys)
        return tied

    def in_order(self, parts: Sequence[Numbers]) -> Numbers:
        """All outlines in the order of the file."""
        numbers = array("Q", (number for part in parts for number in part))
        return array("Q", sorted(numbers, key=self.first.__getitem__))


class _PartOf:
    """The part in which a key stood first; a dictionary takes three times as much."""

    def __init__(self) -> None:
        self._keys = array("q", [0]) * _LEAST_SLOTS
        self._parts = array("I", [0]) * _LEAST_SLOTS  # counted from 1; 0 where a slot is free
        self._count = 0

    def put(self, key: int, part: int) -> int:
        """The part of a key: this one where it is new."""
        slot = self._slot(key)
        if self._parts[slot]:
            return self._parts[slot] - 1
        self._keys[slot], self._parts[slot] = key, part + 1
        self._count += 1
        if 2 * self._count > len(self._keys):
            self._grow()
        return part

    def _slot(self, key: int) -> int:
        keys, parts, last = self._keys, self._parts, len(self._keys) - 1
        slot = key & last
        while parts[slot] and keys[slot] != key:
            slot = (slot + 1) & last
        return slot

    def _grow(self) -> None:
        keys, parts = self._keys, self._parts
        self._keys = array("q", [0]) * (2 * len(keys))
        self._parts = array("I", [0]) * len(self._keys)
        for key, part in zip(keys, parts, strict=True):
            if part:
                slot = self._slot(key)
                self._keys[slot], self._parts[slot] = key, part


class Places(Sequence[TraceLocation]):
    """Where each conversation of a file is read: the shards, and how many there are in each."""

    def __init__(self) -> None:
        self._shards: list[LineShard] = []
        self._ends = array("Q")

    def add(self, shard: LineShard, count: int) -> None:
        """The next shard."""
        self._shards.append(shard)
        self._ends.append(len(self) + count)

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    @overload
    def __getitem__(self, index: int) -> TraceLocation: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[TraceLocation]: ...
    def __getitem__(self, index: int | slice) -> TraceLocation | Sequence[TraceLocation]:
        if isinstance(index, slice):
            return Picked(self, range(len(self))[index])
        number = range(len(self))[index]  # IndexError, as of any sequence
        shard = bisect_right(self._ends, number)
        return TraceLocation(self._shards[shard], number - (self._ends[shard - 1] if shard else 0))
