"""Messages in the events of a span and in log records that belong to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from trace_inspector.core.trace.trace import SpanKind
from trace_inspector.core.values.values import ABSENT, Absent, Json, JsonObject, present
from trace_inspector.formats.common.span_attributes import Attributes, Note, from_text

_ASKED = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
}
_CHOICE = "gen_ai.choice"
_FIELDS = ("content", "role", "id", "name", "tool_calls", "message", "finish_reason")
# The arguments and the result of a tool, by the name of the event and of its attributes.
NOTED_ARGUMENTS = {"data.input": ("input",), "gen_ai.tool.message": ("content",)}
NOTED_RESULT = {"data.output": ("response", "output"), "gen_ai.choice": ("message",)}
_ELIDED = "<elided>"  # what ADK writes where recording of content is off


# The two sides of a body as ADOT writes it: the messages of a request or of a response.
_INPUT, _OUTPUT = "input", "output"


def asked_in(attributes: Attributes) -> Iterator[tuple[JsonObject, str]]:
    """The messages of a request, each with its place."""
    for note in attributes.notes():
        role = _ASKED.get(note.name)
        if role is not None:
            message = _message(_fields(note), role)
            if message is not None:
                yield message, note.place
        elif note.name == "data.input":
            asked, place = note.attributes.parsed("input", "query")
            yield from ((message, place) for message in _data_messages(asked))
        else:
            yield from ((message, note.place) for message in _body_messages(note.body, _INPUT))


def answered_in(attributes: Attributes) -> Iterator[tuple[JsonObject, str]]:
    """The choices of a response."""
    for note in attributes.notes():
        if note.name == _CHOICE:
            fields = _fields(note)
            inner = from_text(fields.get("message"))
            message = _message(inner if isinstance(inner, dict) else fields, "assistant", inner)
            if message is not None:
                yield {"finish_reason": fields.get("finish_reason"), **message}, note.place
        elif note.name == "data.output":
            answered, place = note.attributes.parsed("response", "output")
            yield from ((message, place) for message in _data_messages(answered))
        else:
            answered_messages = list(_body_messages(note.body, _OUTPUT))
            histories = len(answered_messages) > 1 and not any(_calls(message) for message in answered_messages)
            yield from ((message, note.place) for message in answered_messages[-1 if histories else 0 :])


def noted_value(attributes: Attributes, names: Mapping[str, tuple[str, ...]]) -> tuple[Json | Absent, str]:
    """The value of an attribute in an event with one of the names, and its place."""
    for note in attributes.notes():
        value, place = note.attributes.parsed(*names.get(note.name, ()))
        if value is not ABSENT:
            return value, place
    return ABSENT, attributes.place


def _data_messages(listed: Json | Absent) -> Iterator[JsonObject]:
    """Monocle's messages: objects that map a role to its text, as JSON strings, or plain text."""
    for item in listed if isinstance(listed, list) else [listed]:
        message = item if item is ABSENT else from_text(item)
        if isinstance(message, str) and message:
            yield {"role": "", "content": message}
        for role, words in message.items() if isinstance(message, dict) else ():
            if role == "tools":
                calls = (
                    [_data_call(call) for call in words if isinstance(call, dict)] if isinstance(words, list) else []
                )
                yield {"role": "assistant", "tool_calls": [*calls]}
            else:
                whole: JsonObject = {"parts": [words]} if isinstance(words, dict) else {"content": words}
                yield {"role": role, **whole}


def _data_call(call: JsonObject) -> JsonObject:
    return {
        "id": call.get("tool_id"),
        "name": call.get("tool_name"),
        "arguments": call.get("tool_arguments"),
    }


def _fields(note: Note) -> JsonObject:
    if isinstance(note.body, dict):
        return note.body
    values = ((name, note.attributes.get(name)) for name in _FIELDS)
    return {name: value for name, value in values if present(value)}


