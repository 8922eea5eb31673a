"""Ids that nothing else has yet."""

from __future__ import annotations

from collections.abc import Collection
from itertools import count


def unique_id(preferred: str, taken: Collection[str]) -> str:
    """The wanted id, with a number behind it where it is taken: "x (2)"."""
    if preferred not in taken:
        return preferred
    return next(name for number in count(2) if (name := f"{preferred} ({number})") not in taken)
