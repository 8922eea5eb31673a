"""The foot of the Golden tab: undo and redo by name, and what a save would change."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QBoxLayout, QFrame, QPlainTextEdit

from trace_inspector.core.trace.summary import one_line
from trace_inspector.models.base.translation import tr
from trace_inspector.models.golden.sessions import Goldens
from trace_inspector.views.golden.fields.small_button import SmallButton
from trace_inspector.views.widgets.controls import Button, ButtonKind, Label
from trace_inspector.views.widgets.dialog_frame import show_inside
from trace_inspector.views.window_context.desk import Desk
from trace_inspector.work.golden.requests import Lines

REST_MS = 350  # the lines are counted while nobody types
_WORDS = 34
_LINE_CHARS = 2_000


class GoldenFoot(QFrame):
    """Counts the changed lines again after each pause in typing."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.setObjectName("golden-foot")
        theme = desk.theme
        self._desk = desk
        self._file = 0
        self._revision: tuple[int, int] = (0, -1)
        self.undo = SmallButton(theme, "undo", desk.undo.undo, key="Ctrl+Z")
        self.redo = SmallButton(theme, "redo", desk.undo.redo)
        self._summary = Label(theme, font="secondary", ink="text2")
        self.show_change = Button(theme, tr("Show the change"), ButtonKind.LINK, clicked=self._show)
        row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        row.setContentsMargins(12, 4, 12, 4)
        row.setSpacing(8)
        row.addWidget(self.undo)
        row.addWidget(self.redo)
        row.addStretch(1)
        row.addWidget(self._summary)
        row.addWidget(self.show_change)
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(self._count)
        self._later = QTimer(self, singleShot=True, interval=0)  # the stack still emits while it is destroyed
        self._later.timeout.connect(self._steps)
        desk.undo.indexChanged.connect(self._soon)
        self._steps()

    @property
    def summary(self) -> str:
        """How much a save would change."""
        return self._summary.text()

    @property
    def _goldens(self) -> Goldens:
        return self._desk.workspace.goldens

    def show_file(self, number: int) -> None:
        """Show the changes of that file; 0 is none."""
        self._file = number
        edited = self._goldens.edited(self._file)
        changed = edited is not None and edited.is_changed
        self.show_change.setVisible(changed)
        if edited is None or not changed:
            self._summary.setText("")
            self._revision = (0, -1)
            self._rest.stop()
        elif self._revision != (self._file, edited.revision):
            self._rest.start()
        self._steps()

    def _soon(self) -> None:
        self._later.start()

    def _steps(self) -> None:
        stack = self._desk.undo
        undo, redo = _named(stack.undoText()), _named(stack.redoText())
        self.undo.set_label(tr("Undo: {0}").format(undo) if undo else tr("Undo"), enabled=stack.canUndo())
        self.redo.set_label(tr("Redo"), enabled=stack.canRedo(), tip=redo)

    def _count(self) -> None:
        edited = self._goldens.edited(self._file)
        if edited is None or not edited.is_changed or not self.isVisible():
            return
        if self._goldens.busy:
            self._rest.start()
            return
        self._revision = (self._file, edited.revision)
        self._goldens.lines(self._file, self._take)

    def _take(self, lines: Lines) -> None:
        if lines.file == self._file:
            words = tr("Changes 1 line") if lines.count == 1 else tr("Changes {0:,} lines").format(lines.count)
            self._summary.setText(words)

    def _show(self) -> None:
        file = self._desk.workspace.files.get(self._file)
        if file is not None:
            name = file.path.name
            then: Callable[[Lines], None] = lambda lines: show_lines(self._desk, name, lines)  # noqa: E731
            self._goldens.lines(self._file, then)


def _named(text: str) -> str:
    line = one_line(text, _WORDS)
    return line[:1].lower() + line[1:]


def show_lines(desk: Desk, name: str, lines: Lines) -> None:
    """Open the list of what a save would change, line by line, as plain text."""
    text = QPlainTextEdit(listed(lines))
    text.setObjectName("excerpt")
    text.setReadOnly(True)
    text.setTabChangesFocus(True)
    text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
    text.setFont(desk.theme.fonts.data)
    text.setAccessibleName(tr("Changed lines"))
    show_inside(
        desk.theme, desk.window, tr("What saving changes in {0}").format(one_line(name, 60)), text, (760, 480)
    )


def listed(lines: Lines) -> str:
    """Each changed line with its number: before it “-”, after it “+”."""
    texts = []
    for number, before, after in lines.lines:
        texts += [
            f"{number:>6} {sign} {line.rstrip()[:_LINE_CHARS]}"
            for sign, line in (("-", before), ("+", after))
            if line
        ]
    if lines.count > len(lines.lines):
        texts.append(tr("… and {0:,} more lines").format(lines.count - len(lines.lines)))
    return "\n".join(texts) or tr("Nothing would change.")
