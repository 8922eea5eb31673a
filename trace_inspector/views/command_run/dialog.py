"""“Run a command and reload”: shows exactly what will run and where; its output is plain text, Stop ends it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QFileDialog, QGridLayout, QHBoxLayout, QLineEdit, QPlainTextEdit, QVBoxLayout

from trace_inspector.core.errors import UsageError
from trace_inspector.models.base.translation import tr
from trace_inspector.models.runs.command_run import CommandRun, CommandState
from trace_inspector.views.widgets.controls import Button, ButtonKind, Label, MarkLabel
from trace_inspector.views.widgets.dialog_frame import Dialog
from trace_inspector.views.window_context.desk import Desk
from trace_inspector.work.runs.shell_command import split_command

NAME = "command-run"
SIZE_PX = (760, 520)
OUTPUT_LINES = 5_000  # that are shown; each is at most as long as the child lets it be
_MARKS = {
    CommandState.RUNNING: "pending",
    CommandState.DONE: "passed",
    CommandState.FAILED: "warning",
    CommandState.STOPPED: "skip",
}


def show_command_run(desk: Desk) -> None:
    """The dialog; it stays while its command runs, also when it is closed."""
    existing = desk.window.findChild(CommandDialog, NAME)
    dialog = existing or CommandDialog(desk)
    dialog.show()
    dialog.raise_()
    dialog.activateWindow()
    dialog.line.setFocus()


class CommandDialog(Dialog):
    """Not modal: the window can be used while the command runs."""

    enter_in_fields = True

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self._theme = theme = desk.theme
        self.setObjectName(NAME)
        self.setWindowTitle(tr("Run a command and reload"))
        self.run = CommandRun(desk.jobs, desk.workspace.files, desk.workspace.selection, desk.settings, self)
        self.line = QLineEdit(self.run.line)
        self.line.setPlaceholderText("adk eval my_agent my.evalset.json")
        self.line.setAccessibleName(tr("Command"))
        self.folder = QLineEdit(self.run.folder)
        self.folder.setAccessibleName(tr("Folder"))
        choose = Button(theme, tr("Choose…"), ButtonKind.LINK, clicked=self._choose)
        self.arguments = QPlainTextEdit()
        self.arguments.setObjectName("excerpt")
        self.arguments.setReadOnly(True)
        self.arguments.setTabChangesFocus(True)
        self.arguments.setFont(theme.fonts.data)
        self.arguments.setFixedHeight(96)
        self.arguments.setAccessibleName(tr("What will run"))
        self.output = QPlainTextEdit()
        self.output.setReadOnly(True)
        self.output.setTabChangesFocus(True)
        self.output.setUndoRedoEnabled(False)
        self.output.setMaximumBlockCount(OUTPUT_LINES)
        self.output.setFont(theme.fonts.data)
        self.output.setObjectName("excerpt")
        self.output.setAccessibleName(tr("Output"))
        self._sentence = Label(theme, font="secondary", ink="text2", wrap=True)
        self._mark = QHBoxLayout()
        self._start = Button(theme, tr("Run"), ButtonKind.FILLED, clicked=self._run)
        self._stop = Button(theme, tr("Stop"), ButtonKind.FRAMED, clicked=self.run.stop)
        self._lay_out(choose)
        for field in (self.line, self.folder):
            field.textChanged.connect(self._show_arguments)
        self.run.wrote.connect(self._write)
        self.run.changed.connect(self._follow)
        self.resize(*SIZE_PX)
        self._show_arguments()
        self._follow()

    def sizeHint(self) -> QSize:
        """Room for some lines of output."""
        return QSize(*SIZE_PX)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape stops the command; without one it closes the dialog."""
        if event.key() == Qt.Key.Key_Escape and self.run.state is CommandState.RUNNING:
            self.run.stop()
        else:
            super().keyPressEvent(event)

    def _lay_out(self, choose: Button) -> None:
        theme = self._theme
        box = QVBoxLayout(self)
        box.setContentsMargins(16, 16, 16, 12)
        box.setSpacing(8)
        safety = tr(
            "Runs your own command exactly as typed: without a shell, with your user rights, and it may "
            "use the network. Nothing in an opened file is ever run. If it exits with code 0, open files "
            "that it changed are read again."
        )
        box.addWidget(Label(theme, safety, ink="text2", wrap=True))
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        for row, (name, part) in enumerate(
            ((tr("Command"), self.line), (tr("Folder"), self.folder), (tr("Will run"), self.arguments))
        ):
            grid.addWidget(Label(theme, name, font="secondary", ink="text2"), row, 0, Qt.AlignmentFlag.AlignVCenter)
            grid.addWidget(part, row, 1)
        grid.addWidget(choose, 1, 2)
        box.addLayout(grid)
        box.addWidget(self.output, 1)
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addLayout(self._mark)
        foot.addWidget(self._sentence, 1, Qt.AlignmentFlag.AlignVCenter)
        foot.addWidget(self._stop)
        foot.addWidget(self._start)
        box.addLayout(foot)

    def _choose(self) -> None:
        name = QFileDialog.getExistingDirectory(self, tr("Folder to run in"), self.folder.text())
        if name:
            self.folder.setText(name)

    def _show_arguments(self) -> None:
        """Exactly what will run: one argument a line, so that nobody mistakes one for two."""
        try:
            parts = split_command(self.line.text())
        except UsageError as problem:
            self.arguments.setPlainText(str(problem))
            return
        self.arguments.setPlainText("\n".join(parts))

    def _run(self) -> None:
        self.output.clear()
        self.run.start(self.line.text(), self.folder.text())

    def _write(self, text: str) -> None:
        """At the end, without moving what somebody reads further up."""
        bar = self.output.verticalScrollBar()
        follows = bar.value() >= bar.maximum()
        cursor = QTextCursor(self.output.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText(text)
        if follows:
            bar.setValue(bar.maximum())

    def _follow(self) -> None:
        runs = self.run.state is CommandState.RUNNING
        self._start.setEnabled(not runs)
        self._stop.setEnabled(runs)
        self._sentence.setText(self.run.sentence)
        while (old := self._mark.takeAt(0)) is not None:
            widget = old.widget()
            if widget is not None:
                widget.deleteLater()
        if self.run.state in _MARKS:
            self._mark.addWidget(MarkLabel(self._theme, _MARKS[self.run.state], 16))
