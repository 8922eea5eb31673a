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

    def cut(self, row: int, gone: Iterable[tuple[str, str]]) -> None:
        """Keep those before a row; `gone` has the places and names of all others."""
        for place, name in gone:
            for listed, key in ((self._by_place, place), (self._by_name, name)):
                rows = listed.get(key, [])
                del rows[bisect_left(rows, row) :]
                if not rows:
                    listed.pop(key, None)

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

    def cut(self, gone: range, parents: Sequence[int]) -> None:
        """Keep the details of the rows before some that go; `parents` are those of all rows."""
        went = [details for row in gone if (details := self._rows.pop(row, None)) is not None]
        if any(details.candidate or details.persona or details.run for details in went):
            rest, self._rows = list(self._rows.values()), {}
            self.candidates, self.personas, self.repeated, self._ran = {}, {}, False, set()
            self.take(rest, parents)

    def of(self, row: int) -> RowDetails:
        """The details of a row."""
        return self._rows.get(row, _NOTHING)
