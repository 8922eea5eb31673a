"""Coverage: which agents, tools, transfers and rubrics goldens exercise, by which cases, and which none does."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct, field

from trace_inspector.core.golden.golden import Case, Suite
from trace_inspector.core.golden.promoted_turn import TRANSFER_TOOL, target_of_transfer
from trace_inspector.core.trace.expectation import Expects
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.trace.tools import tool_names
from trace_inspector.core.trace.trace import Agent, Trace, Turn


class Kind(enum.Enum):
    """What can be exercised."""

    AGENT = "agent"
    TOOL = "tool"
    TRANSFER = "transfer"
    RUBRIC = "rubric"


class Touch(Struct, frozen=True):
    """A turn of a golden that exercises something, counted from 0; no turn where the whole case does."""

    suite_id: str
    case_id: str
    turn: int | None
    case_place: str = ""
    turn_place: str = ""


class Line(Struct, frozen=True):
    """One thing that goldens may exercise. `declared`: an agent's description names it.

    A tool has a line for each agent that declares or calls it; `agent` is "" where that is unknown. A transfer is
    from `agent` to `name`. `runs` is the number of recorded conversations with it.
    """

    kind: Kind
    name: str
    agent: str = ""
    declared: bool = False
    runs: int = 0
    touches: tuple[Touch, ...] = ()

    @property
    def cases(self) -> int:
        """The number of different cases that exercise it."""
        return len({(touch.suite_id, touch.case_id, touch.case_place) for touch in self.touches})


class Coverage(Struct, frozen=True):
    """Lines by kind, then in order of first occurrence."""

    lines: tuple[Line, ...] = ()
    case_count: int = 0

    @property
    def untouched(self) -> tuple[Line, ...]:
        """What is declared, or occurred in a run, and no golden exercises."""
        return tuple(line for line in self.lines if not line.touches)

    @property
    def undeclared(self) -> tuple[Line, ...]:
        """What goldens exercise though no agent declares it, for kinds with declarations."""
        declared_kinds = {line.kind for line in self.lines if line.declared}
        return tuple(
            line for line in self.lines if line.touches and not line.declared and line.kind in declared_kinds
        )


def coverage(suites: Iterable[Suite], traces: Iterable[Trace] = ()) -> Coverage:
    """What the cases of suites exercise of what they and the traces declare."""
    table = _CoverageTable()
    count = 0
    for suite in suites:
        table.declare(suite.agents)
        for case in suite.cases:
            count += 1
            table.take_case(suite.id, case)
    for index, trace in enumerate(traces):
        table.declare(trace.agents)
        for turn in trace.turns:
            table.declare(turn.agents)
            for key in _exercised(turn):
                table.entry(key).runs.add(index)
    return Coverage(tuple(table.lines()), count)


_Key = tuple[Kind, str, str]


class _Entry(Struct):
    declared: bool = False
    runs: set[int] = field(default_factory=set)
    touches: list[Touch] = field(default_factory=list)


class _CoverageTable(Struct):
    entries: dict[_Key, _Entry] = field(default_factory=dict)

    def entry(self, key: _Key) -> _Entry:
        return self.entries.setdefault(key, _Entry())

    def declare(self, agents: Sequence[Agent]) -> None:
        for agent in agents:
            self.entry((Kind.AGENT, "", agent.name)).declared = True
            for name in tool_names(agent.tools):
                if name != TRANSFER_TOOL:
                    self.entry((Kind.TOOL, agent.name, name)).declared = True
            for below in agent.sub_agents:
                self.entry((Kind.AGENT, "", below)).declared = True
                self.entry((Kind.TRANSFER, agent.name, below)).declared = True

    def take_case(self, suite_id: str, case: Case) -> None:
        for rubric in case.rubrics:
            self._touch((Kind.RUBRIC, "", rubric.id), Touch(suite_id, case.id, None, case.place))
        for expectation in case.expectations:
            for part in expectation.parts:
                if isinstance(part, ToolCall) and expectation.kind is Expects.CALL:
                    self._touch((Kind.TOOL, part.agent, part.name), Touch(suite_id, case.id, None, case.place))
        for index, turn in enumerate(case.turns):
            self.declare(turn.agents)
            touch = Touch(suite_id, case.id, index, case.place, turn.place)
            for key in _exercised(turn):
                self._touch(key, touch)
            for rubric in turn.rubrics:
                self._touch((Kind.RUBRIC, "", rubric.id), touch)

    def lines(self) -> Iterator[Line]:
        """All lines. Calls without a known agent belong to the only agent that declares the tool."""
        for (kind, agent, name), entry in list(self.entries.items()):
            owners = self._owners(name) if kind is Kind.TOOL and not agent else []
            if len(owners) == 1:
                owner = self.entry((kind, owners[0], name))
                owner.touches = list(dict.fromkeys([*owner.touches, *entry.touches]))
                owner.runs |= entry.runs
                del self.entries[kind, agent, name]
        for next_kind in Kind:
            for (kind, agent, name), entry in self.entries.items():
                if kind is next_kind:
                    yield Line(
                        kind, name, agent, kind is Kind.RUBRIC or entry.declared, len(entry.runs), (*entry.touches,)
                    )

    def _owners(self, tool: str) -> list[str]:
        return [
            agent
            for (kind, agent, name), entry in self.entries.items()
            if kind is Kind.TOOL and name == tool and agent and entry.declared
        ]

    def _touch(self, key: _Key, touch: Touch) -> None:
        entry = self.entry(key)
        if touch not in entry.touches[-1:]:
            entry.touches.append(touch)


def _exercised(turn: Turn) -> Iterator[_Key]:
    """What happens in a turn: agents that speak, calls, and transfers."""
    speaker = ""
    for event in turn.events:
        if event.author and event.author.lower() != "user":
            speaker = event.author
            yield Kind.AGENT, "", speaker
        for part in event.parts:
            target = target_of_transfer(part)
            if target is not None:
                yield Kind.AGENT, "", target
                yield Kind.TRANSFER, speaker, target
            elif isinstance(part, ToolCall):
                yield Kind.TOOL, part.agent or event.author, part.name
    if turn.final_author:
        yield Kind.AGENT, "", turn.final_author
