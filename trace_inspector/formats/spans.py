"""Spans of any tracer in one form: what a span is, and its attributes, looked at only as far as needed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from trace_inspector.core.finding import Finding, error
from trace_inspector.core.trace import Span, SpanKind
from trace_inspector.core.values import ABSENT, Absent, Json, JsonObject

# Attributes that say what a span is, with what their values mean. The first that a span has decides.
_MEANINGS: dict[str, dict[str, SpanKind]] = {
    "gen_ai.operation.name": {
        "chat": SpanKind.MODEL,
        "generate_content": SpanKind.MODEL,
        "text_completion": SpanKind.MODEL,
        "invoke_agent": SpanKind.AGENT,
        "invoke_workflow": SpanKind.RUN,
        "execute_tool": SpanKind.TOOL,
    },
    "openinference.span.kind": {
        "LLM": SpanKind.MODEL,
        "AGENT": SpanKind.AGENT,
        "TOOL": SpanKind.TOOL,
    },
    "llm.request.type": {
        "chat": SpanKind.MODEL,
        "completion": SpanKind.MODEL,
    },
    "traceloop.span.kind": {
        "agent": SpanKind.AGENT,
        "tool": SpanKind.TOOL,
        "workflow": SpanKind.RUN,
    },
}

# ADK's spans by name: version 1 gives several of them no telling attribute.
_NAMES: dict[str, SpanKind] = {
    "invocation": SpanKind.RUN,
    "invoke_workflow": SpanKind.RUN,
    "invoke_agent": SpanKind.AGENT,
    "agent_run": SpanKind.AGENT,
    "call_llm": SpanKind.MODEL,
    "generate_content": SpanKind.MODEL,
    "execute_tool": SpanKind.TOOL,
    "invoke_node": SpanKind.OTHER,
    "compact_events": SpanKind.OTHER,
    "create_cache": SpanKind.OTHER,
    "handle_context_caching": SpanKind.OTHER,
    "send_data": SpanKind.OTHER,
}

CONVERSATION_KEYS = ("gen_ai.conversation.id", "session.id", "gcp.vertex.agent.session_id")
TELLING = frozenset(_MEANINGS) | frozenset(CONVERSATION_KEYS)


def kind_of(name: str, telling: dict[str, Json]) -> SpanKind:
    """What a span measures, from its name and its telling attributes. Everything unknown is plumbing."""
    known = _NAMES.get(name.partition(" ")[0])
    if telling:
        for key, meanings in _MEANINGS.items():
            value = telling.get(key)
            if isinstance(value, str):
                # A framework's own operation is part of the story, whatever it does.
                return meanings.get(value) or known or SpanKind.OTHER
    return known or SpanKind.PLUMBING


@dataclass(slots=True, eq=False)
class Attributes:
    """The attributes of one span by name, decoded when asked for, each with its pointer."""

    raw: Json
    place: str
    decode: Callable[[JsonObject, str], tuple[Json, str]]
    _found: dict[str, tuple[JsonObject, int]] | None = field(default=None, init=False)

    def _index(self) -> dict[str, tuple[JsonObject, int]]:
        if self._found is None:
            listed = self.raw if isinstance(self.raw, list) else []
            self._found = {}
            for index, item in enumerate(listed):
                if isinstance(item, dict) and isinstance(key := item.get("key"), str):
                    self._found[key] = (item, index)
        return self._found

    def names(self) -> Iterable[str]:
        """Every name, in the file's order."""
        return self._index()

    def get(self, name: str) -> Json | Absent:
        """The value of an attribute."""
        found = self._index().get(name)
        return ABSENT if found is None else self.decode(found[0], "")[0]

    def at(self, name: str) -> str:
        """The pointer of an attribute's value."""
        found = self._index().get(name)
        return self.place if found is None else self.decode(found[0], f"{self.place}/{found[1]}")[1]

    def text(self, *names: str) -> str | None:
        """The first of some attributes that is a non-empty text."""
        for name in names:
            value = self.get(name)
            if isinstance(value, str) and value:
                return value
        return None

    def parsed(self, *names: str) -> tuple[Json | Absent, str]:
        """The first of some attributes that is there, JSON in a string seen through, and its pointer."""
        for name in names:
            value = self.get(name)
            if value is not ABSENT and value != "":
                return from_text(value), self.at(name)
        return ABSENT, self.place


def from_text(value: Json) -> Json:
    """An object or a list in a string as what it says; any other string, also one of digits, as it is."""
    if not isinstance(value, str) or value[:64].lstrip()[:1] not in ("{", "["):
        return value
    from pydantic_core import from_json

    try:
        parsed: Json = from_json(value)
    except ValueError:
        parsed = _slowly(value)
    return parsed


_MAX_DEPTH = 400  # deeper values break Python where they are copied and compared


def _slowly(text: str) -> Json:
    """What the fast parser refuses for its depth or for half an emoji, Python's may still take."""
    try:
        parsed: Json = json.loads(text)
    except (ValueError, RecursionError):
        return text
    level: list[Json] = [parsed]
    for _ in range(_MAX_DEPTH):
        level = [inner for value in level for inner in _children(value)]
        if not level:
            return parsed
    return text


def _children(value: Json) -> Iterable[Json]:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


@dataclass(slots=True, eq=False)
class Recorded:
    """One span as recorded, on its way into a turn."""

    trace_id: str
    span: Span
    attributes: Attributes
    telling: dict[str, Json]

    def conversation(self) -> str | None:
        """The conversation the span says it belongs to."""
        for key in CONVERSATION_KEYS:
            value = self.telling.get(key)
            if isinstance(value, str) and value:
                return value
        return None


@dataclass(slots=True)
class Recording:
    """The spans of a file and what was wrong with some of them."""

    spans: list[Recorded] = field(default_factory=list)
    damaged: int = 0
    first_damaged: str = ""

    def skip(self, place: str) -> None:
        """Note something that is no span."""
        self.damaged += 1
        self.first_damaged = self.first_damaged or place

    def findings(self) -> Iterator[Finding]:
        """One line for everything skipped."""
        if self.damaged:
            spans = "1 span is" if self.damaged == 1 else f"{self.damaged} spans are"
            yield error("damaged-span", f"{spans} no object with an id, and left out.", self.first_damaged)
