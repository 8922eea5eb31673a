"""What a parsed JSON value is, and the third state of presence: absent, which is neither null nor a value."""

from __future__ import annotations

import enum
from typing import Final, TypeAlias, TypeGuard

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
JsonObject: TypeAlias = "dict[str, Json]"


class Absent(enum.Enum):
    """The type of ABSENT: a key that is not there at all."""

    ABSENT = "absent, and no text of a file"  # no digest may take it for one

    def __repr__(self) -> str:
        return "ABSENT"

    def __bool__(self) -> bool:
        return False


ABSENT: Final = Absent.ABSENT


def present(value: Json | Absent) -> TypeGuard[Json]:
    """True for null and for every value; false only for a key that is not there."""
    return value is not ABSENT


_STRICT_DEPTH = 250  # Python gives up near a thousand frames, and a level takes two


def strict(value: Json | Absent, depth: int = 0) -> Json:
    """A value that strict JSON can carry: what is absent or not finite becomes null."""
    if value is ABSENT:
        return None
    if depth > _STRICT_DEPTH:
        return "… (nested deeper than is shown)"
    if isinstance(value, float):
        return value if value - value == 0 else None
    if isinstance(value, list):
        return [strict(item, depth + 1) for item in value]
    if isinstance(value, dict):
        return {key: strict(item, depth + 1) for key, item in value.items()}
    return value
