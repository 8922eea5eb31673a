"""What an object of a service says under keys that are not read here."""

from __future__ import annotations

from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.pointer import join
from trace_inspector.formats.common.fields import Fields, spellings


def extras_of(fields: Fields, *names: str) -> tuple[Extra, ...]:
    """All that an object says under other keys; an empty text or list, as dumps fill in, says nothing."""
    read = spellings(*names)
    return tuple(
        Extra(key, value, join(fields.place, key))
        for key, value in fields.value.items()
        if key not in read and value not in ("", [])
    )
