"""OTLP lines that come one after the other: only the conversations with new spans are built anew.

Spans of a trace come in any order, late and more than once. So those of each trace stay as they were read, and copies
of them make the trees; what was made of traces and conversations without news is given again as it was.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct, field
from msgspec.structs import asdict, replace

from trace_inspector.core.rows.contents import Holds, Item
from trace_inspector.core.trace.trace import Agent, Span, Trace, Turn
from trace_inspector.core.values.values import Json
from trace_inspector.documents.large.pieces import Piece
from trace_inspector.formats.common.format import Source
from trace_inspector.formats.spans.conversation_builder import joined
from trace_inspector.formats.spans.forest import TreeProblems, by_trace, runs_of
from trace_inspector.formats.spans.layouts import unwrapped
from trace_inspector.formats.spans.log_records import LogRecords
from trace_inspector.formats.spans.otlp import Reading
from trace_inspector.formats.spans.run import Run
from trace_inspector.formats.spans.spans import NO_ATTRIBUTES, Recorded
from trace_inspector.formats.spans.turn_builder import Gaps, turn_of


class _SpanTree(Struct, eq=False):
    """One trace: its spans as read, and what was made of them."""

    spans: list[Recorded] = field(default_factory=list)  # as read
    calls: tuple[str, ...] = ()  # the places of log records that stand for calls without a span
    place: str = ""
    runs: list[tuple[Run, str]] = field(default_factory=list)  # each with its conversation, "" for the trace itself
    outside: list[Span] = field(default_factory=list)
    problems: TreeProblems = field(default_factory=TreeProblems)


class _GrownConversation(Struct, eq=False):
    """The traces of one conversation, and what they were told as."""

    place: str
    session_id: str | None
    runs: list[Run] = field(default_factory=list)
    outside: list[list[Span]] = field(default_factory=list)
    head: Trace | None = None
    turns: dict[tuple[int, ...], tuple[Turn, Gaps, list[Recorded]]] = field(default_factory=dict)  # by their roots

    def is_like(self, other: _GrownConversation) -> bool:
        """Whether it has the very runs and spans of another one."""
        return (
            (self.place, self.session_id) == (other.place, other.session_id)
            and [*map(id, self.runs)] == [*map(id, other.runs)]
            and [*map(id, self.outside)] == [*map(id, other.outside)]
        )


class ContinuedSpans:
    """The state of reading lines of OTLP that are still written."""

    def __init__(self) -> None:
        self._reading = Reading(Source(None))
        self._trees: dict[str, _SpanTree] = {}
        self._trees_of_calls: dict[str, _SpanTree] = {}  # of traces without a span, which come behind all others
        self._news: set[str] = set()  # traces with new spans or log records
        self._ids: set[tuple[str, str]] = set()
        self._conversations: dict[str, _GrownConversation] = {}

    def take(self, values: Sequence[Json], first: int) -> None:
        """Take more lines."""
        for index, value in enumerate(values, first):
            self._reading.take_envelope(*unwrapped(value, f"/{index}"))
        self._sort_new()

    def take_pieces(self, pieces: Iterable[Piece]) -> None:
        """Take more records."""
        for piece in pieces:
            self._reading.take_piece(piece)
        self._sort_new()

    def _sort_new(self) -> None:
        spans = self._reading.recording.spans
        for recorded in spans:
            self._trees.setdefault(recorded.trace_id, _SpanTree()).spans.append(recorded)
            self._news.add(recorded.trace_id)
            self._ids.add((recorded.trace_id, recorded.span.id))
        spans.clear()
        self._news |= self._reading.logs.new_traces()

    def items(self) -> Iterator[Item]:
        """Everything that is told of the lines so far."""
        recording = replace(self._reading.recording, spans=[], units=Counter(self._reading.recording.units))
        rest = self._reading.logs.copy()
        rest.leave_out(self._ids)
        yield from rest.remaining(recording)
        if self._reading.metrics:
            yield Holds("metrics", self._reading.metrics)
        told = self._grouped(by_trace(recording.spans))
        gaps, turns = Gaps(), 0
        for key, conversation in told.items():
            listed = list(self._told(key, conversation))
            turns += len(listed)
            _add(gaps, [own for _turn, own in listed])
            if conversation.head is not None:
                yield conversation.head
            yield from (turn for turn, _own in listed)
        self._conversations = told
        yield from recording.findings()
        yield from gaps.findings()
        problems = TreeProblems()
        _add(problems, [tree.problems for tree in (*self._trees.values(), *self._trees_of_calls.values())])
        yield from problems.findings(recording.count, turns)

    def _grouped(self, calls: dict[str, list[Recorded]]) -> dict[str, _GrownConversation]:
        """The runs of all traces by conversation, those of traces with news made anew."""
        grouped: dict[str, _GrownConversation] = {}
        logs = self._reading.logs.copy()
        before, self._trees_of_calls = self._trees_of_calls, {}
        for trace_id in calls:
            if trace_id not in self._trees:
                self._trees_of_calls[trace_id] = before.get(trace_id) or _SpanTree()
        for trace_id, tree in (*self._trees.items(), *self._trees_of_calls.items()):
            of_calls = calls.get(trace_id, [])
            places = tuple(recorded.span.place for recorded in of_calls)
            if trace_id in self._news or places != tree.calls or not tree.place:
                tree.calls = places
                _grow(tree, of_calls, logs)
            home = ""
            for run, session in tree.runs:
                home = home or session or trace_id or "trace"
                conversation = _opened(grouped, session or trace_id or "trace", run.roots[0].span.place, session)
                conversation.runs.append(run)
            _opened(grouped, home or trace_id or "trace", tree.place, "").outside.append(tree.outside)
        self._news.clear()
        return grouped

    def _told(self, key: str, conversation: _GrownConversation) -> Iterator[tuple[Turn, Gaps]]:
        """The turns of a conversation; its head is made on the way."""
        before = self._conversations.get(key)
        if before is not None and conversation.is_like(before):
            conversation.head, conversation.turns = before.head, before.turns
            yield from ((turn, gaps) for turn, gaps, _roots in before.turns.values())
            return
        known = before.turns if before is not None else {}
        runs = joined([_copied(run) for run in conversation.runs])
        head = _head(key, conversation, runs)
        conversation.head = before.head if before is not None and before.head == head else head
        for index, run in enumerate(runs):
            roots = tuple(map(id, run.roots))
            told = known.get(roots)
            if told is None or told[0].index != index:
                gaps = Gaps()
                told = turn_of(run, index, gaps), gaps, run.roots
                _forget_requests(run)
            conversation.turns[roots] = told
            yield told[:2]


def _grow(tree: _SpanTree, calls: list[Recorded], logs: LogRecords) -> None:
    """Make the trees of one trace from all its spans."""
    spans = [*map(_as_read, tree.spans), *calls]
    logs.join(spans)
    tree.place = spans[0].span.place
    tree.problems = TreeProblems()
    named = next((session for recorded in spans if (session := recorded.conversation())), "")
    runs, tree.outside = runs_of(spans, tree.problems, lambda: None, lambda _span_id: False)
    tree.runs = [(run, run.conversation() or named) for run in runs]


def _as_read(recorded: Recorded) -> Recorded:
    """A span that trees may be made of, while the one that was read stays as it is."""
    attributes = recorded.attributes
    own = attributes if attributes is NO_ATTRIBUTES else copy.copy(attributes)
    return Recorded(recorded.trace_id, copy.copy(recorded.span), own, recorded.identifying)


def _opened(grouped: dict[str, _GrownConversation], key: str, place: str, session: str) -> _GrownConversation:
    return grouped.setdefault(key, _GrownConversation(place, session or None))


def _copied(run: Run) -> Run:
    """A run that others may be joined to."""
    return Run(list(run.roots), run.loose, list(run.calls), list(run.tools), list(run.spans), dict(run.agents))


def _head(key: str, conversation: _GrownConversation, runs: Sequence[Run]) -> Trace:
    agents: dict[str, Agent] = {}
    for run in runs:
        for name, agent in run.agents.items():
            agents.setdefault(name, agent)
    outside = tuple(span for spans in conversation.outside for span in spans)
    return Trace(
        id=key,
        agents=tuple(agents.values()),
        spans=outside,
        span_count=sum(len(run.spans) for run in runs) + len(outside),
        session_id=conversation.session_id,
        guessed=frozenset({"borders"}) if any(run.loose for run in runs) else frozenset(),
        place=conversation.place,
    )


def _forget_requests(run: Run) -> None:
    """Parsed requests are large, and read again where the turn is built anew."""
    for step in (*run.calls, *run.tools):
        step.request = step.cached_arguments = None


def _add(total: Struct, parts: Sequence[Struct]) -> None:
    """Add up counters."""
    for part in parts:
        for name, count in asdict(part).items():
            if count:
                setattr(total, name, getattr(total, name) + count)
