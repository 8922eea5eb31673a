"""Messages as LangChain writes its own objects: a constructor with arguments, or a type with data.

What a constructor names is neither imported nor made: its last word tells who speaks, the arguments are the message.
"""

from __future__ import annotations

from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.common.fields import Fields

# Who speaks, by the class and by the type of a message.
ROLES = {
    "HumanMessage": "user", "human": "user", "AIMessage": "assistant", "ai": "assistant",
    "AIMessageChunk": "assistant", "SystemMessage": "system", "system": "system",
    "ToolMessage": "tool", "tool": "tool", "FunctionMessage": "tool",
}  # fmt: skip
_CHUNK = "Chunk"


def told_in(value: JsonObject) -> tuple[JsonObject, str, str] | None:
    """What an object of LangChain holds, the key that it stands under, and the name of its class or type."""
    told, names = value.get("kwargs"), value.get("id")
    if isinstance(told, dict) and isinstance(names, list) and names:
        return told, "kwargs", str(names[-1])
    data, kind = value.get("data"), value.get("type")
    if isinstance(data, dict) and isinstance(kind, str) and "content" in data and "content" not in value:
        return data, "data", kind
    return None


def unwrapped(message: Fields) -> Fields:
    """The message in an object of LangChain, with its role; any other as it is."""
    found = told_in(message.value)
    if found is None:
        return message
    told, key, name = found
    role: Json = ROLES.get(name.removesuffix(_CHUNK)) or told.get("role")
    stated: JsonObject = {} if role is None else {"role": role}
    return Fields({**told, **stated}, join(message.place, key))
