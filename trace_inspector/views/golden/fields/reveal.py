"""Scrolls to what got the focus from code; Qt does that only for the Tab key."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QScrollArea, QWidget


def focus(widget: QWidget) -> None:
    """Focus a widget, and scroll to it once it is laid out."""
    widget.setFocus()
    area = widget.parentWidget()
    while area is not None and not isinstance(area, QScrollArea):
        area = area.parentWidget()
    if isinstance(area, QScrollArea):
        shown = area
        QTimer.singleShot(0, widget, lambda: shown.ensureWidgetVisible(widget, 8, 64))
