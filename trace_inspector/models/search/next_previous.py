"""Next and previous: failed turns over all files, and turns of a file."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence

from trace_inspector.core.rows.rows import Kind
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.row_table import TOP, RowTable
from trace_inspector.models.base.selection import CurrentSelection, Selection
from trace_inspector.models.evaluation.shown_run import ShownRun
from trace_inspector.models.files.files import Files
from trace_inspector.models.search.filtering import Filtering

_TURNS = frozenset({Kind.TURN, Kind.MISSING_TURN})
_TOPS = frozenset({Kind.CASE, Kind.TRACE})


class Navigation:
    """The shown failures are collected once, and again after anything that may change them."""

    def __init__(self, files: Files, selection: CurrentSelection, shown: ShownRun, filtering: Filtering) -> None:
        self._files = files
        self._selection = selection
        self._shown = shown
        self._places: Places | None = None
        for signal in (files.changed, files.renewed, files.closed, shown.changed, filtering.changed):
            signal.connect(self._forget)

    def next_failing(self, step: int) -> bool:
        """Select the next (1) or previous (-1) failing turn that is shown, over all files and around the end."""
        place = self._failing().next(self._selection.value, step)
        if place is not None:
            self._selection.select(place)
        return place is not None

    def first_failing(self) -> Selection | None:
        """The first failing turn that is shown; where none of the run failed, the first one that a file reports."""
        place = self._failing().next(None, 1)
        if place is not None:
            return place
        reported = ((file.number, file.reported.failing()) for file in self._files.in_order if file.has_traces)
        return next((Selection(number, rows[0]) for number, rows in reported if rows), None)

    def failing_position(self) -> tuple[int, int]:
        """The number of the selected failing turn (0 when none is), and how many there are."""
        places = self._failing()
        return places.position(self._selection.value) + 1, len(places)

    def next_turn(self, step: int) -> bool:
        """Select the next (1) or previous (-1) turn of the file; false at its end."""
        selection = self._selection.value
        file = self._files.get(selection.file) if selection else None
        if selection is None or file is None:
            return False
        row = next_turn(file, selection.row, step)
        if row >= 0:
            self._selection.select(Selection(file.number, row))
        return row >= 0

    def _failing(self) -> Places:
        if self._places is None:
            run, files = self._shown.value, self._files.in_order
            self._places = Places(
                {file.number: file.table for file in files},
                [
                    Selection(file.number, row)
                    for file in files
                    if file.has_traces
                    for row in (run.on(file).failing() if run is not None else file.reported.failing())
                    if file.table.visible.passes(row)
                ],
            )
        return self._places

    def _forget(self, _number: int = 0) -> None:
        self._places = None


class Places:
    """Rows to step through, in the order of the files and their trees."""

    def __init__(self, tables: Mapping[int, RowTable], places: Sequence[Selection]) -> None:
        self._tables = tables
        self._places = places
        self._numbers = {place: number for number, place in enumerate(places)}
        self._files = {number: index for index, number in enumerate(tables)}

    def __len__(self) -> int:
        return len(self._places)

    def next(self, current: Selection | None, step: int) -> Selection | None:
        """The next (1) or previous (-1) place from any row, wrapping around; None when there are none."""
        if not self._places:
            return None
        index = self.position(current)
        if index < 0 and current is not None:
            behind = bisect_right(self._places, self._key(current), key=self._key)
            index = behind - 1 if step > 0 else behind
        elif index < 0:
            index = -1 if step > 0 else 0
        return self._places[(index + step) % len(self._places)]

    def position(self, current: Selection | None) -> int:
        """The index of the place that is selected or contains the selection; -1 for none."""
        table = self._tables.get(current.file) if current else None
        row = current.row if current else TOP
        while current is not None and table is not None and row != TOP:
            number = self._numbers.get(Selection(current.file, row))
            if number is not None:
                return number
            row = table.parent(row)
        return -1

    def _key(self, place: Selection) -> tuple[int, int, int]:
        table = self._tables.get(place.file)
        ghost = table.ghost(place.row) if table else None
        file = self._files.get(place.file, -1)
        if ghost is None:
            return file, place.row, 0
        return file, ghost.after if ghost.after != TOP else ghost.parent, 1


def next_turn(file: OpenFile, row: int, step: int) -> int:
    """The row of the next or previous turn of a file, missing ones included; -1 at the end."""
    table = file.table
    top = table.ancestor(row, _TOPS) if row != TOP else TOP
    if top == TOP:
        turns = [turn for start in table.tops for turn in turns_of(table, start)[:1]]
        return turns[0] if turns and step > 0 else TOP
    here = table.ancestor(row, _TURNS)
    turns = turns_of(table, top)
    index = _beside(table, turns, here, step) if here != TOP else (0 if step > 0 else -1)
    if 0 <= index < len(turns):
        return turns[index]
    number = table.tops.index(top) + step
    while 0 <= number < len(table.tops):
        shown = table.visible.passes(table.tops[number])
        if shown and (turns := turns_of(table, table.tops[number])):
            return turns[0 if step > 0 else -1]
        number += step
    return TOP


def _beside(table: RowTable, turns: list[int], here: int, step: int) -> int:
    """The number of the turn beside one that a filter may hide."""
    if here in turns:
        return turns.index(here) + step
    ghost = table.ghost(here)
    before = bisect_right(turns, ghost.after if ghost else here, key=lambda row: _row_or_after(table, row))
    return before if step > 0 else before - 1


def _row_or_after(table: RowTable, row: int) -> int:
    ghost = table.ghost(row)
    return ghost.after if ghost else row


def turns_of(table: RowTable, top: int) -> list[int]:
    """The turns of a case or trace as the tree shows them, missing ones included."""
    return [row for row in table.visible_children(top) if table.kind(row) in _TURNS]
