"""A value made of another's parts wherever they are the same, so that steps from one to the other are few."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable

from trace_inspector.core.values.difference import same
from trace_inspector.core.values.values import Json


def with_shared_parts(new: Json, old: Json) -> Json:
    """The new value, with the very objects of the old one in the place of their like."""
    if new is old or same(new, old):
        return old
    if isinstance(new, dict) and isinstance(old, dict):
        return {key: with_shared_parts(value, old[key]) if key in old else value for key, value in new.items()}
    if isinstance(new, list) and isinstance(old, list):
        return _items(new, old)
    return new


def _items(new: list[Json], old: list[Json]) -> list[Json]:
    """Equal items are the old ones, in order; of the others each is likely the next one that changed.

    The very same objects are matched first, which costs nothing; only what remains is compared by its text.
    """
    partners = _matched(
        range(len(new)), range(len(old)), lambda new_index: id(new[new_index]), lambda old_index: id(old[old_index])
    )
    used = set(partners.values())
    others = [new_index for new_index in range(len(new)) if new_index not in partners]
    unused = [old_index for old_index in range(len(old)) if old_index not in used]
    partners |= _matched(
        others,
        unused,
        lambda new_index: comparison_text(new[new_index]),
        lambda old_index: comparison_text(old[old_index]),
    )
    used = set(partners.values())
    remaining = deque(old_index for old_index in range(len(old)) if old_index not in used)
    result: list[Json] = []
    for new_index, item in enumerate(new):
        if new_index in partners:
            result.append(with_shared_parts(item, old[partners[new_index]]))
        else:
            result.append(with_shared_parts(item, old[remaining.popleft()]) if remaining else item)
    return result


def _matched(
    new: Iterable[int], old: Iterable[int], of_new: Callable[[int], object], of_old: Callable[[int], object]
) -> dict[int, int]:
    """New index → old index of items with the same mark, each used once, in order."""
    places: dict[object, deque[int]] = {}
    for old_index in old:
        places.setdefault(of_old(old_index), deque()).append(old_index)
    partners: dict[int, int] = {}
    for new_index in new:
        queue = places.get(of_new(new_index))
        if queue:
            partners[new_index] = queue.popleft()
    return partners


def comparison_text(value: Json) -> str:
    """A text that is the same for the same values."""
    return json.dumps(value)
