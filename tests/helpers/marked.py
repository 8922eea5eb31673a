"""Values of which every leaf says something of its own, so that a test can ask what became of each.

In a pattern "?" becomes a word, 0 a number, "?s" a duration and "?t" a time; anything else stands as it is written.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

from msgspec import Struct, field

from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import Json

_BEGIN = 1_767_322_800


class Marks(Struct):
    """Makes the values, and knows by pointer how each leaf may be spelt where it is told."""

    spellings: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _numbers: Iterator[int] = field(default_factory=lambda: itertools.count(10_001))

    def value(self, pattern: Json, place: str = "") -> Json:
        """The pattern with something else in every leaf."""
        if isinstance(pattern, dict):
            return {key: self.value(item, join(place, key)) for key, item in pattern.items()}
        if isinstance(pattern, list):
            return [self.value(item, join(place, index)) for index, item in enumerate(pattern)]
        make = None if isinstance(pattern, bool) else _MAKERS.get(pattern) if isinstance(pattern, str | int) else None
        if make is None:
            return pattern
        made, spellings = make(next(self._numbers))
        self.spellings[place] = spellings
        return made

    def untold(self, text: str) -> set[str]:
        """The pointers of leaves that a text does not tell."""
        return {place for place, known in self.spellings.items() if not any(one in text for one in known)}


def _word(number: int) -> tuple[Json, tuple[str, ...]]:
    return f"word{number}x", (f"word{number}x",)


def _number(number: int) -> tuple[Json, tuple[str, ...]]:
    return number, (str(number),)


def _duration(number: int) -> tuple[Json, tuple[str, ...]]:
    return f"{number}.5s", (f"{number}.5",)


def _time(number: int) -> tuple[Json, tuple[str, ...]]:
    said = datetime.fromtimestamp(_BEGIN + number, UTC).isoformat().replace("+00:00", "Z")
    return said, (said, f"{_BEGIN + number}.0")


_MAKERS: dict[str | int, Callable[[int], tuple[Json, tuple[str, ...]]]] = {
    "?": _word,
    0: _number,
    "?s": _duration,
    "?t": _time,
}
