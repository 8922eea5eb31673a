"""A change of bytes: what stood where, and what stands there instead. Undo is the same change, turned round."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import AnyStr


@dataclass(frozen=True, slots=True)
class Patch:
    """At byte offset `at`, `old` becomes `new`."""

    at: int
    old: bytes
    new: bytes

    @property
    def inverse(self) -> Patch:
        """The patch that takes this one back."""
        return Patch(self.at, self.new, self.old)


def rewritten(data: bytes, patches: Iterable[Patch]) -> bytes | None:
    """The bytes after patches made one after the other; None where the old bytes do not stand there."""
    patches = list(patches)
    if len(patches) == 1:
        return _rewritten_once(data, patches[0])
    buffer = bytearray(data)
    for patch in patches:
        end = patch.at + len(patch.old)
        if buffer[patch.at : end] != patch.old:
            return None
        buffer[patch.at : end] = patch.new
    return bytes(buffer)


def _rewritten_once(data: bytes, patch: Patch) -> bytes | None:
    """The same with one copy of the bytes instead of three."""
    end = patch.at + len(patch.old)
    if data[patch.at : end] != patch.old:
        return None
    view = memoryview(data)
    return b"".join((view[: patch.at], patch.new, view[end:]))


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
