"""A change of bytes: what stood where, and what stands there instead. Undo is the same change, turned round."""

from __future__ import annotations

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
