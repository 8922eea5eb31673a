"""What a file says of something and this view has no field for."""

from __future__ import annotations

from msgspec import Struct

from trace_inspector.core.values.values import Json


class Extra(Struct, frozen=True):
    """A value under the file's own name, shown as it stands."""

    name: str
    value: Json
    place: str = ""
