"""The look of tabs: the chosen one bold over an accent line, a count in a badge; tabs do not move when chosen."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QCursor, QPainter, QPen
from PySide6.QtWidgets import QTabBar

from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter

PADDING_PX = 12
GAP_PX = 8
BADGE_PX = 16
LINE_PX = 2


def counted_title(title: str, count: int) -> str:
    """A tab's text with a count, which is then painted as a badge."""
    return f"{title}  {count} " if count else title


class TabPainter(QObject):
    """Paints instead of a tab bar, whose tabs have the width of their bold text whether chosen or not."""

    def __init__(self, theme: Theme, bar: QTabBar) -> None:
        super().__init__(bar)
        self._theme = theme
        self._text_painter = TextPainter(theme)
        self._bar = bar
        bar.setFont(theme.fonts.strong)
        bar.setAttribute(Qt.WidgetAttribute.WA_Hover)
        bar.installEventFilter(self)

    def eventFilter(self, _bar: QObject, event: QEvent) -> bool:
        """Replaces only the painting."""
        if event.type() != QEvent.Type.Paint:
            return False
        with QPainter(self._bar) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            whole = self._bar.rect()
            painter.fillRect(whole, self._theme.color("window"))
            painter.fillRect(0, whole.bottom(), whole.width(), 1, self._theme.color("border"))
            for index in range(self._bar.count()):
                self._paint_tab(painter, index)
        return True

    def _paint_tab(self, painter: QPainter, index: int) -> None:
        bar, tokens = self._bar, self._theme.tokens
        box = bar.tabRect(index)
        chosen = index == bar.currentIndex()
        hovered = bar.underMouse() and box.contains(bar.mapFromGlobal(QCursor.pos()))
        ink = "text" if chosen or hovered else "text2"
        room = QRectF(box.adjusted(PADDING_PX, 0, -LINE_PX, -LINE_PX))
        icon = bar.tabIcon(index)
        if not icon.isNull():
            size = bar.iconSize()
            corner = QPoint(round(room.left()), round(room.center().y()) - size.height() // 2)
            icon.paint(painter, QRect(corner, size))
            room.setLeft(room.left() + size.width() + GAP_PX)
        name, _gap, count = bar.tabText(index).partition("  ")
        used = self._text_painter.left(painter, room, name, "strong" if chosen else "body", ink)
        if count.strip():
            self._paint_badge(painter, room, room.left() + used + GAP_PX, count.strip())
        if chosen:
            painter.fillRect(box.left(), box.bottom() - LINE_PX + 1, box.width(), LINE_PX, QColor(tokens.accent))
        if chosen and bar.hasFocus():
            painter.setPen(QPen(QColor(tokens.accent), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(box).adjusted(2, 3, -2, -5), 4, 4)

    def _paint_badge(self, painter: QPainter, room: QRectF, left: float, count: str) -> None:
        width = max(BADGE_PX, self._text_painter.width(count, "caption_strong") + 10)
        badge = QRectF(left, room.center().y() - BADGE_PX / 2, width, BADGE_PX)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._theme.tokens.sunken))
        painter.drawRoundedRect(badge, BADGE_PX / 2, BADGE_PX / 2)
        text_left = (width - self._text_painter.width(count, "caption_strong")) / 2
        self._text_painter.left(painter, badge.adjusted(text_left, 0, 0, 0), count, "caption_strong", "text2")
