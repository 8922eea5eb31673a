"""Verdicts of the shown run while its goldens are edited: sent to the child that edits, and scored again there."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from functools import partial

from msgspec import Struct, field
from msgspec.structs import replace
from PySide6.QtCore import QTimer

from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.values.value_edits import Put, ValueStep
from trace_inspector.core.verdict.stale import stale_verdict
from trace_inspector.core.verdict.verdict import CaseVerdict, Status
from trace_inspector.models.base.edited_file import EditedFile, bodies_of
from trace_inspector.models.base.moved_places import all_after
from trace_inspector.models.base.row_table import TOP
from trace_inspector.models.evaluation.current_run import CurrentRun
from trace_inspector.models.evaluation.evaluation import Evaluation
from trace_inspector.models.evaluation.shown_run import ShownRun
from trace_inspector.models.files.files import Files
from trace_inspector.models.golden.queue import Task
from trace_inspector.work.golden.requests import ArrivedLate, EditedFileState, Judged, RunShown
from trace_inspector.work.processes.request_child import Answer
from trace_inspector.work.reading.contents_from_rows import Bodies

_Make = Callable[[Callable[[Answer], None]], Task | None]  # given the callback; None: nothing to ask


class GoldenScoring:
    """Keeps track of what the child knows of the run. Verdicts that it was not sent in time are stale."""

    def __init__(
        self,
        files: Files,
        shown: ShownRun,
        evaluation: Evaluation,
        edited: Mapping[int, EditedFile],
        put: Callable[[Task], None],
    ) -> None:
        self._files = files
        self._shown = shown
        self._evaluation = evaluation
        self._edited = edited
        self._run: CurrentRun | None = None
        self._number = 0
        self._ground_sent: RunShown | None = None
        self._numbers_sent: set[int] = set()  # numbers of the verdicts that were sent to the child
        self._touched: dict[int, set[str]] = {}  # by file, cases that changed since the run began
        self._moves: dict[int, list[ValueStep]] = {}  # by file, all steps that moved cases since
        self._arrived: list[CaseVerdict] = []  # the run's verdicts as it gave them
        self._late = _LateVerdicts(put)
        shown.changed.connect(self._changed)
        evaluation.arriving = self.as_edited

    def ground(self) -> RunShown | None:
        """What the child must know of the run before anything else; None when it was sent.

        It is sent when a run begins, before the first edit, so that the child knows what the run judges.
        """
        run, sent = self._run, self._ground_sent
        if run is None or (sent is not None and sent.ground is run.ground):
            return None
        edited = sent.edited if sent is not None else any(self._touched.values()) or bool(self._moves)
        self._ground_sent = RunShown(self._number, run.ground, edited)
        return self._ground_sent

    def judged(self, file: int, places: Sequence[str]) -> tuple[Judged, ...]:
        """The verdicts on cases that are about to change, without those that were sent."""
        run = self._run
        if run is None or run.ground is None:
            return ()
        touched = self._touched.get(file, set())
        unsent = [
            judged
            for place in places
            if place not in touched
            for number, verdict in self._verdicts(run, file, place)
            if number not in self._numbers_sent and (judged := self._judged(run, number, verdict)) is not None
        ]
        self._numbers_sent |= {verdict_sent.index for verdict_sent in unsent}
        return tuple(unsent)

    def take(self, stand: EditedFileState) -> None:
        """Follow changed cases: replace the run's verdicts by new scores, or mark them stale where there are none."""
        run, shown = self._run, self._files.by_number.get(stand.file)
        if run is None or shown is None:
            return
        before = self._touched.get(stand.file, set())
        now = {moved for moved in all_after(before, stand.steps).values() if moved is not None}
        self._touched[stand.file] = now | {case.place for case in stand.cases}
        if not all(isinstance(step, Put) for step in stand.steps):  # most edits move no case
            self._moves.setdefault(stand.file, []).extend(stand.steps)
            self._follow_places(run, run.path_of(shown), stand.steps)
            self._bring_back(run, run.path_of(shown), stand)
        rescored = {judged.index: judged.verdict for judged in stand.rescored if judged.run == self._number}
        rescored |= self._settled(run, run.path_of(shown), stand)
        for case in stand.cases:
            for number, verdict in self._verdicts(run, stand.file, case.place):
                if number not in rescored and number not in self._numbers_sent:
                    rescored[number] = stale_verdict(verdict)
                    self._late.add(partial(self._late_task, run, stand.file, number))
        if rescored:
            run.rescore(rescored, stand.metrics)
            self._shown.tell()

    def as_edited(self, run: CurrentRun, cases: Sequence[CaseVerdict]) -> Sequence[CaseVerdict]:
        """Verdicts that arrive on goldens that were edited since the run began: with current places, and stale.

        The child scores them again as soon as it can.
        """
        self._follow()
        if run is self._run:
            self._arrived += cases
        edited = {
            run.path_of(file): number for number in self._touched if (file := self._files.by_number.get(number))
        }
        if run is not self._run or not edited:
            return cases
        for path, number in edited.items():
            ids = {verdict.golden_place: verdict.case_id for verdict in cases if verdict.golden_path == path}
            now = all_after(ids, self._moves.get(number, ()))
            now |= {place: self._put_in_again(number, ids[place]) for place, there in now.items() if there is None}
            touched = self._touched[number]
            for case_number, verdict in enumerate(cases, len(run.cases)):
                if verdict.golden_path == path and now[verdict.golden_place] in touched and number in self._edited:
                    self._late.add(partial(self._late_task, run, number, case_number))
            cases = [
                _as_edited(verdict, now, touched) if verdict.golden_path == path else verdict for verdict in cases
            ]
        return cases

    def forget(self) -> None:
        """Note that the child lost its state; its scores of changed cases become stale with the next change."""
        self._ground_sent, self._numbers_sent = None, set()

    def _follow(self) -> None:
        run = self._shown.value
        if run is not self._run:
            self._run, self._ground_sent, self._numbers_sent, self._touched, self._moves = run, None, set(), {}, {}
            self._number += 1
            self._arrived = []
            self._late.clear()

    def _changed(self) -> None:
        self._follow()
        if self._late.wait:  # this may be called while an answer is handled, which comes first
            QTimer.singleShot(0, self._evaluation, self._late.go_on)

    def _late_task(self, run: CurrentRun, file: int, number: int, then: Callable[[Answer], None]) -> Task | None:
        edited = self._edited.get(file)
        if run is not self._run or edited is None or number in self._numbers_sent or number >= len(self._arrived):
            return None
        place = run.cases[number].golden_place
        judged = self._judged(run, number, self._arrived[number]) if place in edited.places else None
        if judged is None:
            return None
        self._numbers_sent.add(number)
        places = {place: place}
        return Task(
            file,
            lambda: ArrivedLate(file, judged, places[place]) if place in places else None,
            then,
            places=places,
        )

    def _settled(self, run: CurrentRun, path: str, stand: EditedFileState) -> dict[int, CaseVerdict]:
        """Pending verdicts on a deleted golden: they are never scored, so the run's own verdicts are used."""
        lost = () if "" in stand.places else run.of_golden(path, "")
        arrived = {
            number: self._arrived[number]
            for number, verdict in lost
            if verdict.status is Status.PENDING and number < len(self._arrived)
        }
        return {
            number: replace(arrived_verdict, golden_place="")
            for number, arrived_verdict in arrived.items()
            if arrived_verdict.status is not Status.PENDING
        }

    def _bring_back(self, run: CurrentRun, path: str, stand: EditedFileState) -> None:
        """Restore verdicts on cases that were deleted and that an undo restored; they are scored like late ones."""
        lost = {} if "" in stand.places else dict(run.of_golden(path, ""))
        for case in stand.cases if lost else ():
            mine = [
                number
                for number, verdict in lost.items()
                if verdict.case_id == case.id and number < len(self._arrived)
            ]
            stood = {self._arrived[number].golden_place for number in mine}
            if len(stood) == 1 and not any(run.of_golden(path, case.place)):
                run.bring_back(path, case.place, mine)
                self._numbers_sent -= set(mine)

    def _put_in_again(self, file: int, case_id: str) -> str | None:
        """The place of a case that was deleted before its verdict arrived, and that an undo restored."""
        edited, shown = self._edited.get(file), self._files.by_number.get(file)
        if edited is None or shown is None:
            return None
        rows = (shown.table.place_now(top) for top in shown.table.named.called(one_line(case_id)))
        places = {*rows, *(place for place, case in edited.cases.items() if case.id == case_id)}
        places &= self._touched[file] & {*edited.places}
        return places.pop() if len(places) == 1 else None

    def _verdicts(self, run: CurrentRun, file: int, place: str) -> Iterator[tuple[int, CaseVerdict]]:
        shown = self._files.by_number.get(file)
        return run.of_golden(run.path_of(shown), place) if shown is not None else iter(())

    def _follow_places(self, run: CurrentRun, path: str, steps: Sequence[ValueStep]) -> None:
        """Move verdicts with their cases."""
        now = all_after(run.golden_places(path), steps)
        run.follow(path, {place: moved or "" for place, moved in now.items() if place != (moved or "")})

    def _judged(self, run: CurrentRun, number: int, verdict: CaseVerdict) -> Judged | None:
        traces = (file for file in self._files.by_number.values() if str(file.path) == verdict.trace_path)
        file = next(traces, None)
        top = run.on(file).row_at(verdict.trace_place, verdict.trace_id or "") if file is not None else TOP
        if file is None or top == TOP:
            return None
        bodies = bodies_of(file.table, top)
        described = Bodies(str(file.path), file.format, len(bodies), file.digest)
        return Judged(self._number, number, verdict, described, bodies)


