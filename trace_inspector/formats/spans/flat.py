"""Messages spread over numbered attributes: `gen_ai.prompt.0.role`, `llm.input_messages.0.message.content`."""

from __future__ import annotations

from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.common.fields import known
from trace_inspector.formats.common.span_attributes import Attributes

# Words that some conventions put between a number and its keys.
_WRAPPERS = ("message", "tool_call", "message_content")
_RENAMED = {"contents": "content"}


def unflattened(attributes: Attributes, prefix: str) -> list[tuple[JsonObject, str]]:
    """The messages below a prefix in their order, each with the pointer of its words, else of its first attribute."""
    found: dict[int, tuple[JsonObject, str]] = {}
    head = prefix + "."
    for name in attributes.names():
        if name.startswith(head):
            number, _, path = name.removeprefix(head).partition(".")
            if number.isdecimal() and len(number) < 8 and path:
                message, place = found.get(int(number)) or ({}, attributes.at(name))
                found[int(number)] = (message, attributes.at(name) if path.endswith("content") else place)
                _put(
                    message,
                    [token for token in path.split(".") if token not in _WRAPPERS],
                    known(attributes.get(name)),
                )
    return [(_listed(message), place) for _number, (message, place) in sorted(found.items())]


def _put(message: JsonObject, path: list[str], value: Json) -> None:
    at = message
    for token in path[:-1]:
        inner = at.setdefault(_RENAMED.get(token, token), {})
        if not isinstance(inner, dict):
            return
        at = inner
    if path:
        at.setdefault(path[-1], value)


def _listed(message: JsonObject) -> JsonObject:
    """Objects whose keys are all numbers are lists."""
    plain: JsonObject = {}
    for key, value in message.items():
        if isinstance(value, dict) and value and all(name.isdecimal() for name in value):
            plain[key] = [_listed(item) if isinstance(item, dict) else item for item in value.values()]
        else:
            plain[key] = value
    return plain
