"""Typed values as they read once they stand at another place of their document."""

from __future__ import annotations

from typing import Any, TypeVar, cast

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.values.value_edits import is_below

Thing = TypeVar("Thing")


def relocated(thing: Thing, old: str, new: str) -> Thing:
    """The same with all places in it that lead through `old` leading through `new`. JSON values have no places."""
    result: Any = thing
    if isinstance(thing, tuple):
        items = tuple(relocated(item, old, new) for item in thing)
        result = thing if all(now is was for now, was in zip(items, thing, strict=True)) else items
    elif isinstance(thing, Struct):
        values = ((name, getattr(thing, name)) for name in thing.__struct_fields__)
        changed = {name: now for name, was in values if (now := _value(name, was, old, new)) is not was}
        result = replace(thing, **changed) if changed else thing
    return cast("Thing", result)


def _value(name: str, value: Any, old: str, new: str) -> Any:
    if isinstance(value, str):
        is_place = name.endswith("place") and is_below(value, old)
        return new + value[len(old) :] if is_place and old != new else value
    return relocated(value, old, new)
