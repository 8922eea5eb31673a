"""What a file states about its cases and traces beyond their line: names, places, candidates, personas, runs."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from trace_inspector.core.rows.rows import RowDetails

_NOTHING = RowDetails()


class NamedTops:
    """Cases and traces by name and by place, looked up at each selection and edit.

    Filled as rows arrive; going through ten thousand of them takes longer than a key press may.
    """

    def __init__(self) -> None:
        self._by_place: dict[str, list[int]] = {}
        self._by_name: dict[str, list[int]] = {}

    def before(self, row: int, gone: Iterable[tuple[str, str]]) -> NamedTops:
        """Those before a row, in lists of their own; `gone` has the places and names of all others."""
        few = NamedTops()
        few._by_place = {place: list(rows) for place, rows in self._by_place.items()}
        few._by_name = {name: list(rows) for name, rows in self._by_name.items()}
        for place, name in gone:
            for rows in (few._by_place[place], few._by_name[name]):
                del rows[bisect_left(rows, row) :]
        return few

    def add(self, row: int, place: str, name: str) -> None:
        """Add a case or trace."""
        self._by_place.setdefault(place, []).append(row)
        self._by_name.setdefault(name, []).append(row)

    def at_place(self, place: str) -> Sequence[int]:
        """The rows at a place, in file order: all of them where one record holds several."""
        return self._by_place.get(place, ())

    def called(self, name: str) -> Sequence[int]:
        """The rows of a name, in file order."""
        return self._by_name.get(name, ())


class DetailsByRow:
    """Details of the few rows that have any. Names are in the order in which they first occur."""

    def __init__(self) -> None:
        self.candidates: dict[str, None] = {}
        self.personas: dict[str, None] = {}
        self.repeated = False  # one candidate with one persona ran a case several times
        self._rows: dict[int, RowDetails] = {}
        self._ran: set[tuple[int, str, str]] = set()

    def take(self, details: Sequence[RowDetails], parents: Sequence[int]) -> None:
        """Add details; `parents` are those of all rows."""
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

    def before(self, row: int) -> list[RowDetails]:
        """The details of the rows before one."""
        return [details for details in self._rows.values() if details.row < row]

    def of(self, row: int) -> RowDetails:
        """The details of a row."""
        return self._rows.get(row, _NOTHING)
