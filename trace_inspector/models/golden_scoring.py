"""Verdicts of the run shown, while its goldens are edited: what the child that edits is told, and what it says."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from trace_inspector.core.outdated import outdated
from trace_inspector.core.value_edits import Put, Step
from trace_inspector.core.verdict import CaseVerdict
from trace_inspector.models.edited_file import EditedFile, bodies_of
from trace_inspector.models.evaluation import Evaluation
from trace_inspector.models.files import Files
from trace_inspector.models.late_verdicts import Ask, LateVerdicts
from trace_inspector.models.row_table import TOP
from trace_inspector.models.rows_behind import all_after
from trace_inspector.models.run import CurrentRun
from trace_inspector.work.golden_requests import GroundTold, Judged, Stand
from trace_inspector.work.rebuilding import Bodies


class GoldenScoring:
    """Keeps what the child was told of the run. Verdicts of which it was not told in time are out of date."""

    def __init__(self, files: Files, evaluation: Evaluation, edited: Mapping[int, EditedFile], ask: Ask) -> None:
        self._files = files
        self._evaluation = evaluation
        self._edited = edited
        self._run: CurrentRun | None = None
        self._number = 0
        self._told = False
        self._known: set[int] = set()  # the run's verdicts that the child knows
        self._touched: dict[int, set[str]] = {}  # by file, cases that changed since the run began
        self._moves: dict[int, list[Step]] = {}  # by file, all steps by which cases went elsewhere since
        self._late = LateVerdicts(ask)
        evaluation.changed.connect(self._follow)
        evaluation.arriving = self.as_edited

    def ground(self) -> GroundTold | None:
        """What the child must hear of the run before anything else; None when it knows."""
        run = self._run
        if run is None or run.ground is None or self._told:
            return None
        self._told = True
        return GroundTold(self._number, run.ground, edited=any(self._touched.values()) or bool(self._moves))

    def judged(self, file: int, places: Sequence[str]) -> tuple[Judged, ...]:
        """The verdicts on cases that are about to change, those that the child does not know."""
        run = self._run
        if run is None or run.ground is None:
            return ()
        touched = self._touched.get(file, set())
        found = [
            judged
            for place in places
            if place not in touched
            for at, verdict in self._verdicts(run, file, place)
            if at not in self._known and (judged := self._judged(run, at, verdict)) is not None
        ]
        self._known |= {one.at for one in found}
        return tuple(found)

    def take(self, stand: Stand) -> None:
        """Cases changed, and with them what the run says of them; where nobody knows what, it is out of date."""
        run, shown = self._run, self._files.by_number.get(stand.file)
        if run is None or shown is None:
            return
        before = self._touched.get(stand.file, set())
        now = {moved for moved in all_after(before, stand.steps).values() if moved is not None}
        self._touched[stand.file] = now | {case.place for case in stand.cases}
        if not all(isinstance(step, Put) for step in stand.steps):  # most edits leave every case where it is
            self._moves.setdefault(stand.file, []).extend(stand.steps)
            self._follow_places(run, run.path_of(shown), stand.steps)
        said = {one.at: one.verdict for one in stand.rescored if one.run == self._number}
        for case in stand.cases:
            for at, verdict in self._verdicts(run, stand.file, case.place):
                if at not in said and at not in self._known:
                    said[at] = outdated(verdict)
        if said:
            run.rescore(said, stand.metrics)
            self._evaluation.changed.emit()

    def as_edited(self, run: CurrentRun, cases: Sequence[CaseVerdict]) -> Sequence[CaseVerdict]:
        """Verdicts that arrive on goldens that were edited since the run began: where they stand, and out of date.

        Those are judged again as soon as the child comes to them.
        """
        self._follow()
        edited = {
            run.path_of(file): number for number in self._touched if (file := self._files.by_number.get(number))
        }
        if run is not self._run or not edited:
            return cases
        for path, number in edited.items():
            places = {one.golden_place for one in cases if one.golden_path == path}
            now = all_after(places, self._moves.get(number, ()))
            touched = self._touched[number]
            for at, one in enumerate(cases, len(run.cases)):
                if one.golden_path == path and now[one.golden_place] in touched and number in self._edited:
                    self._late.add(number, partial(self._arrived_late, run, number, at, one))
            cases = [_as_edited(one, now, touched) if one.golden_path == path else one for one in cases]
        return cases

    def forget(self) -> None:
        """The child knows nothing any more; what it judged of changed cases is out of date with the next change."""
        self._told, self._known = False, set()

    def _follow(self) -> None:
        run = self._evaluation.run
        if run is not self._run:
            self._run, self._told, self._known, self._touched, self._moves = run, False, set(), {}, {}
            self._number += 1
            self._late.clear()

    def _arrived_late(self, run: CurrentRun, file: int, at: int, verdict: CaseVerdict) -> Judged | None:
        is_shown = run is self._run and file in self._edited
        judged = self._judged(run, at, verdict) if is_shown and at not in self._known else None
        self._known |= {at} if judged is not None else set()
        return judged

    def _verdicts(self, run: CurrentRun, file: int, place: str) -> Iterator[tuple[int, CaseVerdict]]:
        shown = self._files.by_number.get(file)
        return run.of_golden(run.path_of(shown), place) if shown is not None else iter(())

    def _follow_places(self, run: CurrentRun, path: str, steps: Sequence[Step]) -> None:
        """Verdicts on cases that stand elsewhere now."""
        now = all_after(run.golden_places(path), steps)
        run.follow(path, {place: moved or "" for place, moved in now.items() if place != (moved or "")})

    def _judged(self, run: CurrentRun, at: int, verdict: CaseVerdict) -> Judged | None:
        traces = (file for file in self._files.by_number.values() if str(file.path) == verdict.trace_path)
        file = next(traces, None)
        top = run.on(file).row_at(verdict.trace_place, verdict.trace_id or "") if file is not None else TOP
        if file is None or top == TOP:
            return None
        bodies = bodies_of(file.table, top)
        told = Bodies(str(file.path), file.format, len(bodies), file.digest)
        return Judged(self._number, at, verdict, told, bodies)


def _as_edited(verdict: CaseVerdict, now: Mapping[str, str | None], touched: Container[str]) -> CaseVerdict:
    place = now[verdict.golden_place] or ""
    verdict = verdict if place == verdict.golden_place else replace(verdict, golden_place=place)
    return outdated(verdict) if place in touched else verdict
