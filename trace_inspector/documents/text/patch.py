"""A change of bytes: what stood where, and what stands there instead. Undo is the same change, turned round."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from typing import AnyStr

from msgspec import Struct


class Patch(Struct, frozen=True):
    """At byte `offset`, `old` becomes `new`."""

    offset: int
    old: bytes
    new: bytes

    @property
    def inverse(self) -> Patch:
        """The patch that takes this one back."""
        return Patch(self.offset, self.new, self.old)


class Cut(Struct, frozen=True):
    """What begins at an offset of the bytes before any change, and what comes there instead."""

    start: int
    old: bytes
    new: bytes

    @property
    def end(self) -> int:
        """Where it ends before."""
        return self.start + len(self.old)

    @property
    def growth(self) -> int:
        """How many bytes more there are then."""
        return len(self.new) - len(self.old)


def in_order(patches: Sequence[Patch]) -> list[Cut] | None:
    """Patches made one after the other as cuts from the front; None where they go to and fro, or overlap.

    Thousands of changes of one file are so made in one copy of it instead of one each.
    """
    if all(later.offset >= earlier.offset + len(earlier.new) for earlier, later in pairwise(patches)):
        shifts = accumulate((len(patch.new) - len(patch.old) for patch in patches), initial=0)
        return [
            Cut(patch.offset - shift, patch.old, patch.new) for patch, shift in zip(patches, shifts, strict=False)
        ]
    if all(later.offset + len(later.old) <= earlier.offset for earlier, later in pairwise(patches)):
        return [Cut(patch.offset, patch.old, patch.new) for patch in reversed(patches)]
    return None


def rewritten(data: bytes, patches: Iterable[Patch]) -> bytes | None:
    """The bytes after patches made one after the other; None where the old bytes do not stand there."""
    patches = tuple(patches)
    cuts = in_order(patches)
    if cuts is None:
        return _rewritten_in_turn(data, patches)
    if any(data[cut.start : cut.end] != cut.old for cut in cuts):
        return None
    view, end, kept = memoryview(data), 0, list[bytes | memoryview]()
    for cut in cuts:
        kept += view[end : cut.start], cut.new
        end = cut.end
    return b"".join((*kept, view[end:]))


def _rewritten_in_turn(data: bytes, patches: Iterable[Patch]) -> bytes | None:
    buffer = bytearray(data)
    for patch in patches:
        end = patch.offset + len(patch.old)
        if buffer[patch.offset : end] != patch.old:
            return None
        buffer[patch.offset : end] = patch.new
    return bytes(buffer)


def difference(before: bytes, after: bytes) -> Patch:
    """One patch from some bytes to others, without what they share at both ends."""
    start = shared_start(before, after)
    old, new = before[start:], after[start:]
    rest = shared_start(old[::-1], new[::-1])
    return Patch(start, old[: len(old) - rest], new[: len(new) - rest])


def shared_start(left: AnyStr, right: AnyStr) -> int:
    """How much is the same at the start. Comparing halves is many times faster than going item by item."""
    same, limit = 0, min(len(left), len(right))
    while same < limit:
        middle = (same + limit + 1) // 2
        if left[same:middle] == right[same:middle]:
            same = middle
        else:
            limit = middle - 1
    return same
