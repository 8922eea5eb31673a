"""Writes a reader's items as rows: the one place that decides what a tree of a document looks like."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from dataclasses import replace

from trace_inspector.core.event_label import parts_line, quiet_line
from trace_inspector.core.golden import Case, Suite
from trace_inspector.core.parts import (
    Code,
    Media,
    Part,
    Text,
    Thought,
    ToolCall,
    ToolResult,
    Transfer,
    Unknown,
    spoken_text,
)
from trace_inspector.core.rows import NO_TOKENS, NOT_TIMED, Flag, Kind, RowBatch
from trace_inspector.core.summary import label_of, one_line, result_line, transfer_target
from trace_inspector.core.trace import (
    Agent,
    Event,
    PairedCall,
    Span,
    SpanKind,
    Trace,
    Turn,
    paired_calls,
    total_tokens,
    turn_usage,
    user_text,
)

KIND_OF: dict[type[Part], Kind] = {
    Text: Kind.TEXT,
    Thought: Kind.THOUGHT,
    ToolCall: Kind.CALL,
    ToolResult: Kind.RESULT,
    Transfer: Kind.TRANSFER,
    Media: Kind.MEDIA,
    Code: Kind.CODE,
    Unknown: Kind.UNKNOWN,
}
_ERROR, _PLUMBING = int(Flag.ERROR), int(Flag.PLUMBING)  # plain numbers: there may be a million spans
AGENTS_NAMED = 8
MOST_TOKENS = 1 << 40  # more is a mistake, and the sum over a file must stay a number of 64 bits
SPANS_A_BODY = 200  # a trace may have 100,000 spans outside its turns; looking at one opens these few


class RowWriter:
    """Turns a reader's items into batches, numbering rows and bodies through the whole file."""

    def __init__(self) -> None:
        self.batch = RowBatch()
        self._row = 0
        self._body = 0
        self._top = -1
        self._authors: dict[str, int] = {}
        self._traces: list[int] = []  # their rows
        self._runs: dict[tuple[str | None, str], int] = {}  # suite and case → the row above its traces
        # Case or trace → the row above its agents, and of each its first row and how it was told of last.
        self._agents: dict[int, tuple[int, dict[str, tuple[int, Agent]]]] = {}
        # Outside of turns, by trace: often very many, and turns are what people look for.
        self._spans: dict[int, list[bytes]] = {}

    @property
    def top(self) -> int:
        """The row of the newest case or trace."""
        return self._top

    def take(self) -> RowBatch:
        """The rows since the last call."""
        batch, self.batch = self.batch, RowBatch()
        return batch

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
        kept, self._spans = self._spans, {}
        for trace, bodies in kept.items():
            for pickled in bodies:
                body = self._keep(pickled)
                for at, span in enumerate(pickle.loads(pickled)):  # pickled below
                    self._add_span(trace, span, at, body)
                yield

    def _add_suite(self, suite: Suite) -> int:
        return self._add(
            Kind.SUITE,
            -1,
            one_line(suite.name or suite.id),
            place=suite.place,
            body=self._pickle(replace(suite, cases=())),
        )

    def _add_case(self, case: Case, parent: int) -> None:
        body = self._pickle(replace(case, turns=()))
        self._top = self._add(Kind.CASE, parent, one_line(case.id), place=case.place, body=body)
        for turn in case.turns:
            self._add_turn(turn)

    def _add_trace(self, trace: Trace) -> None:
        body = self._pickle(replace(trace, turns=(), spans=()))
        parent = self._runs_of(trace) if trace.case_runs > 1 else -1
        self._top = self._add(Kind.TRACE, parent, one_line(trace.id), place=trace.place, body=body)
        self._traces.append(self._top)
        self._add_agents(trace.agents, body, "told again")
        self._keep_back(trace.spans)

    def _runs_of(self, trace: Trace) -> int:
        case = trace.suite_id, trace.case_id or ""
        if case not in self._runs:
            self._runs[case] = self._add(Kind.RUNS, -1, one_line(trace.case_id or ""))
        return self._runs[case]

    def _add_agents(self, agents: tuple[Agent, ...], body: int, changed: str) -> None:
        """Those that are new in this case or trace, before what tells of them; who is told of otherwise, below."""
        row, known = self._agents.get(self._top, (-1, {}))
        new = [(at, one) for at, one in enumerate(agents) if one.name not in known or known[one.name][1] != one]
        if new and row < 0:
            names = ", ".join(agent.name for _at, agent in new[:AGENTS_NAMED])
            row = self._add(Kind.AGENTS, self._top, one_line(f"Agents: {names}"), place=new[0][1].place, body=body)
        for at, agent in new:
            first, _last = known.get(agent.name, (-1, None))
            label = one_line(agent.name if first < 0 else f"{agent.name}, {changed}")
            added = self._add(
                Kind.AGENT,
                row if first < 0 else first,
                label,
                author=agent.name,
                place=agent.place,
                body=body,
                part=at,
            )
            known[agent.name] = added if first < 0 else first, agent
        if new:
            self._agents[self._top] = row, known

    def _go_on(self, trace: Trace, number: int) -> None:
        # No row looks into this body, but whoever puts the file together again must know whose turns follow. It makes
        # no step: bodies are taken together with rows.
        self._pickle(replace(trace, spans=()))
        self._top = self._traces[number]
        self._keep_back(trace.spans)

    def _keep_back(self, spans: tuple[Span, ...]) -> None:
        bodies = self._spans.setdefault(self._top, [])
        for first in range(0, len(spans), SPANS_A_BODY):
            bodies.append(pickle.dumps(spans[first : first + SPANS_A_BODY], pickle.HIGHEST_PROTOCOL))

    def _add_turn(self, turn: Turn) -> None:
        body = self._pickle(turn)
        if turn.agents:
            self._add_agents(turn.agents, body, f"from turn {turn.index + 1}")
        words = user_text(turn)
        row = self._add(
            Kind.TURN,
            self._top,
            f"Turn {turn.index + 1}" + (f"  “{one_line(words)}”" if words else ""),
            place=turn.place,
            start=turn.start_s,
            duration=turn.duration_s,
            tokens=total_tokens(turn_usage(turn)),
            body=body,
            flag=_guesses(turn),
        )
        calls = {id(paired.call): (number, paired) for number, paired in enumerate(paired_calls(turn))}
        claimed = {id(paired.result) for _number, paired in calls.values() if paired.result}
        answered = _answered(turn)
        for at, event in enumerate(turn.events):
            self._add_event(row, turn, at, event, calls, claimed, body, answered)
        if turn.final_response is not None:
            self._add_answer(row, turn, body, answered)
        covered = {event.span_id for event in turn.events if event.span_id}
        for at, span in enumerate(turn.spans):
            if span.id not in covered:
                self._add_span(row, span, at, body)

    def _add_event(
        self,
        parent: int,
        turn: Turn,
        at: int,
        event: Event,
        calls: dict[int, tuple[int, PairedCall]],
        claimed: set[int],
        body: int,
        answered: int,
    ) -> None:
        tokens = total_tokens(event.usage) if event.usage else None
        if len(event.parts) > 1 and (several := _several(event.parts, claimed)):
            parent = self._add(
                Kind.EVENT, parent, parts_line(several), author=event.author,
                place=event.place, start=event.time_s, duration=event.duration_s, tokens=tokens, body=body, event=at,
            )  # fmt: skip
            tokens = None
        for which, part in enumerate(event.parts):
            if id(part) in claimed:
                continue
            number, paired = calls.get(id(part), (-1, None))
            timed = turn.events[paired.result_event] if paired and paired.result_event is not None else event
            row = self._add(
                KIND_OF[type(part)],
                parent,
                label_of(part),
                author=event.author,
                place=part.place,
                start=timed.time_s,
                duration=timed.duration_s,
                tokens=tokens,
                body=body,
                event=at,
                part=which,
                call=number,
                flag=_special(part, paired),
            )
            tokens = None
            if paired and paired.result is not None and paired.result_event is not None:
                self._add_result(row, turn, paired, number, body)
        if event.state_delta:
            names = ", ".join(event.state_delta)
            self._add(
                Kind.STATE, parent, f"state: {one_line(names)}", author=event.author, place=event.place,
                start=event.time_s, body=body, event=at,
            )  # fmt: skip
        if event.error:
            self._add(
                Kind.UNKNOWN, parent, one_line(event.error), author=event.author, place=event.place,
                start=event.time_s, body=body, event=at, flag=Flag.ERROR,
            )  # fmt: skip
        if not (event.parts or event.state_delta or event.error or at == answered) and (
            event.extras or _tells(event)
        ):
            self._add(
                Kind.UNKNOWN if event.extras else Kind.EVENT, parent, quiet_line(event), author=event.author,
                place=event.place, start=event.time_s, duration=event.duration_s, tokens=tokens, body=body, event=at,
            )  # fmt: skip

    def _add_result(self, parent: int, turn: Turn, paired: PairedCall, number: int, body: int) -> None:
        result, at = paired.result, paired.result_event
        if result is None or at is None:
            return
        event = turn.events[at]
        self._add(
            Kind.RESULT,
            parent,
            result_line(result),
            author=event.author,
            place=result.place,
            body=body,
            event=at,
            part=event.parts.index(result),
            call=number,
            flag=Flag.ERROR if result.is_error else Flag(0),
        )

    def _add_answer(self, parent: int, turn: Turn, body: int, answered: int) -> None:
        parts = turn.final_response or ()
        words = spoken_text(parts)
        label = f"“{one_line(words)}”" if words else "; ".join(label_of(part) for part in parts) or "empty answer"
        said = turn.events[answered] if answered >= 0 else None
        self._add(
            Kind.ANSWER,
            parent,
            label,
            author=turn.final_author,
            place=parts[0].place if parts else turn.place,
            start=said.time_s if said else None,
            duration=said.duration_s if said else None,
            tokens=total_tokens(said.usage) if said and said.usage else None,
            body=body,
            event=answered,
        )

    def _add_span(self, parent: int, span: Span, at: int, body: int) -> None:
        # What agents, models and tools did stands as events already; their spans around it say nothing new.
        wrapper = span.kind is not SpanKind.OTHER and not span.error
        flag = _PLUMBING if wrapper or span.kind is SpanKind.PLUMBING else 0
        self._add(
            Kind.SPAN, parent, one_line(span.name), place=span.place, start=span.start_s, duration=span.duration_s,
            body=body, part=at, flag=flag | (_ERROR if span.error else 0),
        )  # fmt: skip

    def _author(self, name: str) -> int:
        known = self._authors.get(name)
        if known is None:
            known = self._authors[name] = len(self._authors)
            self.batch.authors.append(name)
        return known

    def _pickle(self, value: object) -> int:
        return self._keep(pickle.dumps(value, pickle.HIGHEST_PROTOCOL))

    def _keep(self, pickled: bytes) -> int:
        self.batch.bodies.append(pickled)
        self._body += 1
        return self._body - 1

    def _add(
        self,
        kind: Kind,
        parent: int,
        label: str,
        *,
        author: str = "",
        place: str = "",
        start: float | None = None,
        duration: float | None = None,
        tokens: int | None = None,
        body: int = -1,
        event: int = -1,
        part: int = -1,
        call: int = -1,
        flag: Flag | int = 0,
    ) -> int:
        batch = self.batch
        batch.kind.append(kind)
        batch.flag.append(flag)
        batch.parent.append(parent)
        batch.label.append(label)
        batch.author.append(self._author(author))
        batch.place.append(place)
        batch.start_s.append(NOT_TIMED if start is None else start)
        batch.duration_s.append(NOT_TIMED if duration is None else duration)
        batch.tokens.append(NO_TOKENS if tokens is None else min(max(tokens, 0), MOST_TOKENS))
        batch.body.append(body)
        batch.event.append(event)
        batch.part.append(part)
        batch.call.append(call)
        self._row += 1
        return self._row - 1


