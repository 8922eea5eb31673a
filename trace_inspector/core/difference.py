"""What sets one JSON value apart from another, as values by pointer; laid over it, they give the first again."""

from __future__ import annotations

from itertools import islice
from typing import TypeGuard

from trace_inspector.core.pointer import index_of, join, split
from trace_inspector.core.spelled import number_text
from trace_inspector.core.values import Json, JsonObject


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


def difference(wanted: Json, given: Json, place: str = "") -> JsonObject:
    """The fewest values by pointer that make `wanted` of `given` when they are laid over it."""
    found: JsonObject = {}
    _differ(wanted, given, place, found)
    return found


def overlaid(given: Json, values: JsonObject) -> Json:
    """A value with others put in their places; what leads nowhere is left out. `given` itself stays as it is."""
    top: list[Json] = [_copied(given)]
    for pointer, value in values.items():
        _put(top, ["0", *split(pointer)], _copied(value))
    return top[0]


def _differ(wanted: Json, given: Json, place: str, found: JsonObject) -> None:
    if isinstance(wanted, dict) and isinstance(given, dict) and _begins(wanted, given):
        for key, value in wanted.items():
            if key in given:
                _differ(value, given[key], join(place, key), found)
            else:
                found[join(place, key)] = value
    elif isinstance(wanted, list) and isinstance(given, list) and len(given) <= len(wanted):
        for index, value in enumerate(wanted):
            if index < len(given):
                _differ(value, given[index], join(place, index), found)
            else:
                found[join(place, index)] = value
    elif not same(wanted, given):
        found[place] = wanted


def _begins(wanted: JsonObject, given: JsonObject) -> bool:
    """Whether the keys of one object are the first keys of the other: new ones can only be put at the end."""
    return len(given) <= len(wanted) and all(a == b for a, b in zip(given, islice(wanted, len(given)), strict=True))


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
