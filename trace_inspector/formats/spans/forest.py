"""Builds trees of spans and finds the turns in them: where each begins, and which spans belong to it."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.finding import Finding, info, warning
from trace_inspector.core.trace.trace import Agent, Span, SpanKind
from trace_inspector.formats.spans.messages import states_a_call
from trace_inspector.formats.spans.run import Branch, Run, Step
from trace_inspector.formats.spans.spans import AROUND, NO_ATTRIBUTES, Recorded

_TICK_EVERY = 4096
_RUN, _AGENT, _MODEL, _TOOL = SpanKind.RUN, SpanKind.AGENT, SpanKind.MODEL, SpanKind.TOOL
_OPENS = (_RUN, _AGENT)
_WORK = (_MODEL, _TOOL)
_LIFE = (_AGENT, _MODEL)
_MERGED_TOOLS = "(merged"
_MOST_COMPARED = 8  # spans of one id, and states of one span, so that no file makes it slow


class TreeProblems(Struct):
    """Counts of problems in the trees of a file."""

    orphans: int = 0
    late: int = 0
    cycles: int = 0
    repeated: int = 0
    sent_again: int = 0
    sent_changed: int = 0

    def findings(self, spans: int, turns: int) -> Iterator[Finding]:
        """One finding for each kind."""
        if spans and not turns:
            message = f"{_spans(spans)}, none of them of a model or an agent, so there are no turns."
            yield info("no-agent-spans", message)
        if self.orphans:
            message = (
                f"{_spans(self.orphans)} with a parent that is not in the file; each is shown as the root of a tree."
            )
            yield info("parent-missing", message)
        if self.late:
            message = (
                f"{_spans(self.late)} with a parent that is too far away in this large file; each is shown as the "
                "root of a tree."
            )
            yield warning("late-span", message)
        if self.repeated:
            yield info("repeated-span", f"{_spans(self.repeated)} with the id of another span of the same trace.")
        if self.sent_again:
            yield info(
                "sent-again", f"{_spans(self.sent_again)} that came before, the same in everything; shown once."
            )
        if self.sent_changed:
            yield info(
                "sent-changed",
                f"{_spans(self.sent_changed)} that came before in another state; each is shown once, as it ended.",
            )
        if self.cycles:
            rings = "1 ring" if self.cycles == 1 else f"{self.cycles} rings"
            yield warning(
                "span-cycle", f"{rings} of spans that are each other's parents; each circle is cut at one place."
            )


def by_trace(spans: Iterable[Recorded]) -> dict[str, list[Recorded]]:
    """Group spans by trace."""
    traces: dict[str, list[Recorded]] = {}
    for recorded in spans:
        listed = traces.get(recorded.trace_id)
        if listed is None:
            traces[recorded.trace_id] = [recorded]
        else:
            listed.append(recorded)
    return traces


def runs_of(
    spans: list[Recorded],
    problems: TreeProblems,
    tick: Callable[[], None],
    is_taken: Callable[[str], bool],
    *,
    every_span: bool = True,
) -> tuple[list[Run], list[Span]]:
    """The runs of one trace, and its spans outside of runs. `is_taken`: whether a span came in an earlier turn.

    Without `every_span` those are left out that have nothing below and say nothing of the work: no turn is other.
    """
    walk = _Walk(tick)
    for root in _roots(spans, problems, is_taken, every_span=every_span):
        walk.down(root)
    walk.drop_idle()
    return walk.runs, walk.outside


def _roots(
    spans: list[Recorded], problems: TreeProblems, is_taken: Callable[[str], bool], *, every_span: bool
) -> Iterator[Recorded]:
    spans, nodes = _once(spans, problems)
    above = frozenset[str | None]() if every_span else frozenset([node.span.parent_id for node in spans])
    tops: list[Recorded] = []
    left_out = 0
    for node in spans:
        parent_id = node.span.parent_id
        parent = nodes.get(parent_id) if parent_id is not None else None
        if parent is None or parent is node:
            if parent_id is not None:
                late = is_taken(parent_id)
                problems.late += late
                problems.orphans += not late
            tops.append(node)
        elif not every_span and node.attributes is NO_ATTRIBUTES and node.span.id not in above:
            left_out += 1
        else:
            node.parent = parent
            if parent.children:
                parent.children.append(node)
            else:
                parent.children = [node]
    trees = [_below(top) for top in tops]
    if sum(map(len, trees)) < len(spans) - left_out:
        rings = list(_cut_cycles(spans, trees, problems))
        tops.extend(rings)
        trees.extend(map(_below, rings))
    for tree in trees:
        _look_below(tree)
    yield from tops


def _once(spans: list[Recorded], problems: TreeProblems) -> tuple[list[Recorded], dict[str, Recorded]]:
    """The spans without those that were sent again, and the first one of each id."""
    nodes: dict[str, Recorded] = {}
    listed: list[Recorded] = []
    several: dict[str, list[list[Recorded]]] = {}  # of an id that came again: the states of each span that is listed
    fullest: dict[int, Recorded] = {}  # by the first state
    for node in spans:
        first = nodes.setdefault(node.span.id, node)
        if first is node:
            listed.append(node)
            continue
        known = several.setdefault(node.span.id, [[first]])
        if any(state.is_same_as(node) for states in known for state in states):
            problems.sent_again += 1
            continue
        for states in known:
            last = fullest.get(id(states[0]), states[0])
            if last.is_state_of(node):
                problems.sent_changed += 1
                fuller, other = (node, last) if node.is_fuller_than(last) else (last, node)
                fuller.take_notes_of(other)
                fullest[id(states[0])] = fuller
                if len(states) < _MOST_COMPARED:
                    states.append(node)
                break
        else:
            problems.repeated += 1
            listed.append(node)
            if len(known) < _MOST_COMPARED:
                known.append([node])
    if fullest:
        listed = [fullest.get(id(node), node) for node in listed]
        nodes = {span_id: fullest.get(id(node), node) for span_id, node in nodes.items()}
    return listed, nodes


def _cut_cycles(every: list[Recorded], trees: list[list[Recorded]], problems: TreeProblems) -> Iterator[Recorded]:
    """Spans in a cycle have no root: cut each cycle once."""
    reached = {id(node) for tree in trees for node in tree}
    for node in every:
        if node.parent is None or id(node) in reached:
            continue
        ring: set[int] = set()
        current = node
        while id(current) not in ring and current.parent is not None:
            ring.add(id(current))
            current = current.parent
        if current.parent is not None:
            current.parent.children = [child for child in current.parent.children if child is not current]
            current.parent = None
        problems.cycles += 1
        yield current
        reached.update(id(below) for below in _below(current))


def _look_below(tree: list[Recorded]) -> None:
    """Set `works` and `lives` of every span, from the leaves up."""
    for node in reversed(tree):
        above, span = node.parent, node.span
        if span.kind in AROUND and not node.lives and not node.tools:
            continue  # no work below either
        if (node.tools or node.models > 1) and node.is_model_by_name_alone():
            span.kind = _RUN  # the span of a framework around its calls
        kind = span.kind
        if above is None:
            continue
        if kind in _WORK or (node.works and (kind is not _RUN or node.is_around_calls())):
            above.works = True
        if node.lives or kind in _LIFE:
            above.lives = True
        if node.tools or kind is _TOOL:
            above.tools = True
        if node.models or kind is _MODEL:
            above.models += node.models + (kind is _MODEL)


def _below(top: Recorded) -> list[Recorded]:
    """A node and all nodes below it, parents first."""
    nodes, stack = [], [top]
    while stack:
        node = stack.pop()
        nodes.append(node)
        if node.children:
            stack.extend(node.children)
    return nodes


class _Walk:
    """Walks down the trees of one trace once and assigns every span to its turn."""

    def __init__(self, tick: Callable[[], None]) -> None:
        self.runs: list[Run] = []
        self.outside: list[Span] = []
        self._loose: dict[int, Run] = {}
        self._tick = tick
        self._steps = 0

    def down(self, top: Recorded) -> None:
        """Everything below one root. A stack, because traces are deeper than Python's."""
        stack: list[tuple[Recorded, Branch | None]] = [(top, None)]
        while stack:
            self._steps += 1
            if self._steps % _TICK_EVERY == 0:
                self._tick()
            node, branch = stack.pop()
            span = node.span
            kind = span.kind
            if kind not in AROUND:
                if kind is _AGENT:
                    span.agent = _agent_name(node)
                branch = branch or self._opened(node, kind, top)
            if branch is None:
                self.outside.append(span)
            else:
                branch.run.spans.append(span)
                if kind not in AROUND:
                    branch = _entered(node, kind, branch)
            if node.children:
                stack.extend([(child, branch) for child in reversed(node.children)])
                node.children = ()  # no rings, which only the collector would find
            node.parent = None

    def _opened(self, node: Recorded, kind: SpanKind, top: Recorded) -> Branch | None:
        """The branch that begins here, when a turn does."""
        if kind in _OPENS and _opens_turn(node):
            run = Run([node])
            self.runs.append(run)
            return Branch(run)
        if kind in _WORK:
            # Nothing says where a turn begins; the whole tree around is taken for one.
            run = self._loose.get(id(top)) or Run([node], loose=True)
            if id(top) not in self._loose:
                self._loose[id(top)] = run
                self.runs.append(run)
            return Branch(run)
        return None

    def drop_idle(self) -> None:
        """Join runs of tools alone with the model call before, as where no span has a parent; else drop them."""
        callers = sorted((run for run in self._loose.values() if run.calls), key=Run.start_s)
        starts = [run.start_s() for run in callers]
        for run in self._loose.values():
            if not run.calls:
                before = bisect_right(starts, run.start_s()) if run.start_s() != math.inf else 0
                if before:
                    callers[before - 1].tools.extend(run.tools)
                    callers[before - 1].spans.extend(run.spans)
                else:
                    self.outside.extend(run.spans)
        self.runs = [run for run in self.runs if run.calls or not run.loose]


