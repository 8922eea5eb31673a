"""Places in SCRAPI's files, also of what is not there."""

from __future__ import annotations

from trace_inspector.formats.common.fields import Fields


def place_of(fields: Fields, name: str) -> str:
    """The place of a member, or of the whole object where there is none of that name."""
    return fields.pointer(name) if fields.key(name) else fields.place
