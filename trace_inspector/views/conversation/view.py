"""Conversation in the centre: the selected case or trace as a reader would want it."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout

from trace_inspector.core.rows.rows import Kind
from trace_inspector.models.base.open_file import FileState, OpenFile
from trace_inspector.models.base.row_table import TOP
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.base.translation import tr
from trace_inspector.models.conversation.conversation import Conversation
from trace_inspector.models.conversation.section import Key
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.blocks.file_words import not_read
from trace_inspector.views.conversation.reader import Reader
from trace_inspector.views.widgets.centre_view import CentreView
from trace_inspector.views.widgets.controls import Label
from trace_inspector.views.widgets.empty_state import EmptyState

_WHOLE = (Kind.CASE, Kind.TRACE)


class ConversationView(CentreView):
    """Follows the selection; what is chosen here is chosen everywhere."""

    def __init__(self, theme: Theme, workspace: Workspace) -> None:
        super().__init__()
        self._workspace = workspace
        self._conversation: Conversation | None = None
        self._file: OpenFile | None = None
        self._choosing = False
        self._behind = False  # something was selected while another view was in front
        self.reader = Reader(theme)
        self._notice = EmptyState(theme)
        self._stack = QStackedWidget()
        self._stack.addWidget(self._notice)
        self._stack.addWidget(self.reader)
        self._count = Label(theme, font="secondary", ink="text2")
        self._counting = QTimer(self)  # once for all the ghosts that a run moves in a turn of the loop
        self._counting.setSingleShot(True)
        self._counting.setInterval(0)
        self._counting.timeout.connect(self._say_count)
        self._count.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.add_control(self._count)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self._stack)
        self._in_sight: tuple[Key, float] | None = None  # before the rows changed
        self._kept: tuple[Key, float] | None = None  # in sight before the file grew
        self.reader.trust = self._trust
        self.reader.chosen.connect(self._choose)
        self.reader.evidence_wanted.connect(self._show_evidence)
        workspace.selection.changed.connect(self._follow)
        workspace.files.changed.connect(self._file_moved)
        workspace.files.rows_arrived.connect(self._file_moved)
        workspace.run.changed.connect(self._run_moved)
        workspace.run.parted.connect(self._parted_moved)
        workspace.files.closed.connect(self._closed)
        workspace.files.renewing.connect(self._renewing)
        workspace.files.renewed.connect(self._renewed)
        self._follow(workspace.selection.value)

    def take_focus(self) -> None:
        """The keyboard is for the conversation now."""
        self.reader.setFocus()

    def showEvent(self, event: QShowEvent) -> None:
        """Come up with what was selected meanwhile."""
        super().showEvent(event)
        if self._behind:
            self._follow(self._workspace.selection.value)

    def _follow(self, selection: Selection | None) -> None:
        self._behind = not self.isVisible()
        if self._behind:
            return
        file = self._workspace.files.get(selection.file) if selection else None
        top = _top(file, selection.row) if file is not None and selection is not None else TOP
        if file is None or top == TOP:
            self._show(None, None)
            self._stack.setCurrentWidget(self._notice)
            self._notice.show_message(*_words(file))
            return
        if self._conversation is None or self._file is not file or self._conversation.top != top:
            self._show(file, Conversation(file.table, top, self._items_moved))
        self._stack.setCurrentWidget(self.reader)
        self._say_count()
        kept, self._kept = self._kept, None
        if kept is not None:  # the selection is told again after its file grew
            self.reader.put_in_sight(*kept)
        elif selection is not None and not self._choosing:
            self.reader.go(Key(selection.row if selection.row != TOP else top))

    def _show(self, file: OpenFile | None, conversation: Conversation | None) -> None:
        if self._conversation is not None:
            self._conversation.close()
        self._file, self._conversation = file, conversation
        self.reader.show_conversation(conversation, file, lambda: self._workspace.run.value)
        self._say_count()

    def _say_count(self) -> None:
        """How many turns, of how many while a filter hides some, and whether more may come."""
        words = ""
        if self._file is not None and self._conversation is not None:
            count, table = len(self._conversation) - 1, self._file.table
            words = tr("1 turn") if count == 1 else tr("{0} turns").format(f"{count:,}") if count else ""
            if words and self._file.state is FileState.LOADING:
                words = tr("Reading… {0} so far").format(words)
            if table.visible.filtered:
                whole = len(table.turns(self._conversation.top))
                words = tr("{0} of {1} turns match the filter").format(f"{count:,}", f"{whole:,}")
        self._count.setText(words)
        self.refit_controls()

    def _choose(self, row: int) -> None:
        if self._file is not None:
            self._choosing = True
            self._workspace.selection.select(Selection(self._file.number, row))
            self._choosing = False

    def _show_evidence(self, pointer: str) -> None:
        row = self._file.table.row_near(pointer) if self._file else TOP
        if self._file is not None and row != TOP:
            self._workspace.selection.select(Selection(self._file.number, row))

    def _items_moved(self) -> None:
        self.reader.items_changed()
        self._counting.start()

    def _trust(self, row: int) -> str:
        """How far the judges of a conversation or of a turn agree with people."""
        run, file = self._workspace.run.value, self._file
        if run is None or file is None or not file.table.has(row):
            return ""
        verdicts, kind = run.on(file), file.table.kind(row)
        found = verdicts.turn(row) if kind is Kind.TURN else verdicts.case(row) if kind in _WHOLE else None
        return "\n".join(self._workspace.calibrations.lines(file, found.metrics)) if found is not None else ""

    def _file_moved(self, number: int) -> None:
        selection = self._workspace.selection.value
        if self._conversation is None and selection is not None and selection.file == number:
            self._follow(selection)
        elif self._file is not None and self._file.number == number:
            self._counting.start()

    def _run_moved(self) -> None:
        run = self._workspace.run.value
        if self._file is None or self._conversation is None:
            return
        if run is None or self._conversation.top in run.changed_in(self._file):
            self.reader.forget()

    def _parted_moved(self, number: int) -> None:
        if self._file is not None and self._file.number == number:
            self.reader.forget()

    def _closed(self, number: int) -> None:
        if self._file is not None and self._file.number == number:
            self._show(None, None)
            self._follow(self._workspace.selection.value)

    def _renewing(self, number: int) -> None:
        """The rows are still those that are shown; afterwards some of them may be gone."""
        shows = self._file is not None and self._file.number == number
        self._in_sight = self.reader.in_sight if shows else None

    def _renewed(self, number: int) -> None:
        """The rows of a file are others. Of one that grew what is in sight stays there."""
        file = self._workspace.files.get(number)
        growth = file.growth if file is not None else None
        shown = self._conversation.top if self._file is file and self._conversation is not None else TOP
        if growth is not None and TOP < shown < growth.first:
            return  # nothing of it is other than before
        in_sight, self._in_sight = self._in_sight, None
        self._closed(number)
        if in_sight is not None and growth is not None and self._file is file:
            key, top_px = in_sight
            self._kept = key._replace(row=growth.row_now(key.row)), top_px
            self.reader.put_in_sight(*self._kept)


def _top(file: OpenFile, row: int) -> int:
    """The case or trace to show for a selected row: its own, else the first one in it."""
    table = file.table
    if row == TOP:
        return table.tops[0] if table.tops else TOP
    if not table.has(row) or table.top_of(row) != TOP:
        return table.top_of(row) if table.has(row) else TOP
    return next((child for child in table.children(row) if table.top_of(child) == child), TOP)


def _words(file: OpenFile | None) -> tuple[str, str]:
    """What to say where there is no conversation, and the next step."""
    if file is None:
        return tr("Nothing is selected."), tr("Choose a case, a trace or a turn in the tree (Ctrl+1).")
    unread = not_read(file)
    if unread is not None:
        return unread
    if file.criteria is not None:
        return tr("{0} holds criteria, not a conversation.").format(file.name), tr("Evaluate (F5) uses them.")
    return (
        tr("There is no conversation in {0}.").format(file.name),
        tr("Choose a file with cases or traces in the workspace."),
    )