def _opens_turn(node: Recorded) -> bool:
    """Whether a run or an agent has work of its own, not only that of a nested one."""
    span = node.span
    own = node.lives if span.kind is SpanKind.RUN else node.works or span.error is not None
    return own or _stands_for_calls(node)


def _stands_for_calls(node: Recorded) -> bool:
    """Whether it states what calls took that have no span of their own."""
    return node.models == 0 and states_a_call(node.attributes)


def _entered(node: Recorded, kind: SpanKind, branch: Branch) -> Branch:
    """The branch below a span; the steps of the turn are collected on the way."""
    below = _below_of(node, kind, branch)
    if kind in _OPENS and not branch.inner and not branch.stated and _stands_for_calls(node):
        branch.run.calls.append(Step(node, below.agent, is_around=node.works))
        return replace(below, stated=True)
    return below


def _below_of(recorded: Recorded, kind: SpanKind, branch: Branch) -> Branch:
    run = branch.run
    match kind:
        case SpanKind.RUN:
            own = recorded is run.roots[0] or recorded.is_around_calls()
            nested = not own and recorded.attributes.get("gen_ai.workflow.nested") not in (True, "true")
            return replace(branch, inner=branch.inner or nested, model=None)
        case SpanKind.AGENT:
            name = _agent_name(recorded)
            if not branch.inner and name:
                description = recorded.attributes.text("gen_ai.agent.description") or ""
                run.agents.setdefault(name, Agent(name, description=description, place=recorded.span.place))
                _put_below(run.agents, branch.agent, name)
            return replace(branch, agent=name or branch.agent, model=None)
        case SpanKind.MODEL if branch.model is not None:
            branch.model.wrapped.append(recorded)  # the provider's span below that of the framework is the same call
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


def _put_below(agents: dict[str, Agent], above: str, name: str) -> None:
    parent = agents.get(above)
    if parent is not None and name != above and name not in parent.sub_agents:
        agents[above] = replace(parent, sub_agents=(*parent.sub_agents, name))


def _agent_name(recorded: Recorded) -> str:
    named = recorded.attributes.text("gen_ai.agent.name", "agent.name", "traceloop.entity.name", "entity.1.name")
    if named:
        return named
    _operation, _, rest = recorded.span.name.partition(" ")
    return rest.strip("[]") or ("" if recorded.span.name in ("invoke_agent", "agent_run") else recorded.span.name)


def _spans(count: int) -> str:
    return "1 span" if count == 1 else f"{count} spans"
