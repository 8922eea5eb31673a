"""A value made of another's parts wherever they are the same, so that steps from one to the other are few."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable

from trace_inspector.core.values.difference import same
from trace_inspector.core.values.values import Json


def grafted(new: Json, old: Json) -> Json:
    """The new value, with the very objects of the old one in the place of their like."""
    if new is old or same(new, old):
        return old
    if isinstance(new, dict) and isinstance(old, dict):
        return {key: grafted(value, old[key]) if key in old else value for key, value in new.items()}
    if isinstance(new, list) and isinstance(old, list):
        return _items(new, old)
    return new


def _items(new: list[Json], old: list[Json]) -> list[Json]:
    """Equal items are the old ones, in order; of the others each is likely the next one that changed."""
    found = _matched(range(len(new)), range(len(old)), lambda to: id(new[to]), lambda at: id(old[at]))
    used = set(found.values())
    others = [to for to in range(len(new)) if to not in found]
    unused = [at for at in range(len(old)) if at not in used]
    found |= _matched(others, unused, lambda to: content(new[to]), lambda at: content(old[at]))
    used = set(found.values())
    left = deque(at for at in range(len(old)) if at not in used)
    made: list[Json] = []
    for to, item in enumerate(new):
        if to in found:
            made.append(grafted(item, old[found[to]]))
        else:
            made.append(grafted(item, old[left.popleft()]) if left else item)
    return made


def _matched(
    new: Iterable[int], old: Iterable[int], of_new: Callable[[int], object], of_old: Callable[[int], object]
) -> dict[int, int]:
    """New index → old index of items with the same mark, each used once, in order."""
    places: dict[object, deque[int]] = {}
    for at in old:
        places.setdefault(of_old(at), deque()).append(at)
    found: dict[int, int] = {}
    for to in new:
        queue = places.get(of_new(to))
        if queue:
            found[to] = queue.popleft()
    return found


def content(value: Json) -> str:
    """A text that is the same for the same values."""
    return json.dumps(value)
