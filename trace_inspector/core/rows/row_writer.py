"""Writes a reader's items as rows: the one place that decides what a tree of a document looks like."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Container, Iterator, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from trace_inspector.core.golden.golden import Case, Suite
from trace_inspector.core.rows.row_sink import RowSink
from trace_inspector.core.rows.rows import Kind, RowBatch, RowDetails
from trace_inspector.core.rows.turn_rows import add_span, add_turn
from trace_inspector.core.trace.long_turn import bodies_of, is_long
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.trace.trace import Agent, Span, Trace, Turn
from trace_inspector.core.verdict.verdict import CaseVerdict

AGENTS_NAMED = 8


class _DescribedAgents(Struct):
    """The agents of one suite, case or trace."""

    row: int = -1  # the one above them
    first: dict[str, int] = field(default_factory=dict)  # of each agent its first row
    last: dict[str, Agent] = field(default_factory=dict)  # its newest description
    named: dict[str, tuple[int, Agent, int]] = field(default_factory=dict)  # without a row so far: index, agent, body


class AgentRows:
    """Remembers of every suite, case and trace which agents it described, and how."""

    def __init__(self, sink: RowSink) -> None:
        self._sink = sink
        self._described: dict[int, _DescribedAgents] = {}  # by its row
        self._naming: set[int] = set()  # the rows of those with agents that have no row so far

    def name(self, above: int, agents: Sequence[Agent], body: int) -> None:
        """Agents in the head of a trace. The first turn may tell the instruction of one that is only named."""
        bare = {agent.name for agent in agents if not (agent.instruction or agent.tools)}
        self.add(above, agents, body, "told again", wait=bare)

    def add(
        self, above: int, agents: Sequence[Agent], body: int, changed: str, wait: Container[str] = frozenset()
    ) -> None:
        """Rows of agents that are new there; one that is described differently now goes below its first row."""
        described = self._described.get(above)
        if described is None and not agents:
            return
        described = described or self._described.setdefault(above, _DescribedAgents())
        new = [(index, agent) for index, agent in enumerate(agents) if described.last.get(agent.name) != agent]
        if new and described.row < 0:
            names = ", ".join(agent.name for _index, agent in new[:AGENTS_NAMED])
            described.row = self._sink.add(
                Kind.AGENTS, above, one_line(f"Agents: {names}"), place=new[0][1].place, body=body
            )
        told = {agent.name: (index, agent) for index, agent in reversed(new)}
        completed = set()
        for name, (index, agent, named_in) in described.named.items():  # in the order of the head
            if name in told and _completes(told[name][1], agent):
                completed.add(told[name][0])
                self._add(described, *told[name], body, changed)
            else:
                self._add(described, index, agent, named_in, changed)
        described.named.clear()
        self._naming.discard(above)
        for index, agent in new:
            described.last[agent.name] = agent
            if agent.name in wait and agent.name not in described.first:
                described.named[agent.name] = index, agent, body
                self._naming.add(above)
            elif index not in completed:
                self._add(described, index, agent, body, changed)

    def cut(self, rows: int) -> None:
        """Forget what was described from a row on."""
        self._described = {above: described for above, described in self._described.items() if above < rows}
        self._naming.clear()

    def finish(self) -> None:
        """Rows of agents that no turn told more of."""
        for above in sorted(self._naming):
            self.add(above, (), -1, "")

    def _add(self, described: _DescribedAgents, index: int, agent: Agent, body: int, changed: str) -> None:
        first = described.first.get(agent.name)
        label = one_line(agent.name if first is None else f"{agent.name}, {changed}")
        row = self._sink.add(
            Kind.AGENT,
            described.row if first is None else first,
            label,
            author=agent.name,
            place=agent.place,
            body=body,
            part=index,
        )
        described.first.setdefault(agent.name, row)


def _completes(agent: Agent, named: Agent) -> bool:
    """Whether a description says all that an earlier one said, which was not much."""
    same = not named.description or named.description == agent.description
    return same and set(named.sub_agents) <= set(agent.sub_agents)


class RowMark(Struct, frozen=True):
    """How far the rows of a file are written, before a suite or trace."""

    rows: int = 0
    bodies: int = 0
    authors: int = 0
    traces: int = 0


SPANS_A_BODY = 200  # a trace may have 100,000 spans outside its turns; looking at one opens these few


class RowWriter:
    """Turns a reader's items into batches, numbering rows and bodies through the whole file."""

    def __init__(self) -> None:
        self._sink = RowSink()
        self._top = -1
        self._cases: dict[str, int] = {}  # their rows by place
        self._traces: list[int] = []  # their rows
        self._runs: dict[tuple[str | None, str], int] = {}  # suite and case → the row above its traces
        self._run_counts: Counter[tuple[str | None, str]] = Counter()
        self._agents = AgentRows(self._sink)
        # Outside of turns, by trace: often very many, and turns are what people look for.
        self._spans: dict[int, list[bytes]] = {}

    @property
    def untaken(self) -> int:
        """How many rows were not taken yet."""
        return self._sink.untaken

    @property
    def top(self) -> int:
        """The row of the newest case or trace."""
        return self._top

    def mark(self) -> RowMark:
        """Where a suite or trace begins, when everything before it is finished."""
        return RowMark(*self._sink.counts, len(self._traces))

    def cut(self, mark: RowMark) -> None:
        """Write on from a mark, when everything was taken. Only where no case was run several times."""
        self._sink.cut(mark.rows, mark.bodies, mark.authors)
        self._agents.cut(mark.rows)
        del self._traces[mark.traces :]
        self._spans.clear()
        self._top = -1

    def row_about(self, verdict: CaseVerdict) -> int:
        """The row of the trace that a verdict follows; of one that found no trace that of its golden."""
        return self._top if verdict.trace_id is not None else self._cases.get(verdict.golden_place, self._top)

    def take(self) -> RowBatch:
        """The rows since the last call."""
        return self._sink.take()

    def steps(self, item: Suite | Trace | Turn) -> Iterator[None]:
        """Write an item, pausing after each suite, case, trace or turn, for whoever takes batches in between."""
        match item:
            case Suite():
                yield from self.finish()
                suite = self._add_suite(item)
                yield
                for case in item.cases:
                    self._add_case(case, suite)
                    yield
            case Trace():
                if item.goes_on is not None:
                    self._go_on(item, item.goes_on)
                    return
                yield from self.finish()
                self._add_trace(item)
                yield
                for turn in item.turns:
                    self._add_turn(turn)
                    yield
            case Turn():
                self._add_turn(item)
                yield

    def finish(self) -> Iterator[None]:
        """Write what was kept back. Call it at the end; a next suite or trace does so by itself."""
        self._agents.finish()
        kept, self._spans = self._spans, {}
        for trace, bodies in kept.items():
            for pickled in bodies:
                body = self._sink.keep(pickled)
                for index, span in enumerate(pickle.loads(pickled)):  # pickled below
                    add_span(self._sink, trace, span, index, body)
                yield

    def _add_suite(self, suite: Suite) -> int:
        body = self._sink.pickled(replace(suite, cases=()))
        label = one_line(suite.name or suite.id)
        row = self._sink.add(Kind.SUITE, -1, label, place=suite.place, body=body)
        self._agents.add(row, suite.agents, body, "told again")
        return row

    def _add_case(self, case: Case, parent: int) -> None:
        body = self._sink.pickled(replace(case, turns=()))
        self._top = self._sink.add(Kind.CASE, parent, one_line(case.title or case.id), place=case.place, body=body)
        self._cases[case.place] = self._top
        persona = case.scenario.persona if case.scenario is not None else None
        self._tell(case, persona.id if persona is not None else "")
        for turn in case.turns:
            self._add_turn(turn)

    def _add_trace(self, trace: Trace) -> None:
        body = self._sink.pickled(replace(trace, turns=(), spans=()))
        parent = self._runs_of(trace) if trace.case_runs > 1 else -1
        # Below its case the case's title would only push what tells the runs apart out of sight.
        title = trace.title.removeprefix(trace.case_title).strip() if parent != -1 else trace.title
        label = one_line(title or trace.title or trace.id)
        self._top = self._sink.add(Kind.TRACE, parent, label, place=trace.place, body=body)
        self._tell(trace, trace.persona, trace.candidate, self._run_of(trace) if trace.case_runs > 1 else 0)
        self._traces.append(self._top)
        self._agents.name(self._top, trace.agents, body)
        self._keep_back(trace.spans)

    def _runs_of(self, trace: Trace) -> int:
        case = trace.suite_id, trace.case_id or ""
        if case not in self._runs:
            self._runs[case] = self._sink.add(Kind.RUNS, -1, one_line(trace.case_title or trace.case_id or ""))
        return self._runs[case]

    def _run_of(self, trace: Trace) -> int:
        self._run_counts[trace.suite_id, trace.case_id or ""] += 1
        return self._run_counts[trace.suite_id, trace.case_id or ""]

    def _tell(self, item: Case | Trace, persona: str, candidate: str = "", run: int = 0) -> None:
        name = one_line(item.id) if item.title else ""
        self._sink.add_details(RowDetails(self._top, name, one_line(candidate), one_line(persona), run))

    def _add_turn(self, turn: Turn) -> None:
        body, *_parts = map(self._sink.pickled, bodies_of(turn) if is_long(turn) else (turn,))
        self._agents.add(self._top, turn.agents, body, f"from turn {turn.index + 1}")
        add_turn(self._sink, self._top, turn, body)

    def _go_on(self, trace: Trace, number: int) -> None:
        # No row looks into this body, but whoever puts the file together again must know whose turns follow. It makes
        # no step: bodies are taken together with rows.
        self._sink.pickled(replace(trace, spans=()))
        self._top = self._traces[number]
        self._keep_back(trace.spans)

    def _keep_back(self, spans: tuple[Span, ...]) -> None:
        bodies = self._spans.setdefault(self._top, [])
        for first in range(0, len(spans), SPANS_A_BODY):
            bodies.append(pickle.dumps(spans[first : first + SPANS_A_BODY], pickle.HIGHEST_PROTOCOL))
