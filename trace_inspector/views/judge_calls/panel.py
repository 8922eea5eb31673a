"""The Judge calls panel: the calls for the selection at the left, one call's texts at the right."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QSplitter, QStackedWidget, QVBoxLayout

from trace_inspector.core.translatable import N_
from trace_inspector.models.base.translation import tr
from trace_inspector.models.evaluation.judge_calls_model import CASE, COLUMNS, JudgeCallsModel, calls_of, text_wanted
from trace_inspector.models.evaluation.judge_calls_wanted import CallScope, FirstCalls, looked_at
from trace_inspector.views.blocks.run_cells import RunCells
from trace_inspector.views.judge_calls.reply_view import ReplyView
from trace_inspector.views.widgets.controls import Label
from trace_inspector.views.widgets.empty_state import EmptyState
from trace_inspector.views.widgets.fields import Choice
from trace_inspector.views.widgets.fitted_columns import FittedColumns
from trace_inspector.views.widgets.panel import PanelWidget
from trace_inspector.views.widgets.tree_view import TreeView
from trace_inspector.views.window_context.context_menu import offer_menu
from trace_inspector.views.window_context.desk import Desk
from trace_inspector.work.processes.request_child import Answer
from trace_inspector.work.runs.judge_calls import CallsFound, CallText, ListCalls, call_reader

_SHARES = {CallScope.TURN: N_("This turn"), CallScope.CASE: N_("This case"), CallScope.RUN: N_("The whole run")}
_WIDTHS_PX = [column.width_px for column in COLUMNS]
CRITERION_LEAST_PX = 140
WHILE_RUNNING_MS = 500  # verdicts arrive by the thousand


class JudgeCallsPanel(PanelWidget):
    """Reads the store only while it is visible."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.theme, tr("Judge calls"))
        self._desk = desk
        self._looked = FirstCalls(ListCalls(()))
        self._asked: ListCalls | None = None
        self._reply_to_show = ""  # the digest of the reply to show, as soon as it is listed
        self.model = JudgeCallsModel(self)
        self.view = TreeView(desk.theme, tr("Judge calls"))
        self.view.setRootIsDecorated(False)
        self.view.setIndentation(0)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.view.setModel(self.model)
        offer_menu(self.view, lambda _place: (desk.actions(("copy",)), desk.actions(("overrule",))))
        self.view.setItemDelegate(RunCells(desk.theme, self.view))
        self.columns = FittedColumns(desk.theme, self.view, stretch=0, least_px=CRITERION_LEAST_PX)
        self.reply = ReplyView(desk.theme)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setHandleWidth(1)
        split.addWidget(self.view)
        split.addWidget(self.reply)
        split.setStretchFactor(0, 1)
        split.setStretchFactor(1, 1)
        self._empty = EmptyState(desk.theme)
        self._stack = QStackedWidget()
        self._stack.addWidget(split)
        self._stack.addWidget(self._empty)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(self._stack, 1)
        box.addLayout(self._foot())
        self.setFocusProxy(self.view)
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self._follow)
        for signal in (desk.workspace.selection.changed, desk.workspace.run.changed):
            signal.connect(self._soon)
        self.view.selectionModel().currentChanged.connect(lambda _now, _before: self._choose())
        self._follow()

    @property
    def share(self) -> CallScope:
        """The scope whose calls are listed."""
        return self.which.value or CallScope.TURN

    def show_reply(self, digest: str) -> None:
        """Show that reply, which belongs to the selection."""
        self.which.choose(CallScope.TURN)
        self._reply_to_show = digest
        self._soon()
        self._choose_reply()

    def showEvent(self, event: QShowEvent) -> None:
        """The panel is shown."""
        super().showEvent(event)
        self._soon()

    def _foot(self) -> QHBoxLayout:
        entries = [(tr(words), share) for share, words in _SHARES.items()]
        self.which = Choice[CallScope](self._desk.theme, tr("Which calls"), entries, lambda _share: self._soon())
        self._words = Label(self._desk.theme, font="secondary", ink="text2")
        foot = QHBoxLayout()
        foot.setContentsMargins(12, 2, 12, 4)
        foot.setSpacing(12)
        foot.addWidget(self.which)
        foot.addWidget(self._words)
        self.columns.add_to(foot)
        foot.addStretch(1)
        return foot

    def _soon(self) -> None:
        run = self._desk.workspace.run.value
        if self.isVisible() and not self._later.isActive():
            self._later.start(WHILE_RUNNING_MS if run is not None and run.running else 0)

    def _follow(self) -> None:
        workspace = self._desk.workspace
        self._looked = looked_at(
            workspace.files, workspace.run.value, workspace.evaluation.recorded, workspace.selection.value, self.share
        )
        request = self._looked.request
        self.columns.lay_out(_WIDTHS_PX, () if self.share is CallScope.RUN else (CASE,))
        if not request.questions:
            self._asked = None
            self._show_none()
        elif request != self._asked:
            self._asked = request
            self._desk.jobs.ask(call_reader, request, lambda answer: self._take(request, answer))

    def _take(self, request: ListCalls, answer: Answer) -> None:
        if request != self._asked:
            return
        result = answer.value
        if not isinstance(result, CallsFound) or not result.lines:
            self._show_empty(
                tr("No judge calls are stored."), answer.sentence or tr("Their replies are no longer stored.")
            )
            return
        self.model.reset(calls_of(request.questions, result.lines, self._looked.started_s))
        self.set_count(len(result.lines))
        self._words.setText(self._counted(request, result))
        self._stack.setCurrentIndex(0)
        self.view.setCurrentIndex(self.model.index(0, 0))
        self._choose_reply()

    def _choose_reply(self) -> None:
        row = self.model.row_of(self._reply_to_show) if self._reply_to_show else -1
        if row >= 0:
            self._reply_to_show = ""
            self.view.setCurrentIndex(self.model.index(row, 0))

    def _counted(self, request: ListCalls, result: CallsFound) -> str:
        texts = [tr("{0:,} calls").format(len(result.lines))]
        if len(request.questions) < self._looked.total:
            texts.append(tr("of {0:,} of {1:,} verdicts").format(len(request.questions), self._looked.total))
        kept = sum(call.kept_s is not None for call in self.model.records)
        if kept:
            texts.append(tr("{0:,} from stored replies").format(kept))
        if request.recorded:
            texts.append(tr("recorded: no model was asked"))
        return " · ".join(texts)

    def _choose(self) -> None:
        call = self.model.record(self.view.currentIndex().row())
        if call is None:
            return
        source = f"{call.source}, {call.line.model}" if call.line.model else call.source
        request = text_wanted(call, self._looked.request.recorded)
        self._desk.jobs.ask(call_reader, request, lambda answer: self._show_call(answer, source))

    def _show_call(self, answer: Answer, source: str) -> None:
        if isinstance(answer.value, CallText):
            self.reply.show_call(answer.value, source)
        else:
            self.reply.show_reason(answer.sentence)

    def _show_none(self) -> None:
        run = self._desk.workspace.run.value
        if run is None:
            self._show_empty(tr("Nothing has been evaluated yet."), tr("Press F5 to score what is open."))
        elif self.share is CallScope.RUN:
            self._show_empty(
                tr("No judge was asked in this run."), tr("Choose a judge with Evaluate › Evaluate with…")
            )
        else:
            step = tr("Choose another turn, or list the calls of the whole run.")
            self._show_empty(tr("No judge was asked about this."), step)

    def _show_empty(self, head: str, step: str) -> None:
        self.model.reset(())
        self.set_count(0)
        self._words.setText("")
        self._empty.show_message(head, step)
        self._stack.setCurrentIndex(1)
