"""What differs between two states, key path by key path, and what the prefixes of keys mean."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from itertools import islice

from msgspec import Struct

from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import ABSENT, Absent, Json, JsonObject

MOST_LINES = 5_000
_DEEPEST = 40


class Change(enum.Enum):
    """The change of a key, in the order in which changes are shown."""

    ADDED = "added"
    CHANGED = "changed"
    REMOVED = "removed"
    SAME = "same"


class StateLine(Struct, frozen=True):
    """A key path with its value on both sides."""

    path: str
    change: Change
    before: Json | Absent
    after: Json | Absent


SCOPES = {
    "app:": "shared by all users of the app",
    "user:": "shared by all sessions of the user",
    "temp:": "only until the turn ends, never saved",
}


def scope_of(path: str) -> str:
    """The meaning of a key's prefix; "" for a key of the session alone."""
    return next((words for prefix, words in SCOPES.items() if path.startswith(f"/{prefix}")), "")


def compared(before: JsonObject, after: JsonObject) -> list[StateLine]:
    """The differences first, down to the smallest part that differs; then the top keys that did not change."""
    differing = list(islice(_differing("", before, after, 0), MOST_LINES))
    same = (
        StateLine(join("", name), Change.SAME, value, value)
        for name, value in after.items()
        if name in before and _equal(before[name], value)
    )
    return [*differing, *islice(same, MOST_LINES - len(differing))]


def _differing(path: str, before: JsonObject, after: JsonObject, depth: int) -> Iterator[StateLine]:
    for name in dict.fromkeys([*before, *after]):
        old, new = before.get(name, ABSENT), after.get(name, ABSENT)
        here = join(path, name)
        if old is new:
            continue
        if isinstance(old, dict) and isinstance(new, dict) and depth < _DEEPEST:
            yield from _differing(here, old, new, depth + 1)
        elif isinstance(old, Absent):
            yield StateLine(here, Change.ADDED, old, new)
        elif isinstance(new, Absent):
            yield StateLine(here, Change.REMOVED, old, new)
        elif not _equal(old, new):
            yield StateLine(here, Change.CHANGED, old, new)


def _equal(old: Json, new: Json) -> bool:
    """Whether both are the same JSON value; identity is tried first, because unwritten values are the same object."""
    return old is new or (type(old) is type(new) and old == new)
