"""Raw: the document at the selected place, read-only, with line numbers and the value highlighted."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from trace_inspector.models.base.open_file import OnDisk
from trace_inspector.models.base.row_table import TOP
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.base.translation import tr
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.blocks.raw_text import RawText
from trace_inspector.views.details.raw_find import RawFind
from trace_inspector.views.widgets.controls import Elided
from trace_inspector.views.widgets.empty_state import EmptyState
from trace_inspector.work.processes.request_child import Answer

if TYPE_CHECKING:
    from trace_inspector.documents.editing.places import Excerpt

_Version: TypeAlias = tuple[Selection, int, OnDisk]  # a place, and which bytes of the file it is about


class Raw(QStackedWidget):
    """Requests the bytes when it is shown; only the newest request is answered."""

    def __init__(self, theme: Theme, workspace: Workspace) -> None:
        super().__init__()
        self._workspace = workspace
        self._asked: _Version | None = None
        self._shown: _Version | None = None
        self.setAccessibleName(tr("Raw"))
        self._notice = EmptyState(theme)
        self._head = Elided(theme, font="secondary", ink="text2")
        self.text = RawText(theme)
        self.searching = RawFind(theme, self.text)
        self.text.find_requested.connect(self.searching.open)
        self.searching.bar.setContentsMargins(12, 0, 8, 0)
        page = QWidget()
        page.setObjectName("page")
        box = QVBoxLayout(page)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        self._head.setContentsMargins(12, 0, 12, 0)
        self._head.setFixedHeight(28)
        box.addWidget(self._head)
        box.addWidget(self.searching.bar)
        box.addWidget(self.text, 1)
        self.addWidget(self._notice)
        self.addWidget(page)

    def show_selection(self, selection: Selection | None) -> None:
        """Another place; the last one stays in sight until the new one is read."""
        file = self._workspace.files.get(selection.file) if selection else None
        version = (selection, file.writes, file.on_disk) if selection is not None and file is not None else None
        if version is not None and version in (self._asked, self._shown):
            return
        self._asked = version
        if selection is None or file is None:
            self._show_notice(tr("Nothing is selected."), tr("Choose a row in the tree."))
            return
        if selection.row != TOP and file.table.ghost(selection.row) is not None:
            self._show_notice(
                tr("This is not in the file."), tr("The golden expects this; the trace does not have it.")
            )
            return
        if self.currentWidget() is self._notice:
            self._show_notice(tr("Reading {0}…").format(file.name), "")
        self._workspace.raw_text.read(selection, lambda answer: self._take(selection, version, answer))

    def _take(self, selection: Selection, version: _Version | None, answer: Answer) -> None:
        from trace_inspector.documents.editing.places import Excerpt

        if version != self._asked:
            return
        self._asked = None
        if not isinstance(answer.value, Excerpt):
            self._show_notice(answer.sentence, "")
            return
        self._shown = version
        file = self._workspace.files.get(selection.file)
        place = file.table.place(selection.row) if file and selection.row != TOP else ""
        self._head.setText(_describe(answer.value, place))
        self.text.show_excerpt(answer.value)
        self.searching.search()
        self.setCurrentIndex(1)

    def _show_notice(self, head: str, step: str) -> None:
        self._shown = None
        self._notice.show_message(head, step)
        self.setCurrentWidget(self._notice)


def _describe(excerpt: Excerpt, place: str) -> str:
    """Where, and how much of the value is shown."""
    last = excerpt.first_line + len(excerpt.lines) - 1
    parts = [place or "/", tr("lines {0:,} to {1:,}").format(excerpt.first_line, last)]
    if excerpt.shown_bytes < excerpt.total_bytes:
        parts.append(tr("{0:,} of {1:,} bytes of the value").format(excerpt.shown_bytes, excerpt.total_bytes))
    return "  ·  ".join(parts)
