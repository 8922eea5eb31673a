"""Replies of the model, which stand on several lines, and what tools answered to them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from trace_inspector.core.trace.parts import Part, Text, ToolCall, ToolResult
from trace_inspector.core.trace.trace import Event, Usage
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.values import Json
from trace_inspector.formats.coding.claude_code.lines import SessionLine
from trace_inspector.formats.common.extras import stated_extras
from trace_inspector.formats.common.fields import Fields, count_of, or_null
from trace_inspector.formats.common.message_parts import content_parts

_ENVELOPE = (
    "type", "uuid", "parentUuid", "logicalParentUuid", "sessionId", "timestamp", "cwd", "version", "gitBranch",
    "isSidechain", "userType", "slug", "entrypoint", "agentId", "message", "parent_tool_use_id", "isMeta",
    "sessionKind", "sourceToolAssistantUUID", "permissionMode", "isVisibleInTranscriptOnly",
)  # fmt: skip
_OF_A_REPLY = ("id", "type", "role", "model", "content", "stop_reason", "usage")
_COUNTED = ("input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
# How what a tool answered begins when it failed, in files that do not say so otherwise.
_FAILED = re.compile(r"\s*(<tool_use_error>|Exit code (?!0\b)\d|The user doesn't want to proceed|Error: )")
_OF_TWO_CALLS = 2
_NO_MODEL = "<synthetic>"  # what the program itself says in the place of a model


class Replies(Struct):
    """The replies of one conversation: their tokens, told once, and the calls that wait for results."""

    author: str
    tokens: Mapping[str, Usage]
    lines: Sequence[SessionLine]
    _told: set[str] = field(default_factory=set)
    _reply: str = ""  # whose calls these are, and before them those of the reply before
    _of_reply: dict[str, ToolCall] = field(default_factory=dict)
    _of_reply_before: dict[str, ToolCall] = field(default_factory=dict)
    _results: dict[str, int] | None = None  # behind each call, by its place; most sessions never ask for it
    _calls: dict[str, ToolCall] = field(default_factory=dict)
    _without_id: dict[str, list[str]] = field(default_factory=dict)  # names of calls by the line they stand in
    _events: dict[str, int] = field(default_factory=dict)  # of the turn, by the id of the message

    def next_turn(self) -> None:
        """What follows belongs to another turn: a message that goes on there is an event of its own."""
        self._events.clear()
        self._reply, self._of_reply, self._of_reply_before = "", {}, {}

    def take(self, line: SessionLine, events: list[Event]) -> Event | None:
        """The event that a line begins; None where it goes on with one of these events, which is replaced."""
        message = line.message
        identity = message.text("id") or ""
        told = spoken_parts(line)
        if (reply := identity or line.place) != self._reply:
            self._reply, self._of_reply_before, self._of_reply = reply, self._of_reply, {}
        parts = tuple(part for part in told if not self._repeats(part))
        self._remember(line, parts)
        self._of_reply.update((part.call_id, part) for part in told if isinstance(part, ToolCall) and part.call_id)
        reason = message.text("stop_reason")
        at = self._events.get(identity) if identity else None
        if at is not None and at < len(events):
            before = events[at]
            known = {extra.name for extra in before.extras}
            more = tuple(extra for extra in line_extras(line) if extra.name not in known)
            events[at] = replace(
                before,
                parts=before.parts + parts,
                finish_reason=reason or before.finish_reason,
                extras=before.extras + more,
            )
            return None
        if identity:
            self._events[identity] = len(events)
        key = identity or line.place
        usage = None if key in self._told else self.tokens.get(key)
        self._told.add(key)
        model = message.text("model")
        usage_fields = message.object("usage")
        beside = (
            *stated_extras(message, *_OF_A_REPLY),
            *(stated_extras(usage_fields, *_COUNTED) if usage_fields else ()),
        )
        return Event(
            self.author,
            parts,
            "model",
            line.time_s,
            usage=usage,
            model=None if model == _NO_MODEL else model,
            finish_reason=reason,
            id=line.uuid,
            extras=(*line_extras(line), *beside),
            place=line.place,
        )

    def answered(self, line: SessionLine, parts: Iterable[Part]) -> Event:
        """What tools answered, as an event, with the names of what was called."""
        named = tuple(self._named(part, line) for part in parts)
        return Event(
            self.author, named, "tool", line.time_s, id=line.uuid, extras=line_extras(line), place=line.place
        )

    def _repeats(self, part: Part) -> bool:
        """Whether the reply before told this call: other programs tell the last one again at the head of the next.

        Programs that number the calls of each reply anew ask for the same again under the same id; then each of the
        two calls has a result.
        """
        if not isinstance(part, ToolCall) or not part.call_id:
            return False
        before = self._of_reply.get(part.call_id) or self._of_reply_before.get(part.call_id)
        if before is None or before.name != part.name or before.args != part.args:
            return False
        if self._results is None:
            self._results = _results_behind(self.lines)
        return self._results.get(before.place, 0) + self._results.get(part.place, 0) < _OF_TWO_CALLS

    def _remember(self, line: SessionLine, parts: Iterable[Part]) -> None:
        for part in parts:
            if isinstance(part, ToolCall):
                if part.call_id is not None:
                    self._calls[part.call_id] = part
                elif line.uuid is not None:
                    self._without_id.setdefault(line.uuid, []).append(part.name)

    def _named(self, part: Part, line: SessionLine) -> Part:
        if not isinstance(part, ToolResult):
            return part
        says_fine = _says_fine(part, line.message.get("content"))
        failed = part.is_error or (not says_fine and _FAILED.match(_words(part.value)) is not None)
        if part.call_id is not None:
            # Not by `replace`, which takes a sixth of the time of a session.
            called = self._calls.get(part.call_id)
            name = part.name if called is None else called.name
            return ToolResult(name, part.value, part.call_id, failed, part.place, part.nameless)
        asked = line.fields.text("sourceToolAssistantUUID") or line.parent or ""
        waiting = self._without_id.get(asked) or []
        return replace(part, name=waiting.pop(0) if waiting else part.name, is_error=failed)


def _results_behind(lines: Iterable[SessionLine]) -> dict[str, int]:
    """How many results each call has before its id is told again, by the place of the call."""
    results: dict[str, int] = {}
    last: dict[str | None, str] = {}
    for line in lines:
        if line.is_message:
            for part in spoken_parts(line):
                if isinstance(part, ToolCall):
                    last[part.call_id] = part.place
                elif isinstance(part, ToolResult) and (place := last.get(part.call_id)) is not None:
                    results[place] = results.get(place, 0) + 1
    return results


def tokens_of(lines: Iterable[SessionLine]) -> dict[str, Usage]:
    """Tokens by message: each line repeats them, and the last line knows all of them."""
    tokens: dict[str, Usage] = {}
    for line in lines:
        usage = line.message.object("usage") if line.kind == "assistant" else None
        if usage is not None and line.message.text("model") != _NO_MODEL:
            counted = _usage(usage)
            if counted is not None:
                tokens[line.message.text("id") or line.place] = counted
    return tokens


def _usage(usage: Fields) -> Usage | None:
    fresh, output, written, cached = (count_of(usage.get(name)) for name in _COUNTED)
    if fresh is None and output is None and written is None and cached is None:
        return None
    whole = [count for count in (fresh, written, cached) if count is not None]
    return Usage(prompt=sum(whole) if whole else None, candidates=output, cached=cached, cache_written=written)


def line_extras(line: SessionLine) -> tuple[Extra, ...]:
    """What a line says beside its message and beside what all lines say."""
    return stated_extras(line.fields, *_ENVELOPE)


def _says_fine(part: ToolResult, content: object) -> bool:
    """Whether the block of a result says that it is no error."""
    blocks = content if isinstance(content, list) else []
    index = part.place.rpartition("/")[2]
    block = blocks[int(index)] if index.isdecimal() and int(index) < len(blocks) else None
    return isinstance(block, dict) and block.get("is_error") is False


def _words(value: Json | object) -> str:
    if isinstance(value, list):
        texts = (block.get("text") for block in value if isinstance(block, dict))
        return next((text for text in texts if isinstance(text, str)), "")
    return value if isinstance(value, str) else ""


def spoken_parts(line: SessionLine) -> tuple[Part, ...]:
    """The parts of a message."""
    message = line.message
    return tuple(content_parts(or_null(message.get("content")), message.pointer("content")))


def words_of(parts: Iterable[Part]) -> str:
    """The texts of some parts."""
    return "\n".join(part.text for part in parts if isinstance(part, Text))
