"""What sets one JSON value apart from another, as values by pointer; laid over it, they give the first again."""

from __future__ import annotations

from itertools import islice
from typing import TypeGuard

from trace_inspector.core.values.json_numbers import number_text
from trace_inspector.core.values.pointer import index_of, join, split
from trace_inspector.core.values.values import Json, JsonObject


def same(value: Json, other: Json) -> bool:
    """Whether two values are the same JSON: order of keys and spelling of numbers included."""
    if value is other:
        return True
    if isinstance(value, dict):
        return (
            isinstance(other, dict)
            and len(value) == len(other)
            and all(a == b and same(value[a], other[b]) for a, b in zip(value, other, strict=True))
        )
    if isinstance(value, list):
        return isinstance(other, list) and len(value) == len(other) and all(map(same, value, other))
    if _is_number(value) and _is_number(other):
        return number_text(value) == number_text(other)
    return type(value) is type(other) and value == other


KEYS = "keys:"  # before a pointer: the keys of the object there, in their order
LENGTH = "length:"  # before a pointer: how many items the list there has


def difference(target: Json, base: Json, place: str = "") -> JsonObject:
    """The values by pointer that make `target` of `base` when they are laid over it.

    Where an object has other keys, or has them in another order, these stand under KEYS and the pointer; where a list
    is longer than it should be, its length under LENGTH. What is the same in both is not repeated.
    """
    changes: JsonObject = {}
    _differ(target, base, place, changes)
    return changes


def overlaid(base: Json, values: JsonObject) -> Json:
    """A value with others put in their places; what leads nowhere is left out. `base` itself stays as it is."""
    top: list[Json] = [_copy(base)]
    for pointer, value in values.items():
        if pointer.startswith(KEYS):
            _reorder(_value_at(top[0], pointer.removeprefix(KEYS)), value)
        elif pointer.startswith(LENGTH):
            _shorten(_value_at(top[0], pointer.removeprefix(LENGTH)), value)
        else:
            _put(top, ["0", *split(pointer)], _copy(value))
    return top[0]


def is_place(name: str) -> bool:
    """Whether a name of a difference has the form of one: a pointer, alone or behind KEYS or LENGTH."""
    pointer = name.removeprefix(KEYS) if name.startswith(KEYS) else name.removeprefix(LENGTH)
    return pointer == "" or pointer.startswith("/")


def _differ(target: Json, base: Json, place: str, changes: JsonObject) -> None:
    if isinstance(target, dict) and isinstance(base, dict) and (not base or not target.keys().isdisjoint(base)):
        for key, value in target.items():
            if key in base:
                _differ(value, base[key], join(place, key), changes)
            else:
                changes[join(place, key)] = value
        if not _only_appends_keys(target, base):
            changes[KEYS + place] = [*target]
    elif isinstance(target, list) and isinstance(base, list) and (target or not base):
        for index, value in enumerate(target):
            if index < len(base):
                _differ(value, base[index], join(place, index), changes)
            else:
                changes[join(place, index)] = value
        if len(base) > len(target):
            changes[LENGTH + place] = len(target)
    elif not same(target, base):
        changes[place] = target


def _only_appends_keys(target: JsonObject, base: JsonObject) -> bool:
    """Whether the keys of one object are the first keys of the other: new ones are put at the end."""
    return len(base) <= len(target) and all(a == b for a, b in zip(base, islice(target, len(base)), strict=True))


def _value_at(value: Json, pointer: str) -> Json:
    """What stands at a pointer; None where nothing does."""
    for token in split(pointer):
        if isinstance(value, dict):
            value = value.get(token)
        elif isinstance(value, list) and (index := index_of(token)) is not None and index < len(value):
            value = value[index]
        else:
            return None
    return value


def _reorder(owner: Json, keys: Json) -> None:
    """Bring keys into their order; those that are not among them go."""
    if isinstance(owner, dict) and isinstance(keys, list):
        kept = {key: owner[key] for key in keys if isinstance(key, str) and key in owner}
        owner.clear()
        owner.update(kept)


def _shorten(owner: Json, length: Json) -> None:
    if isinstance(owner, list) and isinstance(length, int) and length >= 0:
        del owner[length:]


def _put(owner: Json, tokens: list[str], value: Json) -> None:
    *way, last = tokens
    for token in way:
        if isinstance(owner, dict) and token in owner:
            owner = owner[token]
        elif isinstance(owner, list) and (index := index_of(token)) is not None and index < len(owner):
            owner = owner[index]
        else:
            return
    if isinstance(owner, dict):
        owner[last] = value
    elif isinstance(owner, list) and (index := index_of(last)) is not None and index <= len(owner):
        owner[index : index + 1] = [value]


def _copy(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _copy(item) for key, item in value.items()}
    return [_copy(item) for item in value] if isinstance(value, list) else value


def _is_number(value: Json) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)
