"""The agents of a case or trace, each below the one above it; who comes round again is said and not followed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.trace.trace import Agent

MOST_LINES = 2_000
_DEEPEST = 30
_NOWHERE = QModelIndex()


@dataclass(frozen=True, slots=True)
class AgentLine:
    """One line. `agent` is None where the file names one below another and describes it nowhere."""

    name: str
    depth: int
    agent: Agent | None
    again: bool = False


def lines_of(agents: Sequence[Agent]) -> list[AgentLine]:
    """From those that stand below nobody; where all do, from the first."""
    known: dict[str, Agent] = {}
    for agent in agents:
        known.setdefault(agent.name, agent)
    below = {name for agent in known.values() for name in agent.sub_agents if name != agent.name}
    shown: set[str] = set()
    lines: list[AgentLine] = []
    for name in sorted(known, key=lambda each: each in below):  # stable: else as the file has them
        if name not in shown:
            lines += islice(_below(name, 0, (), known, shown), MOST_LINES - len(lines))
    return lines


def _below(
    name: str, depth: int, above: tuple[str, ...], known: dict[str, Agent], shown: set[str]
) -> Iterator[AgentLine]:
    agent, again = known.get(name), name in above
    yield AgentLine(name, depth, agent, again)
    shown.add(name)
    if agent is not None and not again and depth < _DEEPEST:
        for each in agent.sub_agents:
            yield from _below(each, depth + 1, (*above, name), known, shown)


class AgentLines(QAbstractListModel):
    """For a list view."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lines: list[AgentLine] = []

    def show_agents(self, agents: Sequence[Agent]) -> None:
        """Other agents."""
        lines = lines_of(agents)
        if lines != self._lines:
            self.beginResetModel()
            self._lines = lines
            self.endResetModel()

    def line(self, row: int) -> AgentLine | None:
        """That line."""
        return self._lines[row] if 0 <= row < len(self._lines) else None

    def row_of(self, name: str) -> int:
        """The first line of an agent, -1 for none."""
        return next((row for row, line in enumerate(self._lines) if line.name == name), -1)

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._lines)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        line = self.line(index.row()) if index.isValid() else None
        if line is None or role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return None
        told = " (again)" if line.again else "" if line.agent else " (not described)"
        return "    " * line.depth + one_line(line.name) + told
