"""What sets one JSON value apart from another, as values by pointer; laid over it, they give the first again."""

from __future__ import annotations

from itertools import islice
from typing import TypeGuard

from trace_inspector.core.values.json_numbers import number_text
from trace_inspector.core.values.pointer import index_of, join, split
from trace_inspector.core.values.values import Json, JsonObject


def same(one: Json, other: Json) -> bool:
    """Whether two values are the same JSON: order of keys and spelling of numbers included."""
    if one is other:
        return True
    if isinstance(one, dict):
        return (
            isinstance(other, dict)
            and len(one) == len(other)
            and all(a == b and same(one[a], other[b]) for a, b in zip(one, other, strict=True))
        )
    if isinstance(one, list):
        return isinstance(other, list) and len(one) == len(other) and all(map(same, one, other))
    if _is_number(one) and _is_number(other):
        return number_text(one) == number_text(other)
    return type(one) is type(other) and one == other


KEYS = "keys:"  # before a pointer: the keys of the object there, in their order
LENGTH = "length:"  # before a pointer: how many items the list there has


def difference(wanted: Json, given: Json, place: str = "") -> JsonObject:
    """The values by pointer that make `wanted` of `given` when they are laid over it.

    Where an object has other keys, or has them in another order, these stand under KEYS and the pointer; where a list
    is longer than it should be, its length under LENGTH. What is the same in both is not repeated.
    """
    found: JsonObject = {}
    _differ(wanted, given, place, found)
    return found


def overlaid(given: Json, values: JsonObject) -> Json:
    """A value with others put in their places; what leads nowhere is left out. `given` itself stays as it is."""
    top: list[Json] = [_copied(given)]
    for pointer, value in values.items():
        if pointer.startswith(KEYS):
            _order(_found(top[0], pointer.removeprefix(KEYS)), value)
        elif pointer.startswith(LENGTH):
            _shorten(_found(top[0], pointer.removeprefix(LENGTH)), value)
        else:
            _put(top, ["0", *split(pointer)], _copied(value))
    return top[0]


def is_place(name: str) -> bool:
    """Whether a name of a difference has the form of one: a pointer, alone or behind KEYS or LENGTH."""
    pointer = name.removeprefix(KEYS) if name.startswith(KEYS) else name.removeprefix(LENGTH)
    return pointer == "" or pointer.startswith("/")


def _differ(wanted: Json, given: Json, place: str, found: JsonObject) -> None:
    if isinstance(wanted, dict) and isinstance(given, dict) and (not given or not wanted.keys().isdisjoint(given)):
        for key, value in wanted.items():
            if key in given:
                _differ(value, given[key], join(place, key), found)
            else:
                found[join(place, key)] = value
        if not _begins(wanted, given):
            found[KEYS + place] = [*wanted]
    elif isinstance(wanted, list) and isinstance(given, list) and (wanted or not given):
        for index, value in enumerate(wanted):
            if index < len(given):
                _differ(value, given[index], join(place, index), found)
            else:
                found[join(place, index)] = value
        if len(given) > len(wanted):
            found[LENGTH + place] = len(wanted)
    elif not same(wanted, given):
        found[place] = wanted


def _begins(wanted: JsonObject, given: JsonObject) -> bool:
    """Whether the keys of one object are the first keys of the other: new ones are put at the end."""
    return len(given) <= len(wanted) and all(a == b for a, b in zip(given, islice(wanted, len(given)), strict=True))


def _found(value: Json, pointer: str) -> Json:
    """What stands at a pointer; None where nothing does."""
    for token in split(pointer):
        if isinstance(value, dict):
            value = value.get(token)
        elif isinstance(value, list) and (index := index_of(token)) is not None and index < len(value):
            value = value[index]
        else:
            return None
    return value


def _order(owner: Json, keys: Json) -> None:
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


def _copied(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _copied(item) for key, item in value.items()}
    return [_copied(item) for item in value] if isinstance(value, list) else value


def _is_number(value: Json) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)
