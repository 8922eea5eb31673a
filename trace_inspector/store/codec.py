"""Frozen values to JSON and back, by their own type annotations."""

from __future__ import annotations

import enum
import types
import typing
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import Any, Final, TypeVar

from trace_inspector.core.values import ABSENT, Absent, Json

Value = TypeVar("Value")
_PLAIN: Final = (str, int, float, bool, type(None))


def to_json(value: object) -> Json:
    """Dataclasses as objects without what is absent, enums by value, tuples and sets as lists."""
    if isinstance(value, _PLAIN) and not isinstance(value, enum.Enum):
        return value
    kind: Any = type(value)
    if names := _names(kind):
        held = ((name, getattr(value, name)) for name in names)
        return {name: to_json(item) for name, item in held if item is not ABSENT}
    if isinstance(value, enum.Enum):
        return to_json(value.value)
    if isinstance(value, list | tuple):
        return [to_json(item) for item in value]
    if isinstance(value, frozenset):
        return sorted((to_json(item) for item in value), key=str)
    if isinstance(value, Mapping):
        return {str(key): to_json(item) for key, item in value.items()}
    raise TypeError(f"a {type(value).__name__} cannot be stored")


def from_json(kind: type[Value], raw: Json) -> Value:
    """The value that `to_json` was given; keys that are not there keep their defaults."""
    found = _decode(kind, raw)
    if not isinstance(found, kind):
        raise TypeError(f"this is no {kind.__name__}")
    return found


def _decode(kind: Any, raw: Json) -> object:
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if isinstance(kind, type) and is_dataclass(kind) and isinstance(raw, dict):
        hints = _hints(kind)
        absent = {name: ABSENT for name, hint in hints.items() if Absent in typing.get_args(hint)}
        return kind(**absent | {name: _decode(hints[name], item) for name, item in raw.items() if name in hints})
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return kind(raw)
    if origin in (types.UnionType, typing.Union):
        wanted = [part for part in parts if part is not type(None)]
        return None if raw is None else _decode(wanted[0], raw) if len(wanted) == 1 else raw
    if origin is tuple and isinstance(raw, list):
        many = len(parts) == 2 and parts[1] is Ellipsis
        kinds = [parts[0]] * len(raw) if many else parts
        return tuple(_decode(part, item) for part, item in zip(kinds, raw, strict=True))
    if origin is frozenset and isinstance(raw, list):
        return frozenset(_decode(parts[0], item) for item in raw)
    return raw


@lru_cache(maxsize=64)
def _names(kind: type) -> tuple[str, ...]:
    """The fields of a dataclass."""
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) else ()


@lru_cache(maxsize=64)
def _hints(kind: type) -> dict[str, Any]:
    # Json names itself; what stands under it needs no decoding, so any type will do here.
    return typing.get_type_hints(kind, localns={"Json": object})
