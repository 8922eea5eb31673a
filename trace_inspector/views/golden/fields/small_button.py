"""A button as high as a row: an icon, words that are cut where there is little room, and a key."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from trace_inspector.models.base.tips import plain_tip
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.widgets.controls import TagKind, paint_tag


class SmallButton(QAbstractButton):
    """Its label tells what it would do now."""

    def __init__(self, theme: Theme, icon: str, clicked: Callable[[], object], *, key: str = "") -> None:
        super().__init__()
        self._theme = theme
        self._icon = icon
        self._key = key
        self.setFont(theme.fonts.secondary)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.clicked.connect(lambda _checked: clicked())

    def set_label(self, words: str, *, enabled: bool, tip: str = "") -> None:
        """What it would do now."""
        self.setEnabled(enabled)
        self.setToolTip(plain_tip(tip))
        if words != self.text():
            self.setText(words)
            self.setAccessibleName(words)
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Icon, words, key."""
        words = self.fontMetrics().horizontalAdvance(self.text())
        return QSize(words + 42 + self._key_px, max(26, self.fontMetrics().height() + 10))

    def minimumSizeHint(self) -> QSize:
        """The icon stays."""
        return QSize(32, self.sizeHint().height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses too."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Frame, icon, words, key."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            theme, on = self._theme, self.isEnabled()
            box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
            painter.setBrush(theme.color("base" if on else "window"))
            painter.setPen(
                QPen(theme.color("control" if on and self.underMouse() else "border2" if on else "border"), 1)
            )
            if self.hasFocus():
                painter.setPen(QPen(theme.color("accent"), 2))
                box = box.adjusted(0.5, 0.5, -0.5, -0.5)
            painter.drawRoundedRect(box, 4, 4)
            ink = theme.tokens.text2 if on else theme.tokens.text3
            theme.icons.paint(painter, self._icon, ink, 9, self.height() / 2, 14)
            fits = self.width() >= self.sizeHint().width()
            room = self.width() - 38 - (self._key_px if fits else 0)
            painter.setPen(theme.color("text" if on else "text3"))
            painter.setFont(self.font())
            shown = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, room + 1)
            painter.drawText(QRectF(30, 0, room + 2, self.height()), int(Qt.AlignmentFlag.AlignVCenter), shown)
            if self._key and fits:
                cap = QRectF(self.width() - self._key_px - 4, self.height() / 2 - 8, self._key_px - 4, 16)
                paint_tag(painter, cap, self._key, TagKind.THIN, theme, theme.fonts.caption)

    @property
    def _key_px(self) -> int:
        return QFontMetrics(self._theme.fonts.caption).horizontalAdvance(self._key) + 16 if self._key else 0
