"""Tabs: the chosen one bold over an accent line, a count in a badge; those without room are in a menu."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QCursor, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QMenu, QTabBar, QToolButton

from trace_inspector.models.base.translation import tr
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter

PADDING_PX = 12
GAP_PX = 8
BADGE_PX = 16
LINE_PX = 2
MORE_PX = 28


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
                if self._bar.isTabVisible(index):
                    self._paint_tab(painter, index)
        return True

    def _paint_tab(self, painter: QPainter, index: int) -> None:
        bar, tokens = self._bar, self._theme.tokens
        box = bar.tabRect(index)
        chosen = index == bar.currentIndex()
        hovered = bar.underMouse() and box.contains(bar.mapFromGlobal(QCursor.pos()))
        ink = "text" if chosen or hovered else "text2"
        room = QRectF(box.adjusted(PADDING_PX, 0, -LINE_PX, -LINE_PX))
        room.setRight(min(room.right(), self._end_px))
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

    @property
    def _end_px(self) -> float:
        """Where the buttons at the end of the bar begin."""
        bar = self._bar
        buttons = (child for child in bar.children() if isinstance(child, QToolButton) and child.isVisible())
        return min((float(button.x()) for button in buttons), default=float(bar.width()))

    def _paint_badge(self, painter: QPainter, room: QRectF, left: float, count: str) -> None:
        width = max(BADGE_PX, self._text_painter.width(count, "caption_strong") + 10)
        badge = QRectF(left, room.center().y() - BADGE_PX / 2, width, BADGE_PX)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._theme.tokens.sunken))
        painter.drawRoundedRect(badge, BADGE_PX / 2, BADGE_PX / 2)
        text_left = (width - self._text_painter.width(count, "caption_strong")) / 2
        self._text_painter.left(painter, badge.adjusted(text_left, 0, 0, 0), count, "caption_strong", "text2")


class FittingTabs(QTabBar):
    """Tabs in one row. Those that find no room are in the menu `more` at its end; the one in front is never there."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self.setProperty("place", "dock")
        TabPainter(theme, self)
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setUsesScrollButtons(False)
        self.setElideMode(Qt.TextElideMode.ElideNone)
        self.setAccessibleName(name)
        self.more = QToolButton(self)
        self.more.setText("»")
        self.more.setToolTip(tr("More tabs"))
        self.more.setAccessibleName(tr("{0}: more tabs").format(name))
        self.more.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.hide()
        self._menu = QMenu(self.more)
        self._menu.aboutToShow.connect(self._fill)
        self.more.setMenu(self._menu)
        self.currentChanged.connect(self.fit)

    @property
    def all_px(self) -> int:
        """The width with every tab in the row."""
        return sum(self.tabSizeHint(index).width() for index in range(self.count()))

    def sizeHint(self) -> QSize:
        """Room for all of them."""
        return QSize(self.all_px, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """The tab in front, and the menu of the others."""
        front = self.tabSizeHint(self.currentIndex()).width() if self.count() else 0
        return QSize(front + MORE_PX, super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width has room for other tabs."""
        super().resizeEvent(event)
        self.fit()

    def changeEvent(self, event: QEvent) -> None:
        """Larger letters need more room."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and self.count():
            self.fit()

    def fit(self) -> None:
        """Show the tabs that there is room for, from the left."""
        front = self.currentIndex()
        all_fit = self.all_px <= self.width()
        left_px = self.width() - (0 if all_fit else MORE_PX + self.tabSizeHint(front).width())
        for index in range(self.count()):
            if index != front and not all_fit:
                left_px -= self.tabSizeHint(index).width()
            is_seen = all_fit or index == front or left_px >= 0
            if self.isTabVisible(index) is not is_seen:  # Qt would forget here that it has to lay out another tab
                self.setTabVisible(index, is_seen)
        self.more.setVisible(not all_fit)
        self.more.setGeometry(self.width() - MORE_PX, (self.height() - MORE_PX) // 2, MORE_PX, MORE_PX)

    def _fill(self) -> None:
        self._menu.clear()
        for index in range(self.count()):
            if not self.isTabVisible(index):
                name = self.tabText(index).partition("  ")[0].replace("&", "&&")
                self._menu.addAction(self.tabIcon(index), name, partial(self.setCurrentIndex, index))
