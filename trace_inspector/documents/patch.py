"""A change of bytes: what stood where, and what stands there instead. Undo is the same change, turned round."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


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
    buffer = bytearray(data)
    for patch in patches:
        end = patch.at + len(patch.old)
        if buffer[patch.at : end] != patch.old:
            return None
        buffer[patch.at : end] = patch.new
    return bytes(buffer)