def _message(fields: JsonObject, role: str, words: Json = None) -> JsonObject | None:
    """A message in the form of chat completions; None when its content was not recorded."""
    content = from_text(fields.get("content"))
    if content is None and not isinstance(words, dict):
        content = words
    if content == _ELIDED or (content is None and "tool_calls" not in fields):
        return None
    if isinstance(content, dict) and isinstance(content.get("parts"), list):
        return {"role": role, **content}
    named: JsonObject = {key: fields[key] for key in ("id", "name") if key in fields}
    calls = from_text(fields.get("tool_calls"))
    return {"role": fields.get("role") or role, "content": content, "tool_calls": calls, **named}


def known_by_body(attributes: Attributes) -> tuple[SpanKind, Attributes]:
    """The kind of a span that nothing names, by the answer in the body of its event; of a tool with its call."""
    for note in attributes.notes():
        for message in _messages_of(note.body, _OUTPUT):
            answer = from_text(message.get("content"))
            kind = next(
                (kind for key, kind in _BY_ANSWER.items() if isinstance(answer, dict) and key in answer), None
            )
            if kind is SpanKind.TOOL and isinstance(answer, dict):
                return kind, _tool_call(answer, note)
            if kind is not None:
                return kind, attributes
    return SpanKind.PLUMBING, attributes


def _tool_call(answer: JsonObject, note: Note) -> Attributes:
    """A tool's result, as LangChain has it, and what it was given, as the attributes that the conventions name."""
    given = next((message.get("content") for message in _messages_of(note.body, _INPUT)), None)
    values = {
        "gen_ai.tool.name": answer.get("name"),
        "gen_ai.tool.call.id": answer.get("tool_call_id"),
        "gen_ai.tool.call.arguments": given,
        "gen_ai.tool.call.result": answer.get("content"),
    }
    return Attributes.given({name: (value, note.place) for name, value in values.items() if value is not None})


_BY_ANSWER = {
    "generations": SpanKind.MODEL,
    "tool_call_id": SpanKind.TOOL,
    "messages": SpanKind.AGENT,
}


def _messages_of(body: Json | Absent, side: str) -> Iterator[JsonObject]:
    stated = body.get(side) if isinstance(body, dict) else None
    listed = stated.get("messages") if isinstance(stated, dict) else None
    yield from (message for message in (listed if isinstance(listed, list) else ()) if isinstance(message, dict))


def _body_messages(body: Json | Absent, side: str) -> Iterator[JsonObject]:
    """The messages on one side of a body; what LangChain was given and gave is in them as a JSON text."""
    for message in _messages_of(body, side):
        content = from_text(message.get("content"))
        if not isinstance(content, dict):
            yield message
        elif isinstance(listed := content.get("messages"), list):
            yield from (inner for item in listed if isinstance(inner := _of_langchain(item), dict))
        elif isinstance(listed := content.get("generations"), list):
            yield from map(_generation, _first_each(listed))
        elif isinstance(content.get("content"), str):
            yield {**message, "content": content["content"]}
        else:
            yield message


def _of_langchain(item: Json) -> Json:
    """A message of LangChain, with its role where its type says it."""
    if not isinstance(item, dict):
        return None
    inner = item.get("kwargs", item.get("data"))
    whole = {**inner} if isinstance(inner, dict) else {**item}
    return {**whole, "role": _ROLES.get(str(whole.get("type")), str(whole.get("role") or ""))}


_ROLES = {"human": "user", "ai": "assistant", "system": "system", "tool": "tool"}


def _first_each(generations: list[Json]) -> Iterator[JsonObject]:
    """The first candidate for each prompt."""
    for candidates in generations:
        first = candidates[0] if isinstance(candidates, list) and candidates else None
        if isinstance(first, dict):
            yield first


def _generation(candidate: JsonObject) -> JsonObject:
    message = _of_langchain(candidate.get("message"))
    calls = _calls(message) if isinstance(message, dict) else None
    return {"role": "assistant", "content": candidate.get("text"), "tool_calls": calls}


def _calls(message: JsonObject) -> Json:
    return message.get("tool_calls")
