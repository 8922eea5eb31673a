"""What a row is laid out with: the row, how it is coloured now, and the tools for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from trace_inspector.engine.trace_grid.row import Row
from trace_inspector.views.appearance.appearance import Look
from trace_inspector.views.appearance.text_painter import Lettering
from trace_inspector.views.compare.columns import Columns


@dataclass(frozen=True, slots=True)
class Note:
    """A mark and what it says, in the column of reasons."""

    mark: str
    words: str
    below: str = ""


@dataclass(frozen=True, slots=True)
class Given:
    """One row at one moment. `inks` are the sides' colours by the names of tokens."""

    row: Row
    columns: Columns
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


@dataclass(frozen=True, slots=True)
class Tools:
    """What measures."""

    look: Look
    letters: Lettering
    row: Callable[[int], int]

    def fact(self, fact: str, room_px: float) -> str:
        """As much of what a turn or call took as leaves half of the room for what it is about."""
        some = (fact, fact.partition(", ")[0], fact.partition(" (")[0].partition(", ")[0])
        return next((one for one in some if self.letters.width(one, "number") <= room_px / 2), "")
