"""A page that scrolls: room for the scroll bar is kept free, so that nothing is laid out anew when it comes."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QScrollArea, QScrollBar


class ScrollPage(QScrollArea):
    """Its page is as wide as the room beside the bar, and is never scrolled sideways."""

    def __init__(self) -> None:
        super().__init__()
        self.setVerticalScrollBar(_QuietBar(Qt.Orientation.Vertical))
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)


class _QuietBar(QScrollBar):
    """Shows nothing while there is nothing to scroll."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """The bar, when it is of use."""
        if self.maximum() > self.minimum():
            super().paintEvent(event)
