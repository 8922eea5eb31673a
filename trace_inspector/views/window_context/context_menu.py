"""Context menus: what can be done with the row under the mouse, first things first, and nothing that cannot."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractScrollArea, QMenu, QWidget

Sections = Iterable[Iterable[QAction]]


def offer_menu(widget: QWidget, sections: Callable[[QPoint], Sections]) -> None:
    """Give a widget a context menu; `sections` are asked each time, with the place of the mouse in the widget."""
    widget.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
    widget.customContextMenuRequested.connect(partial(_open, widget, sections))


def do(text: str, run: Callable[[], object]) -> QAction:
    """An entry that is no action of the window."""
    action = QAction(text.replace("&", "&&"))
    action.triggered.connect(lambda _checked: run())
    return action


def _open(widget: QWidget, sections: Callable[[QPoint], Sections], place: QPoint) -> None:
    menu = QMenu(widget)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    for section in sections(place):
        usable = [action for action in section if action.isEnabled()]
        for action in usable:
            if action.parent() is None:
                action.setParent(menu)
            menu.addAction(action)
        if usable:
            menu.addSeparator()
    if menu.isEmpty():
        menu.deleteLater()
        return
    viewport = widget.viewport() if isinstance(widget, QAbstractScrollArea) else widget
    menu.popup(viewport.mapToGlobal(place))
