"""A small button with the key that does the same at its right end."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton

from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.widgets.controls import TagKind, paint_tag

_HIGH_PX, _PAD_PX, _ICON_PX = 24, 8, 14


class KeyButton(QAbstractButton):
    """Enter and the space bar press it."""

    def __init__(self, theme: Theme, text: str, key: str = "", icon: str = "") -> None:
        super().__init__()
        self._theme = theme
        self._key = key
        self._icon = icon
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFont(theme.fonts.secondary)
        self.set_words(text)

    def set_words(self, text: str, *, key: str = "", icon: str | None = None) -> None:
        """Say something else."""
        self._key = key or self._key
        self._icon = self._icon if icon is None else icon
        if text != self.text():
            self.setText(text)
            self.setAccessibleName(text)
        self.updateGeometry()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses too."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        """Room for icon, words and key."""
        words = self.fontMetrics().horizontalAdvance(self.text())
        extra = (_ICON_PX + 6 if self._icon else 0) + (self._key_px() + 8 if self._key else 0)
        return QSize(words + extra + 2 * _PAD_PX + 2, self._theme.row(_HIGH_PX))

    def minimumSizeHint(self) -> QSize:
        """A button is never cut."""
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Frame, icon, words, key."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            tokens, box = self._theme.tokens, QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
            touched = self.underMouse() or self.isDown()
            width = 2 if self.hasFocus() else 1
            frame = tokens.accent if self.hasFocus() else tokens.control if touched else tokens.border2
            painter.setPen(QPen(QColor(frame), width))
            painter.setBrush(QColor(tokens.raised if touched else tokens.base))
            inset = (width - 1) / 2
            painter.drawRoundedRect(box.adjusted(inset, inset, -inset, -inset), 4, 4)
            left = box.left() + _PAD_PX
            if self._icon:
                self._theme.icons.paint(painter, self._icon, tokens.text2, left, box.center().y(), _ICON_PX)
                left += _ICON_PX + 6
            painter.setPen(QColor(tokens.text))
            painter.setFont(self.font())
            align = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
            wide = self._key_px() if self._key else 0
            room = int(box.right() - left - wide - _PAD_PX)
            words = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, max(room, 0))
            painter.drawText(box.adjusted(left - box.left(), 0, 0, 0), int(align), words)
            if self._key:
                cap = QRectF(box.right() - wide - _PAD_PX + 2, box.center().y() - 8, wide, 16)
                paint_tag(painter, cap, self._key, TagKind.THIN, self._theme, self._theme.fonts.caption)

    def _key_px(self) -> int:
        return QFontMetrics(self._theme.fonts.caption).horizontalAdvance(self._key) + 10
