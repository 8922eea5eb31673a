"""Ids that nothing else has yet."""

from __future__ import annotations

from collections.abc import Collection
from itertools import count


def unique_id(wanted: str, taken: Collection[str]) -> str:
    """The wanted id, with a number behind it where it is taken: "x (2)"."""
    if wanted not in taken:
        return wanted
    return next(name for at in count(2) if (name := f"{wanted} ({at})") not in taken)
