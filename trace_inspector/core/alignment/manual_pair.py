"""A pairing that a person made by hand, by where both sides stand."""

from __future__ import annotations

from msgspec import Struct


class HandPair(Struct, frozen=True):
    """This trace belongs to that case; without a case id it belongs to none."""

    trace_path: str
    trace_place: str
    trace_id: str
    golden_path: str = ""
    golden_place: str = ""
    case_id: str = ""

    @property
    def trace(self) -> tuple[str, str, str]:
        """Which trace is meant."""
        return self.trace_path, self.trace_place, self.trace_id

    @property
    def golden(self) -> tuple[str, str, str]:
        """Which case is meant."""
        return self.golden_path, self.golden_place, self.case_id
