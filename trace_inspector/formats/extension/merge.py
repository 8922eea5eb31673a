"""Three-way merge: what was edited since, put into a value that holds more than the editor showed."""

from __future__ import annotations

import enum

from trace_inspector.core.values.difference import same
from trace_inspector.core.values.values import ABSENT, Absent, Json, JsonObject
from trace_inspector.formats.common.fields import camel


class Conflict(enum.Enum):
    """Who wins where the richer value differs from what the editor was shown."""

    KEPT = "kept"
    EDIT = "edit"


def merged(base: Json, kept: Json, now: Json, conflict: Conflict) -> Json:
    """`kept` with the changes that lead from `base` to `now`."""
    result = _merged(base, kept, now, conflict)
    return kept if result is ABSENT else result


def _merged(base: Json | Absent, kept: Json | Absent, now: Json | Absent, conflict: Conflict) -> Json | Absent:
    if _same(base, now):
        return kept
    if isinstance(kept, dict) and isinstance(base, dict) and isinstance(now, dict):
        return _objects(base, kept, now, conflict)
    if isinstance(kept, list) and isinstance(base, list) and isinstance(now, list) and len(base) <= len(kept):
        return _lists(base, kept, now, conflict)
    is_clean = _same(base, kept) or (base == kept and not isinstance(base, dict | list))
    return now if is_clean or conflict is Conflict.EDIT else kept


def _same(first: Json | Absent, other: Json | Absent) -> bool:
    if isinstance(first, Absent) or isinstance(other, Absent):
        return first is other
    return same(first, other)


def _objects(base: JsonObject, kept: JsonObject, now: JsonObject, conflict: Conflict) -> JsonObject:
    """Key by key, in the order and the spelling of `kept`; what was added since comes last."""
    names = {camel(key): key for key in (*base, *now)}
    result: JsonObject = {}
    seen: set[str] = set()
    for key, value in kept.items():
        name = key if key in base or key in now else names.get(camel(key), key)
        seen.add(name)
        item = _merged(base.get(name, ABSENT), value, now.get(name, ABSENT), conflict)
        if item is not ABSENT:
            result[key] = item
    for key in now:
        if key not in seen:
            item = _merged(base.get(key, ABSENT), ABSENT, now[key], conflict)
            if item is not ABSENT:
                result[key] = item
    return result


def _lists(base: list[Json], kept: list[Json], now: list[Json], conflict: Conflict) -> list[Json]:
    """Item by item; where some were added or removed, those before and behind keep their counterparts."""
    if len(base) == len(now):
        start = end = 0
    else:
        shorter = min(len(base), len(now))
        start = next((index for index in range(shorter) if not same(base[index], now[index])), shorter)
        rest = range(1, shorter - start + 1)
        end = next((index - 1 for index in rest if not same(base[-index], now[-index])), shorter - start)
    middle, changed = base[start : len(base) - end], now[start : len(now) - end]
    result = kept[:start]
    for index, item in enumerate(changed):
        if len(middle) == len(changed):
            merged = _merged(middle[index], kept[start + index], item, conflict)
            result.append(item if merged is ABSENT else merged)
        else:
            result.append(item)
    return [*result, *kept[len(base) - end :]]
