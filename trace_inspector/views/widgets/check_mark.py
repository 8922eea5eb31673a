"""A check box, also for widgets that paint themselves."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QCheckBox

from trace_inspector.views.appearance.appearance import Theme


class Check(QCheckBox):
    """A check box in the accent colour."""

    BOX_PX = 14

    def __init__(self, theme: Theme, text: str) -> None:
        super().__init__(text)
        self._theme = theme
        self.setFont(theme.fonts.secondary)
        self.setAccessibleName(text)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def sizeHint(self) -> QSize:
        """Box, gap, words, ring."""
        return QSize(self.BOX_PX + 14 + self.fontMetrics().horizontalAdvance(self.text()), 24)

    def hitButton(self, position: object) -> bool:  # noqa: N802, ARG002
        """The whole control can be clicked."""
        return True

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Box, tick, words."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            tokens = self._theme.tokens
            middle = self.height() / 2
            box = QRectF(3, middle - self.BOX_PX / 2, self.BOX_PX, self.BOX_PX)
            if self.hasFocus():
                painter.setPen(QPen(QColor(tokens.accent), 1.5))
                painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.75, 2.75, -0.75, -2.75), 4, 4)
            paint_box(painter, self._theme, box, checked=self.isChecked(), enabled=self.isEnabled())
            painter.setPen(QColor(tokens.text if self.isEnabled() else tokens.text3))
            painter.setFont(self.font())
            words = QRectF(self.BOX_PX + 10, 0, self.width(), self.height())
            painter.drawText(words, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), self.text())


def paint_box(painter: QPainter, theme: Theme, box: QRectF, *, checked: bool, enabled: bool = True) -> None:
    """A check box inside any painter."""
    tokens = theme.tokens
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if not checked:
        painter.setPen(QPen(QColor(tokens.control), 1))
        painter.setBrush(QColor(tokens.base))
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
        return
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(tokens.accent_fill if enabled else tokens.control))
    painter.drawRoundedRect(box, 3, 3)
    painter.setPen(QPen(QColor(tokens.on_accent), 1.6, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    corners = [QPointF(3.5, 7.2), QPointF(6, 9.6), QPointF(10.5, 4.6)]
    painter.drawPolyline([box.topLeft() + corner for corner in corners])
