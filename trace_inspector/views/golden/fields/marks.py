"""Painted words of the Golden tab: a mark with a few words, icon buttons, the grip of a card."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from trace_inspector.models.base.roles import MARK_NAMES
from trace_inspector.models.base.tips import plain_tip
from trace_inspector.models.golden.live_status import Now
from trace_inspector.views.appearance.appearance import Theme

LEAST_WORDS_PX = 16  # in less room the mark stands alone


class NowLabel(QWidget):
    """A mark and its words; with `was` it shows that the result has changed from failed to passed, or back."""

    def __init__(self, theme: Theme, font: str = "secondary") -> None:
        super().__init__()
        self._theme = theme
        self.now = Now("", "")
        self._was = ""
        self.setFont(getattr(theme.fonts, font))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(max(20, self.fontMetrics().height() + 4))

    def show_now(self, now: Now, was: str = "") -> None:
        """Another state."""
        if (now, was) != (self.now, self._was):
            self.now, self._was = now, was
            self.setAccessibleName(f"{MARK_NAMES[now.mark]}: {now.words}" if now.mark else now.words)
            self._tell()
            self.updateGeometry()
            self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Words that do not fit are in the tip."""
        super().resizeEvent(event)
        self._tell()

    def _tell(self) -> None:
        cut = self.sizeHint().width() > self.width()
        self.setToolTip(plain_tip(self.now.words) if cut else "")

    def sizeHint(self) -> QSize:
        """Mark and words."""
        words = self.fontMetrics().horizontalAdvance(self.now.words) + 2 if self.now.words else 0
        mark = (20 if words else 14) if self.now.mark else 0
        return QSize(words + mark + (52 if self._was else 0), self.height())

    def minimumSizeHint(self) -> QSize:
        """Words may be cut."""
        return QSize(min(20, self.sizeHint().width()), self.height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The mark, on a tinted ground after a change of the result; then the words."""
        with QPainter(self) as painter:
            theme, middle, left = self._theme, self.height() / 2, 0.0
            ink = "text"
            if self._was:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                good = self.now.mark == "passed"
                ink = "passed" if good else "fail"
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(theme.color("pass_soft" if good else "fail_soft"))
                painter.drawRoundedRect(QRectF(self.rect()), middle, middle)
                theme.icons.paint_mark(painter, self._was, theme.tokens, 8, middle, 12)
                theme.icons.paint(painter, "forward", theme.tokens.text3, 24, middle, 10)
                left = 38.0
            if self.now.mark:
                theme.icons.paint_mark(painter, self.now.mark, theme.tokens, left, middle, 14)
                left += 20
            painter.setPen(theme.color(ink))
            painter.setFont(self.font())
            room = int(self.width() - left)
            if room < LEAST_WORDS_PX:
                return
            shown = self.fontMetrics().elidedText(self.now.words, Qt.TextElideMode.ElideRight, room)
            painter.drawText(QRectF(left, 0, room + 1, self.height()), int(Qt.AlignmentFlag.AlignVCenter), shown)


class IconButton(QAbstractButton):
    """An icon that is pressed; Enter presses it too."""

    def __init__(self, theme: Theme, name: str, icon: str, clicked: Callable[[], object]) -> None:
        super().__init__()
        self._theme = theme
        self._icon = icon
        self.setAccessibleName(name)
        self.setToolTip(plain_tip(name))
        self.setFixedSize(22, 22)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.clicked.connect(lambda _checked: clicked())

    def show_icon(self, icon: str) -> None:
        """Another icon."""
        self._icon = icon
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses too."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The icon, and a ring with the focus."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            theme = self._theme
            if self.underMouse():
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(theme.color("sunken"))
                painter.drawRoundedRect(QRectF(self.rect()), 4, 4)
            if self.hasFocus():
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(theme.color("accent"), 2))
                painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)
            ink = theme.tokens.text if self.underMouse() else theme.tokens.text2
            theme.icons.paint(painter, self._icon, ink, (self.width() - 14) / 2, self.height() / 2, 14)


class Grip(QWidget):
    """The handle by which a card is dragged."""

    dragged = Signal(int)  # to that height on the screen
    dropped = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setFixedSize(14, 22)
        self.setCursor(Qt.CursorShape.OpenHandCursor)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """The card is dragged."""
        self.dragged.emit(event.globalPosition().toPoint().y())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """The drag begins."""
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """The card is dropped."""
        self.dropped.emit(event.globalPosition().toPoint().y())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Six dots."""
        with QPainter(self) as painter:
            self._theme.icons.paint(painter, "grip", self._theme.tokens.text3, 0, self.height() / 2, 14)
