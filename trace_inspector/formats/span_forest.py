"""Spans as trees, and in the trees the turns: where each begins, what belongs to it, what is a delegate's own."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from trace_inspector.core.contents import Item
from trace_inspector.core.finding import info, warning
from trace_inspector.core.trace import Agent, Span, SpanKind, Trace
from trace_inspector.formats.span_messages import request_of, trailing_results
from trace_inspector.formats.span_run import Branch, Run, Step
from trace_inspector.formats.span_turn import Gaps, turn_of
from trace_inspector.formats.spans import Recorded, Recording

_TICK_EVERY = 4096
_OPENS = (SpanKind.RUN, SpanKind.AGENT)
_WORK = (SpanKind.MODEL, SpanKind.TOOL)
_LIFE = (SpanKind.AGENT, SpanKind.MODEL)
_MERGED_TOOLS = "(merged"


@dataclass(slots=True, eq=False)
class _Node:
    recorded: Recorded
    children: list[_Node] = field(default_factory=list)
    parent: _Node | None = None
    works: bool = False  # a model or a tool stands below, not counting those of runs in between
    lives: bool = False  # an agent or a model stands below


@dataclass(slots=True)
class _Conversation:
    key: str
    runs: list[Run] = field(default_factory=list)
    outside: list[Span] = field(default_factory=list)
    span_count: int = 0
    session_id: str | None = None
    place: str = ""


@dataclass(slots=True)
class _Oddities:
    orphans: int = 0
    cycles: int = 0
    repeated: int = 0


def read_recording(recording: Recording, tick: Callable[[], None]) -> Iterator[Item]:
    """Traces and turns of a file's spans, conversation by conversation, and what was derived on the way."""
    odd = _Oddities()
    conversations: dict[str, _Conversation] = {}
    for trace_id, spans in _by_trace(recording.spans).items():
        _sort_out(trace_id, spans, conversations, odd, tick)
    gaps = Gaps()
    turns = 0
    for conversation in conversations.values():
        runs = deque(_joined(conversation.runs))
        conversation.runs.clear()
        yield _head(conversation, runs)
        turns += len(runs)
        for index in range(len(runs)):
            tick()
            # Each run is let go once it is told: its parsed requests are large.
            yield turn_of(runs.popleft(), index, gaps)
    yield from recording.findings()
    yield from gaps.findings()
    yield from _findings(odd, len(recording.spans), turns)


def _by_trace(spans: Iterable[Recorded]) -> dict[str, list[Recorded]]:
    traces: dict[str, list[Recorded]] = {}
    for recorded in spans:
        listed = traces.get(recorded.trace_id)
        if listed is None:
            traces[recorded.trace_id] = [recorded]
        else:
            listed.append(recorded)
    return traces


def _sort_out(
    trace_id: str,
    spans: list[Recorded],
    conversations: dict[str, _Conversation],
    odd: _Oddities,
    tick: Callable[[], None],
) -> None:
    """Give every run of one trace, and every span outside runs, to its conversation."""
    walk = _Walk(tick)
    for root in _roots(spans, odd):
        walk.down(root)
    walk.drop_idle()
    anywhere = next((found for recorded in spans if (found := recorded.conversation())), None) if walk.runs else None
    first: _Conversation | None = None
    for run in walk.runs:
        session = run.conversation() or anywhere
        key = session or trace_id or "trace"
        conversation = conversations.setdefault(
            key, _Conversation(key, session_id=session, place=run.roots[0].span.place)
        )
        conversation.runs.append(run)
        conversation.span_count += len(run.spans)
        first = first or conversation
    if first is None:
        key = trace_id or "trace"
        first = conversations.setdefault(key, _Conversation(key, place=spans[0].span.place))
    first.outside.extend(walk.outside)
    first.span_count += len(walk.outside)


