"""What a row is laid out with: the row, how it is coloured now, and how much of it shows."""

from __future__ import annotations

from msgspec import Struct

from trace_inspector.engine.trace_grid.row import Row
from trace_inspector.views.compare.columns import SideColumns
from trace_inspector.views.painting.row_layout import Measures


class Note(Struct, frozen=True):
    """A mark and what it says, in the column of reasons."""

    mark: str
    words: str
    below: str = ""


class RowState(Struct, frozen=True):
    """One row at one moment. `inks` are the sides' colours by the names of tokens."""

    row: Row
    columns: SideColumns
    inks: tuple[str, ...]
    notes: tuple[Note, ...]
    counts: bool
    dim: bool = False
    takes: bool = False
    folded: int = -1  # of a turn: how many rows it hides, -1 for none
    mark: str = ""  # of a turn
    banner: tuple[str, str] = ("", "")
    shows_result: bool = False
    value: int = -1  # the current argument
    left_out: str = ""  # what is left out above it, in words

    @property
    def has_golden(self) -> bool:
        """Whether the first side is a golden, and not a run as the others."""
        return self.inks[0] == "golden"


def shortened_fact(measures: Measures, fact: str, room_px: float) -> str:
    """As much of what a turn or call took as leaves half of the room for what it is about."""
    parts = (fact, fact.partition(", ")[0], fact.partition(" (")[0].partition(", ")[0])
    return next((part for part in parts if measures.letters.width(part, "number") <= room_px / 2), "")
