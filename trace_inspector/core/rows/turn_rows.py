"""Writes a turn as rows: what of its events, its answer and its spans stands in the tree."""

from __future__ import annotations

from trace_inspector.core.rows.row_sink import RowSink
from trace_inspector.core.rows.rows import Flag, Kind
from trace_inspector.core.trace.event_label import parts_line, quiet_line
from trace_inspector.core.trace.long_turn import body_holding, is_long
from trace_inspector.core.trace.parts import (
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
from trace_inspector.core.trace.summary import label_of, one_line, result_line, transfer_target
from trace_inspector.core.trace.trace import (
    Event,
    PairedCall,
    Span,
    SpanKind,
    Turn,
    paired_calls,
    total_tokens,
    turn_usage,
    user_text,
)

_KIND_OF: dict[type[Part], Kind] = {
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


def add_turn(sink: RowSink, parent: int, turn: Turn, body: int) -> None:
    """A turn and everything below it, which looks into that body; of a long turn, its events into those behind it."""
    words = user_text(turn)
    row = sink.add(
        Kind.TURN,
        parent,
        f"Turn {turn.index + 1}" + (f"  “{one_line(words)}”" if words else ""),
        place=turn.place,
        start=turn.start_s,
        duration=turn.duration_s,
        tokens=total_tokens(turn_usage(turn)),
        body=body,
        flag=_guesses(turn) | (Flag.LONG if is_long(turn) else 0),
    )
    inner = _TurnRows(sink, row, turn, body)
    for index, event in enumerate(turn.events):
        inner.add_event(index, event)
    if turn.final_response is not None:
        inner.add_answer(turn.final_response)
    covered = {event.span_id for event in turn.events if event.span_id}
    for index, span in enumerate(turn.spans):
        if span.id not in covered:
            add_span(sink, row, span, index, inner.body_of(index))


def add_span(sink: RowSink, parent: int, span: Span, index: int, body: int) -> None:
    """A span; `index` is its number in the body that holds it."""
    # What agents, models and tools did stands as events already; their spans around it say nothing new.
    wrapper = span.kind is not SpanKind.OTHER and not span.error
    flag = _PLUMBING if wrapper or span.kind is SpanKind.PLUMBING else 0
    sink.add(
        Kind.SPAN, parent, one_line(span.name), place=span.place, start=span.start_s, duration=span.duration_s,
        body=body, part=index, flag=flag | (_ERROR if span.error else 0),
    )  # fmt: skip


class _TurnRows:
    """What stands below one turn."""

    def __init__(self, sink: RowSink, row: int, turn: Turn, body: int) -> None:
        self._sink = sink
        self._row = row
        self._turn = turn
        self._body = body
        self._calls = {id(paired.call): (number, paired) for number, paired in enumerate(paired_calls(turn))}
        # Results that stand below their calls.
        self._claimed = {id(paired.result) for _number, paired in self._calls.values() if paired.result}
        self._answered = _answered(turn)
        self._is_long = is_long(turn)

    def body_of(self, index: int) -> int:
        """Where the event or the span of that number is kept."""
        return body_holding(self._body, index) if self._is_long else self._body

    def add_event(self, index: int, event: Event) -> None:
        """The parts of an event, and what else it states; several parts stand below a row of its own."""
        parent, body = self._row, self.body_of(index)
        tokens = total_tokens(event.usage) if event.usage else None
        if len(event.parts) > 1 and (several := _several(event.parts, self._claimed)):
            parent = self._sink.add(
                Kind.EVENT, parent, parts_line(several), author=event.author, place=event.place,
                start=event.time_s, duration=event.duration_s, tokens=tokens, body=body, event=index,
            )  # fmt: skip
            tokens = None
        for which, part in enumerate(event.parts):
            if id(part) not in self._claimed:
                self._add_part(parent, index, which, part, tokens)
                tokens = None
        if event.state_delta:
            names = ", ".join(event.state_delta)
            self._sink.add(
                Kind.STATE, parent, f"state: {one_line(names)}", author=event.author, place=event.place,
                start=event.time_s, body=body, event=index,
            )  # fmt: skip
        if event.error:
            self._sink.add(
                Kind.UNKNOWN, parent, one_line(event.error), author=event.author, place=event.place,
                start=event.time_s, body=body, event=index, flag=Flag.ERROR,
            )  # fmt: skip
        if not (event.parts or event.state_delta or event.error or index == self._answered) and (
            event.extras or _tells(event)
        ):
            self._sink.add(
                Kind.UNKNOWN if event.extras else Kind.EVENT, parent, quiet_line(event), author=event.author,
                place=event.place, start=event.time_s, duration=event.duration_s, tokens=tokens, body=body,
                event=index,
            )  # fmt: skip

    def add_answer(self, parts: tuple[Part, ...]) -> None:
        """The answer, with what is known of the event that gave it."""
        turn, event = self._turn, self._turn.events[self._answered] if self._answered >= 0 else None
        words = spoken_text(parts)
        self._sink.add(
            Kind.ANSWER,
            self._row,
            f"“{one_line(words)}”" if words else "; ".join(label_of(part) for part in parts) or "empty answer",
            author=turn.final_author,
            place=parts[0].place if parts else turn.place,
            start=event.time_s if event else None,
            duration=event.duration_s if event else None,
            tokens=total_tokens(event.usage) if event and event.usage else None,
            body=self._body,
            event=self._answered,
        )

    def _add_part(self, parent: int, index: int, which: int, part: Part, tokens: int | None) -> None:
        event = self._turn.events[index]
        number, paired = self._calls.get(id(part), (-1, None))
        timed = self._turn.events[paired.result_event] if paired and paired.result_event is not None else event
        row = self._sink.add(
            _KIND_OF[type(part)],
            parent,
            label_of(part),
            author=event.author,
            place=part.place,
            start=timed.time_s,
            duration=timed.duration_s,
            tokens=tokens,
            body=self.body_of(index),
            event=index,
            part=which,
            call=number,
            flag=_special(part, paired),
        )
        if paired and paired.result is not None and paired.result_event is not None:
            self._add_result(row, paired.result, paired.result_event, number)

    def _add_result(self, parent: int, result: ToolResult, index: int, number: int) -> None:
        event = self._turn.events[index]
        self._sink.add(
            Kind.RESULT,
            parent,
            result_line(result),
            author=event.author,
            place=result.place,
            body=self.body_of(index),
            event=index,
            part=event.parts.index(result),
            call=number,
            flag=Flag.ERROR if result.is_error else Flag(0),
        )


def _answered(turn: Turn) -> int:
    """The event that gave the answer, -1 for none. A model call that did is often without parts of its own."""
    if turn.final_event is not None:
        return turn.final_event
    if turn.final_response is None:
        return -1
    events = turn.events
    return next(
        (index for index in reversed(range(len(events))) if not events[index].parts and events[index].usage), -1
    )


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
