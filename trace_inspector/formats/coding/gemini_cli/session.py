"""Sessions of Gemini CLI as conversations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct, field
from msgspec.structs import replace

from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.parts import Part, Text, Thought, ToolCall, ToolResult, Unknown
from trace_inspector.core.trace.trace import Agent, Event, Trace, Turn, Usage
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.values import ABSENT, Json
from trace_inspector.formats.coding.gemini_cli.chat import Chat, chats_in
from trace_inspector.formats.coding.gemini_cli.printed import EXIT, PROGRAM, is_printed, read_printed
from trace_inspector.formats.common.abandoned import abandoned_branches
from trace_inspector.formats.common.content import parts_in
from trace_inspector.formats.common.extras import stated_extras
from trace_inspector.formats.common.fields import Fields, Report, count_of, or_null
from trace_inspector.formats.common.format import Implementation, Source
from trace_inspector.formats.common.record_counts import RecordCounts
from trace_inspector.formats.common.times import seconds_of
from trace_inspector.formats.common.turn_flow import TurnFlow

_OF_THE_MODEL = ("gemini", "model", "assistant")
_OF_THE_PROGRAM = ("info", "warning", "error", "system")
_OF_A_MESSAGE = ("id", "timestamp", "type", "content", "parts", "thoughts", "tokens", "toolCalls", "model", "role")
_OF_A_CALL = ("id", "name", "args", "result", "timestamp", "description")
_INJECTED = ("<session_context>", "<state_snapshot>")  # how contents begin that nobody said
_FAILED = ("error", "cancelled")


def read(source: Source) -> Iterator[Item]:
    """Each session as a trace, with a trace behind it for each time that somebody went back."""
    report, counts = Report(), RecordCounts()
    if is_printed(source.value):
        yield from read_printed(source, report, counts)
        yield counts.finding()
        yield from report.drain()
        return
    for number, chat in enumerate(chats_in(source.value, source.place, report, counts)):
        name = source.stem or "session"
        yield from _conversation(chat, f"{name}-{number + 1}" if number else name, source, counts)
        if chat.taken_back:
            report.add(abandoned_branches(len(chat.taken_back), chat.taken_back[0][0].place))
    yield counts.finding()
    yield from report.drain()


def _conversation(chat: Chat, name: str, source: Source, counts: RecordCounts) -> Iterator[Item]:
    identity = chat.text("sessionId") or name
    told = _MessageTurns(source, counts)
    turns = list(told.turns(chat.messages.values()))
    extras = [Extra(key, value, chat.places[key]) for key, value in chat.head.items() if value is not None]
    yield Trace(
        identity,
        agents=(Agent(PROGRAM, place=chat.place),),
        session_id=identity,
        app=PROGRAM,
        title=chat.text("summary") or "",
        extras=(*(extra for extra in extras if extra.name not in ("sessionId", "summary")), *told.before),
        place=chat.place,
    )
    yield from turns
    for number, messages in enumerate(chat.taken_back):
        yield Trace(f"{identity}~{number + 1}", app=PROGRAM, place=messages[0].place, abandoned=True)
        yield from _MessageTurns(source, counts).turns(messages)


class _MessageTurns(Struct):
    """Makes turns of messages."""

    source: Source
    counts: RecordCounts
    before: list[Extra] = field(default_factory=list)  # what the program said before anybody spoke

    def turns(self, messages: Iterable[Fields]) -> Iterator[Turn]:
        """The turns, in order."""
        flow = TurnFlow()
        for message in messages:
            self.source.tick()
            kind = message.text("type") or ""
            parts = tuple(_spoken(message))
            time_s = seconds_of(or_null(message.get("timestamp")))
            is_known = kind in ("user", *_OF_THE_MODEL, *_OF_THE_PROGRAM)
            if is_known:
                self.counts.understood()
            else:
                self.counts.unknown(kind, message.place)
                parts = (Unknown(kind or "message", dict(message.value), message.place),)
            if kind == "user" and not _is_injected(parts):
                yield from flow.ask(parts, turn_id=message.text("id"), time_s=time_s, place=message.place)
                for extra in stated_extras(message, *_OF_A_MESSAGE):
                    flow.add(extra)
            elif kind in _OF_THE_MODEL:
                for event in _events(message, parts, time_s):
                    flow.happen(event)
            elif not flow.is_open:
                self.before.append(Extra(kind or "message", message.value, message.place))
            else:
                flow.happen(_aside(message, kind, parts, time_s))
        yield from flow.finish()


def _events(message: Fields, parts: tuple[Part, ...], time_s: float | None) -> Iterator[Event]:
    """What the model said and called, then what the tools answered."""
    calls = message.objects("toolCalls")
    asked = tuple(ToolCall(call.text("name") or "", call.get("args"), call.text("id"), call.place) for call in calls)
    tokens = message.object("tokens")
    yield Event(
        PROGRAM,
        (*_thoughts(message), *parts, *asked),
        "model",
        time_s,
        usage=_usage(tokens) if tokens is not None else None,
        model=message.text("model"),
        id=message.text("id"),
        extras=stated_extras(message, *_OF_A_MESSAGE),
        place=message.place,
    )
    answers = tuple(answer for call in calls for answer in _answers(call))
    if answers:
        times = [time for call in calls if (time := seconds_of(or_null(call.get("timestamp")))) is not None]
        extras = tuple(extra for call in calls for extra in stated_extras(call, *_OF_A_CALL))
        yield Event(
            PROGRAM, answers, "tool", max(times, default=time_s), extras=extras, place=message.pointer("toolCalls")
        )


def _answers(call: Fields) -> Iterator[Part]:
    name, identity, result = call.text("name") or "", call.text("id"), call.get("result")
    failed = call.text("status") in _FAILED
    place = call.pointer("result") if result is not ABSENT else call.place
    parts = parts_in(result, place) if isinstance(result, list) else ()
    if any(isinstance(part, ToolResult) for part in parts):
        for part in parts:
            if isinstance(part, ToolResult):
                bad = failed or part.is_error or _ended_badly(part.value)
                yield replace(part, name=part.name or name, call_id=part.call_id or identity, is_error=bad)
            else:
                yield part
    elif result not in (ABSENT, None) or failed:
        yield ToolResult(name, result, identity, failed, place)


def _ended_badly(value: Json | object) -> bool:
    output = value.get("output") if isinstance(value, dict) else None
    return isinstance(output, str) and EXIT.search(output) is not None


def _aside(message: Fields, kind: str, parts: tuple[Part, ...], time_s: float | None) -> Event:
    words = " ".join(part.text for part in parts if isinstance(part, Text))
    return Event(
        "system",
        () if kind == "error" else parts,
        "system",
        time_s,
        error=(words or "Something went wrong.") if kind == "error" else None,
        id=message.text("id"),
        extras=stated_extras(message, *_OF_A_MESSAGE),
        place=message.place,
    )


def _spoken(message: Fields) -> Iterator[Part]:
    key = "content" if message.value.get("content") not in (None, "", []) else "parts"
    content, place = message.get(key), message.pointer(key)
    if isinstance(content, str):
        yield Text(content, place)
    elif isinstance(content, list):
        yield from parts_in(content, place)
    elif isinstance(content, dict):
        yield from (replace(part, place=place) for part in parts_in([content], place))


def _is_injected(parts: tuple[Part, ...]) -> bool:
    words = next((part.text for part in parts if isinstance(part, Text)), "")
    return words.lstrip().startswith(_INJECTED) or any(isinstance(part, ToolResult) for part in parts)


def _thoughts(message: Fields) -> Iterator[Thought]:
    for thought in message.objects("thoughts"):
        words = [text for name in ("subject", "description") if (text := thought.text(name))]
        if words:
            yield Thought(": ".join(words), thought.place)


def _usage(tokens: Fields) -> Usage | None:
    """Tokens as reported: the input contains what came from the cache, the output no thoughts."""
    names = ("input", "tool", "output", "thoughts", "cached")
    usage = Usage(*(count_of(tokens.get(name)) for name in names))
    return None if usage == Usage() else usage


IMPLEMENTATION = Implementation(read=read)
