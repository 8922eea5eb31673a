"""What a file tells of single cases and traces beyond their line: whose answers they are, whom the user played."""

from __future__ import annotations

from collections.abc import Sequence

from trace_inspector.core.rows.rows import Told

_NOTHING = Told()


class ToldRows:
    """Of the few rows that have any of it. Names are in the order in which they first stand."""

    def __init__(self) -> None:
        self.candidates: dict[str, None] = {}
        self.personas: dict[str, None] = {}
        self.repeated = False  # one candidate with one persona ran a case several times
        self._rows: dict[int, Told] = {}
        self._ran: set[tuple[int, str, str]] = set()

    def take(self, told: Sequence[Told], parents: Sequence[int]) -> None:
        """Some more; `parents` are those of all rows."""
        for one in told:
            self._rows[one.row] = one
            if one.candidate:
                self.candidates[one.candidate] = None
            if one.persona:
                self.personas[one.persona] = None
            if one.run:
                ran = parents[one.row], one.candidate, one.persona
                self.repeated = self.repeated or ran in self._ran
                self._ran.add(ran)

    def of(self, row: int) -> Told:
        """What is told of a row."""
        return self._rows.get(row, _NOTHING)
