"""The key of a judge: kept in the system's keyring, never shown, never in the settings."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from trace_inspector.flows.judges.selection import GEMINI, OPENAI, JudgeChoice, variable_named
from trace_inspector.models.base.translation import tr
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.widgets.controls import Button, ButtonKind, Label
from trace_inspector.views.widgets.fields import LineField
from trace_inspector.work.processes.jobs import Job, Jobs
from trace_inspector.work.runs.key_work import KeyState, find_key, put_key

KEYRING = "keyring"


class KeyFields(QWidget):
    """A field for a key, and a sentence about where the judge's key comes from."""

    def __init__(self, theme: Theme, jobs: Jobs) -> None:
        super().__init__()
        self._jobs = jobs
        self._judge = JudgeChoice()
        self._job = 0
        hint = tr("Paste a key to store it in the system’s keyring")
        self.field = LineField(theme, tr("Key"), lambda _key: None, hint)
        self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.field.textChanged.connect(self._refresh)
        self.field.returnPressed.connect(self._store)
        self.keep = Button(theme, tr("Store"), clicked=self._store)
        self.forget = Button(theme, tr("Delete the stored key"), ButtonKind.LINK, clicked=lambda: self._put(b""))
        self.status = Label(theme, font="secondary", ink="text2", wrap=True)
        self._state = KeyState()
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.field, 1)
        row.addWidget(self.keep)
        below = QHBoxLayout()
        below.addWidget(self.status, 1)
        below.addWidget(self.forget)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(4)
        box.addLayout(row)
        box.addLayout(below)
        self._refresh()

    def show_judge(self, judge: JudgeChoice) -> None:
        """Show the key of that judge."""
        if judge.account == self._judge.account:
            return
        self._judge = judge
        self.field.clear()
        if judge.kind in (GEMINI, OPENAI):
            self._ask(find_key, (judge,))

    def stop(self) -> None:
        """Stop waiting for the keyring; a key that was typed and not stored is dropped."""
        self.field.clear()
        number, self._job = self._job, 0
        if number:
            self._jobs.stop(number)

    def _store(self) -> None:
        key = self.field.text().strip()
        if key:
            self.field.clear()
            self._put(key.encode())

    def _put(self, key: bytes) -> None:
        self._ask(put_key, (self._judge,), key)

    def _ask(self, function: Callable[..., None], arguments: tuple[object, ...], key: bytes = b"") -> None:
        self._state = KeyState()
        self.status.setText(tr("Reading the keyring…"))
        self._job = self._jobs.start(
            KEYRING,
            tr("Reading the keyring"),
            function,
            arguments,
            payload=(key,) if key else (),
            receive=self._take,
            end=self._end,
            latest=True,
        )
        self._refresh()

    def _take(self, state: KeyState) -> None:
        self._state = state
        self.status.setText(_sentence(state, self._judge))

    def _end(self, job: Job) -> None:
        if job.number == self._job or not self._job:
            self._job = 0
            if job.sentence:
                self.status.setText(job.sentence)
            self._refresh()

    def _refresh(self) -> None:
        self.keep.setEnabled(bool(self.field.text().strip()) and not self._job)
        self.forget.setVisible(self._state.kept)


def _sentence(state: KeyState, judge: JudgeChoice) -> str:
    if state.variable:
        return tr("The key in the environment variable {0} is used.").format(state.variable)
    if state.kept:
        return tr("A key is stored in the keyring.")
    if state.problem:
        return tr("{0} Set the key in the environment variable {1}.").format(state.problem, variable_named(judge))
    return tr("No key is stored. Paste one, or set the environment variable {0}.").format(variable_named(judge))
