"""The line for finding text in what is shown: what to look for, how many there are, next and previous."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QToolButton, QWidget

from trace_inspector.models.base.translation import tr
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.widgets.controls import Label


class FindBar(QWidget):
    """Enter and F3 go on, with Shift back; Escape closes. The owner searches and reports the result."""

    typed = Signal(str)
    moved = Signal(int)
    closed = Signal()

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self.field = QLineEdit()
        self.field.setFont(theme.fonts.secondary)
        self.field.setPlaceholderText(tr("Find in {0}").format(name))
        self.field.setAccessibleName(tr("Find in {0}").format(name))
        self.count = Label(theme, font="secondary", ink="text2")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 2, 0, 2)
        row.setSpacing(4)
        row.addWidget(self.field, 1)
        row.addWidget(self.count)
        for icon, words, run in (
            ("up", tr("Previous"), lambda: self.moved.emit(-1)),
            ("down", tr("Next"), lambda: self.moved.emit(1)),
            ("x", tr("Close find"), self.close_bar),
        ):
            button = QToolButton()
            button.setIcon(theme.icon(icon, "text2"))
            button.setToolTip(words)
            button.setAccessibleName(words)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(run)
            row.addWidget(button)
        self.field.textChanged.connect(self.typed)
        self.hide()

    def open_bar(self) -> None:
        """Ready to type; the last query is selected."""
        self.show()
        self.field.setFocus()
        self.field.selectAll()

    def close_bar(self) -> None:
        """Close the bar and end the search."""
        self.hide()
        self.closed.emit()

    def show_position(self, index: int, count: int, *, more: bool) -> None:
        """Show the index and the count; `more` while the search runs, or has too many to count."""
        if not self.field.text():
            self.count.setText("")
            return
        plus = "+" if more else ""
        self.count.setText(tr("{0} of {1}").format(index + 1, f"{count:,}{plus}") if count else tr("none"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter, F3 and Escape."""
        back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F3):
            self.moved.emit(-1 if back else 1)
        elif event.key() == Qt.Key.Key_Escape:
            self.close_bar()
        else:
            super().keyPressEvent(event)
