"""What a file says of something and this view has no field for."""

from __future__ import annotations

from dataclasses import dataclass

from trace_inspector.core.values.values import Json


@dataclass(frozen=True, slots=True)
class Extra:
    """A value under the file's own name, shown as it stands."""

    name: str
    value: Json
    place: str = ""
