"""Context menus: what can be done with the row under the mouse, first things first, and nothing that cannot."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QAbstractScrollArea, QMenu, QWidget

from trace_inspector.models.base.translation import tr
from trace_inspector.views.window_context.desk import Desk

_TIMELINE = "view-timeline"
_VIEWS = ("view-tree", "view-conversation", _TIMELINE, "view-compare")  # of one conversation
_NATIVE = QKeySequence.SequenceFormat.NativeText

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


def elsewhere(desk: Desk) -> list[QAction]:
    """Entries that show the selection in the other views of the centre, with their keys; a golden has no times."""
    shown = desk.centre.shown if desk.centre is not None else ""
    selection = desk.workspace.selection.value
    file = desk.workspace.files.get(selection.file) if selection is not None else None
    views = (
        _VIEWS if file is not None and file.table.has_durations else [view for view in _VIEWS if view != _TIMELINE]
    )
    return [
        do("\t".join((tr("Show in {0}").format(made.text()), made.shortcut().toString(_NATIVE))), made.trigger)
        for made in desk.actions([view for view in views if view != f"view-{shown}"])
        if made.isEnabled()
    ]


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