def _roots(spans: list[Recorded], odd: _Oddities) -> Iterator[_Node]:
    nodes: dict[str, _Node] = {}
    every: list[_Node] = []
    for recorded in spans:
        node = _Node(recorded)
        every.append(node)
        if nodes.setdefault(recorded.span.id, node) is not node:
            odd.repeated += 1
    tops: list[_Node] = []
    for node in every:
        parent_id = node.recorded.span.parent_id
        parent = nodes.get(parent_id) if parent_id is not None else None
        if parent is None or parent is node:
            odd.orphans += parent_id is not None
            tops.append(node)
        else:
            node.parent = parent
            parent.children.append(node)
    tops.extend(_cut_cycles(every, tops, odd))
    for top in tops:
        _look_below(top)
    yield from tops


def _cut_cycles(every: list[_Node], tops: list[_Node], odd: _Oddities) -> Iterator[_Node]:
    """Spans that are each other's ancestors hang from no root: cut each ring once."""
    reached = sum(1 for top in tops for _node in _below(top))
    if reached == len(every):
        return
    known = {id(node) for top in tops for node in _below(top)}
    for node in every:
        if id(node) in known:
            continue
        ring: set[int] = set()
        at = node
        while id(at) not in ring and at.parent is not None:
            ring.add(id(at))
            at = at.parent
        if at.parent is not None:
            at.parent.children.remove(at)
            at.parent = None
        odd.cycles += 1
        yield at
        known.update(id(below) for below in _below(at))


def _look_below(top: _Node) -> None:
    """Tell every span what stands below it, from the leaves up."""
    for node in reversed(list(_below(top))):
        above = node.parent
        if above is None:
            continue
        kind = node.recorded.span.kind
        if kind is not SpanKind.RUN and (node.works or kind in _WORK):
            above.works = True
        if node.lives or kind in _LIFE:
            above.lives = True


def _below(top: _Node) -> Iterator[_Node]:
    stack = [top]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(node.children)


class _Walk:
    """Walks down the trees of one trace once and hands every span to the turn it belongs to."""

    def __init__(self, tick: Callable[[], None]) -> None:
        self.runs: list[Run] = []
        self.outside: list[Span] = []
        self._loose: dict[int, Run] = {}
        self._tick = tick
        self._steps = 0

    def down(self, top: _Node) -> None:
        """Everything below one root. A stack, because traces are deeper than Python's."""
        stack: list[tuple[_Node, Branch | None]] = [(top, None)]
        while stack:
            self._steps += 1
            if self._steps % _TICK_EVERY == 0:
                self._tick()
            node, branch = stack.pop()
            kind = node.recorded.span.kind
            if branch is None:
                branch = self._opened(node, kind, top)
            if branch is None:
                self.outside.append(node.recorded.span)
            else:
                branch.run.spans.append(node.recorded.span)
                if kind is not SpanKind.PLUMBING and kind is not SpanKind.OTHER:
                    branch = _entered(node.recorded, kind, branch)
            if node.children:
                stack.extend((child, branch) for child in reversed(node.children))

    def _opened(self, node: _Node, kind: SpanKind, top: _Node) -> Branch | None:
        """The branch that begins here, when a turn does."""
        if kind in _OPENS and _opens_turn(node):
            run = Run([node.recorded])
            self.runs.append(run)
            return Branch(run)
        if kind in _WORK:
            # Nothing says where a turn begins; the whole tree around is taken for one.
            run = self._loose.get(id(top)) or Run([node.recorded], loose=True)
            if id(top) not in self._loose:
                self._loose[id(top)] = run
                self.runs.append(run)
            return Branch(run)
        return None

    def drop_idle(self) -> None:
        """Tools that no model called make no turn."""
        for run in self._loose.values():
            if not run.calls:
                self.outside.extend(run.spans)
        self.runs = [run for run in self.runs if run.calls or not run.loose]


def _opens_turn(node: _Node) -> bool:
    """Whether a run or an agent does work of its own, and not only carries another's."""
    span = node.recorded.span
    return node.lives if span.kind is SpanKind.RUN else node.works or span.error is not None


