"""Frozen values to JSON and back, by their type annotations; docs/decisions/0045 says why not with pydantic."""

from __future__ import annotations

import enum
import types
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeAlias, TypeVar

from msgspec import NODEFAULT, Struct

from trace_inspector.core.trace.parts import Part
from trace_inspector.core.values.values import ABSENT, Absent, Json, JsonObject
from trace_inspector.core.verdict.verdict import Sentence

Value = TypeVar("Value")
_Encode: TypeAlias = "Callable[[Any], Json] | None"  # None leaves a value as it is
_Decode: TypeAlias = "Callable[[Any], Any] | None"  # the same

# A run holds tens of thousands of verdicts: plain values are passed on at once, and types are analysed only once.
_PLAIN: frozenset[Any] = frozenset({str, int, float, bool, type(None)})

# Older versions read the files as well, so a renamed field is written under its old name.
_WRITTEN: Mapping[tuple[type, str], str] = {(Sentence, "support"): "label"}

# Where one of several kinds may stand, this key says which.
_KIND = "part"
_TOLD_APART: Mapping[type, str] = {kind: kind.__name__ for kind in typing.get_args(Part)}


def to_json(value: object) -> Json:
    """Dataclasses as objects without what is absent or empty, enums by value, tuples and sets as lists."""
    kind: Any = type(value)
    encode = _encoder(kind)
    return encode(value) if encode else typing.cast("Json", value)


def from_json(kind: type[Value], raw: Json, *, checked: bool = False) -> Value:
    """The value that `to_json` was given; missing keys get their defaults.

    With `checked`, for what others may have written, plain values of the wrong type are a TypeError too.
    """
    hint: Any = kind
    decode = _decoder(hint, checked)
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
    told = _TOLD_APART.get(kind)
    usual = [
        (
            name,
            name_in_json(kind, name),
            ABSENT if _may_be_absent(hints[name]) else default if _is_empty(default) else NODEFAULT,
        )
        for name, default in _defaults(kind)
    ]

    def encode(value: object) -> Json:
        encoded: JsonObject = {_KIND: told} if told else {}
        for name, key, omitted in usual:
            item = getattr(value, name)
            if item is not omitted:
                encoded[key] = item if type(item) in _PLAIN else to_json(item)
        return encoded

    return encode


def name_in_json(kind: type, name: str) -> str:
    """The key that a field is written under."""
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
    return typing.get_type_hints(kind, localns={"Json": object, "JsonObject": dict[str, object]})


@lru_cache(maxsize=512)
def _decoder(kind: Any, checked: bool) -> _Decode:
    """How values of a type are made from JSON."""
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if isinstance(kind, type) and issubclass(kind, Struct):
        return _of_object(kind, checked)
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return {member.value: member for member in kind}.__getitem__
    if origin in (types.UnionType, typing.Union):
        return _of_choice(parts, checked)
    if origin is Sequence or (origin is tuple and len(parts) == 2 and parts[1] is Ellipsis):
        item = _decoder(parts[0], checked)
        return _list_of(lambda raw: tuple(map(item, raw)) if item else tuple(raw), checked)
    if origin is tuple:
        return _of_row([_decoder(part, checked) for part in parts])
    if origin is frozenset:
        item = _decoder(parts[0], checked)
        return _list_of(lambda raw: frozenset(map(item, raw)) if item else frozenset(raw), checked)
    return _same_if(kind) if checked else None


def _list_of(decode: Callable[[Any], Any], checked: bool) -> _Decode:
    """A text is a sequence as well, and none that is meant."""
    if not checked:
        return decode

    def decode_list(raw: Any) -> Any:
        if not isinstance(raw, list):
            raise TypeError("this is no list")
        return decode(raw)

    return decode_list


def _same_if(kind: Any) -> _Decode:
    """A plain value as it is, TypeError for one of another type; nothing is asked of any JSON."""
    plain = typing.get_origin(kind) or kind
    if plain is object:
        return None
    allowed = (int, float) if plain is float else plain

    def check(raw: Any) -> Any:
        if not isinstance(raw, allowed) or (isinstance(raw, bool) and plain is not bool):
            raise TypeError(f"this is no {plain.__name__}")
        return raw

    return check


def _of_object(kind: type, checked: bool) -> _Decode:
    hints = _hints(kind)
    decoders = {name_in_json(kind, name): (name, _decoder(hint, checked)) for name, hint in hints.items()}
    absent = {name: ABSENT for name, hint in hints.items() if _may_be_absent(hint)}

    def decode(raw: dict[str, Any]) -> object:
        values = dict(absent)
        for key, item in raw.items():
            if key in decoders:
                name, inner = decoders[key]
                values[name] = inner(item) if inner else item
        return kind(**values)

    return decode


def _of_choice(parts: tuple[Any, ...], checked: bool) -> _Decode:
    """Optional types, and the kinds that are told apart; of others only those that are the same in JSON."""
    kinds = [part for part in parts if part is not type(None)]
    if all(kind in _TOLD_APART for kind in kinds):
        return _of_named({_TOLD_APART[kind]: _decoder(kind, checked) for kind in kinds})
    only = _decoder(kinds[0], checked) if len(kinds) == 1 else None
    return (lambda raw: None if raw is None else only(raw)) if only else None


def _of_named(decoders: Mapping[str, _Decode]) -> _Decode:
    def decode(raw: dict[str, Any]) -> object:
        inner = decoders[raw[_KIND]]
        return inner(raw) if inner else raw

    return decode


def _of_row(decoders: list[_Decode]) -> _Decode:
    def decode(raw: list[Any]) -> tuple[Any, ...]:
        return tuple(inner(item) if inner else item for inner, item in zip(decoders, raw, strict=True))

    return decode
