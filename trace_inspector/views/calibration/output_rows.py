"""Outputs with what the judge and people say of them; Enter or a click opens one at its place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QVBoxLayout, QWidget

from trace_inspector.models.base.translation import tr
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.widgets.controls import Elided, Label

if TYPE_CHECKING:
    from trace_inspector.engine.calibration.calibration import Compared, JudgedOutput

MOST_ROWS = 50
_REASON_CHARS = 600
_MOST_NOTES = 8


class OutputRows(QWidget):
    """The rows that are asked for, and how many more there are."""

    def __init__(self, theme: Theme, opened: Callable[[JudgedOutput], object]) -> None:
        super().__init__()
        self._theme, self._opened = theme, opened
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(6)
        self.rows: list[OutputRow] = []

    def show_outputs(self, outputs: Sequence[Compared], total: int) -> None:
        """Show these instead of others, and how many of the total are not among them."""
        while (item := self._box.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self.rows = [OutputRow(self._theme, each, partial(self._opened, each.output)) for each in outputs[:MOST_ROWS]]
        for row in self.rows:
            self._box.addWidget(row)
        if total > len(self.rows):
            words = tr("{0} more are not listed.").format(f"{total - len(self.rows):,}")
            self._box.addWidget(Label(self._theme, words, font="secondary", ink="text2", wrap=True))


class OutputRow(QWidget):
    """One output, a tab stop."""

    def __init__(self, theme: Theme, compared: Compared, opened: Callable[[], object]) -> None:
        super().__init__()
        self._theme, self._opened = theme, opened
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        box = QVBoxLayout(self)
        box.setContentsMargins(12, 6, 12, 8)
        box.setSpacing(2)
        title = _title(compared.output)
        box.addWidget(Elided(theme, title, font="strong"))
        lines = [_line(tr("Judge"), compared.output.failed, compared.output.reason)]
        lines += [_line(rater or tr("People"), compared.people_failed, note) for rater, note in compared.notes]
        for line in lines[: 1 + _MOST_NOTES]:
            box.addWidget(Label(theme, line, font="secondary", ink="text2", wrap=True))
        self.setAccessibleName(". ".join((title, *lines)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter and Space open; arrows walk through the rows."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._opened()
        elif event.key() == Qt.Key.Key_Down:
            self.focusNextChild()
        elif event.key() == Qt.Key.Key_Up:
            self.focusPreviousChild()
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click opens."""
        if event.button() is Qt.MouseButton.LeftButton and self.rect().contains(event.pos()):
            self._opened()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """A card, framed with the focus."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            focused = self.hasFocus()
            painter.setPen(QPen(self._theme.color("accent" if focused else "border"), 2 if focused else 1))
            painter.setBrush(self._theme.color("raised"))
            painter.drawRoundedRect(self.rect().adjusted(1, 1, -1, -1), 6, 6)


def _title(output: JudgedOutput) -> str:
    asked = output.asked
    if asked is None:
        return output.place
    turn = tr("turn {0}").format(asked.turn + 1) if asked.turn is not None else ""
    return " · ".join(filter(None, (asked.case or asked.trace, turn, PurePath(asked.file).name)))


def _line(who: str, failed: bool, why: str) -> str:
    verdict = tr("fail") if failed else tr("pass")
    cut = why if len(why) <= _REASON_CHARS else f"{why[:_REASON_CHARS]}…"
    words = " ".join(cut.split())
    return f"{who}: {verdict} – {words}" if words else f"{who}: {verdict}"
