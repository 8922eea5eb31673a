"""Requests and responses of model spans: attributes of ADK, GenAI conventions, and flattened messages."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.trace.parts import Part, Text, Thought, ToolResult
from trace_inspector.core.trace.trace import Usage
from trace_inspector.core.values.values import ABSENT, Absent, Json, JsonObject, present
from trace_inspector.formats.adk.common.content import usage_of
from trace_inspector.formats.common.content import parts_of
from trace_inspector.formats.common.fields import Fields, count_of, or_null
from trace_inspector.formats.common.message_parts import message_parts
from trace_inspector.formats.common.span_attributes import Attributes, Note, from_text
from trace_inspector.formats.spans.events import answered_in, asked_in

# Name parts that some conventions put between an index and its keys.
_WRAPPERS = ("message", "tool_call", "message_content")
_RENAMED = {"contents": "content"}


def unflattened(attributes: Attributes, prefix: str) -> list[tuple[JsonObject, str]]:
    """The messages below a prefix in order, each with the pointer of its content, else of its first attribute."""
    by_number: dict[int, tuple[JsonObject, str]] = {}
    head = prefix + "."
    names = [name for name in attributes.names() if name.startswith(head)]
    if not names:
        return []
    around = {name.rpartition(".")[0] for name in names}  # objects and lists that are also there part by part
    for name in names:
        if name not in around:
            number, _, path = name.removeprefix(head).partition(".")
            if number.isdecimal() and len(number) < 8 and path:
                message, place = by_number.get(int(number)) or ({}, attributes.pointer(name))
                by_number[int(number)] = (message, attributes.pointer(name) if path.endswith("content") else place)
                _put(
                    message,
                    [token for token in path.split(".") if token not in _WRAPPERS],
                    or_null(attributes.get(name)),
                )
    return [(_with_numbers_as_lists(message), place) for _number, (message, place) in sorted(by_number.items())]


def _put(message: JsonObject, path: list[str], value: Json) -> None:
    container = message
    for token in path[:-1]:
        inner = container.setdefault(_RENAMED.get(token, token), {})
        if not isinstance(inner, dict):
            return
        container = inner
    if path:
        container.setdefault(path[-1], value)


def _with_numbers_as_lists(message: JsonObject) -> JsonObject:
    """Objects whose keys are all numbers are lists."""
    plain: JsonObject = {}
    for key, value in message.items():
        if isinstance(value, dict) and value and all(name.isdecimal() for name in value):
            plain[key] = [_with_numbers_as_lists(item) if isinstance(item, dict) else item for item in value.values()]
        else:
            plain[key] = value
    return plain


class Message(Struct, frozen=True):
    """One message of a request or a response, its parts read on demand."""

    raw: JsonObject
    place: str
    flat: bool = False  # joined from several attributes, so that pointers into it are not valid

    @property
    def role(self) -> str:
        """The role as the file has it."""
        role = self.raw.get("role")
        return role if isinstance(role, str) else ""

    def parts(self) -> tuple[Part, ...]:
        """The parts of the message."""
        parts = message_parts(self.raw, self.place)
        return tuple(replace(part, place=self.place) for part in parts) if self.flat else tuple(parts)


class Request(Struct, frozen=True):
    """The request to a model."""

    messages: tuple[Message, ...] = ()
    instruction: str = ""
    tools: tuple[Json, ...] = ()


class Response(Struct, frozen=True):
    """The response of a model. `parts` is None where it was not recorded."""

    parts: tuple[Part, ...] | None = None
    usage: Usage | None = None
    model: str | None = None
    finish_reason: str | None = None
    error: str | None = None


class _Side(Struct, frozen=True):
    """Where the messages of a request, or of a response, may be."""

    names: tuple[str, ...]  # of attributes with all of them
    prefixes: tuple[str, ...]  # of numbered attributes
    beside: Callable[[Attributes], Iterable[tuple[JsonObject, str]]]  # in events and log records
    words: tuple[str, ...]  # of attributes with plain text
    inside: tuple[str, ...]  # of attributes with plain text or objects of a framework
    calls: tuple[str, ...] = ()


_ASKED = _Side(
    ("gen_ai.input.messages", "gen_ai.prompt", "ai.prompt.messages", "ai.prompt"),
    ("gen_ai.prompt", "llm.input_messages"),
    asked_in,
    (),
    ("input.value", "traceloop.entity.input", "langfuse.observation.input"),
)
_ANSWERED = _Side(
    ("gen_ai.output.messages", "gen_ai.completion"),
    ("gen_ai.completion", "llm.output_messages"),
    answered_in,
    ("ai.response.text", "ai.response.object", "ai.result.text", "ai.result.object"),
    ("output.value", "traceloop.entity.output", "langfuse.observation.output"),
    ("ai.response.toolCalls", "ai.result.toolCalls"),
)
_THOUGHTS = ("ai.response.reasoning", "copilot_chat.reasoning_content")
_TOOLS = ("gen_ai.tool.definitions", "ai.prompt.tools")
_NUMBERED_TOOLS = ("llm.tools", "llm.request.functions")
_MODELS = (
    "gen_ai.response.model", "gen_ai.request.model", "llm.model_name", "ai.response.model", "ai.model.id",
    "langfuse.observation.model.name",
)  # fmt: skip


def request_of(attributes: Attributes) -> Request:
    """The request of a model span, or of an agent span that states one."""
    asked, place = attributes.parsed("gcp.vertex.agent.llm_request")
    if isinstance(asked, dict) and asked:
        return _adk_request(asked, place)
    messages = _messages(attributes, _ASKED)
    instructions = _anywhere(attributes, "gen_ai.system_instructions")
    system = [message for message in messages if message.role in ("system", "developer")]
    words = _words(instructions) if present(instructions) else "\n".join(_spoken(message) for message in system)
    return Request(tuple(messages), words, _tools(attributes))


def _tools(attributes: Attributes) -> tuple[Json, ...]:
    """The tools of a request; Vercel has each as a text, OpenInference and OpenLLMetry in numbered attributes."""
    tools = _anywhere(attributes, *_TOOLS)
    if isinstance(tools, list):
        return tuple(map(from_text, tools))
    for prefix in _NUMBERED_TOOLS:
        numbered = unflattened(attributes, prefix)
        if numbered:
            return tuple(_tool(raw) for raw, _place in numbered)
    return ()


def _tool(raw: JsonObject) -> Json:
    inner = raw.get("tool", raw)
    schema = from_text(inner.get("json_schema")) if isinstance(inner, dict) else None
    return raw if schema is None else schema


def _anywhere(attributes: Attributes, *names: str) -> Json | Absent:
    """The first of some attributes, of the span or of an event of it."""
    value = attributes.parsed(*names)[0]
    if value is not ABSENT:
        return value
    stated = (noted for note in attributes.notes() if (noted := _noted(note).parsed(*names)[0]) is not ABSENT)
    return next(stated, ABSENT)


def _noted(note: Note) -> Attributes:
    """The attributes of an event, which some have in its body."""
    body = note.body
    if not isinstance(body, dict) or not any(name.startswith("gen_ai.") for name in body):
        return note.attributes
    return Attributes.given({name: (value, note.place) for name, value in body.items()})


def states_a_call(attributes: Attributes) -> bool:
    """Whether a span around calls of a model states what they took, or what Vercel's SDK answered."""
    return _usage(attributes) is not None or attributes.text(*_ANSWERED.words, *_ANSWERED.calls) is not None


