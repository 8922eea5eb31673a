"""OTLP lines that come one after the other: only the conversations with new spans are built anew.

Spans of a trace come in any order, late and more than once. So those of each trace stay as they were read, and copies
of them make the trees; what was made of traces and conversations without news is given again as it was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from trace_inspector.core.rows.contents import Holds, Item, Kept
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
from trace_inspector.formats.spans.spans import Recorded
from trace_inspector.formats.spans.turn_builder import Gaps, turn_of


class _SpanTree(Struct, eq=False):
    """One trace: its spans as read, and what was made of them."""

    spans: list[Recorded] = field(default_factory=list)  # as read
    calls: tuple[str, ...] = ()  # the places of log records that stand for calls without a span
    place: str = ""
    runs: list[tuple[Run, str]] = field(default_factory=list)  # each with its conversation, "" for the trace itself
    outside: list[Span] = field(default_factory=list)
    problems: TreeProblems = field(default_factory=TreeProblems)
    parts: list[str] = field(default_factory=list)  # the conversations of its runs, as they were sorted in
    home: str = ""  # that of its other spans


class _GrownConversation(Struct, eq=False):
    """The traces of one conversation, and what they were told as."""

    key: str
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


class _SortedConversations:
    """The conversations in the order of their first traces. What comes from some trace on can be taken out again."""

    def __init__(self) -> None:
        self.in_order: list[_GrownConversation] = []
        self.before: dict[str, _GrownConversation] = {}  # as they were told, of those that changed since
        self.same = 0  # how many at the beginning did not
        self._numbers: dict[str, int] = {}

    def add(self, trace_id: str, tree: _SpanTree) -> None:
        """Sort a trace in, behind those before."""
        tree.parts, tree.home = [], ""
        for run, session in tree.runs:
            key = session or trace_id or "trace"
            tree.home = tree.home or key
            tree.parts.append(key)
            self._opened(key, run.roots[0].span.place, session).runs.append(run)
        tree.home = tree.home or trace_id or "trace"
        self._opened(tree.home, tree.place, "").outside.append(tree.outside)

    def take_out(self, tree: _SpanTree) -> None:
        """Take the last one of the traces out."""
        self._opened(tree.home, "", "").outside.pop()
        self._close_empty(tree.home)
        for key in reversed(tree.parts):
            self._opened(key, "", "").runs.pop()
            self._close_empty(key)

    def forget_before(self) -> None:
        """All was told."""
        self.before, self.same = {}, len(self.in_order)

    def _opened(self, key: str, place: str, session: str) -> _GrownConversation:
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.in_order)
            self.in_order.append(_GrownConversation(key, place, session or None))
        elif self.in_order[number].head is not None:
            told = self.before[key] = self.in_order[number]
            self.in_order[number] = _GrownConversation(
                key, told.place, told.session_id, list(told.runs), list(told.outside)
            )
        self.same = min(self.same, number)
        return self.in_order[number]

    def _close_empty(self, key: str) -> None:
        """The one that a trace began is the last one, once that and all later traces were taken out."""
        conversation = self.in_order[self._numbers[key]]
        if not conversation.runs and not conversation.outside:
            del self.in_order[self._numbers.pop(key)]


class ContinuedSpans:
    """The state of reading lines of OTLP that are still written."""

    def __init__(self) -> None:
        self._reading = Reading(Source(None))
        self._trees: dict[str, _SpanTree] = {}
        self._in_order: list[str] = []  # their traces, by the first span
        self._numbers: dict[str, int] = {}  # the place of each in that order
        self._sorted = 0  # how many of them are in conversations
        self._trees_of_calls: dict[str, _SpanTree] = {}  # of traces without a span, which come behind all others
        self._with_calls: set[str] = set()  # traces to which log records add calls
        self._news: set[str] = set()  # traces with new spans or log records
        self._ids: set[tuple[str, str]] = set()
        self._conversations = _SortedConversations()
        self._gaps, self._turns = Gaps(), 0  # of all conversations as they were told
        self._problems = TreeProblems()

    def take(self, values: Sequence[Json], first: int) -> None:
        """Take more lines."""
        for index, value in enumerate(values, first):
            self._reading.take_envelope(*unwrapped(value, f"/{index}"))
        self._sort_new()

    def take_records(self, records: Iterable[Recorded | Piece]) -> None:
        """Take more records."""
        for record in records:
            self._reading.take_record(record)
        self._sort_new()

    def _sort_new(self) -> None:
        spans = self._reading.recording.spans
        for recorded in spans:
            trace_id = recorded.trace_id
            tree = self._trees.get(trace_id)
            if tree is None:
                tree = self._trees[trace_id] = _SpanTree()
                self._numbers[trace_id] = len(self._in_order)
                self._in_order.append(trace_id)
            tree.spans.append(recorded)
            self._news.add(trace_id)
            self._ids.add((trace_id, recorded.span.id))
        spans.clear()
        self._news |= self._reading.logs.new_traces()

    def items(self, known: int = 0) -> Iterator[Item]:
        """Everything that is told of the lines so far.

        Of `known` conversations at the beginning, those that are the same as the last time are only counted.
        """
        recording = replace(self._reading.recording, spans=[], units=Counter(self._reading.recording.units))
        rest = self._reading.logs.copy()
        rest.leave_out(self._ids)
        yield from rest.remaining(recording)
        if self._reading.metrics:
            yield Holds("metrics", self._reading.metrics)
        self._group(by_trace(recording.spans))
        conversations = self._conversations
        kept = min(known, conversations.same)
        if kept:
            yield Kept(kept)
        gone = dict(conversations.before)
        for number in range(kept, len(conversations.in_order)):
            conversation = conversations.in_order[number]
            before = gone.pop(conversation.key, None)
            if conversation.head is None:
                self._tell(conversation, before)
            assert conversation.head is not None
            yield conversation.head
            yield from (turn for turn, _gaps, _roots in conversation.turns.values())
        for conversation in gone.values():
            self._count(conversation, -1)
        conversations.forget_before()
        yield from recording.findings()
        yield from self._gaps.findings()
        yield from self._problems.findings(recording.count, self._turns)

    def _group(self, calls: dict[str, list[Recorded]]) -> None:
        """The runs of all traces by conversation, those of traces with news made anew."""
        conversations = self._conversations
        places = {
            trace_id: tuple(recorded.span.place for recorded in calls.get(trace_id, ()))
            for trace_id in (*calls, *self._with_calls)
        }
        grown = {trace_id for trace_id in self._news if trace_id in self._trees}
        grown |= {
            trace_id for trace_id, listed in places.items()
            if trace_id in self._trees and listed != self._trees[trace_id].calls
        }  # fmt: skip
        self._with_calls = calls.keys() & self._trees.keys()
        before, self._trees_of_calls = self._trees_of_calls, {}
        for tree in reversed(before.values()):
            conversations.take_out(tree)
        first = min((self._numbers[trace_id] for trace_id in grown), default=self._sorted)
        while self._sorted > first:
            self._sorted -= 1
            conversations.take_out(self._trees[self._in_order[self._sorted]])
        logs = self._reading.logs.copy()
        for trace_id in self._in_order[first:]:
            tree = self._trees[trace_id]
            if trace_id in grown:
                tree.calls = places.get(trace_id, ())
                self._grow(tree, calls.get(trace_id, []), logs)
            conversations.add(trace_id, tree)
        self._sorted = len(self._in_order)
        for trace_id, of_calls in calls.items():
            if trace_id in self._trees:
                continue
            known = before.pop(trace_id, None)
            tree = self._trees_of_calls[trace_id] = known or _SpanTree()
            if trace_id in self._news or places[trace_id] != tree.calls:
                tree.calls = places[trace_id]
                self._grow(tree, of_calls, logs)
            conversations.add(trace_id, tree)
        _add(self._problems, [tree.problems for tree in before.values()], -1)
        self._news.clear()

    def _grow(self, tree: _SpanTree, calls: list[Recorded], logs: LogRecords) -> None:
        _add(self._problems, [tree.problems], -1)
        _grow(tree, calls, logs)
        _add(self._problems, [tree.problems])

    def _tell(self, conversation: _GrownConversation, before: _GrownConversation | None) -> None:
        """The head and the turns of a conversation, where they are the same as before the very same."""
        if before is not None and conversation.is_like(before):
            conversation.head, conversation.turns = before.head, before.turns
            return
        known = before.turns if before is not None else {}
        runs = joined([_copied(run) for run in conversation.runs])
        head = _head(conversation, runs)
        conversation.head = before.head if before is not None and before.head == head else head
        for index, run in enumerate(runs):
            roots = tuple(map(id, run.roots))
            told = known.get(roots)
            if told is None or told[0].index != index:
                gaps = Gaps()
                told = turn_of(run, index, gaps), gaps, run.roots
                _forget_requests(run)
            conversation.turns[roots] = told
        self._count(conversation)
        if before is not None:
            self._count(before, -1)

    def _count(self, conversation: _GrownConversation, times: int = 1) -> None:
        self._turns += times * len(conversation.turns)
        _add(self._gaps, [gaps for _turn, gaps, _roots in conversation.turns.values()], times)


def _grow(tree: _SpanTree, calls: list[Recorded], logs: LogRecords) -> None:
    """Make the trees of one trace from all its spans."""
    spans = [*(recorded.as_read() for recorded in tree.spans), *calls]
    logs.join(spans)
    tree.place = spans[0].span.place
    tree.problems = TreeProblems()
    named = next((session for recorded in spans if (session := recorded.conversation())), "")
    runs, tree.outside = runs_of(spans, tree.problems, lambda: None, lambda _span_id: False)
    tree.runs = [(run, run.conversation() or named) for run in runs]


def _copied(run: Run) -> Run:
    """A run that others may be joined to."""
    return Run(list(run.roots), run.loose, list(run.calls), list(run.tools), list(run.spans), dict(run.agents))


def _head(conversation: _GrownConversation, runs: Sequence[Run]) -> Trace:
    agents: dict[str, Agent] = {}
    for run in runs:
        for name, agent in run.agents.items():
            agents.setdefault(name, agent)
    outside = tuple(span for spans in conversation.outside for span in spans)
    return Trace(
        id=conversation.key,
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


def _add(total: Struct, parts: Sequence[Struct], times: int = 1) -> None:
    """Add up counters, or take them off."""
    for part in parts:
        for name in part.__struct_fields__:
            if count := getattr(part, name):
                setattr(total, name, getattr(total, name) + times * count)
