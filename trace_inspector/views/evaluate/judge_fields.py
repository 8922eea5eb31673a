"""The judge: kind, model, endpoint, and a button that tests whether it answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from trace_inspector.flows.judges.selection import (
    CONFIGURED,
    DEFAULT_ENDPOINT,
    DEFAULT_MODEL,
    GEMINI,
    NONE,
    OPENAI,
    RECORDED,
    JudgeChoice,
    without_login,
)
from trace_inspector.models.base.translation import tr
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.widgets.controls import Button, ButtonKind, Label, MarkLabel
from trace_inspector.views.widgets.fields import Choice, Form, LineField
from trace_inspector.work.processes.jobs import Job, Jobs, JobState
from trace_inspector.work.runs.key_work import Tried, ask_once

TRYING = "trying a judge"


class JudgeFields(QWidget):
    """Shows the choice and reports changes. `recorded` is the file of replies where there is one."""

    def __init__(
        self, theme: Theme, jobs: Jobs, changed: Callable[[JudgeChoice], object], recorded: str = ""
    ) -> None:
        super().__init__()
        self._jobs = jobs
        self._changed = changed
        self._judge = JudgeChoice()
        self._job = 0
        self.form = Form(theme)
        self._recorded = recorded
        self.kind = Choice[str](theme, tr("Judge"), _kinds(recorded), self._pick)
        self.model = LineField(theme, tr("Model"), lambda text: self._set(replace(self._judge, model=text)), "")
        self.endpoint = LineField(
            theme,
            tr("Endpoint"),
            lambda text: self._set(replace(self._judge, endpoint=without_login(text))),
            DEFAULT_ENDPOINT,
        )
        self.test = Button(theme, tr("Test"), ButtonKind.FRAMED, clicked=self._test)
        self.outcome = Label(theme, font="secondary", ink="text2", wrap=True)
        self._passed, self._failed = MarkLabel(theme, "same", 14), MarkLabel(theme, "warning", 14)
        answer = QWidget()
        row = QHBoxLayout(answer)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.test, 0, Qt.AlignmentFlag.AlignTop)
        for mark in (self._passed, self._failed):
            mark.hide()
            row.addWidget(mark)
        row.addWidget(self.outcome, 1)
        self.form.add(tr("Judge"), self.kind)
        self.form.add(tr("Model"), self.model)
        self.form.add(tr("Endpoint"), self.endpoint)
        self.form.add_below(answer)
        self._answer = answer
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self.form)

    def show_judge(self, judge: JudgeChoice) -> None:
        """Show a choice without reporting a change."""
        if judge != self._judge:
            self._forget_answer()
        self._judge = judge
        self.kind.choose(judge.kind)
        self.model.show_text(judge.model)
        self.model.setPlaceholderText(DEFAULT_MODEL if judge.kind != OPENAI else tr("the model's name on the server"))
        self.endpoint.show_text(judge.endpoint)
        self.form.show_row(self.model, shown=judge.kind in (GEMINI, OPENAI))
        self.form.show_row(self.endpoint, shown=judge.kind == OPENAI)
        self._answer.setVisible(judge.live)

    def stop(self) -> None:
        """Stop waiting for an answer."""
        number, self._job = self._job, 0
        if number:
            self._jobs.stop(number)

    def _pick(self, kind: str) -> None:
        recorded = self._recorded if kind == RECORDED else ""
        self._set(replace(self._judge, kind=kind, recorded=recorded, model="", endpoint=""))

    def _set(self, judge: JudgeChoice) -> None:
        self.show_judge(judge)
        self._changed(judge)

    def _test(self) -> None:
        if self._job:
            self.stop()
            return
        self._show_outcome(tr("Asking {0} one small question…").format(self._judge.who))
        self.test.setText(tr("Cancel"))
        self._job = self._jobs.start(
            TRYING,
            tr("Testing {0}").format(self._judge.who),
            ask_once,
            (self._judge,),
            receive=self._take,
            end=self._end,
            latest=True,
        )

    def _take(self, tried: Tried) -> None:
        self._show_outcome(tried.sentence, answered=tried.answered)

    def _end(self, job: Job) -> None:
        self._job = 0
        self.test.setText(tr("Test"))
        if job.state is JobState.STOPPED:
            self._show_outcome(tr("The test was cancelled."))
        elif job.sentence:
            self._show_outcome(job.sentence, answered=False)

    def _show_outcome(self, sentence: str, *, answered: bool | None = None) -> None:
        self.outcome.setText(sentence)
        self._passed.setVisible(answered is True)
        self._failed.setVisible(answered is False)

    def _forget_answer(self) -> None:
        self.stop()
        self._show_outcome("")


def _kinds(recorded: str) -> Sequence[tuple[str, str]]:
    kinds = [
        (tr("None: criteria that need a judge do not run"), NONE),
        (tr("Gemini"), GEMINI),
        (tr("OpenAI-compatible endpoint"), OPENAI),
        (tr("As set in the environment"), CONFIGURED),
    ]
    return [*kinds[:1], (tr("Recorded replies of the samples"), RECORDED), *kinds[1:]] if recorded else kinds
