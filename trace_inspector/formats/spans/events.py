"""Messages in the events of a span and in log records that belong to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

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
