"""What a file says and the typed view has no field for, under the file's own names."""

from __future__ import annotations

from collections.abc import Iterable

from trace_inspector.core.extra import Extra
from trace_inspector.core.pointer import join
from trace_inspector.formats.lenient import Fields, camel


def extras_of(fields: Fields, read: Iterable[str]) -> tuple[Extra, ...]:
    """Every member that is not among those `read`, which are given in snake_case and meant in camelCase too."""
    known = {spelled for name in read for spelled in (name, camel(name))}
    return tuple(
        Extra(key, value, join(fields.place, key)) for key, value in fields.value.items() if key not in known
    )


def place_of(fields: Fields, name: str) -> str:
    """The place of a member, or of the whole object where there is none of that name."""
    return fields.at(name) if fields.key(name) else fields.place
