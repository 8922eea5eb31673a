"""Evaluation items cannot be changed where they are: an edited one is a new item, without what the server gave it."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.values.difference import same
from trace_inspector.core.values.edit import Edit, Remove
from trace_inspector.core.values.values import Json
from trace_inspector.formats.common.fields import Fields, objects_in

_OF_THE_SERVER = ("name", "create_time", "error")
_REQUEST, _ANSWER = "evaluation_request", "evaluation_response"


def renewed(before: Json, after: Json) -> tuple[Edit, ...]:
    """What to take out of each item that is not as it was. A result stays where the item holds nothing else."""
    values = {item.place: item.value for item in _items(before)}
    return tuple(
        Remove(item.pointer(name))
        for item in _items(after)
        if not (item.place in values and same(values[item.place], item.value))
        for name in (*_OF_THE_SERVER, *((_ANSWER,) if item.key(_REQUEST) else ()))
        if item.key(name)
    )


def _items(value: Json) -> Iterator[Fields]:
    """The items of a file, bare requests and results left out: they have nothing of the server's."""
    for entry in objects_in(value, "") if isinstance(value, list) else objects_in([value], ""):
        place = entry.place if isinstance(value, list) else ""
        fields = Fields(entry.value, place)
        listed = fields.objects("evaluation_items")
        yield from listed or ([fields] if fields.key(_REQUEST) or fields.key(_ANSWER) else [])
