"""Writes the agents that suites, cases and traces describe: each once, and again where it is told otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from trace_inspector.core.rows.row_sink import RowSink
from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.trace.trace import Agent

AGENTS_NAMED = 8


@dataclass(slots=True)
class _Described:
    """The agents of one suite, case or trace."""

    row: int = -1  # the one above them
    first: dict[str, int] = field(default_factory=dict)  # of each agent its first row
    last: dict[str, Agent] = field(default_factory=dict)  # how it was told of last


class AgentRows:
    """Remembers of every suite, case and trace which agents it told of, and how."""

    def __init__(self, sink: RowSink) -> None:
        self._sink = sink
        self._known: dict[int, _Described] = {}  # by its row

    def add(self, above: int, agents: Sequence[Agent], body: int, changed: str) -> None:
        """Those that are new there, before what tells of them; who is told of otherwise, below its first row."""
        if not agents:
            return
        told = self._known.setdefault(above, _Described())
        new = [(at, agent) for at, agent in enumerate(agents) if told.last.get(agent.name) != agent]
        if new and told.row < 0:
            names = ", ".join(agent.name for _at, agent in new[:AGENTS_NAMED])
            told.row = self._sink.add(
                Kind.AGENTS, above, one_line(f"Agents: {names}"), place=new[0][1].place, body=body
            )
        for at, agent in new:
            first = told.first.get(agent.name)
            label = one_line(agent.name if first is None else f"{agent.name}, {changed}")
            row = self._sink.add(
                Kind.AGENT,
                told.row if first is None else first,
                label,
                author=agent.name,
                place=agent.place,
                body=body,
                part=at,
            )
            told.first.setdefault(agent.name, row)
            told.last[agent.name] = agent
