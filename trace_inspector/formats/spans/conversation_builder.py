"""Builds the turns of a file from its spans: at its end, or while a very large file is being read."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Collection, Iterator
from functools import partial

from msgspec import Struct, field

from trace_inspector.core.finding import warning
from trace_inspector.core.rows.contents import Item, ReadProgress
from trace_inspector.core.trace.trace import Agent, Span, Trace
from trace_inspector.formats.common.format import Source
from trace_inspector.formats.spans.complete_trees import CompleteTrees
from trace_inspector.formats.spans.forest import TreeProblems, by_trace, runs_of
from trace_inspector.formats.spans.messages import request_of, trailing_results
from trace_inspector.formats.spans.run import Run
from trace_inspector.formats.spans.spans import Recorded, Recording
from trace_inspector.formats.spans.turn_builder import Gaps, turn_of

# Up to this size turns are built after all of the file is read, without guesses about what belongs together.
BUILT_AT_END_BYTES = 1 << 28


class _Conversation(Struct):
    key: str
    place: str
    session_id: str | None = None
    runs: list[Run] = field(default_factory=list)  # those not given out yet
    outside: list[Span] = field(default_factory=list)  # those not given out yet
    agents: dict[str, Agent] = field(default_factory=dict)
    span_count: int = 0
    is_loose: bool = False
    number: int | None = None  # its index among the traces of the file, once part of it was given out
    turns: int = 0  # given out so far
    last_start_s: float = -math.inf


class ConversationBuilder:
    """Takes spans as they are read, and gives traces, turns, and findings about what was derived."""

    def __init__(self, source: Source) -> None:
        self.recording = Recording()
        self._tick = source.tick
        self._size_bytes = source.size_bytes
        self._every_span = source.every_span
        self._complete = CompleteTrees() if source.size_bytes > BUILT_AT_END_BYTES else None
        self._problems = TreeProblems()
        self._gaps = Gaps()
        self._conversations: dict[str, _Conversation] = {}
        self._open: dict[str, _Conversation] = {}  # those with runs or spans to give out
        self._homes: dict[str, str] = {}  # the conversation of each trace that gets spans outside of runs
        self._homeless: dict[str, list[Span]] = {}  # spans of traces without a run so far
        self._turns = self._traces = self._unordered = 0

    @property
    def is_on_the_way(self) -> bool:
        """Whether turns are built before the whole file is read."""
        return self._complete is not None

    def so_far(self, read_bytes: int) -> Iterator[Item]:
        """The turns of a very large file that seem complete after `read_bytes`."""
        if self._size_bytes:
            yield ReadProgress(read_bytes, self._size_bytes)
        if self._complete is None or not self._complete.is_due(self.recording.spans, read_bytes):
            return
        # Gives out runs that were complete at the last check, so that others of the same turn could still join them.
        rested = {id(run) for conversation in self._open.values() for run in conversation.runs}
        self._sort_out(self._complete.take(self.recording.spans, read_bytes), is_end=False)
        yield from self._tell(rested)

    def rest(self) -> Iterator[Item]:
        """All remaining turns, and the findings."""
        self._sort_out(self.recording.spans, is_end=True)
        yield from self._tell(None)
        yield from self.recording.findings()
        yield from self._gaps.findings()
        yield from self._problems.findings(self.recording.count, self._turns)
        if self._unordered:
            turns = "1 turn follows" if self._unordered == 1 else f"{self._unordered} turns follow"
            yield warning(
                "told-in-file-order",
                f"{turns} one that began later, because a file of this size is shown in its own order.",
            )

    def _sort_out(self, spans: list[Recorded], *, is_end: bool) -> None:
        """Assign every run, and every span outside of runs, to its conversation."""
        for trace_id, listed in by_trace(spans).items():
            is_taken = partial(self._complete.is_taken, trace_id) if self._complete is not None else _never
            runs, outside = runs_of(listed, self._problems, self._tick, is_taken, every_span=self._every_span)
            self._place_runs(trace_id, listed, runs)
            self._place_outside(trace_id, listed[0].span.place, outside, is_end=is_end)
        spans.clear()
        for trace_id in list(self._homeless) if is_end else ():
            self._place_outside(trace_id, self._homeless[trace_id][0].place, [], is_end=True)

    def _place_runs(self, trace_id: str, spans: list[Recorded], runs: list[Run]) -> None:
        home = self._conversations.get(self._homes.get(trace_id, ""))
        anywhere = home.session_id if home else None
        if runs and not anywhere:
            anywhere = next(
                (conversation_id for recorded in spans if (conversation_id := recorded.conversation())), None
            )
        for run in runs:
            session = run.conversation() or anywhere
            key = session or trace_id or "trace"
            conversation = self._opened(key, run.roots[0].span.place, session)
            conversation.runs.append(run)
            conversation.span_count += len(run.spans)
            self._homes.setdefault(trace_id, key)

    def _place_outside(self, trace_id: str, place: str, spans: list[Span], *, is_end: bool) -> None:
        if trace_id not in self._homes and not is_end:
            self._homeless.setdefault(trace_id, []).extend(spans)
            return
        spans = [*self._homeless.pop(trace_id, ()), *spans]
        conversation = self._opened(self._homes.get(trace_id) or trace_id or "trace", place)
        conversation.outside.extend(spans)
        conversation.span_count += len(spans)

    def _opened(self, key: str, place: str, session_id: str | None = None) -> _Conversation:
        conversation = self._conversations.get(key)
        if conversation is None:
            conversation = self._conversations[key] = _Conversation(key, place, session_id)
        return self._open.setdefault(key, conversation)

    def _tell(self, rested: Collection[int] | None) -> Iterator[Item]:
        """Give out the runs with these identities, or all runs for None."""
        for conversation in list(self._open.values()):
            in_order = joined(conversation.runs)
            runs = deque(run for run in in_order if rested is None or id(run) in rested)
            conversation.runs = [run for run in in_order if not (rested is None or id(run) in rested)]
            in_order.clear()
            if not runs and rested is not None:
                continue
            if not conversation.runs:
                del self._open[conversation.key]
            yield self._head(conversation, runs)
            while runs:
                self._tick()
                # Free each run after its turn is built: its parsed requests are large.
                run = runs.popleft()
                self._unordered += run.start_s() < conversation.last_start_s
                conversation.last_start_s = run.start_s()
                yield turn_of(run, conversation.turns, self._gaps)
                conversation.turns += 1
                self._turns += 1

    def _head(self, conversation: _Conversation, runs: Collection[Run]) -> Trace:
        for run in runs:
            conversation.is_loose = conversation.is_loose or run.loose
            for name, agent in run.agents.items():
                conversation.agents.setdefault(name, agent)
        goes_on = conversation.number
        if goes_on is None:
            conversation.number = self._traces
            self._traces += 1
        spans, conversation.outside = tuple(conversation.outside), []
        return Trace(
            id=conversation.key,
            agents=tuple(conversation.agents.values()),
            spans=spans,
            span_count=conversation.span_count,
            session_id=conversation.session_id,
            guessed=frozenset({"borders"}) if conversation.is_loose else frozenset(),
            place=conversation.place,
            goes_on=goes_on,
        )


def _never(_span_id: str) -> bool:
    """No span came in an earlier turn."""
    return False


def joined(runs: list[Run]) -> list[Run]:
    """Runs in order of their start, with those of one turn joined.

    Agents of one invocation are separate trees when the run around them was not exported; telemetry of a
    provider alone has one tree for each model call.
    """
    listed: list[Run] = []
    by_invocation: dict[str, Run] = {}
    for run in sorted(runs, key=lambda run: run.start_s()):
        invocation = run.invocation_id()
        same = by_invocation.get(invocation) if invocation else None
        if same is None and run.loose and listed and listed[-1].loose and _goes_on(run):
            same = listed[-1]
        if same is None:
            listed.append(run)
            if invocation:
                by_invocation[invocation] = run
        else:
            same.absorb(run)
    return listed


def _goes_on(run: Run) -> bool:
    first = min(run.calls, key=lambda step: step.start_s(), default=None)
    return first is not None and any(
        trailing_results(request_of(run_attributes).messages) for run_attributes in first.attributes()
    )
