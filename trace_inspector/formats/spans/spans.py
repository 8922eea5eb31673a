"""Spans of any tracer in one form, and the kind of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from trace_inspector.core.finding import Finding, error, info
from trace_inspector.core.trace.trace import Span, SpanKind
from trace_inspector.core.values.values import Json, JsonObject, present
from trace_inspector.formats.common.span_attributes import Attributes

_ANY_OTHER = ""

# Attributes that give the kind of a span, by value. The first one that a span has decides.
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
    "ai.operationId": {
        "ai.generateText": SpanKind.RUN,
        "ai.streamText": SpanKind.RUN,
        "ai.generateObject": SpanKind.RUN,
        "ai.streamObject": SpanKind.RUN,
        "ai.generateText.doGenerate": SpanKind.MODEL,
        "ai.streamText.doStream": SpanKind.MODEL,
        "ai.generateObject.doGenerate": SpanKind.MODEL,
        "ai.streamObject.doStream": SpanKind.MODEL,
        "ai.toolCall": SpanKind.TOOL,
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
    "span.type": {
        "inference": SpanKind.MODEL,
        "inference.framework": SpanKind.MODEL,
        "agentic.tool.invocation": SpanKind.TOOL,
        "agentic.invocation": SpanKind.AGENT,
        "agentic.request": SpanKind.RUN,
        "agentic.turn": SpanKind.RUN,
        _ANY_OTHER: SpanKind.PLUMBING,
    },
}

# Spans of ADK by name: in version 1 several have no attribute for their kind.
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
IDENTIFYING = frozenset(_MEANINGS) | frozenset(CONVERSATION_KEYS)
_ROOTS = frozenset(name.partition(".")[0] for name in IDENTIFYING)
_AROUND = (SpanKind.PLUMBING, SpanKind.OTHER)
_NOTHING: JsonObject = {}
_ERROR_WORDS = ("otel.status_description", "error.message", "exception.message", "error.type", "exception.type")


def kind_of(name: str, identifying: dict[str, Json]) -> SpanKind:
    """The kind of a span, from its name and identifying attributes. Everything unknown is plumbing."""
    kind_by_name = _NAMES.get(name.partition(" ")[0])
    if identifying:
        for key, meanings in _MEANINGS.items():
            value = identifying.get(key)
            if isinstance(value, str):
                # An operation of a framework is shown, whatever it does.
                return meanings.get(value) or kind_by_name or meanings.get(_ANY_OTHER, SpanKind.OTHER)
    return kind_by_name or SpanKind.PLUMBING


def identifying_attributes(attributes: Attributes, kind: Json = None) -> dict[str, Json]:
    """The identifying attributes; `kind` is that of OpenInference, where it is outside of the attributes."""
    raw = attributes.raw()
    if isinstance(raw, dict):
        identifying = {name: raw[name] for name in IDENTIFYING & raw.keys()}
        nested = _ROOTS & raw.keys()
    else:
        identifying, nested = {}, _ROOTS if raw else frozenset()
    if nested:
        values = ((name, attributes.get(name)) for name in IDENTIFYING if name.partition(".")[0] in nested)
        identifying.update((name, value) for name, value in values if present(value))
    if isinstance(kind, str) and kind not in ("", "UNKNOWN"):
        identifying.setdefault("openinference.span.kind", kind)
    return identifying


def error_words(attributes: Attributes) -> str:
    """The error of a failed span, from its attributes or from an exception event."""
    stated = attributes.text(*_ERROR_WORDS)
    noted = (words for note in attributes.notes() if (words := note.attributes.text(*_ERROR_WORDS)))
    return stated or next(noted, "error")


@dataclass(slots=True, eq=False)
class Recorded:
    """One span as recorded."""

    trace_id: str
    span: Span
    attributes: Attributes
    identifying: dict[str, Json]
    arrived_bytes: int = 0  # of the file, when it was read

    def conversation(self) -> str | None:
        """The conversation id of the span."""
        for key in CONVERSATION_KEYS:
            value = self.identifying.get(key)
            if isinstance(value, str) and value:
                return value
        return None


@dataclass(slots=True)
class Recording:
    """The spans of a file, and counts of problems."""

    spans: list[Recorded] = field(default_factory=list)
    count: int = 0  # of all spans, also of those already removed
    units: Counter[str] = field(default_factory=Counter)  # guessed units of times that state none
    damaged: int = 0
    first_damaged: str = ""

    def take(self, recorded: Recorded) -> None:
        """Add a span. Attributes of spans that are neither agents, models nor tools are not needed, and dropped."""
        if recorded.span.kind in _AROUND:
            recorded.attributes.holder = _NOTHING
        self.spans.append(recorded)
        self.count += 1

    def skip(self, place: str) -> None:
        """Count something that is not a span."""
        self.damaged += 1
        self.first_damaged = self.first_damaged or place

    def findings(self) -> Iterator[Finding]:
        """A finding for everything skipped, and one for each guessed unit."""
        if self.damaged:
            spans = "1 span is" if self.damaged == 1 else f"{self.damaged} spans are"
            yield error(
                "damaged-span", f"{spans} left out: each span should be an object with an id.", self.first_damaged
            )
        for unit, count in self.units.items():
            spans = "1 span gives its time" if count == 1 else f"{count} spans give their time"
            yield info("guessed-unit", f"{spans} as a number without a unit; by its size it is {unit}.")
