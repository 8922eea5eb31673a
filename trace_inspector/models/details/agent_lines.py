"""The agents of a case or trace as a tree of lines; an agent that is its own ancestor is marked, not followed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from operator import attrgetter

from msgspec import Struct
from PySide6.QtCore import QObject

from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.trace.trace import Agent
from trace_inspector.models.base.record_table import Column, RecordTable

MOST_LINES = 2_000
_DEEPEST = 30


class AgentLine(Struct, frozen=True):
    """One line. `agent` is None where the file names a sub-agent and does not describe it."""

    name: str
    depth: int
    agent: Agent | None
    again: bool = False


def lines_of(agents: Sequence[Agent]) -> list[AgentLine]:
    """The lines from the root agents on; where every agent has a parent, from the first agent on."""
    described: dict[str, Agent] = {}
    for agent in agents:
        described.setdefault(agent.name, agent)
    below = {name for agent in described.values() for name in agent.sub_agents if name != agent.name}
    shown: set[str] = set()
    lines: list[AgentLine] = []
    for name in sorted(described, key=lambda agent: agent in below):  # stable: else as the file has them
        if name not in shown:
            lines += islice(_below(name, 0, (), described, shown), MOST_LINES - len(lines))
    return lines


def _below(
    name: str, depth: int, above: tuple[str, ...], described: dict[str, Agent], shown: set[str]
) -> Iterator[AgentLine]:
    agent, again = described.get(name), name in above
    yield AgentLine(name, depth, agent, again)
    shown.add(name)
    if agent is not None and not again and depth < _DEEPEST:
        for sub_agent in agent.sub_agents:
            yield from _below(sub_agent, depth + 1, (*above, name), described, shown)


def _text(line: AgentLine) -> str:
    remark = " (again)" if line.again else "" if line.agent else " (not described)"
    return "    " * line.depth + one_line(line.name) + remark


class AgentLines(RecordTable[AgentLine]):
    """The lines for a list view; their keys are the names of the agents."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__((Column("", _text),), attrgetter("name"), parent)

    def show_agents(self, agents: Sequence[Agent]) -> None:
        """Show other agents."""
        lines = lines_of(agents)
        if lines != self.records:
            self.reset(lines)
