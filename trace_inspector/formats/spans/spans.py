"""Spans of any tracer in one form, and the kind of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct, field

from trace_inspector.core.finding import Finding, error, info, warning
from trace_inspector.core.trace.trace import Span, SpanKind
from trace_inspector.core.values.values import Json, JsonObject, present
from trace_inspector.formats.common.span_attributes import Attributes, Form

_ANY_OTHER = ""

_OF_VERCEL = {
    "ai.generateText": SpanKind.RUN,
    "ai.streamText": SpanKind.RUN,
    "ai.generateObject": SpanKind.RUN,
    "ai.streamObject": SpanKind.RUN,
    "ai.generateText.doGenerate": SpanKind.MODEL,
    "ai.streamText.doStream": SpanKind.MODEL,
    "ai.generateObject.doGenerate": SpanKind.MODEL,
    "ai.streamObject.doStream": SpanKind.MODEL,
    "ai.toolCall": SpanKind.TOOL,
}

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
    "ai.operationId": _OF_VERCEL,
    "langfuse.observation.type": {
        "generation": SpanKind.MODEL,
        "agent": SpanKind.AGENT,
        "tool": SpanKind.TOOL,
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

# Attributes that give the kind of a span by being there, where nothing else states it. The first one decides.
_BY_PRESENCE: dict[str, SpanKind] = {
    "gen_ai.tool.name": SpanKind.TOOL,
    "gen_ai.request.model": SpanKind.MODEL,
    "gen_ai.response.model": SpanKind.MODEL,
    "llm.model_name": SpanKind.MODEL,
}

# Spans by name: those of ADK, which in version 1 have no attribute for their kind, and of Vercel's first SDKs.
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
    **_OF_VERCEL,
}

CONVERSATION_KEYS = (
    "gen_ai.conversation.id", "session.id", "gcp.vertex.agent.session_id", "copilot_chat.chat_session_id",
    "copilot_chat.session_id", "ai.telemetry.metadata.sessionId", "langfuse.session.id",
)  # fmt: skip
IDENTIFYING = frozenset((*_MEANINGS, *_BY_PRESENCE, *CONVERSATION_KEYS))
_ROOTS = frozenset(name.partition(".")[0] for name in IDENTIFYING)
AROUND = (SpanKind.PLUMBING, SpanKind.OTHER)
_NOTHING: JsonObject = {}
NO_ATTRIBUTES = Attributes(_NOTHING, "", Form())  # of all spans that say nothing of the work
WITHOUT_ID = "without id: "  # what stands for the id of a span that has none, before its place
_CALL_ID = "gen_ai.tool.call.id"
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
        if kind_by_name is None:
            return next((kind for key, kind in _BY_PRESENCE.items() if key in identifying), SpanKind.PLUMBING)
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


def without_id(place: str) -> str:
    """What stands for the id of a span that has none."""
    return WITHOUT_ID + place


def error_words(attributes: Attributes) -> str:
    """The error of a failed span, from its attributes or from an exception event."""
    stated = attributes.text(*_ERROR_WORDS)
    noted = (words for note in attributes.notes() if (words := note.attributes.text(*_ERROR_WORDS)))
    return stated or next(noted, "error")


class Recorded(Struct, eq=False):
    """One span as recorded, with its place in its tree while that is being looked through."""

    trace_id: str
    span: Span
    attributes: Attributes
    identifying: dict[str, Json]
    arrived_bytes: int = 0  # of the file, when it was read
    children: list[Recorded] | tuple[()] = ()  # most have none, and there may be a million
    parent: Recorded | None = None
    works: bool = False  # has a model or tool below, not counting those of runs in between
    lives: bool = False  # has an agent or model below
    models: int = 0  # spans of models below
    tools: bool = False  # has a tool below

    def drop_needless(self) -> None:
        """Attributes of spans that are neither agents, models nor tools are not needed."""
        if self.span.kind in AROUND:
            self.attributes.holder = _NOTHING

    def as_read(self) -> Recorded:
        """The same once more, which trees may be made of while this one stays as it is."""
        own, read = self.attributes, self.span
        attributes = own if own is NO_ATTRIBUTES else Attributes(own.holder, own.holder_place, own.form, own.joined)
        span = Span(
            read.id, read.name, read.kind, read.parent_id, read.start_s, read.duration_s, read.error, read.place
        )
        return Recorded(self.trace_id, span, attributes, self.identifying)

    def is_same_as(self, other: Recorded) -> bool:
        """Whether it is the same span once more: exporters send again what nobody answered in time."""
        own, its = self.span, other.span
        return (
            (own.name, own.parent_id, own.start_s, own.duration_s, own.error)
            == (its.name, its.parent_id, its.start_s, its.duration_s, its.error)
            and self.attributes.holder == other.attributes.holder
        )  # fmt: skip

    def is_state_of(self, other: Recorded) -> bool:
        """Whether both are one span at two times, of the same id: some programs send it when it begins as well.

        Two that have ended are so only where one of them says all that the other one says: some programs give
        several spans one id, and none of these may vanish.
        """
        own, its = self.span, other.span
        is_placed = own.start_s is not None or own.name == its.name
        if not is_placed or (own.parent_id, own.start_s) != (its.parent_id, its.start_s):
            return False
        calls = self.attributes.text(_CALL_ID), other.attributes.text(_CALL_ID)
        if all(calls) and calls[0] != calls[1]:
            return False
        if own.duration_s is None or its.duration_s is None:
            return True
        is_one_work = (own.name, own.duration_s) == (its.name, its.duration_s)
        return is_one_work and (self._says_all_of(other) or other._says_all_of(self))

    def is_fuller_than(self, other: Recorded) -> bool:
        """Whether it is the later one of two states, or as late: it has an end, then it says more."""
        return self._fullness() >= other._fullness()

    def _fullness(self) -> tuple[bool, int]:
        stated = self.attributes
        events = sum(len(_events(stated, key)) for key in stated.form.events)
        said = sum(1 for _name in stated.names()) + events + (self.span.error is not None)
        return self.span.duration_s is not None, said

    def _says_all_of(self, other: Recorded) -> bool:
        own, its = self.attributes, other.attributes
        if other.span.error not in (None, self.span.error):
            return False
        if any(own.get(name) != its.get(name) for name in its.names()):
            return False
        events = ((_events(own, key), _events(its, key)) for key in its.form.events)
        return all(mine[: len(theirs)] == theirs for mine, theirs in events)

    def take_notes_of(self, other: Recorded) -> None:
        """Take what was said of another state of it elsewhere, in log records, where that is not known yet."""
        own, its = self.attributes, other.attributes
        if its.joined and own is not NO_ATTRIBUTES:
            joined = own.joined or []
            known = {place for _raw, place in joined}
            own.joined = [*joined, *(note for note in its.joined if note[1] not in known)] if known else its.joined

    def is_model_by_name_alone(self) -> bool:
        """Whether only the name of a model says that this is a call of it: spans around calls often have it too."""
        return self.span.kind is SpanKind.MODEL and not self._states_kind()

    def is_around_calls(self) -> bool:
        """Whether a run is a step of an agent, around the calls of a model that it takes."""
        by_vercel = self.span.name in _OF_VERCEL or "ai.operationId" in self.identifying
        return self.span.kind is SpanKind.RUN and (by_vercel or not self._states_kind())

    def _states_kind(self) -> bool:
        return self.span.name.partition(" ")[0] in _NAMES or not _MEANINGS.keys().isdisjoint(self.identifying)

    def conversation(self) -> str | None:
        """The conversation id of the span."""
        if not self.identifying:
            return None
        for key in CONVERSATION_KEYS:
            value = self.identifying.get(key)
            if isinstance(value, str) and value:
                return value
        return None


def _events(attributes: Attributes, key: str) -> list[Json]:
    listed = attributes.holder.get(key)
    return listed if isinstance(listed, list) else []


class Recording(Struct):
    """The spans of a file, and counts of problems."""

    spans: list[Recorded] = field(default_factory=list)
    count: int = 0  # of all spans, also of those already removed
    units: Counter[str] = field(default_factory=Counter)  # guessed units of times that state none
    damaged: int = 0
    first_damaged: str = ""
    without_id: int = 0  # spans without an id
    first_without_id: str = ""

    def take(self, recorded: Recorded) -> None:
        """Add a span."""
        recorded.drop_needless()
        if recorded.span.id.startswith(WITHOUT_ID):
            self.without_id += 1
            self.first_without_id = self.first_without_id or recorded.span.place
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
        if self.without_id:
            spans = "1 span has no id" if self.without_id == 1 else f"{self.without_id} spans have no id"
            message = f"{spans}, so that nothing can be shown below; the place in the file stands for it."
            yield warning("span-without-id", message, self.first_without_id)
        for unit, count in self.units.items():
            spans = "1 span gives its time" if count == 1 else f"{count} spans give their time"
            yield info("guessed-unit", f"{spans} as a number without a unit; by its size it is {unit}.")