class _LateVerdicts(Struct):
    """Verdicts that arrive on goldens that were edited since the run began: scored again one at a time.

    So an edit never waits for more than one of them, however many arrive together. `put` asks the process in which
    goldens are edited.
    """

    put: Callable[[Task], None]
    _waiting: deque[_Make] = field(default_factory=deque)
    _asked: bool = False
    _going_on: bool = False

    @property
    def wait(self) -> bool:
        """Whether any verdicts are waiting."""
        return bool(self._waiting) and not self._asked

    def add(self, make: _Make) -> None:
        """Add a verdict for a later `go_on`."""
        self._waiting.append(make)

    def clear(self) -> None:
        """Drop all: their run is not shown any more."""
        self._waiting.clear()

    def go_on(self) -> None:
        """Ask for the next one, unless one is under way. In a loop, because thousands may need no request."""
        if self._going_on:
            return
        self._going_on = True
        while self._waiting and not self._asked:
            self._asked = True
            task = self._waiting.popleft()(self._answered)
            if task is not None:
                self.put(task)
            else:
                self._asked = False
        self._going_on = False

    def _answered(self, _answer: Answer) -> None:
        self._asked = False
        self.go_on()


def _as_edited(verdict: CaseVerdict, now: Mapping[str, str | None], touched: Container[str]) -> CaseVerdict:
    place = now[verdict.golden_place] or ""
    verdict = verdict if place == verdict.golden_place else replace(verdict, golden_place=place)
    return stale_verdict(verdict) if place in touched else verdict
