"""Values with a block in place of every text: what a report of them still contains is the program's own text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar, cast

from msgspec import Struct
from msgspec.structs import replace

BLANK = "█"
# The parts of a run refer to each other by these. They are no prose, and the redactor has searched them already.
_KEPT = frozenset(
    (
        "path", "place", "golden_path", "golden_place", "trace_path", "trace_place",
        "metric", "role", "label", "rules",
    )
)  # fmt: skip
Value = TypeVar("Value")


def blanked(value: Value) -> Value:
    """The same structure without text of files; numbers in JSON are data as well, those in our own fields are not."""
    return cast("Value", _blank(value, inside=False))


def _blank(value: object, *, inside: bool) -> object:
    if isinstance(value, str):
        return BLANK if value else value
    if isinstance(value, Mapping):
        return {BLANK * (index + 1): _blank(item, inside=True) for index, item in enumerate(value.values())}
    if isinstance(value, list):
        return [_blank(item, inside=True) for item in value]
    if type(value) is tuple:
        return tuple(_blank(item, inside=inside) for item in value)
    if inside and isinstance(value, int | float) and not isinstance(value, bool):
        return BLANK
    if not isinstance(value, Struct):
        return value
    fields = {name: getattr(value, name) for name in value.__struct_fields__}
    return replace(
        value,
        **{
            name: _blank(item, inside=name in ("args", "value")) for name, item in fields.items() if name not in _KEPT
        },
    )
