"""Verdicts on conversations that go on: what was said before is stale at once, and made anew when the file rests."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QObject, QTimer

from trace_inspector.core.verdict.stale import GREW, stale_verdict
from trace_inspector.core.verdict.verdict import CaseVerdict
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.evaluation.current_run import CurrentRun
from trace_inspector.models.evaluation.evaluation import Evaluation
from trace_inspector.models.evaluation.run_scope import Scope
from trace_inspector.models.evaluation.shown_run import ShownRun
from trace_inspector.models.files.files import Files
from trace_inspector.models.files.growth import Growth

REST_MS = 1_000


class GrownVerdicts(QObject):
    """Only what costs nothing is evaluated by itself: a judge is asked when a person asks for it."""

    def __init__(
        self, files: Files, growth: Growth, shown: ShownRun, evaluation: Evaluation, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._files, self._shown, self._evaluation = files, shown, evaluation
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(self._evaluate)
        growth.grew.connect(self._follow)

    def _follow(self, number: int, grown: list[int]) -> None:
        run, file = self._shown.value, self._files.get(number)
        if run is None or file is None or not grown:
            return
        stale = {
            index: stale_verdict(verdict, GREW)
            for index, verdict in _verdicts_on(run, file, grown)
            if verdict.reason != GREW
        }
        if stale:
            run.rescore(stale)
            self._shown.tell()
        self._rest.start()

    def _evaluate(self) -> None:
        run = self._shown.value
        if run is None:
            return
        if run.running:
            self._rest.start()
            return
        is_free = run.order is not None and not run.order.judge.live
        if is_free and any(verdict.reason == GREW for verdict in run.cases):
            self._evaluation.start(Scope.STALE, unasked=True)


def _verdicts_on(run: CurrentRun, file: OpenFile, tops: Iterable[int]) -> list[tuple[int, CaseVerdict]]:
    """The engine's verdicts on some conversations of a file, each with its index."""
    names = {file.table.name(top) for top in tops}
    path = run.path_of(file)
    return [
        (index, run.judged.get(index, verdict))
        for index, verdict in enumerate(run.cases)
        if verdict.trace_path == path and verdict.trace_id in names
    ]
