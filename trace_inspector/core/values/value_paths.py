"""JSON values with a part replaced: what lies beside it is the same object as before, so that it is known again."""

from __future__ import annotations

from trace_inspector.core.errors import EditError
from trace_inspector.core.values.pointer import index_of, resolve, split
from trace_inspector.core.values.values import Json


def with_value(value: Json, pointer: str, new: Json) -> Json:
    """The value with another at a pointer; a key may be new, an index must be there."""
    return _with(value, split(pointer), new, pointer)


def _with(value: Json, tokens: list[str], new: Json, pointer: str) -> Json:
    if not tokens:
        return new
    token, *rest = tokens
    if isinstance(value, dict) and (token in value or not rest):
        return {**value, token: _with(value.get(token), rest, new, pointer)}
    index = index_of(token)
    if isinstance(value, list) and index is not None and index < len(value):
        return [*value[:index], _with(value[index], rest, new, pointer), *value[index + 1 :]]
    raise EditError(f"There is nothing at “{pointer}” that could be changed. Open the file again.")


def with_member(value: Json, pointer: str, new: Json) -> Json:
    """The value with a new last key, or an item more before an index."""
    owner, _, _token = pointer.rpartition("/")
    container = resolve(value, owner)
    index = index_of(split(pointer)[-1])
    if isinstance(container, list) and index is not None and index <= len(container):
        return with_value(value, owner, [*container[:index], new, *container[index:]])
    return with_value(value, pointer, new)


def without_value(value: Json, pointer: str) -> Json:
    """The value without the key or item at a pointer."""
    owner, _, _token = pointer.rpartition("/")
    token = split(pointer)[-1] if pointer else ""
    container = resolve(value, owner)
    index = index_of(token)
    if isinstance(container, dict) and token in container:
        return with_value(value, owner, {key: item for key, item in container.items() if key != token})
    if isinstance(container, list) and index is not None and index < len(container):
        return with_value(value, owner, [*container[:index], *container[index + 1 :]])
    raise EditError(f"There is nothing at “{pointer}” that could be taken out. Open the file again.")
