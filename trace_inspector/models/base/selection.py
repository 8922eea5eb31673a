"""What is selected: one row of one file, the same everywhere."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Selection:
    """A row of an open file. `row` -1 means the file itself."""

    file: int
    row: int = -1