def _answered(turn: Turn) -> int:
    """The event that gave the answer, -1 for none. A model call that did is often without parts of its own."""
    if turn.final_event is not None:
        return turn.final_event
    if turn.final_response is None:
        return -1
    events = turn.events
    return next((at for at in reversed(range(len(events))) if not events[at].parts and events[at].usage), -1)


def _several(parts: tuple[Part, ...], claimed: set[int]) -> list[Part]:
    """The parts that stand below their event: two or more, not counting a thought before the one that it led to."""
    shown = [part for part in parts if id(part) not in claimed]
    return shown if sum(not isinstance(part, Thought) for part in shown) > 1 else []


def _tells(event: Event) -> bool:
    """Whether an event without parts says more than that it was."""
    return bool(event.usage or event.model or event.finish_reason or event.grounding)


def _special(part: Part, paired: PairedCall | None) -> Flag:
    flag = Flag.ERROR if paired and paired.result and paired.result.is_error else Flag(0)
    return flag | Flag.TRANSFER if isinstance(part, ToolCall) and transfer_target(part) else flag


def _guesses(turn: Turn) -> Flag:
    if not turn.guessed:
        return Flag(0)
    return Flag.GUESSED | Flag.TIMES_GUESSED if "times" in turn.guessed else Flag.GUESSED
