"""Conversations of CES: `ces-conversation`, turn by turn with their spans, or as one flat list of messages."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

from msgspec.structs import replace

from trace_inspector.core.finding import info
from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.parts import Text, ToolCall, ToolResult
from trace_inspector.core.trace.trace import Event, SpanKind, Steps, Trace, Turn
from trace_inspector.formats.adk.session.session_events import SessionEvent, turns_of
from trace_inspector.formats.ces.common.content import beside_chunks, message_parts, short_name, state_of
from trace_inspector.formats.ces.common.enums import CHANNEL_TYPE, CONVERSATION_SOURCE, INPUT_TYPE, enum_word
from trace_inspector.formats.ces.common.evaluation_entries import entries_in
from trace_inspector.formats.ces.common.recognisers import CONVERSATIONS
from trace_inspector.formats.ces.common.values import seconds, time_of
from trace_inspector.formats.ces.evaluation.evaluation_golden import AGENT
from trace_inspector.formats.ces.result.result_schemas import CONVERSATION
from trace_inspector.formats.ces.result.result_spans import Tree, span_tree, total_s
from trace_inspector.formats.common.extras import extras_of
from trace_inspector.formats.common.fields import Fields, Report, count_of
from trace_inspector.formats.common.format import Implementation, Source
from trace_inspector.formats.common.schema import check

_READ = ("turns", "messages")
_OF_A_TURN = ("messages", "root_span")
_USER = "user"


def read(source: Source) -> Iterator[Item]:
    """Each conversation with its turns."""
    report = Report()
    for fields in entries_in(source, CONVERSATIONS, "ces-conversation", report):
        source.tick()
        turns = tuple(_turns(fields, report))
        yield _trace(fields, turns, source, report)
        yield from turns
    yield from report.drain()


def _trace(fields: Fields, turns: tuple[Turn, ...], source: Source, report: Report) -> Trace:
    check(fields, CONVERSATION, report)
    enum_word(fields, "source", CONVERSATION_SOURCE, report)
    enum_word(fields, "channel_type", CHANNEL_TYPE, report)
    kinds = fields.get("input_types")
    for index, kind in enumerate(kinds if isinstance(kinds, list) else []):
        enum_word(Fields({str(index): kind}, fields.pointer("input_types")), str(index), INPUT_TYPE, report)
    for name in ("start_time", "end_time"):
        time_of(fields, name, report)
    count = count_of(fields.get("turn_count"))
    if count is not None and fields.key("turns") and count != len(turns):
        message = f"The file says that the conversation has {count} turns, but contains {len(turns)}."
        report.add(info("counts-differ", message, fields.pointer("turn_count")))
    name = fields.text("name") or ""
    return Trace(
        id=short_name(name) or source.stem or "conversation",
        span_count=sum(len(turn.spans) for turn in turns),
        session_id=name or None,
        app=app_of(name),
        extras=extras_of(fields, *_READ),
        place=fields.place,
    )


def app_of(name: str) -> str | None:
    """The app to which a resource belongs by its name."""
    return name.partition("/apps/")[2].partition("/")[0] or None


def _turns(fields: Fields, report: Report) -> Iterator[Turn]:
    """The turns; where there are none, those that the user's messages make of the old flat list."""
    if not fields.objects("turns"):
        report.bounded(fields, "turns")  # reports a value of a wrong type
        yield from turns_of(
            (_message_event(message, None, report) for message in report.bounded(fields, "messages")), report
        )
        return
    for index, turn in enumerate(report.bounded(fields, "turns")):
        messages = [_message_event(message, "turn", report) for message in report.bounded(turn, "messages")]
        made = next(turns_of(_as_one(messages), report), Turn(0, steps=Steps.EVENTS))
        yield _timed(replace(made, index=index, id=None, place=turn.place), turn, report)


def _as_one(messages: list[SessionEvent]) -> list[SessionEvent]:
    """The user's messages at the beginning as one: variables are often set by one before the text."""
    asked = list(takewhile(lambda message: message.is_users, messages))
    if len(asked) < 2:
        return messages
    parts = tuple(part for message in asked for part in message.event.parts)
    beside = tuple(extra for message in asked for extra in message.event.extras)
    event = replace(asked[0].event, parts=parts, state_delta=state_of(parts), extras=beside)
    first = replace(asked[0], event=event)
    return [first, *messages[len(asked) :]]


def _timed(turn: Turn, fields: Fields, report: Report) -> Turn:
    tree = span_tree(fields.object("root_span"), report)
    stated = tree.duration_s is not None
    return replace(
        _with_usage(turn, tree),
        start_s=tree.start_s if tree.start_s is not None else turn.start_s,
        duration_s=tree.duration_s if stated else turn.duration_s,
        model_duration_s=total_s(tree.spans, SpanKind.MODEL),
        tool_duration_s=total_s(tree.spans, SpanKind.TOOL),
        spans=tree.spans,
        extras=(*extras_of(fields, *_OF_A_TURN), *tree.extras),
        guessed=turn.guessed - {"times"} if stated else turn.guessed,
    )


def _with_usage(turn: Turn, tree: Tree) -> Turn:
    """The tokens of all model calls of the turn, on the event that gave the answer: no message has tokens itself."""
    if tree.usage is None and tree.model is None:
        return turn
    index = turn.final_event
    if index is None:
        index = next((index for index, event in reversed([*enumerate(turn.events)]) if event.author != _USER), None)
    if index is None:
        return turn
    event_with_usage = replace(turn.events[index], usage=tree.usage, model=tree.model)
    return replace(turn, events=(*turn.events[:index], event_with_usage, *turn.events[index + 1 :]))


def _message_event(fields: Fields, invocation: str | None, report: Report) -> SessionEvent:
    parts = message_parts(fields.value, fields.place, report)
    event = Event(
        author=fields.text("role") or AGENT,
        parts=parts,
        role=fields.text("role"),
        time_s=seconds(time_of(fields, "event_time", report)),
        state_delta=state_of(parts),
        extras=(*extras_of(fields, "role", "chunks", "event_time"), *beside_chunks(fields)),
        place=fields.place,
    )
    may_answer = any(isinstance(part, Text) for part in parts)
    return SessionEvent(
        event, invocation, may_answer and not any(isinstance(part, ToolCall | ToolResult) for part in parts)
    )


IMPLEMENTATION = Implementation(read=read)
