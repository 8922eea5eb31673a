"""Values of an object under keys that are not read."""

from __future__ import annotations

from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.pointer import join
from trace_inspector.formats.common.fields import Fields, spellings


def extras_of(fields: Fields, *names: str) -> tuple[Extra, ...]:
    """The values under other keys, without empty texts and lists, which dumps fill in."""
    read = spellings(*names)
    return tuple(
        Extra(key, value, join(fields.place, key))
        for key, value in fields.value.items()
        if key not in read and value not in ("", [])
    )


def stated_extras(fields: Fields, *names: str) -> tuple[Extra, ...]:
    """The values under other keys, without those that say nothing either: null, false and empty objects."""
    return tuple(extra for extra in extras_of(fields, *names) if extra.value not in (None, False, {}))
