"""The Edit menu."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QPlainTextEdit

from trace_inspector.views.actions.action import Action, has_files
from trace_inspector.views.desk import Desk
from trace_inspector.views.tree_view import TreeView


def copy(desk: Desk) -> None:
    """Copy what has the focus: selected text, or the selected rows."""
    focus = QApplication.focusWidget()
    if isinstance(focus, QPlainTextEdit):
        focus.copy()
        return
    tree = focus if isinstance(focus, TreeView) else desk.page.tree
    text = tree.copied_rows()
    if text:
        QGuiApplication.clipboard().setText(text)
        lines = text.count("\n") + 1
        desk.say(_tr("Copied {0} rows.").format(lines) if lines > 1 else _tr("Copied 1 row."))


ACTIONS: tuple[Action, ...] = (Action("copy", "&Copy", "Edit", copy, "Ctrl+C", "copy", enabled=has_files),)


def _tr(text: str) -> str:
    return QCoreApplication.translate("Editing", text)
