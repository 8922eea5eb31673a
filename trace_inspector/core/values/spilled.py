"""What is too many for memory: values beyond the first thousands lie in a nameless file, of keys digests are held."""

from __future__ import annotations

import pickle
import sys
import tempfile
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from hashlib import blake2b
from itertools import accumulate, chain
from pathlib import Path
from typing import IO, TypeVar, overload

from trace_inspector.core.errors import SaveError

Value = TypeVar("Value")
HELD = 10_000
_NOBODY = (1 << 32) - 1
_LEAST_SLOTS = 1 << 10
_HALF, _MASK = 64, (1 << 64) - 1


class Spilled(Sequence[Value]):
    """Values that are added one after the other and read in any order.

    The file has no name, or loses it at once, is for its owner alone, and goes with the last one who uses it. It lies
    in the folder, or where the system keeps such files; without either all values stay in memory.
    """

    def __init__(self, folder: Callable[[], Path], held: int | None = None) -> None:
        self._folder = folder
        self._most_held = HELD if held is None else held
        self._held: list[Value] = []
        self._file: IO[bytes] | None = None
        self._starts = array("Q", [0])

    def __del__(self) -> None:
        if self._file is not None:
            with suppress(OSError):
                self._file.close()

    def append(self, value: Value) -> None:
        """Add a value at the end. SaveError where the disk has no room."""
        if len(self._held) < self._most_held:
            self._held.append(value)
            return
        if self._file is None:
            self._file = self._made()
        if self._file is None:
            self._most_held = sys.maxsize
            self._held.append(value)
            return
        body = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
        try:
            self._file.seek(self._starts[-1])
            left = memoryview(body)
            while left:  # nothing waits in a buffer, so what was written is there to be read
                left = left[self._file.write(left) :]
        except OSError as problem:
            raise SaveError(
                f"There is no room on the disk for what this run holds beside memory ({problem}). Make room and "
                "begin it again: a run that is noted goes on with --resume."
            ) from problem
        self._starts.append(self._starts[-1] + len(body))

    def _made(self) -> IO[bytes] | None:
        for folder in (self._folder, tempfile.gettempdir):
            with suppress(OSError, RuntimeError):  # a RuntimeError where there is no data folder
                return tempfile.TemporaryFile(dir=folder(), buffering=0)
        return None

    def extend(self, values: Iterable[Value]) -> None:
        """Add several."""
        for value in values:
            self.append(value)

    @property
    def whole(self) -> Sequence[Value]:
        """All of them: as a tuple where nothing had to be written."""
        return self if self._file else tuple(self._held)

    def __iter__(self) -> Iterator[Value]:
        """That of sequences takes an IndexError for the end."""
        return (self[number] for number in range(len(self)))

    def __len__(self) -> int:
        return len(self._held) + len(self._starts) - 1

    @overload
    def __getitem__(self, index: int) -> Value: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Value]: ...
    def __getitem__(self, index: int | slice) -> Value | Sequence[Value]:
        if isinstance(index, slice):
            return Picked(self, range(len(self))[index])
        number = range(len(self))[index]  # IndexError, as of any sequence
        if number < len(self._held):
            return self._held[number]
        return self._read(number - len(self._held))

    def _read(self, number: int) -> Value:
        assert self._file is not None
        start, end = self._starts[number : number + 2]
        try:
            self._file.seek(start)
            body = self._file.read(end - start)
        except OSError as problem:
            raise SaveError(f"What this run holds beside memory cannot be read ({problem}).") from problem
        value: Value = pickle.loads(body)  # nobody else can have written into that file
        return value


class Picked(Sequence[Value]):
    """Some values of a sequence, by their indexes."""

    def __init__(self, values: Sequence[Value], indexes: Sequence[int]) -> None:
        self._values = values
        self._indexes = indexes

    def __iter__(self) -> Iterator[Value]:
        """That of sequences takes an IndexError for the end."""
        return (self._values[index] for index in self._indexes)

    def __len__(self) -> int:
        return len(self._indexes)

    @overload
    def __getitem__(self, index: int) -> Value: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Value]: ...
    def __getitem__(self, index: int | slice) -> Value | Sequence[Value]:
        if isinstance(index, slice):
            return Picked(self._values, self._indexes[index])
        return self._values[self._indexes[index]]


class Chained(Sequence[Value]):
    """Sequences one after the other, of which nothing is copied."""

    def __init__(self, parts: Sequence[Sequence[Value]]) -> None:
        self._parts = parts
        self._ends = [*accumulate(map(len, parts))]

    def __iter__(self) -> Iterator[Value]:
        return chain.from_iterable(self._parts)

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    @overload
    def __getitem__(self, index: int) -> Value: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Value]: ...
    def __getitem__(self, index: int | slice) -> Value | Sequence[Value]:
        if isinstance(index, slice):
            return Picked(self, range(len(self))[index])
        number = range(len(self))[index]  # IndexError, as of any sequence
        part = self.part_of(number)
        return self._parts[part][number - self._ends[part]]

    def part_of(self, number: int) -> int:
        """The index of the sequence in which a value lies."""
        return bisect_right(self._ends, number)


class KeyIndex:
    """Numbers by key; a key may have several, and a number several keys.

    Of a key only a digest of 128 bits is held: a dictionary of sets takes some 400 bytes for each key, this 30.
    """

    def __init__(self) -> None:
        self._slots = array("I", [_NOBODY]) * _LEAST_SLOTS  # the newest entry of those that fall into each
        self._earlier = array("I")  # of each entry the one before it in its slot
        self._high = array("Q")
        self._low = array("Q")
        self._numbers = array("I")

    def add(self, key: str, number: int) -> None:
        """Let a number be found by a key."""
        if len(self._numbers) == len(self._slots):
            self._grow()
        high, low = _digest(key)
        slot = low % len(self._slots)
        self._high.append(high)
        self._low.append(low)
        self._numbers.append(number)
        self._earlier.append(self._slots[slot])
        self._slots[slot] = len(self._numbers) - 1

    def numbers(self, key: str) -> set[int]:
        """The numbers of a key."""
        return set(self._found(key)) if key else set()

    def last(self, key: str) -> int | None:
        """The number that a key was given last; None where it has none."""
        return next(self._found(key), None)

    def _found(self, key: str) -> Iterator[int]:
        high, low = _digest(key)
        entry = self._slots[low % len(self._slots)]
        while entry != _NOBODY:  # the newest first
            if self._low[entry] == low and self._high[entry] == high:
                yield self._numbers[entry]
            entry = self._earlier[entry]

    def _grow(self) -> None:
        count = len(self._slots) * 2
        self._slots = slots = array("I", [_NOBODY]) * count
        for entry, low in enumerate(self._low):
            slot = low % count
            self._earlier[entry], slots[slot] = slots[slot], entry  # again in the order in which they came


def _digest(key: str) -> tuple[int, int]:
    # Half a character in an id is odd, and still part of its name.
    whole = int.from_bytes(blake2b(key.encode("utf-8", "surrogatepass"), digest_size=16).digest())
    return whole >> _HALF, whole & _MASK
