"""Overruling: what people decided instead of a verdict, beside the original, and the form for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QToolButton,
    QWidget,
)

from trace_inspector.core.translatable import N_
from trace_inspector.core.verdict.verdict import Provenance, Status
from trace_inspector.models.base.roles import MARK_NAMES, MARK_OF
from trace_inspector.models.base.translation import tr
from trace_inspector.models.runs.overruling import CHOICES, Overruling, Target
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.widgets.controls import Button, ButtonKind, Label, MarkLabel, Tag, TagKind
from trace_inspector.views.widgets.fields import Choice

LONGEST_NOTE = 2_000
KEY = "Ctrl+J"
_WORDS = {Status.PASSED: "Passed", Status.FAILED: N_("Failed"), Status.NOT_EVALUATED: N_("Not judged")}


class Draft(Struct):
    """The contents of the form; they outlive it, because it is rebuilt with its page."""

    metric: str | None = None
    status: Status | None = None
    note: str = ""


class OverruleForm(QFrame):
    """Which verdict, what instead, and why. Enter overrules, Escape does not."""

    closed = Signal()

    def __init__(self, theme: Theme, overruling: Overruling, targets: Sequence[Target], draft: Draft) -> None:
        super().__init__()
        self._theme = theme
        self._overruling = overruling
        self._targets = list(targets)
        self._draft = draft
        self.setObjectName("panel")
        self.setAccessibleName(tr("Overrule a verdict"))
        entries = [
            (tr("{0}, now {1}").format(target.title, MARK_NAMES[MARK_OF[target.status]]), index)
            for index, target in enumerate(targets)
        ]
        self._what = Choice[int](theme, tr("Verdict to overrule"), entries, lambda _at: self._turn())
        chosen = next((index for index, target in enumerate(self._targets) if target.metric == draft.metric), 0)
        self._what.choose(chosen)
        self._choices = {status: self._choice(status) for status in CHOICES}
        self.note = QLineEdit(draft.note)
        self.note.setMaxLength(LONGEST_NOTE)
        self.note.setPlaceholderText(tr("Why? The note is stored with the run."))
        self.note.setAccessibleName(tr("Note"))
        self.note.textChanged.connect(self._write)
        self.note.returnPressed.connect(self._overrule)
        self._done = Button(theme, tr("Overrule"), ButtonKind.FILLED, clicked=self._overrule)
        leave = Button(theme, tr("Cancel"), ButtonKind.LINK, clicked=self.closed.emit)
        self._lay_out(theme, leave)
        if draft.status is None:
            self._turn()
        self._refresh()
        QTimer.singleShot(0, self.note, self.note.setFocus)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape leaves everything as it is."""
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)

    def _lay_out(self, theme: Theme, leave: QWidget) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(12, 8, 12, 8)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        choices = QHBoxLayout()
        choices.setSpacing(0)
        for button in self._choices.values():
            choices.addWidget(button)
        choices.addStretch(1)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addStretch(1)
        buttons.addWidget(leave)
        buttons.addWidget(self._done)
        for row, (name, part) in enumerate(((tr("What"), self._what), (tr("Note"), self.note)), 0):
            grid.addWidget(Label(theme, name, font="secondary", ink="text2"), 2 * row, 0)
            grid.addWidget(part, 2 * row, 1)
        grid.addLayout(choices, 1, 0, 1, 2)
        grid.addLayout(buttons, 3, 1)

    def _choice(self, status: Status) -> QToolButton:
        button = QToolButton()
        button.setText(tr(_WORDS[status]))
        button.setProperty("frame", "thin")
        button.setCheckable(True)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.setAccessibleName(tr("Overrule as {0}").format(_WORDS[status].lower()))
        button.clicked.connect(lambda _checked: self._choose(status))
        group = self.findChild(QButtonGroup) or QButtonGroup(self)
        group.addButton(button)
        return button

    def _choose(self, status: Status) -> None:
        self._draft.status = status
        self._refresh()

    def _turn(self) -> None:
        """Another verdict: at first the opposite of what it is."""
        target = self._targets[self._what.value or 0]
        self._draft.metric = target.metric
        self._draft.status = Status.FAILED if target.status is Status.PASSED else Status.PASSED
        self._refresh()

    def _write(self, note: str) -> None:
        self._draft.note = note
        self._refresh()

    def _refresh(self) -> None:
        for status, button in self._choices.items():
            button.setChecked(status is self._draft.status)
        self._done.setEnabled(bool(self._draft.note.strip()))

    def _overrule(self) -> None:
        status = self._draft.status
        if status is None or not self._draft.note.strip():
            return
        target, note = self._targets[self._what.value or 0], self._draft.note
        self.closed.emit()
        self._overruling.overrule(target, status, note)


def overruled_rows(theme: Theme, overruling: Overruling, targets: Sequence[Target]) -> Iterator[QWidget]:
    """The overruled ones of these verdicts, each with the original and a button that withdraws it."""
    for target in targets:
        overruled = target.overruled
        if overruled is None:
            continue
        frame = QFrame()
        frame.setObjectName("panel")
        row = QHBoxLayout(frame)
        row.setContentsMargins(12, 6, 8, 6)
        row.setSpacing(8)
        row.addWidget(MarkLabel(theme, MARK_OF[target.status], 14), 0, Qt.AlignmentFlag.AlignTop)
        words = tr("{0}: {1}, originally {2}.").format(
            target.title, *(MARK_NAMES[MARK_OF[status]] for status in (target.status, overruled.status))
        )
        reason = overruled.note or (
            tr("This verdict follows from one that a person overruled.") if overruled.follows else ""
        )
        row.addWidget(Label(theme, f"{words} {reason}".strip(), wrap=True), 1)
        if overruled.follows:
            row.addWidget(Tag(theme, Provenance.DERIVED.value, TagKind.DASHED), 0, Qt.AlignmentFlag.AlignTop)
        else:
            row.addWidget(Tag(theme, Provenance.HUMAN.value, TagKind.HUMAN), 0, Qt.AlignmentFlag.AlignTop)
            row.addWidget(_withdraw(theme, overruling, target), 0, Qt.AlignmentFlag.AlignTop)
        yield frame


def overrule_button(theme: Theme, clicked: Callable[[], object], *, narrow: bool) -> QToolButton:
    """The way into the form; where words have no room, a drawing."""
    button = QToolButton()
    button.setText(tr("Overrule…"))
    button.setProperty("frame", "icon" if narrow else "thin")
    if narrow:
        button.setIcon(theme.icon("judge", "text2"))
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    button.setAccessibleName(tr("Overrule this verdict"))
    button.setToolTip(tr("Overrule this verdict ({0})").format(KEY))
    button.clicked.connect(lambda _checked: clicked())
    return button


def _withdraw(theme: Theme, overruling: Overruling, target: Target) -> Button:
    button = Button(theme, tr("Withdraw"), ButtonKind.LINK, clicked=lambda: overruling.withdraw(target))
    button.setAccessibleName(tr("Withdraw the overruling of {0}").format(target.title))
    return button
