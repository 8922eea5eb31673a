"""The head of the Golden tab: the golden's name and place, unsaved edits, and the button that promotes."""

from __future__ import annotations

from PySide6.QtGui import QAction, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from trace_inspector.core.trace.summary import one_line
from trace_inspector.models.base.translation import tr
from trace_inspector.models.golden.context import GoldenContext
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.golden.strip import NARROW_PX
from trace_inspector.views.widgets.controls import Button, Elided, Label
from trace_inspector.views.window_context.desk import Desk


class GoldenHead(QWidget):
    """Two lines; the button is shown where promoting is possible."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        theme = desk.theme
        self._desk = desk
        self._title = Elided(theme, "", font="title")
        self._where = Elided(theme, "", font="secondary", ink="text2")
        self._dot = _Dot(theme)
        self._edits = Label(theme, font="secondary", ink="text2")
        self._problem = Label(theme, font="secondary", ink="warn", wrap=True)
        self._problem.hide()
        self.promote = Button(theme, tr("Promote…"), key="Ctrl+G", clicked=self._promote)
        self.promote.setAccessibleName(tr("Promote observed…"))
        box = QVBoxLayout(self)
        box.setContentsMargins(12, 10, 12, 8)
        box.setSpacing(2)
        first = QHBoxLayout()
        first.setSpacing(8)
        first.addWidget(_Star(theme))
        first.addWidget(self._title, 1)
        first.addWidget(self.promote)
        box.addLayout(first)
        second = QHBoxLayout()
        second.setSpacing(6)
        second.addWidget(self._where)
        second.addWidget(self._dot)
        second.addWidget(self._edits)
        second.addStretch(1)
        box.addLayout(second)
        box.addWidget(self._problem)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The title gets the room where there is little."""
        super().resizeEvent(event)
        self.promote.setText(tr("Promote observed…") if event.size().width() >= NARROW_PX else tr("Promote…"))

    @property
    def words(self) -> tuple[str, str, str]:
        """Title, place, and what is not saved."""
        return self._title.text(), self._where.text(), self._edits.text()

    def show_golden(self, context: GoldenContext) -> None:
        """Show the golden's name and place."""
        count = len(context.case.turns)
        title = tr("Golden for turn {0}").format(context.index + 1) if context.index is not None else ""
        self._title.setText(title or tr("Golden case, {0} turns").format(count))
        place = context.turn_place or context.place
        within = place[len(context.place) :].strip("/") if context.turn_place else ""
        steps = [context.file.path.name, context.case.id or context.case.title, _spoken(within)]
        self._where.setText(" › ".join(one_line(step, 80) for step in steps if step))
        edited = context.goldens.edited(context.file.number)
        edits = edited.unsaved if edited is not None else 0
        text = tr("1 unsaved edit") if edits == 1 else tr("{0:,} unsaved edits").format(edits)
        self._edits.setText(text if edits else "")
        self._edits.setVisible(edits > 0)
        self._dot.setVisible(edits > 0)
        problem = edited.problem if edited is not None else ""
        self._problem.setText(problem)
        self._problem.setVisible(bool(problem))
        action = self._action()
        self.promote.setVisible(action is not None)
        self.promote.setEnabled(action is not None and action.isEnabled())

    def _action(self) -> QAction | None:
        action = self._desk.window.findChild(QAction, "promote")
        return action if isinstance(action, QAction) else None

    def _promote(self) -> None:
        action = self._action()
        if action is not None:
            action.trigger()


def _spoken(place: str) -> str:
    """A place below a case as people write it: conversation[1]."""
    text = ""
    for token in place.split("/"):
        text += f"[{token}]" if token.isdigit() else f".{token}" if text else token
    return text


class _Dot(QWidget):
    """There are edits that are not saved."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setFixedSize(10, 16)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """A disc in the accent colour."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setBrush(self._theme.color("accent"))
            painter.setPen(self._theme.color("accent"))
            painter.drawEllipse(2, 5, 6, 6)


class _Star(QWidget):
    """The golden side's own drawing, in its colour."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setFixedSize(16, 20)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The star."""
        with QPainter(self) as painter:
            self._theme.icons.paint(painter, "star", self._theme.tokens.golden, 0, self.height() / 2, 16)
