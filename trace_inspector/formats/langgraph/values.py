"""Values of a checkpoint: what its serialiser packed is a plain record here, and no class is ever imported."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import Json
from trace_inspector.formats.common.chat_flow import speaker_of
from trace_inspector.formats.common.fields import Fields
from trace_inspector.formats.common.span_attributes import from_text

# The extension types of the serialiser, each with the place of the arguments in its list.
_ARGUMENTS = {1: 2, 2: 2, 4: 2, 5: 2}
_DEEPEST = 40


def plain(value: Json, depth: int = 0) -> Json:
    """A value with its packed records as the objects they are."""
    if depth > _DEEPEST:
        return "…"
    inner, _tail = _unwrapped(value)
    if isinstance(inner, dict):
        return {key: plain(item, depth + 1) for key, item in inner.items()}
    if isinstance(inner, list):
        return [plain(item, depth + 1) for item in inner]
    return inner


def record(value: Json, place: str) -> Fields | None:
    """An object, packed or as it is, with the place of its own fields."""
    inner, tail = _unwrapped(value)
    return Fields(inner, place + tail) if isinstance(inner, dict) else None


def messages_in(value: Json, place: str, first: int = 0) -> list[Fields]:
    """The chat messages of a channel: a list of them, or one; only those from the `first` on."""
    inner, tail = _unwrapped(value)
    base = place + tail if isinstance(inner, list) else ""
    return [
        found
        for index, item in enumerate(items_in(value)[first:], first)
        if (found := record(item, join(base, index) if isinstance(inner, list) else place)) is not None
        and speaker_of(found)
    ]


def items_in(value: Json) -> list[Json]:
    """What a channel of messages holds, as it is packed."""
    inner, _tail = _unwrapped(value)
    return inner if isinstance(inner, list) else [value]


def from_cell(cell: Json) -> Json:
    """A cell of the table: JSON in a text is what it says."""
    return from_text(cell) if isinstance(cell, str) else cell


def _unwrapped(value: Json) -> tuple[Json, str]:
    """What an extension or a constructor holds, and the way to it."""
    if not isinstance(value, dict):
        return value, ""
    kind, packed = value.get("extension"), value.get("value")
    if value.keys() == {"extension", "value"} and isinstance(kind, int) and isinstance(packed, list):
        index = _ARGUMENTS.get(kind)
        if index is not None and len(packed) > index:
            return packed[index], f"/value/{index}"
        if len(packed) > 2:
            return packed[2], "/value/2"
    if value.get("lc") is not None and isinstance(value.get("kwargs"), dict):  # as the older serialiser wrote it
        return value["kwargs"], "/kwargs"
    return value, ""


def texts_in(value: Json, depth: int = 0) -> Iterator[str]:
    """The texts of a value, for one that is shown in words."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list) and depth < _DEEPEST:
        for item in value:
            yield from texts_in(item, depth + 1)
