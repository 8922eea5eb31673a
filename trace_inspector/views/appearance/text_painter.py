"""Draws single lines of plain text in the theme's fonts, elided where they end; measures each font once."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter

from trace_inspector.views.appearance.appearance import Theme


class TextPainter:
    """Paints text for delegates. Fonts and inks are named as in `Fonts` and `Tokens`."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._fonts = theme.fonts
        self._metrics: dict[str, QFontMetricsF] = {}

    def width(self, text: str, font: str) -> float:
        """The width of a text."""
        return self.metrics(font).horizontalAdvance(text)

    def metrics(self, font: str) -> QFontMetricsF:
        """The measures of a font."""
        if self._fonts is not self._theme.fonts:  # another size was chosen
            self._fonts, self._metrics = self._theme.fonts, {}
        cached = self._metrics.get(font)
        if cached is None:
            cached = self._metrics[font] = QFontMetricsF(self._font(font))
        return cached

    def left(self, painter: QPainter, box: QRectF, text: str, font: str, ink: str) -> float:
        """Paint from the left edge; returns the width used."""
        width = self.width(text, font)
        if width > box.width():
            text = self.metrics(font).elidedText(text, Qt.TextElideMode.ElideRight, box.width())
        self._write(painter, box.left(), box, text, font, ink)
        return min(width, box.width())

    def right(self, painter: QPainter, box: QRectF, text: str, font: str, ink: str) -> float:
        """Paint up to the right edge; returns the width used."""
        width = self.width(text, font)
        if width > box.width():
            text = self.metrics(font).elidedText(text, Qt.TextElideMode.ElideRight, box.width())
            width = self.width(text, font)
        self._write(painter, box.right() - width, box, text, font, ink)
        return width

    def _write(self, painter: QPainter, left: float, box: QRectF, text: str, font: str, ink: str) -> None:
        metrics = self.metrics(font)
        painter.setFont(self._font(font))
        painter.setPen(self._theme.color(ink))
        base = box.center().y() + (metrics.ascent() - metrics.descent()) / 2
        painter.drawText(QPointF(left, round(base)), text)

    def _font(self, name: str) -> QFont:
        font: QFont = getattr(self._theme.fonts, name)
        return font
