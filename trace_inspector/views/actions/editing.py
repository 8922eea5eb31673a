"""The Edit menu."""

from __future__ import annotations

import shlex

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QPlainTextEdit

from trace_inspector.views.actions.action import Action, has_files, has_selection
from trace_inspector.views.desk import Desk
from trace_inspector.views.tree_view import TreeView


def copy(desk: Desk) -> None:
    """Copy what has the focus: selected text, the current item of a conversation, or the selected rows."""
    from trace_inspector.views.conversation.reader import Reader

    focus = QApplication.focusWidget()
    if isinstance(focus, QPlainTextEdit):
        focus.copy()
        return
    if isinstance(focus, Reader):
        QGuiApplication.clipboard().setText(focus.copied())
        return
    tree = focus if isinstance(focus, TreeView) else desk.page.tree
    text = tree.copied_rows()
    if text:
        QGuiApplication.clipboard().setText(text)
        lines = text.count("\n") + 1
        desk.say(_tr("Copied {0} rows.").format(lines) if lines > 1 else _tr("Copied 1 row."))


def copy_link(desk: Desk) -> None:
    """Copy the command that opens this place again."""
    selection = desk.workspace.selection
    file = desk.workspace.file(selection.file) if selection else None
    if selection is not None and file is not None:
        place = file.table.place_around(selection.row)
        link = f"{file.path}#{place}" if place else str(file.path)
        QGuiApplication.clipboard().setText(f"trace-inspector {shlex.quote(link)}")
        desk.say(_tr("Copied the command that opens this place."))


ACTIONS: tuple[Action, ...] = (
    Action("copy", "&Copy", "Edit", copy, "Ctrl+C", "copy", enabled=has_files),
    Action("copy-link", "Copy &link to this place", "Edit", copy_link, "Ctrl+Shift+C", "link", enabled=has_selection),
)


def _tr(text: str) -> str:
    return QCoreApplication.translate("Editing", text)