def _entered(recorded: Recorded, kind: SpanKind, branch: Branch) -> Branch:
    """What holds below a span that means something; steps of the turn are noted on the way."""
    run = branch.run
    match kind:
        case SpanKind.RUN:
            nested = recorded is not run.roots[0] and recorded.attributes.get("gen_ai.workflow.nested") not in (
                True,
                "true",
            )
            return replace(branch, inner=branch.inner or nested, model=None)
        case SpanKind.AGENT:
            name = _agent_name(recorded)
            if not branch.inner and name:
                description = recorded.attributes.text("gen_ai.agent.description") or ""
                run.agents.setdefault(name, Agent(name, description=description, place=recorded.span.place))
            return replace(branch, agent=name or branch.agent, model=None)
        case SpanKind.MODEL if branch.model is not None:
            branch.model.wrapped.append(recorded)  # a provider's own span below the framework's: the same call
            return branch
        case SpanKind.MODEL:
            named = recorded.attributes.text("gen_ai.agent.name")
            step = Step(recorded, named or branch.agent)
            if not branch.inner:
                run.calls.append(step)
            return replace(branch, model=step)
        case _:
            if not branch.inner and _MERGED_TOOLS not in recorded.span.name:
                run.tools.append(Step(recorded, branch.agent))
            return replace(branch, inner=True, model=None)


def _agent_name(recorded: Recorded) -> str:
    named = recorded.attributes.text("gen_ai.agent.name", "agent.name", "traceloop.entity.name", "entity.1.name")
    if named:
        return named
    _operation, _, rest = recorded.span.name.partition(" ")
    return rest.strip("[]") or ("" if recorded.span.name in ("invoke_agent", "agent_run") else recorded.span.name)


def _joined(runs: list[Run]) -> list[Run]:
    """Runs in start order, with those put together that are one turn.

    Transferred-to agents of one invocation stand side by side when the run around them was not exported;
    a provider's bare telemetry has one tree for each model call.
    """
    joined: list[Run] = []
    by_invocation: dict[str, Run] = {}
    for run in sorted(runs, key=lambda run: run.start_s()):
        invocation = run.invocation_id()
        same = by_invocation.get(invocation) if invocation else None
        if same is None and run.loose and joined and joined[-1].loose and _goes_on(run):
            same = joined[-1]
        if same is None:
            joined.append(run)
            if invocation:
                by_invocation[invocation] = run
        else:
            same.absorb(run)
    return joined


def _goes_on(run: Run) -> bool:
    first = min(run.calls, key=lambda step: step.start_s(), default=None)
    return first is not None and any(trailing_results(request_of(known).messages) for known in first.attributes())


def _head(conversation: _Conversation, runs: Iterable[Run]) -> Trace:
    agents: dict[str, Agent] = {}
    for run in runs:
        for name, agent in run.agents.items():
            agents.setdefault(name, agent)
    return Trace(
        id=conversation.key,
        agents=tuple(agents.values()),
        spans=tuple(conversation.outside),
        span_count=conversation.span_count,
        session_id=conversation.session_id,
        guessed=frozenset({"borders"}) if any(run.loose for run in runs) else frozenset(),
        place=conversation.place,
    )


def _findings(odd: _Oddities, spans: int, turns: int) -> Iterator[Item]:
    if spans and not turns:
        message = f"{_spans(spans)}, none of a model or an agent, so there are no turns."
        yield info("no-agent-spans", message)
    if odd.orphans:
        message = f"{_spans(odd.orphans)} with a parent that is not in the file; each is taken for the top of a tree."
        yield info("parent-missing", message)
    if odd.repeated:
        yield info("repeated-span", f"{_spans(odd.repeated)} with the id of another span of the same trace.")
    if odd.cycles:
        message = (
            f"{odd.cycles} {'ring' if odd.cycles == 1 else 'rings'} of spans that are each other's parents; cut once."
        )
        yield warning("span-cycle", message)


def _spans(count: int) -> str:
    return "1 span" if count == 1 else f"{count} spans"
