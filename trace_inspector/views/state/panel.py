"""The State panel: follows the selection, folds the state in small steps, and shows it behind two tabs."""

from __future__ import annotations

import time

from msgspec import Struct
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QStackedWidget, QTabBar, QVBoxLayout

from trace_inspector.core.values.values import JsonObject
from trace_inspector.models.base.row_table import TOP
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.base.translation import tr
from trace_inspector.models.details.session_state import SessionState, stated_end
from trace_inspector.models.details.state_place import label_of, start_of
from trace_inspector.views.state.agents_page import AgentsPage
from trace_inspector.views.state.state_page import StatePage
from trace_inspector.views.widgets.empty_state import EmptyState
from trace_inspector.views.widgets.panel import Head, PanelWidget
from trace_inspector.views.widgets.tabs import TabPainter
from trace_inspector.views.window_context.desk import Desk

STEP_S = 0.008
STATE, AGENTS, NOTICE = range(3)


class _Folded(Struct, frozen=True):
    """The states of one case or trace, with what they are counted from."""

    file: int
    top: int
    start: JsonObject
    state: SessionState


class StatePanel(PanelWidget):
    """Works only while it can be seen."""

    def __init__(self, desk: Desk) -> None:
        head = Head(desk.theme, "")
        super().__init__(desk.theme, tr("State"), head)
        self._workspace = desk.workspace
        self._folded: _Folded | None = None
        self.tabs = QTabBar()
        self.tabs.setProperty("place", "dock")
        TabPainter(desk.theme, self.tabs)
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setAccessibleName(tr("State and agents"))
        for name in (tr("State"), tr("Agents")):
            self.tabs.addTab(name)
        self.page = StatePage(desk.theme)
        self.agents = AgentsPage(desk.theme)
        self.notice = EmptyState(desk.theme)
        self._stack = QStackedWidget()
        for page in (self.page, self.agents, self.notice):
            self._stack.addWidget(page)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(self.tabs)
        box.addWidget(self._stack, 1)
        self._step = QTimer(self)
        self._step.setSingleShot(True)
        self._step.setInterval(0)
        self._step.timeout.connect(self._go_on)
        self.tabs.currentChanged.connect(self._step.start)
        for signal in (
            desk.workspace.selection.changed,
            desk.workspace.run.changed,
            desk.workspace.files.rows_arrived,
        ):
            signal.connect(self._soon)
        for signal in (desk.workspace.files.closed, desk.workspace.files.renewed):
            signal.connect(self._forget)
        self.setFocusProxy(self.tabs)
        self._go_on()

    def showEvent(self, event: object) -> None:  # noqa: ARG002
        """Show what was selected while hidden."""
        self._soon()

    def _soon(self) -> None:
        if self.isVisible():
            self._step.start()

    def _forget(self, number: int) -> None:
        if self._folded is not None and self._folded.file == number:
            self._folded = None
        self._soon()

    def _go_on(self) -> None:
        selection = self._workspace.selection.value
        file = self._workspace.files.get(selection.file) if selection else None
        top = file.table.top_of(selection.row) if file and selection and selection.row != TOP else TOP
        if selection is None or file is None or top == TOP:
            self._show_notice(tr("No conversation is selected."), tr("Choose a case, a trace, a turn or an event."))
            return
        folded = self._folding(selection, top)
        low, high = folded.state.span(selection.row)
        until_s = time.monotonic() + STEP_S
        if not (folded.state.fold(low, until_s) and folded.state.fold(high, until_s)):
            self._show_notice(
                tr("Working out the state…"), tr("{0} writes come before this place.").format(f"{low:,}")
            )
            self._step.start()
            return
        self._show(selection, folded, low, high)

    def _folding(self, selection: Selection, top: int) -> _Folded:
        start, _words = start_of(self._workspace.files, self._workspace.run, selection.file, top)
        folded = self._folded
        if folded is None or (folded.file, folded.top) != (selection.file, top) or folded.start is not start:
            table = self._workspace.files.by_number[selection.file].table
            folded = self._folded = _Folded(selection.file, top, start, SessionState(table, top, start))
        return folded

    def _show(self, selection: Selection, folded: _Folded, low: int, high: int) -> None:
        table = self._workspace.files.by_number[selection.file].table
        turn = table.turn_of(selection.row)
        before, after = folded.state.after(low, turn), folded.state.after(high, turn)
        if self.tabs.currentIndex() == AGENTS:
            self.agents.show_agents(table.agents(folded.top, selection.row), after, table.author(selection.row))
            self._stack.setCurrentIndex(AGENTS)
            return
        _start, words = start_of(self._workspace.files, self._workspace.run, selection.file, folded.top)
        thing = table.thing(folded.top) if selection.row == folded.top else None
        self.page.show_states(label_of(table, selection.row), before, after, words, stated_end(thing))
        self._stack.setCurrentIndex(STATE)

    def _show_notice(self, head: str, step: str) -> None:
        self.notice.show_message(head, step)
        self._stack.setCurrentIndex(NOTICE)
