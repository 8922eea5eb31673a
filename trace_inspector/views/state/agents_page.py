"""Agents as a tree, and for the chosen one its instruction as sent to the model, and its tools."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.trace.trace import Agent
from trace_inspector.core.translatable import N_
from trace_inspector.core.values.values import JsonObject
from trace_inspector.models.base.translation import tr
from trace_inspector.models.details.agent_lines import AgentLines
from trace_inspector.models.details.instruction import FillResult, Placeholder, fill
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.views.blocks.agent_tools import tools
from trace_inspector.views.blocks.blocks import CutText, Group, facts
from trace_inspector.views.widgets.controls import Label
from trace_inspector.views.widgets.empty_state import EmptyState
from trace_inspector.views.widgets.tree_view import ROW_PX, Index, TreeView

_FILLED_WORDS = {
    FillResult.LEFT_OUT: N_("not in the state here; left out"),
    FillResult.MISSING: N_("not in the state here; google-adk would stop with an error"),
    FillResult.ARTIFACT: N_("an artifact; traces do not hold its text"),
}


class AgentsPage(QWidget):
    """The agent of the selected event is chosen automatically, until another is chosen by hand."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._state: JsonObject = {}
        self._author = ""
        self.model = AgentLines(self)
        self.list = TreeView(theme, tr("Agents"))
        self.list.setHeaderHidden(True)
        self.list.setRootIsDecorated(False)
        self.list.setIndentation(0)
        self.list.setModel(self.model)
        self.list.setItemDelegate(_NameDelegate(theme, self.list))
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setAccessibleName(tr("Agent"))
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        split.setHandleWidth(1)
        split.addWidget(self.list)
        split.addWidget(self.area)
        split.setStretchFactor(0, 1)
        split.setStretchFactor(1, 3)
        self._stack = QStackedWidget()
        self._stack.addWidget(split)
        step = tr("Agents, their instructions and tools show here when a file describes them.")
        self._stack.addWidget(EmptyState(theme, tr("The file describes no agents here."), step))
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self._stack)
        self.list.selectionModel().currentChanged.connect(self._chosen)
        self.setFocusProxy(self.list)

    def show_agents(self, agents: Sequence[Agent], state: JsonObject, author: str) -> None:
        """Show the agents of a conversation, with the state after the selected place, and the acting agent."""
        current = self.model.record(self.list.currentIndex().row())
        self._state = state
        self.model.show_agents(agents)
        self._stack.setCurrentIndex(0 if agents else 1)
        name = author if author and author != self._author else current.name if current else ""
        self._author = author or self._author
        row = max(0, self.model.row_of(name))
        if self.list.currentIndex().row() == row:
            self._show(row)
        else:
            self.list.setCurrentIndex(self.model.index(row, 0))

    def _chosen(self, current: QModelIndex) -> None:
        self._show(current.row())

    def _show(self, row: int) -> None:
        line = self.model.record(row)
        page = QWidget()
        page.setObjectName("page")
        box = QVBoxLayout(page)
        box.setContentsMargins(16, 10, 16, 12)
        box.setSpacing(12)
        if line is not None:
            box.addWidget(Label(self._theme, one_line(line.name), font="title"))
            if line.again:
                words = tr("This agent is a sub-agent of one of its own sub-agents.")
                box.addWidget(Label(self._theme, words, ink="warn", wrap=True))
            if line.agent is None:
                box.addWidget(
                    Label(
                        self._theme, tr("The file names this agent but does not describe it."), ink="text2", wrap=True
                    )
                )
            else:
                self._describe(box, line.agent)
        box.addStretch(1)
        self.area.setWidget(page)

    def _describe(self, box: QVBoxLayout, agent: Agent) -> None:
        if agent.description:
            box.addWidget(CutText(self._theme, agent.description, ink="text2", name=tr("Description")))
        text, placeholders = fill(agent.instruction, self._state)
        if text:
            caption = tr("placeholders filled with the state after the selection") if placeholders else ""
            group = Group(self._theme, tr("Instruction"), caption)
            group.body.addWidget(CutText(self._theme, text, name=tr("Instruction")))
            if placeholders:
                group.body.addWidget(
                    facts(
                        self._theme, [(placeholder.name, _filled_with(placeholder)) for placeholder in placeholders]
                    )
                )
            box.addWidget(group)
        if agent.sub_agents:
            box.addWidget(facts(self._theme, [(tr("Sub-agents"), ", ".join(agent.sub_agents))]))
        if agent.tools:
            for _tool in tools(self._theme, agent, box):
                pass


class _NameDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text_painter = TextPainter(theme)

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        """All rows are equally high."""
        return QSize(120, self._theme.row(ROW_PX))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """The name, indented by its depth."""
        box = QRectF(option.rect).adjusted(12, 0, -8, 0)
        self._text_painter.left(painter, box, str(index.data() or ""), "body", "text")


def _filled_with(placeholder: Placeholder) -> str:
    return (
        (placeholder.value or tr("empty"))
        if placeholder.filled is FillResult.FOUND
        else tr(_FILLED_WORDS[placeholder.filled])
    )
