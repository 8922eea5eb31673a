"""What a file tells of its cases and traces beyond their line: names, places, whose answers they are."""

from __future__ import annotations

from collections.abc import Sequence

from trace_inspector.core.rows.rows import RowDetails

_NOTHING = RowDetails()


class NamedTops:
    """Cases and traces by name and by where they stand, looked up at each selection and edit.

    Filled as rows arrive; going through ten thousand of them takes longer than a key press may.
    """

    def __init__(self) -> None:
        self._by_place: dict[str, list[int]] = {}
        self._by_name: dict[str, list[int]] = {}

    def add(self, row: int, place: str, name: str) -> None:
        """One more, behind those that are known."""
        self._by_place.setdefault(place, []).append(row)
        self._by_name.setdefault(name, []).append(row)

    def at_place(self, place: str) -> Sequence[int]:
        """Those that stand there, in file order: of one record that holds several, all of them."""
        return self._by_place.get(place, ())

    def called(self, name: str) -> Sequence[int]:
        """Those of that name, in file order."""
        return self._by_name.get(name, ())


class DetailsByRow:
    """Of the few rows that have any of it. Names are in the order in which they first stand."""

    def __init__(self) -> None:
        self.candidates: dict[str, None] = {}
        self.personas: dict[str, None] = {}
        self.repeated = False  # one candidate with one persona ran a case several times
        self._rows: dict[int, RowDetails] = {}
        self._ran: set[tuple[int, str, str]] = set()

    def take(self, details: Sequence[RowDetails], parents: Sequence[int]) -> None:
        """Some more; `parents` are those of all rows."""
        for detail in details:
            self._rows[detail.row] = detail
            if detail.candidate:
                self.candidates[detail.candidate] = None
            if detail.persona:
                self.personas[detail.persona] = None
            if detail.run:
                ran = parents[detail.row], detail.candidate, detail.persona
                self.repeated = self.repeated or ran in self._ran
                self._ran.add(ran)

    def of(self, row: int) -> RowDetails:
        """What is told of a row."""
        return self._rows.get(row, _NOTHING)
