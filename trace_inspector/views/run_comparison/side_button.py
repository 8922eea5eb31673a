"""One of the two runs in the head: its part, its name and a quiet word; pressed, it asks for another one."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from trace_inspector.models.base.tips import plain_tip
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.work.runs.comparison_messages import RunSide

HIGH_PX = 44
WIDEST_PX, LEAST_PX = 320, 120
BAR_PX = 3
PAD_PX = 12


class SideButton(QAbstractButton):
    """Its bar has the colour of the side: baseline or candidate."""

    def __init__(self, theme: Theme, part: str, ink: str, clicked: Callable[[], object]) -> None:
        super().__init__()
        self._theme = theme
        self._part = part
        self._ink = ink
        self._side: RunSide | None = None
        self._text_painter = TextPainter(theme)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.clicked.connect(lambda _checked: clicked())
        theme.changed.connect(self.update)
        self.show_side(None)

    def show_side(self, side: RunSide | None) -> None:
        """Another run, or none yet."""
        self._side = side
        self.setText(f"{self._part} {side.title}" if side is not None else f"Choose the {self._part.lower()}…")
        self.setAccessibleName(self.text())
        self.setAccessibleDescription(side.caption if side is not None else "")
        self.setToolTip(plain_tip(f"{side.title}\n{side.caption}".strip() if side is not None else ""))
        self.updateGeometry()
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses too."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        """As wide as its name, within bounds."""
        width = self._text_painter.width(self.text(), "strong") + 2 * PAD_PX + 24
        return QSize(int(min(WIDEST_PX, max(LEAST_PX, width))), self._theme.row(HIGH_PX))

    def minimumSizeHint(self) -> QSize:
        """Its words may be cut."""
        return QSize(LEAST_PX, self._theme.row(HIGH_PX))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Frame, bar, two lines, an arrow."""
        tokens = self._theme.tokens
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            frame = QRectF(self.rect()).adjusted(1, 1, -1, -1)
            edge = tokens.accent if self.hasFocus() else tokens.control if self.underMouse() else tokens.border2
            painter.setPen(QPen(QColor(edge), 2 if self.hasFocus() else 1))
            painter.setBrush(QColor(tokens.base))
            painter.drawRoundedRect(frame, 4, 4)
            bar = QRectF(frame.left() + 6, frame.top() + 7, BAR_PX, frame.height() - 14)
            painter.fillRect(bar, self._theme.color(self._ink))
            self._theme.icons.paint(painter, "down", tokens.text2, frame.right() - 20, frame.center().y(), 14)
            inside = frame.adjusted(PAD_PX + 4, 2, -24, -2)
            side = self._side
            if side is None or not side.caption:
                self._text_painter.left(painter, inside, self.text(), "strong", "text")
                return
            half = inside.height() / 2
            upper = QRectF(inside.left(), inside.top() + 2, inside.width(), half - 2)
            lower = QRectF(inside.left(), upper.bottom(), inside.width(), half - 2)
            self._text_painter.left(painter, upper, self.text(), "strong", "text")
            self._text_painter.left(painter, lower, side.caption, "secondary", "text2")
