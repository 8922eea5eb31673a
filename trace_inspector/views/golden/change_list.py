"""What a save would change, line by line, as plain text."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QPlainTextEdit

from trace_inspector.core.trace.summary import one_line
from trace_inspector.views.widgets.dialog_frame import show_inside
from trace_inspector.views.window_context.desk import Desk
from trace_inspector.work.golden.requests import Lines

_LINE_CHARS = 2_000


def show_lines(desk: Desk, name: str, lines: Lines) -> None:
    """Open the list."""
    text = QPlainTextEdit(listed(lines))
    text.setObjectName("excerpt")
    text.setReadOnly(True)
    text.setTabChangesFocus(True)
    text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
    text.setFont(desk.look.fonts.data)
    text.setAccessibleName(_tr("Changed lines"))
    show_inside(
        desk.look, desk.window, _tr("What a save changes in {0}").format(one_line(name, 60)), text, (760, 480)
    )


def listed(lines: Lines) -> str:
    """Each changed line with its number: before it “-”, after it “+”."""
    told = []
    for number, before, after in lines.lines:
        told += [
            f"{number:>6} {sign} {one.rstrip()[:_LINE_CHARS]}" for sign, one in (("-", before), ("+", after)) if one
        ]
    if lines.count > len(lines.lines):
        told.append(_tr("… and {0:,} more lines").format(lines.count - len(lines.lines)))
    return "\n".join(told) or _tr("Nothing would change.")


def _tr(text: str) -> str:
    return QCoreApplication.translate("Golden", text)
