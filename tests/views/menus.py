"""Context menus as a person opens them."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtGui import QAction, QContextMenuEvent
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QMenu, QWidget


def menu_at(widget: QWidget, place: QPoint) -> dict[str, QAction]:
    """The entries of the context menu at a place, by their texts; it is closed, and gone with the next event."""
    inside = widget.viewport() if isinstance(widget, QAbstractScrollArea) else widget
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, inside.mapToGlobal(place))
    QApplication.sendEvent(inside, event)
    menus = [menu for menu in widget.findChildren(QMenu) if menu.isVisible()]
    entries = {action.text(): action for menu in menus for action in menu.actions() if action.text()}
    assert all(action.isEnabled() for action in entries.values())
    for menu in menus:
        menu.close()
    return entries
