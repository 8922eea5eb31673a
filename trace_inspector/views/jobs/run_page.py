"""The page of the run: who works on it, how fast, what waits, how long it may take, what a judge was asked."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from trace_inspector.models.base.figures import seconds_text
from trace_inspector.models.base.roles import MARK_NAMES, MARK_OF
from trace_inspector.models.base.translation import tr
from trace_inspector.models.evaluation.current_run import CurrentRun
from trace_inspector.models.evaluation.evaluation import EVALUATING
from trace_inspector.views.blocks.blocks import facts, show_page
from trace_inspector.views.widgets.controls import Button, ButtonKind, Label, MarkLabel
from trace_inspector.views.widgets.empty_state import EmptyState
from trace_inspector.views.widgets.scroll_page import ScrollPage
from trace_inspector.views.window_context.desk import Desk
from trace_inspector.work.processes.jobs import Job, JobState
from trace_inspector.work.runs.evaluating import RunPace

EVERY_MS = 250  # often enough to be read

Row = tuple[str, str]


class RunPage(QWidget):
    """Follows the shown run while it can be seen. Its buttons, in the foot of the panel, are Esc and Shift+F5."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self.page = ScrollPage()
        self.page.setAccessibleName(tr("The run"))
        self.page.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # arrows scroll it where there is little room
        self._empty = EmptyState(
            desk.theme,
            tr("Nothing was evaluated yet."),
            tr("F5 evaluates what is open; how it goes on is shown here."),
        )
        self._stack = QStackedWidget()
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self.page)
        self.stop = Button(desk.theme, tr("Stop the run"), ButtonKind.LINK, clicked=lambda: desk.perform("stop"))
        self.resume = Button(
            desk.theme, tr("Resume the run"), ButtonKind.LINK, clicked=lambda: desk.perform("resume")
        )
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self._stack)
        self._later = QTimer(self, singleShot=True, interval=EVERY_MS)
        self._later.timeout.connect(self._show)
        desk.jobs.changed.connect(self._follow)
        desk.workspace.run.changed.connect(self._follow)
        self._show()

    def showEvent(self, event: QShowEvent) -> None:
        """What changed meanwhile."""
        super().showEvent(event)
        self._show()

    def _follow(self) -> None:
        if self.isVisible() and not self._later.isActive():
            self._later.start()

    def _show(self) -> None:
        run = self._desk.workspace.run.value
        is_running = run is not None and run.running
        self.stop.setEnabled(is_running)
        self.resume.setEnabled(run is not None and not run.running and bool(run.sentence))
        self._stack.setCurrentIndex(0 if run is None else 1)
        if run is not None:
            show_page(self.page, self._made(run), same_place=True)

    def _made(self, run: CurrentRun) -> QWidget:
        job = next((job for job in self._desk.jobs.jobs if job.kind == EVALUATING), None)
        theme, page = self._desk.theme, QWidget()
        page.setObjectName("page")
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(MarkLabel(theme, _mark(run), 16))
        head.addWidget(Label(theme, _title(run, job), font="strong", wrap=True), 1)
        box = QVBoxLayout(page)
        box.setContentsMargins(16, 10, 16, 12)
        box.setSpacing(8)
        box.addLayout(head)
        box.addWidget(facts(theme, [*rows(run, job)]))
        box.addStretch(1)
        return page


def rows(run: CurrentRun, job: Job | None) -> Iterator[Row]:
    """What is known of the run, in the order in which people ask."""
    pace = run.pace or RunPace()
    counts = run.counts()
    told = ", ".join(f"{counts[status]:,} {tr(MARK_NAMES[MARK_OF[status]])}" for status in MARK_OF if counts[status])
    if pace.cases:
        done = tr("{0:,} of {1:,}").format(pace.done, pace.cases)
        yield tr("Cases"), f"{done}: {told}" if told else done
    elif told:
        yield tr("Cases"), told
    if run.running and pace.cases > pace.done:
        waiting = pace.cases - pace.done
        yield tr("Waiting"), tr("1 case") if waiting == 1 else tr("{0:,} cases").format(waiting)
    if pace.seconds > 0 and pace.judged:
        yield tr("Rate"), tr("{0} cases a second").format(_figure(pace.judged / pace.seconds))
    if run.running and job is not None and job.left_s is not None:
        yield tr("Time left"), tr("about {0}").format(seconds_text(job.left_s))
    yield from _workers(pace)
    yield from _judge(pace)
    if run.sentence:
        yield tr("Ended"), run.sentence


def _workers(pace: RunPace) -> Iterator[Row]:
    if not pace.shards_given:
        return
    yield tr("Processes"), f"{pace.processes:,}"
    words = tr("{0:,} done, {1:,} in hand").format(pace.shards_taken, pace.shards_given - pace.shards_taken)
    yield tr("Portions"), words


def _judge(pace: RunPace) -> Iterator[Row]:
    """What a judge was asked so far, and of how much."""
    if not (pace.answers or pace.calls):
        return
    asked = tr("{0:,} questions answered").format(pace.answers)
    if pace.calls:
        asked = tr("{0:,} of {1:,} questions answered").format(pace.answers, pace.calls)
    yield tr("Judge"), asked
    if pace.sent_tokens or pace.received_tokens:
        spent = tr("{0:,} tokens sent, {1:,} received").format(pace.sent_tokens, pace.received_tokens)
        yield tr("Spent"), spent


def _title(run: CurrentRun, job: Job | None) -> str:
    if run.running:
        return job.title if job is not None and job.state is JobState.RUNNING else tr("The run begins")
    if run.sentence:
        return tr("The run was stopped or failed")
    return tr("The run is complete")


def _mark(run: CurrentRun) -> str:
    if run.running:
        return "pending"
    return "skip" if run.sentence else "passed"


def _figure(rate: float) -> str:
    return f"{rate:,.0f}" if rate >= 10 else f"{rate:.1f}"
