"""How chat messages, completions and responses are recognised, whatever carries them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from trace_inspector.core.values.values import Json
from trace_inspector.formats.common.fields import Fields, objects_in
from trace_inspector.formats.common.recogniser import LOOKED_AT

_ROLES = frozenset(
    {"user", "assistant", "system", "developer", "tool", "function", "human", "ai", "model", "AIMessageChunk"}
)
_TELLING = ("content", "tool_calls", "parts", "function_call", "refusal")
# Lists under these keys are messages; the wrappers around them are everybody's own.
# OpenHands writes what was said as `raw_messages` where calls are put into words for a model that knows no tools.
LISTS = ("raw_messages", "messages", "conversation", "chat_history", "trajectory", "history", "contents", "input")
_SURE = 60
_LIKELY = 25  # under names that tables of others have as well


def messages(value: Json) -> int:
    """Messages of a chat: alone, in a list, in an object, one such object a line; or the state of a paused run."""
    if isinstance(value, dict):
        return _object(Fields(value, ""))
    listed = objects_in(value[:LOOKED_AT], "") if isinstance(value, list) else []
    if not isinstance(value, list) or not listed or len(listed) < len(value[:LOOKED_AT]):
        return 0
    if are_messages(listed):
        return _SURE
    return min((_object(fields) for fields in listed), default=0)


def completion(value: Json) -> int:
    """Chat completions: the answer of a service, alone or in a list."""
    return _least(value, _completion)


def response(value: Json) -> int:
    """Responses of OpenAI: items in the order in which the model gave them."""
    return _least(value, _response)


def list_of(fields: Fields) -> str | None:
    """The key of the messages in an object, if any."""
    return next((name for name in LISTS if are_messages(objects_in(fields.value.get(name), ""))), None)


def is_run_state(fields: Fields) -> bool:
    """A run of the OpenAI Agents SDK that was paused and written down."""
    return fields.text("$schemaVersion") is not None and isinstance(fields.get("generated_items"), list)


def is_single(fields: Fields) -> bool:
    """A message alone, as Anthropic's service answers."""
    return fields.text("type") == "message" and _is_message(fields) and fields.object("usage") is not None


def is_completion(fields: Fields) -> bool:
    """An answer with choices, each with a message."""
    return any(choice.object("message") is not None for choice in fields.objects("choices")[:LOOKED_AT])


def is_response(fields: Fields) -> bool:
    """An answer with a list of typed items."""
    items = fields.objects("output")[:LOOKED_AT]
    stated = fields.text("object") == "response"
    return (stated or fields.object("usage") is not None) and all(item.text("type") for item in items) and (
        stated or any(item.text("type") in ("message", "reasoning", "function_call") for item in items)
    )  # fmt: skip


def _object(fields: Fields) -> int:
    if is_run_state(fields):
        return 90
    if is_single(fields):
        return _SURE
    if (name := list_of(fields)) is not None:
        return _SURE if name in LISTS[:2] else _LIKELY
    return 0  # a message alone may be a part of anything


def _completion(fields: Fields) -> int:
    if not is_completion(fields):
        return 0
    return 90 if fields.text("object") in ("chat.completion", "chat.completion.chunk") else 55


def _response(fields: Fields) -> int:
    if not is_response(fields):
        return 0
    return 90 if fields.text("object") == "response" else 55


def _least(value: Json, rule: Callable[[Fields], int]) -> int:
    """The confidence for an object, or the lowest of those in a list."""
    if isinstance(value, dict):
        return rule(Fields(value, ""))
    return min(map(rule, objects_in(value[:LOOKED_AT], "")), default=0) if isinstance(value, list) else 0


def are_messages(listed: Iterable[Fields]) -> bool:
    """Whether records are the messages of one conversation."""
    looked_at = list(listed)[:LOOKED_AT]
    # Logs have records of their own among the messages, with roles of their own.
    speaking = sum(map(_is_message, looked_at))
    return 2 * speaking > len(looked_at) and all(_states_role(fields) for fields in looked_at)


def _states_role(fields: Fields) -> bool:
    return fields.text("role") is not None or fields.text("type") is not None


def _is_message(fields: Fields) -> bool:
    stated = (fields.text("role"), fields.text("type"))
    return any(role in _ROLES for role in stated) and any(name in fields.value for name in _TELLING)
