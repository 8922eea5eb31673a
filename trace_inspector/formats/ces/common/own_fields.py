"""The extras of a file of CES, sorted into those that an evaluation of CES has a key for and the rest."""

from __future__ import annotations

from collections.abc import Iterable

from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import JsonObject, strict
from trace_inspector.formats.common.fields import camel
from trace_inspector.formats.common.schema import Schema


def own_fields(extras: Iterable[Extra], place: str, schema: Schema) -> tuple[JsonObject, tuple[Extra, ...]]:
    """The members of the object at a place, as its schema has them, and all that is none of them."""
    own: JsonObject = {}
    rest: list[Extra] = []
    for extra in extras:
        expected = schema.by_key.get(extra.name)
        is_own = extra.place == join(place, extra.name)
        if expected is not None and is_own and isinstance(extra.value, expected.kind.types):
            own[camel(extra.name)] = strict(extra.value)
        else:
            rest.append(extra)
    return own, tuple(rest)
