"""Files with something of a wrong kind in one of their places, one place after another."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from trace_inspector.core.values.values import Json

_INDEX = re.compile(r"/\d+(?=/|$)")


def members(value: Any, place: str = "") -> Iterator[tuple[Any, Any, str]]:
    """Each member of each object and list: its owner, its key and its place."""
    listed = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, held in listed:
        yield value, key, f"{place}/{key}"
        yield from members(held, f"{place}/{key}")


def oddly(value: Json, odds: Sequence[Json], *, is_long: bool) -> Iterator[tuple[str, Json]]:
    """Each place of a value and what stands there while it is given: something of a wrong kind, put into the value.

    In the long form a field holds all kinds of them where it stands first, and one of them, in turn, in each further
    entry of a list. In the short form it holds one of them everywhere: of one field this, of the next that.
    """
    times: Counter[str] = Counter()
    for owner, key, place in [*members(value)]:
        held = owner[key]
        field = _INDEX.sub("/0", place)
        wrong = [odd for odd in odds if not _is_alike(held, odd)]
        turn = (times[field] or len(times)) % len(wrong) if wrong else 0
        for odd in wrong if is_long and not times[field] else wrong[turn : turn + 1]:
            owner[key] = odd
            yield place, odd
        owner[key] = held
        times[field] += 1


def _is_alike(held: Json, odd: Json) -> bool:
    return isinstance(held, type(odd)) or (isinstance(held, float) and isinstance(odd, int))
