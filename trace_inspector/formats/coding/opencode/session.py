"""Sessions of opencode: `opencode`, an export with all messages, the list of messages alone, or what a run prints.

The types of messages and parts are those of message-v2.ts of sst/opencode, printed records those of run.ts, MIT.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby

from msgspec import Struct, field

from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.parts import Media, Part, Text, Thought, ToolCall, ToolResult, Unknown
from trace_inspector.core.trace.trace import Agent, Event, ParentCall, Trace, Turn, Usage
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.values import Json
from trace_inspector.formats.coding.opencode import PRINTED, is_printed_error
from trace_inspector.formats.common.abandoned import abandoned_branches
from trace_inspector.formats.common.chat_flow import AGENT, SYSTEM, TOOL
from trace_inspector.formats.common.extras import stated_extras
from trace_inspector.formats.common.fields import Fields, Report, objects_in, or_null
from trace_inspector.formats.common.format import Implementation, Source
from trace_inspector.formats.common.recogniser import LOOKED_AT
from trace_inspector.formats.common.record_counts import RecordCounts
from trace_inspector.formats.common.times import seconds_of
from trace_inspector.formats.common.token_usage import usage_beside_cache
from trace_inspector.formats.common.turn_flow import TurnFlow

_PROGRAM = "opencode"
_OF_A_SESSION = ("id", "title", "parentID", "revert")
_OF_A_MESSAGE = (
    "id", "sessionID", "role", "time", "parentID", "modelID", "providerID", "agent", "mode", "tokens", "finish",
    "error", "path", "summary",
)  # fmt: skip
_OF_A_STATE = ("status", "input", "output", "error", "time", "metadata")
_ENVELOPE = ("id", "sessionID", "messageID", "type")
_ENDED = ("completed", "error")


def read(source: Source) -> Iterator[Item]:
    """The session as a trace; what somebody undid is a conversation of its own."""
    report, counts = Report(), RecordCounts()
    value = source.value
    whole = Fields(value if isinstance(value, dict) else {}, "")
    if _is_printed(value):
        yield from _printed(report.bounded_list(value, "") if isinstance(value, list) else [whole], source, counts)
        yield counts.finding()
        yield from report.drain()
        return
    listed = report.bounded_list(value, "") if isinstance(value, list) else report.bounded(whole, "messages")
    session = whole.object("info") or Fields({}, whole.place)
    kept, undone = _undone(listed, session)
    identity = session.text("id") or next(filter(None, map(_session_of, listed)), source.stem or "session")
    parent = session.text("parentID")
    yield Trace(
        identity,
        agents=(Agent(_PROGRAM, place=whole.place),),
        session_id=identity,
        app=_PROGRAM,
        title=session.text("title") or "",
        extras=stated_extras(session, *_OF_A_SESSION),
        place=whole.place,
        parent=ParentCall(parent) if parent else None,
    )
    yield from _OpencodeTurns(source, counts).turns(kept)
    if undone:
        yield Trace(f"{identity}~1", app=_PROGRAM, place=undone[0].place, abandoned=True)
        yield from _OpencodeTurns(source, counts).turns(undone)
        report.add(abandoned_branches(1, undone[0].place))
    yield counts.finding()
    yield from report.drain()


def _printed(records: list[Fields], source: Source, counts: RecordCounts) -> Iterator[Item]:
    """Each session that a run printed as a trace of one turn."""
    readers: dict[str, tuple[str, _OpencodeTurns]] = {}
    for session, info, parts in _printed_replies(records):
        source.tick()
        counts.understood(int("error" in info.value))
        _place, reader = readers.setdefault(session, (info.place, _OpencodeTurns(source, counts)))
        reader.reply(info, parts)
    for session, (place, reader) in readers.items():
        agents = (Agent(_PROGRAM, place=place),)
        name = session or source.stem or "session"
        yield Trace(name, agents=agents, session_id=session or None, app=_PROGRAM, place=place)
        yield from reader.flow.finish()


def _is_printed(value: Json) -> bool:
    """Whether these are the records that a run prints."""
    listed: list[Json] = value[:LOOKED_AT] if isinstance(value, list) else [value]
    return any(map(PRINTED, objects_in(listed, "")))


def _printed_replies(records: list[Fields]) -> Iterator[tuple[str, Fields, list[Fields]]]:
    """The session, what is known of it, and the parts of each reply in turn; an error stands alone."""
    for (session, identity, _error_at), group in groupby(records, _reply_of):
        listed = list(group)
        first = listed[0]
        known: dict[str, Json] = {
            "role": "assistant",
            "time": {"created": or_null(first.get("timestamp")), "completed": or_null(listed[-1].get("timestamp"))},
        }
        if identity:
            known["id"] = identity
        if is_printed_error(first):
            known["error"] = or_null(first.get("error"))
            yield session, Fields(known, first.place), []
        else:
            yield session, Fields(known, first.place), [_part_of(record) for record in listed]


def _reply_of(record: Fields) -> tuple[str, str, str]:
    """The session, the message, and of an error its place: each of those in a row stands alone."""
    part = record.object("part")
    message = (part.text("messageID") or "") if part is not None else ""
    return record.text("sessionID") or "", message, record.place if is_printed_error(record) else ""


def _part_of(record: Fields) -> Fields:
    """The part, or the whole record where it has none."""
    return record.object("part") or record


def _session_of(message: Fields) -> str | None:
    info = message.object("info")
    return info.text("sessionID") if info is not None else None


def _undone(messages: list[Fields], session: Fields) -> tuple[list[Fields], list[Fields]]:
    """The messages as they stand, and those that somebody took back and has not overwritten yet."""
    revert = session.object("revert")
    first = revert.text("messageID") if revert is not None else None
    for number, message in enumerate(messages):
        info = message.object("info")
        if first is not None and info is not None and info.text("id") == first:
            return messages[:number], messages[number:]
    return messages, []


class _ReplyStep(Struct):
    """What a model said and called in one go, and what the tools answered."""

    said: list[Part] = field(default_factory=list)
    answers: list[Event] = field(default_factory=list)
    extras: list[Extra] = field(default_factory=list)
    usage: Usage | None = None
    finish: str | None = None


class _OpencodeTurns(Struct):
    """Makes turns of messages."""

    source: Source
    counts: RecordCounts
    flow: TurnFlow = field(default_factory=TurnFlow)

    def turns(self, messages: list[Fields]) -> Iterator[Turn]:
        """The turns, in order."""
        for message in messages:
            self.source.tick()
            info = message.object("info") or Fields({}, message.place)
            role = info.text("role") or ""
            if role == "user":
                self.counts.understood()
                yield from self._user(message, info)
            elif role == "assistant":
                self.counts.understood()
                self.reply(info, message.objects("parts"))
            else:
                self.counts.unknown(role or "message", message.place)
                unknown = Unknown(role or "message", dict(message.value), message.place)
                self.flow.happen(Event("system", (unknown,), SYSTEM, place=message.place))
        yield from self.flow.finish()

    def _user(self, message: Fields, info: Fields) -> Iterator[Turn]:
        """What somebody said; what the program added in their name stands beside it."""
        step, added, time_s = _ReplyStep(), list[Part](), _time(info, "created")
        for part in message.objects("parts"):
            if part.value.get("synthetic") is True or part.value.get("ignored") is True:
                self.counts.understood()
                added.append(Text(part.text("text") or "", part.pointer("text")))
            else:
                self._take(part, step, info)
        if step.said:
            yield from self.flow.ask(step.said, turn_id=info.text("id"), time_s=time_s, place=message.place)
        if added or not step.said:
            self.flow.happen(Event("system", tuple(added), SYSTEM, time_s, place=message.place))
        for extra in (*stated_extras(info, *_OF_A_MESSAGE, "model"), *step.extras):
            self.flow.add(extra)

    def reply(self, info: Fields, parts: list[Fields]) -> None:
        """A reply, step by step; tokens are those of its steps, where these state any."""
        steps, step = list[_ReplyStep](), _ReplyStep()
        for part in parts:
            self._take(part, step, info)
            if part.text("type") == "step-finish":
                steps.append(step)
                step = _ReplyStep()
        if step.said or step.extras or not steps:
            steps.append(step)
        if all(each.usage is None for each in steps):
            steps[-1].usage = _usage(info)
        error = _error(info)
        for number, each in enumerate(steps):
            is_last = number == len(steps) - 1
            event = Event(
                info.text("agent") or info.text("mode") or _PROGRAM,
                tuple(each.said),
                AGENT,
                _time(info, "created"),
                usage=each.usage,
                model=info.text("modelID"),
                finish_reason=each.finish or (info.text("finish") if is_last else None),
                error=error if is_last else None,
                id=info.text("id"),
                extras=(*(stated_extras(info, *_OF_A_MESSAGE) if is_last else ()), *each.extras),
                place=info.place.removesuffix("/info"),
            )
            self.flow.happen(event)
            for answer in each.answers:
                self.flow.happen(answer)
        self.flow.note(_time(info, "completed"))

    def _take(self, part: Fields, step: _ReplyStep, info: Fields) -> None:
        kind = part.text("type") or ""
        reader = _PARTS.get(kind)
        if reader is None:
            self.counts.unknown(kind or "part", part.place)
            step.said.append(Unknown(kind or "part", dict(part.value), part.place))
        else:
            self.counts.understood()
            reader(part, step, info)


def _text(part: Fields, step: _ReplyStep, _info: Fields) -> None:
    step.said.append(Text(part.text("text") or "", part.pointer("text")))


def _reasoning(part: Fields, step: _ReplyStep, _info: Fields) -> None:
    if words := part.text("text"):
        step.said.append(Thought(words, part.pointer("text")))


def _file(part: Fields, step: _ReplyStep, _info: Fields) -> None:
    step.said.append(Media(part.text("mime") or "", uri=part.text("url") or part.text("filename"), place=part.place))


def _tool(part: Fields, step: _ReplyStep, info: Fields) -> None:
    state = part.object("state") or Fields({}, part.place)
    name, identity, status = part.text("tool") or "", part.text("callID"), state.text("status")
    step.said.append(ToolCall(name, state.get("input"), identity, part.place))
    if status not in _ENDED:
        return
    key = "error" if status == "error" else "output"
    beside = state.object("metadata")
    code = beside.value.get("exit") if beside is not None else None
    failed = status == "error" or (isinstance(code, int) and code != 0)
    result = ToolResult(name, or_null(state.get(key)), identity, failed, state.pointer(key))
    started, ended = _time(state, "start"), _time(state, "end")
    took = ended - started if started is not None and ended is not None and ended >= started else None
    author = info.text("agent") or info.text("mode") or _PROGRAM
    extras = stated_extras(state, *_OF_A_STATE)
    step.answers.append(Event(author, (result,), TOOL, ended, took, extras=extras, place=state.place))


def _finish(part: Fields, step: _ReplyStep, _info: Fields) -> None:
    step.usage, step.finish = _usage(part), part.text("reason")


def _aside(part: Fields, step: _ReplyStep, _info: Fields) -> None:
    """Something that the program notes; that a step began says nothing more."""
    beside = stated_extras(part, *_ENVELOPE)
    if beside and part.text("type") != "step-start":
        step.extras.append(Extra(part.text("type") or "part", dict(part.value), part.place))


_PARTS: dict[str, Callable[[Fields, _ReplyStep, Fields], None]] = {
    "text": _text,
    "reasoning": _reasoning,
    "file": _file,
    "tool": _tool,
    "step-finish": _finish,
    **dict.fromkeys(("step-start", "snapshot", "patch", "agent", "subtask", "retry", "compaction"), _aside),
}


def _time(owner: Fields, name: str) -> float | None:
    times = owner.object("time")
    return seconds_of(or_null(times.get(name))) if times is not None else None


def _usage(owner: Fields) -> Usage | None:
    tokens = owner.object("tokens")
    if tokens is None:
        return None
    cache = tokens.object("cache") or Fields({}, tokens.place)
    return usage_beside_cache(
        tokens.get("input"), tokens.get("output"), cache.get("read"), cache.get("write"), tokens.get("reasoning")
    )


def _error(info: Fields) -> str | None:
    error = info.object("error")
    if error is None:
        return info.text("error")
    data = error.object("data") or error
    return data.text("message") or error.text("name") or "Something went wrong."


IMPLEMENTATION = Implementation(read=read)
