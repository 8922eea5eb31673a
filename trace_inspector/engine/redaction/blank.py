"""Values in which a block stands for every text of a file: what a report still says of them are its own words."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Mapping
from typing import TypeVar, cast

BLANK = "█"
# By these the parts of a run find each other; they are no words, and were looked through when they were redacted.
_KEPT = frozenset(
    (
        "path", "place", "golden_path", "golden_place", "trace_path", "trace_place",
        "metric", "role", "label", "rules",
    )
)  # fmt: skip
Value = TypeVar("Value")


def blanked(value: Value) -> Value:
    """The same shape without a word in it; numbers of JSON are data, those of our own fields are not."""
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
    if not dataclasses.is_dataclass(value) or isinstance(value, type | enum.Enum):
        return value
    fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    return dataclasses.replace(
        value,
        **{
            name: _blank(item, inside=name in ("args", "value")) for name, item in fields.items() if name not in _KEPT
        },
    )
