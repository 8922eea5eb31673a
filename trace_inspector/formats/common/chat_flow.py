"""Chat messages as turns: those of OpenAI, Anthropic, Gemini and LangChain, one after the other."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field
from msgspec.structs import replace

from trace_inspector.core.trace.parts import Part, Text, Thought, ToolCall, ToolResult, Unknown
from trace_inspector.core.trace.trace import Event, Turn
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.values import ABSENT, JsonObject
from trace_inspector.formats.common.extras import extras_of
from trace_inspector.formats.common.fields import Fields, spellings
from trace_inspector.formats.common.message_parts import message_parts, named_call
from trace_inspector.formats.common.times import seconds_of
from trace_inspector.formats.common.token_usage import reported_usage
from trace_inspector.formats.common.turn_flow import TurnFlow

USER, AGENT, SYSTEM, TOOL = "user", "model", "system", "tool"
# Who speaks, by the role of a message, or by its type where it is one of LangChain.
_ROLES = {
    "user": USER, "human": USER, "assistant": AGENT, "ai": AGENT, "model": AGENT, "aimessagechunk": AGENT,
    "system": SYSTEM, "developer": SYSTEM, "tool": TOOL, "function": TOOL,
}  # fmt: skip
_READ = (
    "role", "type", "content", "parts", "tool_calls", "function_call", "tool_call_id", "name", "tool_name", "id",
    "reasoning_content", "reasoning", "refusal", "usage", "usage_metadata", "model", "finish_reason", "stop_reason",
    "timestamp", "created_at", "is_error", "status", "response_metadata", "additional_kwargs",
)  # fmt: skip
# What most messages lack, asked for at once.
_BESIDE_CONTENT = spellings("additional_kwargs", "reasoning_content", "reasoning", "function_call", "refusal")
_OF_AN_EVENT = spellings(
    "response_metadata", "usage", "usage_metadata", "model", "finish_reason", "stop_reason", "id", "timestamp",
    "created_at", "ts", "metadata",
)  # fmt: skip
_THOUGHTS = ("reasoning_content", "reasoning")
_TIMES = ("timestamp", "created_at", "ts")
_NO_EXTRAS = spellings(*_READ, *_TIMES)


def speaker_of(message: Fields) -> str:
    """Who speaks in a message: USER, AGENT, SYSTEM or TOOL, "" where it is no message."""
    value = message.value
    role = value.get("role")
    if isinstance(role, str) and (speaker := _ROLES.get(role) or _ROLES.get(role.lower())):
        return speaker
    kind = value.get("type")
    return _ROLES.get(kind.lower(), "") if isinstance(kind, str) else ""


class ChatFlow(Struct):
    """Turns of a chat, and the words of the system before anybody speaks: the instruction."""

    agent: str = "assistant"
    flow: TurnFlow = field(default_factory=TurnFlow)
    _names: dict[str, str] = field(default_factory=dict)  # of tools, by the id of the call

    def message(self, message: Fields) -> Iterator[Turn]:
        """Take a message; gives the turn before where this one opens another."""
        speaker = speaker_of(message)
        if not speaker:
            kind = message.text("role") or message.text("type") or "message"
            unknown = Unknown(kind, dict(message.value), message.place)
            self.flow.happen(Event("", (unknown,), SYSTEM, place=message.place))
            return
        parts = tuple(self._parts(message, speaker))
        if speaker != USER:
            author = (message.text("name") if speaker == AGENT else "") or self.agent
            self.flow.happen(_event(message, author if speaker in (AGENT, TOOL) else "system", speaker, parts))
            return
        results = tuple(part for part in parts if isinstance(part, ToolResult))
        if results:  # Claude's results of tools come as messages of the user
            self.flow.happen(_event(message, self.agent, TOOL, results))
        spoken = tuple(part for part in parts if not isinstance(part, ToolResult)) if results else parts
        if spoken or not results:
            event = _event(message, "", USER, spoken)
            yield from self.flow.ask(spoken, turn_id=event.id, time_s=event.time_s, place=message.place)
            for extra in event.extras:
                self.flow.add(extra)

    def _parts(self, message: Fields, speaker: str) -> Iterator[Part]:
        raw = message.value if speaker != TOOL else {**_of_one_call(message), "role": "tool"}
        if _BESIDE_CONTENT.isdisjoint(message.value):
            yield from map(self._named, message_parts(raw, message.place))
            return
        beside = message.object("additional_kwargs") or Fields({}, message.place)
        for owner in (message, beside):
            if named := next((name for name in _THOUGHTS if owner.text(name)), ""):
                yield Thought(owner.text(named) or "", owner.pointer(named))
                break
        yield from map(self._named, message_parts(raw, message.place))
        called = message.object("function_call")
        if called is not None:
            yield self._named(named_call(called.value, called.place))
        if (refused := message.text("refusal")) is not None:
            yield Text(refused, message.pointer("refusal"))

    def _named(self, part: Part) -> Part:
        """Remembers the name of a call for its result, which often states only the id."""
        if isinstance(part, ToolCall) and part.call_id is not None:
            self._names[part.call_id] = part.name
        if isinstance(part, ToolResult) and not part.name and part.call_id in self._names:
            return replace(part, name=self._names[part.call_id])
        return part


def _of_one_call(message: Fields) -> JsonObject:
    """A result with the id of its call, which SWE-agent writes as a list of one."""
    listed = message.value.get("tool_call_ids")
    if "tool_call_id" in message.value or not isinstance(listed, list) or len(listed) != 1:
        return message.value
    return {**message.value, "tool_call_id": listed[0]}


def instruction_of(messages: list[Fields]) -> tuple[str, int]:
    """The words of the system's messages at the beginning, and how many they are."""
    words: list[str] = []
    for message in messages:
        if speaker_of(message) != SYSTEM:
            break
        parts = message_parts(message.value, message.place)
        words.append("\n".join(part.text for part in parts if isinstance(part, Text)))
    return "\n\n".join(words), len(words)


def _event(message: Fields, author: str, role: str, parts: tuple[Part, ...]) -> Event:
    if _OF_AN_EVENT.isdisjoint(message.value):
        return Event(author, parts, role, extras=_extras(message), place=message.place)
    metadata = message.object("response_metadata") or message.object("metadata") or Fields({}, message.place)
    usage = (
        message.object("usage")
        or message.object("usage_metadata")
        or metadata.object("token_usage")
        or metadata.object("usage")
    )
    times = (message.get(name) for name in _TIMES)
    return Event(
        author,
        parts,
        role,
        time_s=next((time_s for value in times if value is not ABSENT and (time_s := seconds_of(value))), None),
        usage=reported_usage(usage),
        model=message.text("model") or metadata.text("model_name") or metadata.text("model"),
        finish_reason=message.text("finish_reason") or message.text("stop_reason") or metadata.text("finish_reason"),
        id=message.text("id"),
        extras=_extras(message),
        place=message.place,
    )


def _extras(message: Fields) -> tuple[Extra, ...]:
    if _NO_EXTRAS.issuperset(message.value):  # as of most messages
        return ()
    return tuple(extra for extra in extras_of(message, *_READ, *_TIMES) if extra.value not in (None, {}))
