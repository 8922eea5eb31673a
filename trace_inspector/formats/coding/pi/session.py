"""Sessions of pi: `pi`, with the branches that somebody left.

Entries and messages are those of session-manager.ts of badlogic/pi-mono, MIT.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct, field

from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.parts import Code, Part, Text, ToolResult, Unknown
from trace_inspector.core.trace.trace import Agent, Event, Trace, Turn, Usage
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.values import Json
from trace_inspector.formats.common.abandoned import abandoned_branches
from trace_inspector.formats.common.chat_flow import AGENT, SYSTEM, TOOL, USER
from trace_inspector.formats.common.extras import stated_extras
from trace_inspector.formats.common.fields import Fields, Report, or_null
from trace_inspector.formats.common.format import Implementation, Source
from trace_inspector.formats.common.message_parts import content_parts
from trace_inspector.formats.common.record_counts import RecordCounts
from trace_inspector.formats.common.times import seconds_of
from trace_inspector.formats.common.token_usage import usage_beside_cache
from trace_inspector.formats.common.turn_flow import TurnFlow

_PROGRAM = "pi"
_ENVELOPE = ("type", "id", "parentId", "timestamp")
_OF_A_MESSAGE = (
    "role", "content", "timestamp", "usage", "model", "stopReason", "errorMessage", "toolCallId", "toolName",
    "isError", "command", "output",
)  # fmt: skip
_KEPT_ASIDE = ("model_change", "thinking_level_change", "label", "custom", "session_info")
_HEADS = ("session", "session_start")
_SUMMARIES = ("compaction", "branch_summary")


def read(source: Source) -> Iterator[Item]:
    """Each session as a trace, with a trace behind it for each branch that was left."""
    report, counts = Report(), RecordCounts()
    value = source.value
    listed = [Fields(value, "")] if isinstance(value, dict) else report.bounded_list(value, "")
    sessions: list[list[Fields]] = []
    for entry in listed:
        if not sessions or entry.text("type") in _HEADS:
            sessions.append([])
        sessions[-1].append(entry)
    for number, entries in enumerate(sessions):
        name = source.stem or "session"
        yield from _session(entries, f"{name}-{number + 1}" if number else name, source, report, counts)
    yield counts.finding()
    yield from report.drain()


def _session(
    entries: list[Fields], name: str, source: Source, report: Report, counts: RecordCounts
) -> Iterator[Item]:
    has_head = entries[0].text("type") in _HEADS
    head = entries[0] if has_head else Fields({}, entries[0].place)
    counts.understood(int(has_head))
    kept, left = _branches_of(entries[int(has_head) :])
    identity = head.text("id") or name
    reader = _EntryTurns(source, counts)
    turns = list(reader.turns(kept))
    yield Trace(
        identity,
        agents=(Agent(_PROGRAM, place=head.place),),
        session_id=identity,
        app=_PROGRAM,
        title=next((title for entry in reversed(kept) if (title := _name_in(entry))), ""),
        extras=(*stated_extras(head, "type", "id"), *reader.before),
        place=head.place,
    )
    yield from turns
    for number, branch in enumerate(left):
        yield Trace(f"{identity}~{number + 1}", app=_PROGRAM, place=branch[0].place, abandoned=True)
        yield from _EntryTurns(source, counts).turns(branch)
    if left:
        report.add(abandoned_branches(len(left), left[0][0].place))


def _branches_of(entries: list[Fields]) -> tuple[list[Fields], list[list[Fields]]]:
    """The entries above the last one, and each branch that was left with only its own entries.

    Entries of the first version have no ids: there all of them went on. An entry that states no parent, or one that
    is not in the file, goes on with the entry before; only one whose parent is null begins where the file begins.
    """
    above: dict[str, str] = {}  # of an entry, the one that it goes on with
    known = {identity for entry in entries if (identity := entry.text("id")) is not None}
    before = ""
    for entry in entries:
        if (own := entry.text("id")) is not None:
            stated = entry.get("parentId")
            above[own] = stated if isinstance(stated, str) and stated in known else "" if stated is None else before
            before = own
    live: set[str] = set()
    while before and before not in live:
        live.add(before)
        before = above.get(before, "")
    kept: list[Fields] = []
    left: list[list[Fields]] = []
    ending: dict[str, list[Fields]] = {}  # the branch that ends with an entry so far, by its id
    for entry in entries:
        own = entry.text("id")
        if own is None or own in live:
            kept.append(entry)
            continue
        branch = ending.pop(above[own], None)
        if branch is None:
            branch = []
            left.append(branch)
        branch.append(entry)
        ending[own] = branch
    silent = {entry.place for branch in left if not any(map(_is_message, branch)) for entry in branch}
    if silent:  # a record of the program that nothing goes on with: nobody went back from it
        places = silent.union(entry.place for entry in kept)
        kept = [entry for entry in entries if entry.place in places]
        left = [branch for branch in left if branch[0].place not in silent]
    return kept, left


def _is_message(entry: Fields) -> bool:
    return entry.object("message") is not None


def _name_in(entry: Fields) -> str | None:
    return entry.text("name") if entry.text("type") == "session_info" else None


class _EntryTurns(Struct):
    """Makes turns of entries."""

    source: Source
    counts: RecordCounts
    flow: TurnFlow = field(default_factory=TurnFlow)
    before: list[Extra] = field(default_factory=list)  # what was set before anybody spoke

    def turns(self, entries: list[Fields]) -> Iterator[Turn]:
        """The turns, in order."""
        for entry in entries:
            self.source.tick()
            kind, message = entry.text("type") or "", entry.object("message")
            role = message.text("role") or "" if message is not None and kind == "message" else ""
            if message is not None and role == "user":
                self.counts.understood()
                yield from self._user(entry, message)
            elif message is not None and role in _MESSAGES:
                self.counts.understood()
                self.flow.happen(_MESSAGES[role](entry, message))
            elif kind in _SUMMARIES or kind == "custom_message":
                self.counts.understood()
                self.flow.happen(_added(entry, entry))
            elif kind in _KEPT_ASIDE:
                self.counts.understood()
                self._keep(Extra(kind, dict(entry.value), entry.place))
            else:
                self.counts.unknown(f"message {role}" if message is not None else kind, entry.place)
                unknown = Unknown(kind or "entry", dict(entry.value), entry.place)
                self.flow.happen(Event("system", (unknown,), SYSTEM, _time(entry, entry), place=entry.place))
        yield from self.flow.finish()

    def _user(self, entry: Fields, message: Fields) -> Iterator[Turn]:
        parts = tuple(content_parts(or_null(message.get("content")), message.pointer("content")))
        identity, time_s = entry.text("id"), _time(entry, message)
        results = tuple(part for part in parts if isinstance(part, ToolResult))
        if results:  # droid writes them in the user's name
            self.flow.happen(Event(_PROGRAM, results, TOOL, time_s, id=identity, place=entry.place))
        spoken = tuple(part for part in parts if not isinstance(part, ToolResult))
        if not spoken and results:
            return
        yield from self.flow.ask(spoken, turn_id=identity, time_s=time_s, place=entry.place)
        for extra in stated_extras(message, *_OF_A_MESSAGE):
            self.flow.add(extra)

    def _keep(self, extra: Extra) -> None:
        if self.flow.is_open:
            self.flow.add(extra)
        else:
            self.before.append(extra)


def _assistant(entry: Fields, message: Fields) -> Event:
    return Event(
        _PROGRAM,
        tuple(content_parts(or_null(message.get("content")), message.pointer("content"))),
        AGENT,
        _time(entry, message),
        usage=_usage(message.object("usage")),
        model=message.text("model"),
        finish_reason=message.text("stopReason"),
        error=message.text("errorMessage"),
        id=entry.text("id"),
        extras=stated_extras(message, *_OF_A_MESSAGE),
        place=entry.place,
    )


def _tool_result(entry: Fields, message: Fields) -> Event:
    content, place = or_null(message.get("content")), message.pointer("content")
    parts = tuple(content_parts(content, place))
    texts = [part.text for part in parts if isinstance(part, Text)]
    value: Json = "\n".join(texts) if parts and len(texts) == len(parts) else content
    name, failed = message.text("toolName") or "", message.value.get("isError") is True
    result = ToolResult(name, value, message.text("toolCallId"), failed, place)
    extras = stated_extras(message, *_OF_A_MESSAGE)
    return Event(
        _PROGRAM, (result,), TOOL, _time(entry, message), id=entry.text("id"), extras=extras, place=entry.place
    )


def _command(entry: Fields, message: Fields) -> Event:
    """A command that the person gave, past the model."""
    command, output = message.text("command"), message.text("output")
    parts: list[Part] = []
    if command is not None:
        parts.append(Code(command, "bash", place=message.pointer("command")))
    if output is not None:
        parts.append(Code(output, is_result=True, place=message.pointer("output")))
    extras = stated_extras(message, *_OF_A_MESSAGE)
    return Event(
        "user", tuple(parts), USER, _time(entry, message), id=entry.text("id"), extras=extras, place=entry.place
    )


def _added(entry: Fields, message: Fields) -> Event:
    """What the program or an extension put into the conversation."""
    key = "summary" if "summary" in message.value else "content"
    return Event(
        "system",
        tuple(content_parts(or_null(message.get(key)), message.pointer(key))),
        SYSTEM,
        _time(entry, message),
        id=entry.text("id"),
        extras=stated_extras(message, key, *_OF_A_MESSAGE, *_ENVELOPE),
        place=entry.place,
    )


_MESSAGES: dict[str, Callable[[Fields, Fields], Event]] = {
    "assistant": _assistant,
    "toolResult": _tool_result,
    "bashExecution": _command,
    # hookMessage is the name that `custom` had before version 3.
    **dict.fromkeys(("custom", "hookMessage", "branchSummary", "compactionSummary"), _added),
}


def _time(entry: Fields, message: Fields) -> float | None:
    stated = seconds_of(or_null(entry.get("timestamp")))
    return seconds_of(or_null(message.get("timestamp"))) if stated is None else stated


def _usage(usage: Fields | None) -> Usage | None:
    if usage is None:
        return None
    read, written, thoughts = (usage.get(name) for name in ("cacheRead", "cacheWrite", "reasoning"))
    return usage_beside_cache(usage.get("input"), usage.get("output"), read, written, thoughts)


IMPLEMENTATION = Implementation(read=read)
