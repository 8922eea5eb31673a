"""A raw value of CES with what is different between two ways of writing it; all else stays as it is spelt."""

from __future__ import annotations

import re
from collections.abc import Sequence

from trace_inspector.core.values.difference import same
from trace_inspector.core.values.values import ABSENT, Absent, Json, JsonObject
from trace_inspector.formats.common.fields import Fields

_FREE = frozenset({"args", "response", "updatedVariables", "variables", "payload"})
_CAPITAL = re.compile("[A-Z]")


def merged(raw: Json, old: Json, new: Json, *, free: bool = False, keeps: bool = False) -> Json:
    """The value with `new` in the place of `old`. Below arguments, answers and variables keys are people's own.

    An object that is no longer said goes whole; with `keeps` what it has beyond that stays.
    """
    if same(old, new):
        return raw
    if isinstance(raw, dict) and isinstance(old, dict) and isinstance(new, dict):
        return _object(raw, old, new, free=free, keeps=keeps)
    if isinstance(raw, list) and isinstance(old, list) and isinstance(new, list) and len(raw) == len(old):
        return _listed(raw, old, new, free=free)
    return new


def _object(raw: JsonObject, old: JsonObject, new: JsonObject, *, free: bool, keeps: bool) -> JsonObject:
    fields = Fields(raw, "")
    members: JsonObject = {**raw}
    is_snake = any("_" in key for key in raw)
    for name in {**old, **new}:
        key = name if free else fields.key(_snake(name)) or (_snake(name) if is_snake else name)
        was, now = old.get(name, ABSENT), new.get(name, ABSENT)
        if _are_same(was, now):
            continue
        if now is ABSENT:
            member = members.get(key)
            beyond = _beyond(member, was) if keeps else {}
            if beyond:
                members[key] = beyond
            else:
                members.pop(key, None)
        elif was is ABSENT or key not in members:
            members[key] = now
        else:
            members[key] = merged(members[key], was, now, free=free or name in _FREE, keeps=keeps)
    return members


def _beyond(value: Json, was: Json | Absent) -> JsonObject:
    """The members of an object that are not ours."""
    if isinstance(value, dict) and isinstance(was, dict):
        return _object(value, was, {}, free=False, keeps=True)
    return {}


def _listed(raw: Sequence[Json], old: Sequence[Json], new: Sequence[Json], *, free: bool) -> list[Json]:
    remaining = [*range(len(old))]
    kept = []
    for item in new:
        index = next((index for index in remaining if same(old[index], item)), None)
        kept.append(index)
        if index is not None:
            remaining.remove(index)
    return [
        _item(raw, old, item, index, number, remaining, free)
        for number, (item, index) in enumerate(zip(new, kept, strict=True))
    ]


def _item(
    raw: Sequence[Json],
    old: Sequence[Json],
    item: Json,
    index: int | None,
    number: int,
    remaining: list[int],
    free: bool,
) -> Json:
    """An item that stood there, or what stood in its place with what is different, or a new one."""
    if index is not None:
        return raw[index]
    return merged(raw[number], old[number], item, free=free) if number in remaining else item


def _are_same(first: Json | Absent, other: Json | Absent) -> bool:
    if isinstance(first, Absent) or isinstance(other, Absent):
        return first is other
    return same(first, other)


def _snake(name: str) -> str:
    return _CAPITAL.sub(lambda match: f"_{match[0].lower()}", name)
