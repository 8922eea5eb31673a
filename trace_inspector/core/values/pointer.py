"""JSON Pointers (RFC 6901): the place of every value."""

from __future__ import annotations

from trace_inspector.core.errors import EditError
from trace_inspector.core.values.values import ABSENT, Absent, Json


def split(pointer: str) -> list[str]:
    """The unescaped tokens of a pointer; the empty pointer has none."""
    if pointer == "":
        return []
    if not pointer.startswith("/"):
        raise EditError(f"“{pointer}” is not a JSON Pointer: it must be empty or begin with “/”.")
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer[1:].split("/")]


def join(pointer: str, *tokens: str | int) -> str:
    """The pointer of a child, grandchild and so on."""
    for token in tokens:
        if isinstance(token, str) and ("~" in token or "/" in token):
            pointer += "/" + token.replace("~", "~0").replace("/", "~1")
        else:
            pointer += f"/{token}"
    return pointer


def index_of(token: str) -> int | None:
    """The array index a token stands for, or None when it is not one ("01" and "-1" are not)."""
    if token.isascii() and token.isdigit() and (token == "0" or token[0] != "0"):
        return int(token)
    return None


def resolve(value: Json, pointer: str) -> Json | Absent:
    """The value at a pointer, or ABSENT."""
    for token in split(pointer):
        if isinstance(value, dict):
            if token not in value:
                return ABSENT
            value = value[token]
        elif isinstance(value, list):
            index = index_of(token)
            if index is None or index >= len(value):
                return ABSENT
            value = value[index]
        else:
            return ABSENT
    return value


def dotted(pointer: str) -> str:
    """A pointer as people write it: filter.city, items[2].price."""
    path = ""
    for token in split(pointer) if pointer else ():
        path += f"[{token}]" if token.isdecimal() and path else f".{token}" if path else token
    return path
