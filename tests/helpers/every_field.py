"""Values of the typed view with every field filled, each with something that stands nowhere else.

Made from the structs themselves, so that a field which is added later is filled without a word here.
"""

from __future__ import annotations

import enum
import itertools
import types
import typing
from collections.abc import Iterator, Sequence

from msgspec import Struct, field

from trace_inspector.core.values.values import Absent

Key: typing.TypeAlias = tuple[str, str]  # a type's name and a field's
_SHARES = frozenset({"score", "threshold"})  # from 0 to 1, and shown as such


class Maker(Struct):
    """Fills fields; `fixed` are those that must have a certain value. `put` keeps what stands where."""

    fixed: dict[Key, object] = field(default_factory=dict)
    put: dict[Key, list[object]] = field(default_factory=dict)
    _numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1_001))
    _shares: Iterator[int] = field(default_factory=lambda: itertools.count(11))

    def make(self, kind: type[Struct]) -> typing.Any:
        """A value of that type."""
        hints = typing.get_type_hints(kind, localns={"Json": dict, "JsonObject": dict})
        made = {}
        for name in kind.__struct_fields__:
            key = (kind.__name__, name)
            if key in self.fixed:
                made[name] = self.fixed[key]
                continue
            made[name] = value = self._value(hints[name], kind.__annotations__[name], name)
            if not _holds_things(value):
                self.put.setdefault(key, []).append(value)
        return kind(**made)

    def _value(self, hint: typing.Any, written: str, name: str) -> object:
        if "Json" in written:
            value = {f"key{next(self._numbers)}": f"{name}~{next(self._numbers)}"}
            return (value,) if written.startswith("tuple") else value
        origin, parts = typing.get_origin(hint), typing.get_args(hint)
        if origin in (types.UnionType, typing.Union):
            kinds = [part for part in parts if part not in (type(None), Absent)]
            return self._value(kinds[0], "", name)
        if origin is Sequence or (origin is tuple and parts[-1] is Ellipsis):
            inner = typing.get_args(parts[0]) if typing.get_origin(parts[0]) is types.UnionType else (parts[0],)
            kinds = [part for part in inner if part is not type(None)]
            return tuple(self._value(part, "", name) for part in kinds)
        if origin is tuple:
            return tuple(self._value(part, "", name) for part in parts)
        if origin is frozenset:
            return frozenset({self._value(parts[0], "", name)})
        return self._plain(hint, name)

    def _plain(self, kind: type, name: str) -> object:
        if issubclass(kind, Struct):
            return self.make(kind)
        if issubclass(kind, enum.Enum):
            return next(iter(kind))
        if kind is bool:
            return True
        if kind is float and name in _SHARES:
            return next(self._shares) / 100
        number = next(self._numbers)
        if kind is str:
            return f"/{name}~{number}" if name.endswith("place") else f"{name}~{number}"
        return number + 0.25 if kind is float else number


def _holds_things(value: object) -> bool:
    return isinstance(value, Struct) or (isinstance(value, tuple) and any(isinstance(each, Struct) for each in value))
