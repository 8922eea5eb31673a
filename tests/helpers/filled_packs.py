"""Evidence packs with a text of its own in every field that takes one, however deep, by the types of the fields."""

from __future__ import annotations

import enum
import random
import types
import typing
from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import fields

from trace_inspector.core.rows.evidence import EvidencePack
from trace_inspector.core.values.values import Absent, Json

# What stays by design, where it looks like a name: of tools, arguments and metrics.
NAMED = frozenset({
    ("ToolCall", "name"), ("ToolResult", "name"), ("Event", "active_tools"), ("Criterion", "metric"),
    ("MetricVerdict", "metric"), ("CaseVerdict", "criteria"), ("CallPair", "differing"), ("Agent", "tools"),
})  # fmt: skip
_DATA = ("", "")
_DEEPEST_JSON, _DEEPEST = 3, 9
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_SHAPES = (
    lambda word, _draw: word,
    lambda word, draw: f"{word}{draw.randrange(10, 99)}",
    lambda word, draw: f"{word} {word[::-1]}, “{draw.randrange(10**6)}”",
    lambda word, _draw: f"/home/{word}/{word}.json",
    lambda word, _draw: f"<b>&{word}\n%41\\u0041 {word}ß",
    lambda word, _draw: word.upper() + "=" + word,
)


class FilledPack:
    """A pack, and every text that stands in it where nothing may stay."""

    def __init__(self, seed: int) -> None:
        self._draw = random.Random(seed)
        self.hidden: list[str] = []
        self.numbers: list[int] = []
        self.pack: EvidencePack = self._of(EvidencePack, _DATA, 0)

    def _text(self, at: tuple[str, str]) -> str:
        draw = self._draw
        word = "".join(draw.choices(_LETTERS, k=draw.randrange(5, 12)))
        if at in NAMED:
            return word
        text = draw.choice(_SHAPES)(word, draw)
        self.hidden.append(text)
        return text

    def _json(self, at: tuple[str, str], depth: int = 0) -> Json:
        """Keys at the top of arguments are names, all others are data; a tool that is a text alone is its name."""
        draw = self._draw
        has_names = depth == 0 and at == ("ToolCall", "args")
        kind = "object" if has_names else draw.choice(("text", "number", "list", "object"))
        if depth > _DEEPEST_JSON or kind == "text":
            return self._text(at if depth == 0 and at in NAMED else _DATA)
        if kind == "number":
            self.numbers.append(draw.randrange(10**8, 10**9))
            return self.numbers[-1]
        if kind == "list":
            return [self._json(_DATA, depth + 1) for _item in range(draw.randrange(4))]
        keys = (self._text(("ToolCall", "name") if has_names else _DATA) for _item in range(draw.randrange(1, 4)))
        return {key: self._json(_DATA, depth + 1) for key in keys}

    def _of(self, hint: Any, at: tuple[str, str], depth: int) -> Any:
        origin, parts = typing.get_origin(hint), typing.get_args(hint)
        if hint is str:
            return self._text(at)
        if hint in (int, float, bool):
            return hint(self._draw.randrange(2))
        if isinstance(hint, type) and issubclass(hint, enum.Enum):
            return self._draw.choice([*hint])
        if isinstance(hint, type) and issubclass(hint, Struct):
            return self._struct(hint, depth)
        if origin in (types.UnionType, typing.Union):
            kinds = [part for part in parts if part not in (type(None), Absent)]
            return self._of(self._draw.choice(kinds), at, depth)
        if origin is tuple and not (len(parts) == 2 and parts[1] is Ellipsis):
            return tuple(self._of(part, at, depth) for part in parts)
        if origin in (tuple, Sequence):
            return tuple(self._of(parts[0], at, depth) for _item in range(2 if depth < 5 else 1))
        if origin is frozenset:
            return frozenset({self._of(parts[0], at, depth)})
        if origin is dict:
            return {self._text(_DATA): self._json(at, 1)}
        return self._json(at)

    def _struct(self, kind: type[Struct], depth: int) -> Struct:
        hints = typing.get_type_hints(kind, localns={"Json": object, "JsonObject": dict[str, object]})
        if depth > _DEEPEST:  # what must be given
            hints = {field.name: hints[field.name] for field in fields(kind) if field.required}
        return kind(**{name: self._of(hint, (kind.__name__, name), depth + 1) for name, hint in hints.items()})
