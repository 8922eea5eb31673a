"""Frozen values to JSON and back, by their type annotations; docs/decisions/0045 says why not with pydantic."""

from __future__ import annotations

import enum
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, TypeAlias, TypeVar

from msgspec import NODEFAULT, Struct

from trace_inspector.core.values.values import ABSENT, Absent, Json, JsonObject
from trace_inspector.core.verdict.verdict import Sentence

Value = TypeVar("Value")
_Encode: TypeAlias = "Callable[[Any], Json] | None"  # None leaves a value as it is
_Decode: TypeAlias = "Callable[[Any], Any] | None"  # the same

# A run holds tens of thousands of verdicts: plain values are passed on at once, and types are analysed only once.
_PLAIN: frozenset[Any] = frozenset({str, int, float, bool, type(None)})

# Older versions read the files as well, so a renamed field is written under its old name.
_WRITTEN: Mapping[tuple[type, str], str] = {(Sentence, "support"): "label"}


def to_json(value: object) -> Json:
    """Dataclasses as objects without what is absent or empty, enums by value, tuples and sets as lists."""
    kind: Any = type(value)
    encode = _encoder(kind)
    return encode(value) if encode else typing.cast("Json", value)


def from_json(kind: type[Value], raw: Json) -> Value:
    """The value that `to_json` was given; missing keys get their defaults."""
    hint: Any = kind
    decode = _decoder(hint)
    value = decode(raw) if decode else raw
    if not isinstance(value, kind):
        raise TypeError(f"this is no {kind.__name__}")
    return value


@lru_cache(maxsize=256)
def _encoder(kind: Any) -> _Encode:
    """How values of a type become JSON."""
    if issubclass(kind, Struct):
        return _to_object(kind)
    if issubclass(kind, enum.Enum):
        return lambda value: to_json(value.value)
    if issubclass(kind, list | tuple):
        return lambda value: [item if type(item) in _PLAIN else to_json(item) for item in value]
    if issubclass(kind, frozenset):
        return lambda value: sorted(map(to_json, value), key=str)
    if issubclass(kind, Mapping):
        return lambda value: {str(key): to_json(item) for key, item in value.items()}
    if issubclass(kind, bool | int | float | str | None):
        return None
    raise TypeError(f"a {kind.__name__} cannot be stored")


def _to_object(kind: Any) -> _Encode:
    # Each field with its name on disk and the value that is left out: its empty default, or ABSENT.
    hints = _hints(kind)
    usual = [
        (
            name,
            _written(kind, name),
            ABSENT if _may_be_absent(hints[name]) else default if _is_empty(default) else NODEFAULT,
        )
        for name, default in _defaults(kind)
    ]

    def encode(value: object) -> Json:
        encoded: JsonObject = {}
        for name, key, omitted in usual:
            item = getattr(value, name)
            if item is not omitted:
                encoded[key] = item if type(item) in _PLAIN else to_json(item)
        return encoded

    return encode


def _written(kind: type, name: str) -> str:
    return _WRITTEN.get((kind, name), name)


def _defaults(kind: type[Struct]) -> Iterator[tuple[str, Any]]:
    """The names of its fields, each with its default."""
    names, defaults = kind.__struct_fields__, kind.__struct_defaults__
    return zip(names, (NODEFAULT,) * (len(names) - len(defaults)) + defaults, strict=True)


def _is_empty(default: object) -> bool:
    # Any other default may change with a version, and stored values must not change with it.
    return any(default is empty for empty in (None, "", (), False, 0))


def _may_be_absent(hint: Any) -> bool:
    return Absent in typing.get_args(hint)


def _hints(kind: Any) -> dict[str, Any]:
    # Json is recursive; values below it need no decoding, so any type will do here.
    return typing.get_type_hints(kind, localns={"Json": object})


@lru_cache(maxsize=256)
def _decoder(kind: Any) -> _Decode:
    """How values of a type are made from JSON."""
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if isinstance(kind, type) and issubclass(kind, Struct):
        return _of_object(kind)
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return {member.value: member for member in kind}.__getitem__
    if origin in (types.UnionType, typing.Union):
        return _of_choice(parts)
    if origin is tuple and len(parts) == 2 and parts[1] is Ellipsis:
        item = _decoder(parts[0])
        return (lambda raw: tuple(map(item, raw))) if item else tuple
    if origin is tuple:
        return _of_row([_decoder(part) for part in parts])
    return frozenset if origin is frozenset else None


def _of_object(kind: type) -> _Decode:
    hints = _hints(kind)
    decoders = {_written(kind, name): (name, _decoder(hint)) for name, hint in hints.items()}
    absent = {name: ABSENT for name, hint in hints.items() if _may_be_absent(hint)}

    def decode(raw: dict[str, Any]) -> object:
        values = dict(absent)
        for key, item in raw.items():
            if key in decoders:
                name, inner = decoders[key]
                values[name] = inner(item) if inner else item
        return kind(**values)

    return decode


def _of_choice(parts: tuple[Any, ...]) -> _Decode:
    """Optional types are decoded; of several kinds only those that are the same in JSON are supported."""
    kinds = [part for part in parts if part is not type(None)]
    only = _decoder(kinds[0]) if len(kinds) == 1 else None
    return (lambda raw: None if raw is None else only(raw)) if only else None


def _of_row(decoders: list[_Decode]) -> _Decode:
    def decode(raw: list[Any]) -> tuple[Any, ...]:
        return tuple(inner(item) if inner else item for inner, item in zip(decoders, raw, strict=True))

    return decode
