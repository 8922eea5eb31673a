"""Draws single lines of plain text in the theme's fonts, elided where they end; measures each font and text once."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter

from trace_inspector.views.appearance.appearance import Theme

_CACHED_WIDTHS = 4096
# For ASCII in our monospaced font, without kerning or ligatures, shaping finds the same glyphs, slower.
_MONOSPACED = frozenset({"data", "data_strong"})


class TextPainter:
    """Paints text for delegates. Fonts and inks are named as in `Fonts` and `Tokens`."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._fonts = theme.fonts
        self._metrics: dict[str, QFontMetricsF] = {}
        self._unshaped: dict[str, QFont] = {}
        self._widths: dict[tuple[str, str], float] = {}

    def width(self, text: str, font: str) -> float:
        """The width of a text."""
        metrics = self.metrics(font)
        width = self._widths.get((text, font))
        if width is None:
            if len(self._widths) >= _CACHED_WIDTHS:
                self._widths.clear()
            width = self._widths[text, font] = metrics.horizontalAdvance(text)
        return width

    def metrics(self, font: str) -> QFontMetricsF:
        """The measures of a font."""
        if self._fonts is not self._theme.fonts:  # another size was chosen
            self._fonts, self._metrics, self._unshaped, self._widths = self._theme.fonts, {}, {}, {}
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
        painter.setFont(self._unshaped_font(font) if font in _MONOSPACED and text.isascii() else self._font(font))
        painter.setPen(self._theme.color(ink))
        base = box.center().y() + (metrics.ascent() - metrics.descent()) / 2
        painter.drawText(QPointF(left, round(base)), text)

    def _font(self, name: str) -> QFont:
        font: QFont = getattr(self._theme.fonts, name)
        return font

    def _unshaped_font(self, name: str) -> QFont:
        cached = self._unshaped.get(name)
        if cached is None:
            cached = self._unshaped[name] = QFont(self._font(name))
            cached.setStyleStrategy(QFont.StyleStrategy.PreferNoShaping)
        return cached