def response_of(attributes: Attributes) -> Response:
    """The response of a model span."""
    answered, place = attributes.parsed("gcp.vertex.agent.llm_response")
    if isinstance(answered, dict) and answered:
        return _adk_response(Fields(answered, place), attributes)
    messages = _messages(attributes, _ANSWERED)
    parts = tuple(part for message in messages for part in message.parts()) if messages else None
    thoughts = attributes.text(*_THOUGHTS)
    if thoughts is not None and not any(isinstance(part, Thought) for part in parts or ()):
        place = next(attributes.pointer(name) for name in _THOUGHTS if attributes.text(name))
        parts = (Thought(thoughts, place), *(parts or ()))
    model = attributes.text(*_MODELS) or _anywhere(attributes, *_MODELS)
    return Response(
        parts,
        _usage(attributes) or next((usage for note in attributes.notes() if (usage := _usage(_noted(note)))), None),
        model if isinstance(model, str) else None,
        _finish_reason(attributes, messages),
    )


def user_message(messages: Iterable[Message]) -> Message | None:
    """The last message of the user: no tool result, and no summary of other agents by ADK."""
    for message in reversed(list(messages)):
        if message.role in ("user", "human", ""):
            parts = message.parts()
            retold = bool(parts) and isinstance(parts[0], Text) and parts[0].text.startswith("For context:")
            if parts and not retold and not any(isinstance(part, ToolResult) for part in parts):
                return message
    return None


def trailing_results(messages: tuple[Message, ...]) -> list[ToolResult]:
    """The tool results at the end of a request, in order."""
    trailing: list[ToolResult] = []
    for message in reversed(messages):
        results = [part for part in message.parts() if isinstance(part, ToolResult)]
        if not results:
            break
        trailing = results + trailing
    return trailing


def _adk_request(asked: JsonObject, place: str) -> Request:
    fields = Fields(asked, place)
    messages = tuple(Message(content.value, content.place) for content in fields.objects("contents"))
    config = fields.object("config")
    if config is None:
        return Request(messages)
    tools = config.get("tools")
    return Request(
        messages, _words(config.get("system_instruction")), tuple(tools) if isinstance(tools, list) else ()
    )


def _adk_response(fields: Fields, attributes: Attributes) -> Response:
    content = fields.get("content")
    error = fields.text("error_message") or fields.text("error_code")
    return Response(
        parts_of(content, fields.pointer("content")) if isinstance(content, dict) else None,
        usage_of(fields.object("usage_metadata")) or _usage(attributes),
        fields.text("model_version") or attributes.text("gen_ai.response.model", "gen_ai.request.model"),
        fields.text("finish_reason") or _finish_reason(attributes, []),
        error,
    )


