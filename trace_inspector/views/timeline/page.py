"""The timeline of the selected conversation, with its controls and a message where there is none."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QStackedWidget, QToolButton, QVBoxLayout, QWidget

from trace_inspector.models.base.open_file import FileState, OpenFile
from trace_inspector.models.base.row_table import TOP
from trace_inspector.models.base.translation import tr
from trace_inspector.models.timeline.timeline import Timeline
from trace_inspector.views.blocks.file_words import not_read
from trace_inspector.views.timeline.area import TimelineArea
from trace_inspector.views.timeline.legend import TimelineLegend
from trace_inspector.views.timeline.strip import TimelineStrip
from trace_inspector.views.widgets.centre_view import CentreView
from trace_inspector.views.widgets.check_mark import Check
from trace_inspector.views.widgets.controls import Label
from trace_inspector.views.widgets.empty_state import EmptyState
from trace_inspector.views.window_context.context_menu import Sections, do, elsewhere, offer_menu
from trace_inspector.views.window_context.desk import Desk

PATIENCE_MS = 150


class TimelinePage(CentreView):
    """Shows one conversation at a time: the one the selection lies in."""

    follows_filter = False  # a time axis with gaps would show wrong times

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self.timeline = Timeline(desk.workspace.files, desk.workspace.selection, desk.workspace.run, desk.jobs, self)
        self.area = TimelineArea(desk.theme, self.timeline)
        self.area.setAccessibleName(tr("Timeline"))
        self._notice = EmptyState(desk.theme)
        self._stack = QStackedWidget()
        self._inside = QWidget()
        inside = QVBoxLayout(self._inside)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(0)
        self.strip = TimelineStrip(desk.theme, self.timeline)
        self.legend = TimelineLegend(desk.theme, self.timeline)
        inside.addWidget(self.strip)
        inside.addWidget(self.area, 1)
        inside.addWidget(self.legend)
        self._stack.addWidget(self._inside)
        self._stack.addWidget(self._notice)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(self._stack, 1)
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(PATIENCE_MS)
        self._patience.timeout.connect(self._turn)
        self._fill_controls()
        self.area.entered.connect(self._show_in_tree)
        offer_menu(self.area, self._offered)
        self.timeline.grown.connect(self._refresh)
        self._refresh()

    def showEvent(self, event: QShowEvent) -> None:
        """Only a visible timeline reads."""
        super().showEvent(event)
        self.timeline.wake()

    def hideEvent(self, event: QHideEvent) -> None:
        """Another view is in front."""
        super().hideEvent(event)
        self.timeline.sleep()

    def take_focus(self) -> None:
        """Focus the lanes."""
        self.area.setFocus()

    def _fill_controls(self) -> None:
        theme = self._desk.theme
        self._plumbing = Check(theme, tr("Hide plumbing"))
        self._plumbing.clicked.connect(self._desk.page.hide_plumbing)
        folds = Check(theme, tr("Fold idle"))
        path = Check(theme, tr("Critical path"))
        for check, run in ((folds, self.timeline.fold_idle), (path, self.timeline.show_path)):
            check.setChecked(True)
            check.toggled.connect(run)
        self._hidden = Label(theme, font="secondary", ink="text2")
        for control in (self._plumbing, self._hidden, folds, path):
            self.add_control(control)
        fit = QToolButton()
        fit.setText(tr("Fit turn"))
        fit.setToolTip(tr("Show the whole turn (F); 0 shows the whole trace"))
        fit.setAccessibleName(tr("Fit turn"))
        fit.setFont(theme.fonts.secondary)
        fit.setProperty("frame", "thin")
        fit.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        fit.clicked.connect(self.timeline.fit_turn)
        self.add_control(fit)

    def _refresh(self) -> None:
        """Lanes or a message; while lanes are about to arrive, the present page stays for a moment."""
        timeline = self.timeline
        self._plumbing.setChecked(timeline.lanes.plumbing_hidden)
        self._show_hidden()
        if timeline.reader.busy and not timeline.has_times:
            self._patience.start()
        else:
            self._patience.stop()
            self._turn()

    def _show_hidden(self) -> None:
        """The number of hidden pieces, beside the check box; where there is no room, in its tooltip."""
        hidden, pieces = self.timeline.lanes.hidden, self.timeline.sums.pieces
        words = (
            tr("{0} of {1} spans are plumbing (HTTP, queue) and are hidden").format(f"{hidden:,}", f"{pieces:,}")
            if hidden
            else ""
        )
        self._plumbing.setToolTip(words)
        self._hidden.setToolTip(words)
        self._hidden.setText(tr("{0} of {1} hidden").format(f"{hidden:,}", f"{pieces:,}") if hidden else "")
        self.refit_controls()

    def _turn(self) -> None:
        words = notice_for(self.timeline)
        if words is None:
            self._stack.setCurrentWidget(self._inside)
        else:
            self._notice.show_message(*words)
            self._stack.setCurrentWidget(self._notice)

    def _offered(self, _place: QPoint) -> Sections:
        """What can be done with the selected lane."""
        desk = self._desk
        yield elsewhere(desk)
        yield (
            do(tr("Fit turn"), self.timeline.fit_turn),
            do(tr("Fit this"), self.timeline.fit_current),
            do(tr("Show the whole trace"), lambda: self.timeline.look_at(self.timeline.scale.fitted())),
        )
        yield desk.actions(("slowest", "copy-link"))

    def _show_in_tree(self) -> None:
        if self._desk.centre is not None:
            self._desk.centre.show_view("tree")


def notice_for(timeline: Timeline) -> tuple[str, str] | None:
    """The message in its place, head and step; None where there is something to draw."""
    file = timeline.file
    if file is None:
        return tr("Nothing is selected."), tr("Choose a trace in the workspace or in the tree (Ctrl+1).")
    if timeline.top == TOP:
        return _without_conversation(file)
    if timeline.has_times:
        return None
    if timeline.reader.busy or file.state is FileState.LOADING:
        return tr("Working out the times…"), tr("The first turns show as soon as they are read.")
    if timeline.reader.sentence:
        return timeline.reader.sentence, tr("The tree shows what was read (Ctrl+1).")
    name = file.table.label(timeline.top)
    if file.has_suites and not file.has_traces:
        return tr("A golden has no times."), tr("Choose a recorded trace, or read {0} in the tree (Ctrl+1).").format(
            name
        )
    return tr("No times are recorded in {0}.").format(name), tr("Tree (Ctrl+1) and Conversation (Ctrl+2) show it.")


def _without_conversation(file: OpenFile) -> tuple[str, str]:
    unread = not_read(file)
    if unread is not None:
        return unread
    if file.criteria is not None:
        return tr("{0} holds criteria, which have no times.").format(file.name), tr(
            "Choose a trace in the workspace."
        )
    return tr("{0} holds no conversation.").format(file.name), tr("Choose a trace in the workspace.")
