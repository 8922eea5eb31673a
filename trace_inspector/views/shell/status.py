"""The status bar: jobs, their progress and remaining time; at the right the last message."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication, QProgressBar, QStatusBar, QWidget

from trace_inspector.models.base.translation import tr
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.saving.saved_state import SavedState
from trace_inspector.views.widgets.controls import Elided, Label
from trace_inspector.work.processes.jobs import Job, Jobs, JobState

HEIGHT_PX = 28
STEPS = 1000


class StatusBar(QStatusBar):
    """Shows no progress while nothing runs."""

    def __init__(self, theme: Theme, workspace: Workspace, jobs: Jobs) -> None:
        super().__init__()
        self._jobs = jobs
        self.setSizeGripEnabled(False)
        self.setFixedHeight(HEIGHT_PX)
        self.setContentsMargins(12, 0, 12, 0)
        self._work = Elided(theme, tr("Ready. No file is open."), font="secondary", ink="text2")
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setRange(0, STEPS)
        self._bar.setFixedSize(104, 6)
        self._bar.setAccessibleName(tr("Progress"))
        self._remaining = Label(theme, font="secondary", ink="text2")
        self._judge = Label(theme, font="secondary", ink="text2")
        self._message = Elided(theme, font="secondary", ink="text2")
        self._message.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.addWidget(self._work)
        self.addWidget(self._bar)
        self.addWidget(self._remaining)
        self.addWidget(self._judge)
        self.addPermanentWidget(self._message, 1)
        self.addPermanentWidget(SavedState(theme, workspace.saving))
        self._workspace = workspace
        workspace.messages.posted.connect(self.show_sentence)
        workspace.files.added.connect(self._refresh)
        workspace.files.closed.connect(self._refresh)
        workspace.evaluation.chosen.connect(self._name_judge)
        workspace.files.changed.connect(self._name_judge)
        jobs.changed.connect(self._refresh)
        self._name_judge()
        self._refresh()

    def show_sentence(self, sentence: str) -> None:
        """Show a sentence until the next one comes."""
        self._message.setText(sentence)
        self._message.setToolTip("")

    def message(self) -> str:
        """The sentence shown."""
        return self._message.text()

    def _name_judge(self, _number: int = 0) -> None:
        """Show the judge of the next run, or that the program is offline."""
        evaluation = self._workspace.evaluation
        offline = tr("offline") if evaluation.preferences.offline else ""
        who = evaluation.judge.who if evaluation.judge.kind else ""
        text = " · ".join(filter(None, (tr("Judge: {0}").format(who) if who else "", offline)))
        self._judge.setText(text)
        self._judge.setVisible(bool(text))

    def _refresh(self) -> None:
        running = [job for job in self._jobs.jobs if job.state is JobState.RUNNING]
        front = running[-1] if running else None
        fraction = front.fraction if front else None
        self._bar.setVisible(fraction is not None)
        # A bar paints itself at once, and with it everything else in the window that is due: let it wait its turn.
        self._bar.setUpdatesEnabled(False)
        self._bar.setValue(round((fraction or 0.0) * STEPS))
        self._bar.setUpdatesEnabled(True)
        self._remaining.setText(_remaining_time(front) if front else "")
        if front is None:
            count = len(self._workspace.files.in_order)
            idle = tr("Ready. No file is open.") if not count else tr("Ready. {0} open.").format(_files(count))
            self._work.setText(idle)
            return
        more = tr("{0} jobs · ").format(len(running)) if len(running) > 1 else ""
        self._work.setText(more + " · ".join(part for part in (front.title, front.note) if part))


class LongJobs(QObject):
    """Makes the window call for attention when a job ends that a person may have turned away from.

    The desktop shows that in its own way, until the window is active again; some do nothing. A tray icon for it would
    be one more thing on the screen.
    """

    LONG_S = 10

    def __init__(self, window: QWidget, jobs: Jobs, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(window)
        self._window = window
        self._jobs = jobs
        self._clock = clock
        self._began_s: dict[int, float] = {}
        self.call: Callable[[QWidget], None] = QApplication.alert
        jobs.changed.connect(self._look)

    def _look(self) -> None:
        now_s = self._clock()
        for job in self._jobs.jobs:
            if job.state is JobState.RUNNING:
                self._began_s.setdefault(job.number, now_s)
                continue
            began_s = self._began_s.pop(job.number, now_s)
            was_long = now_s - began_s >= self.LONG_S and job.state is not JobState.STOPPED
            if was_long and not self._window.isActiveWindow():
                self.call(self._window)


def _remaining_time(job: Job) -> str:
    if job.left_s is None:
        return ""
    if job.left_s < 1.5:
        return tr("about 1 s left")
    if job.left_s < 90:
        return tr("about {0} s left").format(round(job.left_s))
    return tr("about {0} min left").format(round(job.left_s / 60))


def _files(count: int) -> str:
    return tr("1 file is") if count == 1 else tr("{0} files are").format(count)
