"""The Edit menu."""

from __future__ import annotations

import shlex

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractItemView, QApplication, QPlainTextEdit

from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.translatable import N_
from trace_inspector.models.base.row_table import TOP
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.base.translation import tr
from trace_inspector.models.golden.drafts import Draft
from trace_inspector.views.actions.action import Action, has_files, has_selection
from trace_inspector.views.details.raise_details import show_field
from trace_inspector.views.widgets.tree_view import TreeView
from trace_inspector.views.window_context.desk import Desk

_STEP_CHARS = 60
_BY_KEY = QAbstractItemView.EditTrigger.EditKeyPressed


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
        desk.say(tr("Copied {0} rows.").format(lines) if lines > 1 else tr("Copied 1 row."))


def copy_link(desk: Desk) -> None:
    """Copy the command that opens this place again."""
    selection = desk.workspace.selection.value
    file = desk.workspace.files.get(selection.file) if selection else None
    if selection is not None and file is not None:
        place = file.table.place_around(selection.row)
        link = f"{file.path}#{place}" if place else str(file.path)
        QGuiApplication.clipboard().setText(f"trace-inspector {shlex.quote(link)}")
        desk.say(tr("Copied the command that opens this place."))


def undo(desk: Desk) -> None:
    """Undo the last step."""
    desk.undo.undo()


def redo(desk: Desk) -> None:
    """Redo it."""
    desk.undo.redo()


def edit(desk: Desk) -> None:
    """Edit the golden of the selection; in a list whose lines can be edited, the line."""
    focus = QApplication.focusWidget()
    if isinstance(focus, QAbstractItemView) and focus.editTriggers() & _BY_KEY:
        focus.edit(focus.currentIndex())
        return
    from trace_inspector.views.details.panel import DetailsPanel

    _go_to_a_golden(desk)
    dock = desk.docks["details"]
    dock.show()
    dock.raise_()
    panel = dock.widget()
    if isinstance(panel, DetailsPanel) and not panel.edit_golden():
        desk.say(panel.golden.reason or tr("There is no golden here to edit."))


def _go_to_a_golden(desk: Desk) -> None:
    """Where a whole file is selected, as in Workspace, its first golden is meant; of a recorded file nothing is."""
    selection = desk.workspace.selection.value
    file = desk.workspace.files.get(selection.file) if selection is not None else None
    if selection is None or file is None or selection.row != TOP or not file.has_cases or not file.table.tops:
        return
    desk.workspace.selection.select(Selection(file.number, file.table.tops[0]))
    if len(file.table.tops) > 1:
        desk.say(tr("This is the first of {0:,} goldens. Choose another in the tree.").format(len(file.table.tops)))


def unfinished(desk: Desk) -> list[Draft]:
    """Texts of all files that are in no golden."""
    drafts = desk.workspace.goldens.drafts
    return [draft for file in desk.workspace.files for draft in drafts.unfinished(file.number)]


def show_unfinished(desk: Desk) -> None:
    """Go to the first text that is in no golden, and show what is wrong with it."""
    draft = unfinished(desk)[0]
    show_field(desk, draft.file, draft.spot)
    desk.say(desk.workspace.goldens.drafts.why_unfinished(draft.file))


def undo_text(desk: Desk) -> str:
    """The menu entry, with the name of the step that it undoes."""
    step = desk.undo.undoText()
    return tr("&Undo: {0}").format(_cut(step)) if step else ""


def redo_text(desk: Desk) -> str:
    """The menu entry, with the name of the step that it redoes."""
    step = desk.undo.redoText()
    return tr("&Redo: {0}").format(_cut(step)) if step else ""


ACTIONS: tuple[Action, ...] = (
    Action(
        "undo",
        N_("&Undo"),
        "Edit",
        undo,
        "Ctrl+Z",
        "undo",
        "icon",
        enabled=lambda desk: desk.undo.canUndo(),
        named=undo_text,
    ),
    Action(
        "redo",
        N_("&Redo"),
        "Edit",
        redo,
        "Ctrl+Shift+Z",
        "redo",
        "icon",
        enabled=lambda desk: desk.undo.canRedo(),
        named=redo_text,
    ),
    Action("edit-golden", N_("Edit the &golden"), "|Edit", edit, "F2", "star", enabled=has_files),
    Action(
        "show-unfinished",
        N_("Go to unfinished te&xt"),
        "Edit",
        show_unfinished,
        enabled=lambda desk: bool(unfinished(desk)),
    ),
    Action("copy", N_("&Copy"), "|Edit", copy, "Ctrl+C", "copy", enabled=has_files),
    Action(
        "copy-link", N_("Copy &link to this place"), "Edit", copy_link, "Ctrl+Shift+C", "link", enabled=has_selection
    ),
)


def _cut(step: str) -> str:
    """A step may name a case; an ampersand in it must not become a mnemonic."""
    return one_line(step, _STEP_CHARS).replace("&", "&&")
