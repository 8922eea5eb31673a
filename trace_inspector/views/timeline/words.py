"""What is said where there is no timeline to show: what is so, and the next step."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from trace_inspector.models.base.open_file import FileState, OpenFile
from trace_inspector.models.base.row_table import TOP
from trace_inspector.models.timeline.timeline import Timeline
from trace_inspector.views.blocks.file_words import not_read


def notice_for(timeline: Timeline) -> tuple[str, str] | None:
    """Head and step, None where there is something to draw."""
    file = timeline.file
    if file is None:
        return _tr("Nothing is selected."), _tr("Choose a trace in the workspace or in the tree (Ctrl+1).")
    if timeline.top == TOP:
        return _without_conversation(file)
    if timeline.has_times:
        return None
    if timeline.reader.busy or file.state is FileState.LOADING:
        return _tr("Working out the times…"), _tr("The first turns show as soon as they are read.")
    if timeline.reader.sentence:
        return timeline.reader.sentence, _tr("The tree shows what was read (Ctrl+1).")
    name = file.table.label(timeline.top)
    if file.has_suites and not file.has_traces:
        return _tr("A golden has no times."), _tr(
            "Choose a recorded trace, or read {0} in the tree (Ctrl+1)."
        ).format(name)
    return _tr("No times are recorded in {0}.").format(name), _tr("Tree (Ctrl+1) and Conversation (Ctrl+2) show it.")


def _without_conversation(file: OpenFile) -> tuple[str, str]:
    unread = not_read(file)
    if unread is not None:
        return unread
    if file.criteria is not None:
        return _tr("{0} holds criteria, which have no times.").format(file.name), _tr(
            "Choose a trace in the workspace."
        )
    return _tr("{0} holds no conversation.").format(file.name), _tr("Choose a trace in the workspace.")


def _tr(text: str) -> str:
    return QCoreApplication.translate("Timeline", text)