def _messages(attributes: Attributes, side: _Side) -> list[Message]:
    messages = _listed(attributes, side) or _numbered(attributes, side)
    if messages:
        return messages
    for note in attributes.notes():
        noted = _noted(note)
        messages = _listed(noted, side)
        if messages and noted is not note.attributes:
            return [replace(message, place=note.place, flat=True) for message in messages]
        if messages:
            return messages
    beside = [Message(raw, place, flat=True) for raw, place in side.beside(attributes)]
    return beside or _worded(attributes, side)


def _listed(attributes: Attributes, side: _Side) -> list[Message]:
    listed, place = attributes.parsed(*side.names)
    flat = not attributes.leads_inside(*side.names)
    first: list[Message] = []
    if isinstance(listed, dict) and "parts" not in listed and "content" not in listed:
        system = listed.get("system")  # in the prompt of Vercel's SDK, beside the messages
        first = [Message({"role": "system", "content": system}, place, flat=True)] if system is not None else []
        listed = listed.get("messages", listed.get("prompt"))
        flat = True
    if isinstance(listed, dict):
        return [*first, Message(listed, place, flat)]
    if isinstance(listed, list):
        messages = (
            Message(raw, place if flat else f"{place}/{index}", flat)
            for index, raw in enumerate(listed)
            if isinstance(raw, dict)
        )
        return [*first, *messages]
    words = [Message({"role": "", "content": listed}, place, flat=True)] if isinstance(listed, str) else []
    return [*first, *words] if words else []


def _numbered(attributes: Attributes, side: _Side) -> list[Message]:
    for prefix in side.prefixes:
        flat = unflattened(attributes, prefix)
        if flat:
            return [Message(raw, place, flat=True) for raw, place in flat]
    return []


def _worded(attributes: Attributes, side: _Side) -> list[Message]:
    """Plain text as a message, where no messages are recorded."""
    calls, place = attributes.parsed(*side.calls)
    words = attributes.text(*side.words)
    if words is None and isinstance(inside := attributes.parsed(*side.inside)[0], str):
        words = inside
    if words is None and not isinstance(calls, list):
        return []
    place = next((attributes.pointer(name) for name in (*side.words, *side.inside) if attributes.text(name)), place)
    return [Message({"role": "", "content": words, "tool_calls": or_null(calls)}, place, flat=True)]


def _words(instructions: Json | Absent) -> str:
    """System instructions: a text, a Content, or a list of parts."""
    if isinstance(instructions, str):
        return instructions
    if isinstance(instructions, list):
        return "\n".join(_spoken(Message({"parts": instructions}, "")).splitlines())
    if isinstance(instructions, dict):
        return _spoken(Message(instructions, ""))
    return ""


def _spoken(message: Message) -> str:
    return "\n".join(part.text for part in message.parts() if isinstance(part, Text))


_PROMPT = (
    "gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "llm.token_count.prompt", "prompt_tokens",
    "ai.usage.inputTokens", "ai.usage.promptTokens",
)  # fmt: skip
_OUTPUT = (
    "gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens", "llm.token_count.completion", "completion_tokens",
    "ai.usage.outputTokens", "ai.usage.completionTokens",
)  # fmt: skip
_OF_OUTPUT = (
    "gen_ai.usage.reasoning.output_tokens", "gen_ai.usage.reasoning_tokens", "reasoning_tokens",
    "llm.token_count.completion_details.reasoning", "ai.usage.outputTokenDetails.reasoningTokens",
    "ai.usage.reasoningTokens",
)  # fmt: skip
_CACHED = (
    "gen_ai.usage.cache_read.input_tokens", "gen_ai.usage.cache_read_input_tokens",
    "llm.token_count.prompt_details.cache_read", "ai.usage.inputTokenDetails.cacheReadTokens",
    "ai.usage.cachedInputTokens",
)  # fmt: skip
_COUNTED = frozenset((*_PROMPT, *_OUTPUT))


def _usage(attributes: Attributes) -> Usage | None:
    if _COUNTED.isdisjoint(attributes.names()):
        return None

    def count(names: tuple[str, ...]) -> int | None:
        for name in names:
            number = count_of(attributes.get(name))
            if number is not None:
                return number
        return None

    prompt, output = count(_PROMPT), count(_OUTPUT)
    thoughts, cached = count(_OF_OUTPUT), count(_CACHED)
    if prompt is None and output is None:
        return None
    # All conventions include thinking tokens in the output; ADK counts them separately.
    candidates = output - thoughts if output is not None and thoughts is not None and thoughts <= output else output
    return Usage(prompt=prompt, candidates=candidates, thoughts=thoughts, cached=cached)


def _finish_reason(attributes: Attributes, messages: list[Message]) -> str | None:
    reasons = _anywhere(attributes, "gen_ai.response.finish_reasons")
    # The first is the name that agent-eval's converter uses, the others are Vercel's.
    alone = attributes.text("gen_ai.response.finish_reason", "ai.response.finishReason", "ai.finishReason")
    if alone:
        return alone
    listed = reasons if isinstance(reasons, list) else [message.raw.get("finish_reason") for message in messages]
    return next((reason for reason in listed if isinstance(reason, str) and reason), None)
