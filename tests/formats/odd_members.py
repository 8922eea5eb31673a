"""Files with something of a wrong kind in one of their places, one place after another."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from tests.helpers.campaigns import is_long
from trace_inspector.core.values.values import Json

_INDEX = re.compile(r"/\d+(?=/|$)")


def members(value: Any, place: str = "") -> Iterator[tuple[Any, Any, str]]:
    """Each member of each object and list: its owner, its key and its place."""
    listed = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, held in listed:
        yield value, key, f"{place}/{key}"
        yield from members(held, f"{place}/{key}")


def oddly(value: Json, odds: Sequence[Json]) -> Iterator[tuple[str, Json]]:
    """Each place of a value and what stands there while it is given: something of a wrong kind, put into the value.

    A field holds several kinds of them where it stands first, and one of them, in turn, in each further entry of a
    list. Several are all in the long form, and every other one in the short: of one field these, of the next those.
    """
    times: Counter[str] = Counter()
    step = 1 if is_long() else 2
    for owner, key, place in [*members(value)]:
        held = owner[key]
        field = _INDEX.sub("/0", place)
        wrong = [odd for odd in odds if not _is_alike(held, odd)]
        first = times[field] % len(wrong) if wrong else 0
        for odd in wrong[first : first + 1] if times[field] else wrong[len(times) % step :: step] or wrong:
            owner[key] = odd
            yield place, odd
        owner[key] = held
        times[field] += 1


def _is_alike(held: Json, odd: Json) -> bool:
    return isinstance(held, type(odd)) or (isinstance(held, float) and isinstance(odd, int))
