"""The first look at what was opened: evaluated without a key, at the place that is worth seeing first."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from PySide6.QtCore import QObject, Signal

from trace_inspector.models.base.open_file import Group, OpenFile
from trace_inspector.models.base.row_table import TOP
from trace_inspector.models.base.selection import CurrentSelection, Selection
from trace_inspector.models.evaluation.current_run import CurrentRun
from trace_inspector.models.evaluation.evaluation import Evaluation
from trace_inspector.models.evaluation.shown_run import ShownRun
from trace_inspector.models.files.files import Files
from trace_inspector.models.search.next_previous import Navigation
from trace_inspector.store.runs import Unasked
from trace_inspector.work.reading import loading


class CasePlace(Struct, frozen=True):
    """A case in a file of that name, and one of its turns, from 1; 0 is the case itself."""

    file: str
    case: str
    turn: int = 0


class FirstLook(QObject):
    """Waits until everything is read, starts a run that calls no judge, and selects a place when it ends.

    A person who selects something else meanwhile is left there.
    """

    arrived = Signal(object)  # the Selection to be brought into sight

    def __init__(
        self,
        files: Files,
        selection: CurrentSelection,
        evaluation: Evaluation,
        shown: ShownRun,
        navigation: Navigation,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._files = files
        self._selection = selection
        self._evaluation = evaluation
        self._shown = shown
        self._navigation = navigation
        self._waits = False
        self._selects = True
        self._place: CasePlace | None = None
        self._run: CurrentRun | None = None
        self._left_at: Selection | None = None  # what was selected when the run began
        files.all_read.connect(self._begin)
        shown.changed.connect(self._end)

    def expect(self, place: CasePlace | None = None) -> None:
        """What was just opened is to be evaluated; then that place is selected, or else the first failing turn."""
        self._waits, self._selects, self._place = True, True, place
        if not self._files.reading:
            self._begin()

    def open_given(self, paths: Sequence[str], goldens: Sequence[str] = ()) -> None:
        """Open the files of a command line; a place after a file is what a person wants to see.

        What lies in a folder may be much, and is evaluated only when goldens are named for it.
        """
        self._files.open([*paths, *goldens], wants_files=bool(goldens))
        asked = [loading.split_place(path) for path in paths]
        if goldens or not any(loading.may_be_folder(path) for path, _place in asked):
            self.expect()
            self._selects = not any(place for _path, place in asked)

    def _begin(self) -> None:
        waited, self._waits = self._waits, False
        if not waited:
            return
        run = self._shown.value
        self._select(self._wanted())
        self._left_at = self._selection.value
        if (run is None or not run.has_files) and self._has_both_sides():  # a person's own run stays
            self._evaluation.start(unasked=Unasked())
        run = self._shown.value
        if run is not None and run.running:  # this one, or that of a person who pressed F5 meanwhile
            self._run = run

    def _end(self) -> None:
        """Select the place, now that the run has marked it, or what failed."""
        if self._run is None or self._shown.value is not self._run or self._run.running:
            return
        self._run = None
        if self._selects and self._selection.value == self._left_at:
            self._select(self._wanted() or self._navigation.first_failing())

    def _has_both_sides(self) -> bool:
        files = [file for file in self._files.in_order if file.can_be_judged]
        goldens = any(file.has_cases and not file.has_traces for file in files)
        return any(file.has_traces and (goldens or file.group is Group.RESULTS) for file in files)

    def _select(self, place: Selection | None) -> None:
        if place is not None:
            self._selection.select(place)
            self.arrived.emit(place)

    def _wanted(self) -> Selection | None:
        return self.find(self._place) if self._place is not None else None

    def find(self, place: CasePlace) -> Selection | None:
        """Where a place is; None where it is not read, or not there."""
        for file in self._files.in_order:
            if file.name == place.file:
                row = _row(file, place)
                return Selection(file.number, row) if row != TOP else None
        return None


def _row(file: OpenFile, place: CasePlace) -> int:
    table = file.table
    top = next((top for top in table.tops if table.name(top) == place.case), TOP)
    if top == TOP or not place.turn:
        return top
    turns = table.turns(top)
    if place.turn <= len(turns):
        return turns[place.turn - 1]
    missing = table.missing_turn(top, place.turn - 1)
    return missing if missing != TOP else top
