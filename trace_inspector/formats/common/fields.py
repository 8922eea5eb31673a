"""Typed access to parsed JSON that never raises: usable values are used, wrong ones become findings."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.finding import Finding, Severity, error
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import ABSENT, Absent, Json, JsonObject

Value = TypeVar("Value")

# Cases, turns and events of one file. Each takes a few hundred bytes in memory, but maybe only two in the file.
MOST_ITEMS = 125_000
# A few findings of a kind are enough to act on; a damaged export could give a hundred thousand.
_SHOWN_PER_CODE = 50
_OF_KEYS = frozenset({"unknown-key", "other-spelling"})
_MOST_KEYS = 1_000  # a hostile file may have a key of its own in each place


@functools.lru_cache(maxsize=1024)
def camel(name: str) -> str:
    """A snake_case name in camelCase."""
    head, *rest = name.split("_")
    return head + "".join(word[:1].upper() + word[1:] for word in rest)


@functools.lru_cache(maxsize=1024)
def spellings(*names: str) -> frozenset[str]:
    """Every key that a file may use for these names."""
    return frozenset(by_spelling(dict.fromkeys(names)))


def by_spelling(table: Mapping[str, Value]) -> dict[str, Value]:
    """A table by name as a table by every key that a file may use."""
    return {key: value for name, value in table.items() for key in (name, camel(name))}


class Report:
    """Collects findings, a limited number of each code, and counts down the items that may still be read."""

    def __init__(self) -> None:
        self._room = MOST_ITEMS
        self._shown: list[Finding] = []
        self._counts: Counter[tuple[Severity, str]] = Counter()
        self._alike: Counter[str] = Counter()  # how often the same is said of a key

    def add(self, finding: Finding) -> None:
        """Add a finding; beyond the limit it is only counted. What is said of a key is said once for all places."""
        if finding.code in _OF_KEYS and (finding.message in self._alike or len(self._alike) < _MOST_KEYS):
            self._alike[finding.message] += 1
            if self._alike[finding.message] > 1:
                return
        kind = (finding.severity, finding.code)
        self._counts[kind] += 1
        if self._counts[kind] <= _SHOWN_PER_CODE:
            self._shown.append(finding)

    def take(self, findings: Iterable[Finding]) -> None:
        """Add several findings."""
        for finding in findings:
            self.add(finding)

    def bounded(self, owner: Fields, name: str) -> list[Fields]:
        """The objects in a list, up to the limit of items."""
        return self.bounded_list(owner.get(name), owner.pointer(name))

    def bounded_list(self, listed: Json | Absent, place: str) -> list[Fields]:
        """The objects in a list at a place, up to the limit of items."""
        if not isinstance(listed, list):
            return []
        if len(listed) > self._room:
            message = (
                f"Of {len(listed):,} items here {self._room:,} are read; a file may have {MOST_ITEMS:,} cases, "
                "turns and events. Split it to see the others."
            )
            self.add(error("too-many-items", message, place))
            listed = listed[: self._room]
        self._room -= len(listed)
        objects = objects_in(listed, place)
        if len(objects) < len(listed):
            index = next(number for number, item in enumerate(listed) if not isinstance(item, dict))
            message = (
                f"This should be an object, not {kind_of(listed[index])}. Of {len(listed):,} items in this list "
                f"{len(listed) - len(objects):,} are not objects and were left out."
            )
            self.add(error("not-an-object", message, join(place, index)))
        return objects

    def drain(self) -> Iterator[Finding]:
        """All findings, and for each code over the limit one with the number of the others."""
        for finding in self._shown:
            more = self._alike[finding.message] - 1 if finding.code in _OF_KEYS else 0
            places = "1 more place" if more == 1 else f"{more:,} more places"
            yield replace(finding, message=f"{finding.message} The same in {places}.") if more > 0 else finding
        for (severity, code), count in self._counts.items():
            if count > _SHOWN_PER_CODE:
                yield Finding(
                    severity, code, f"{count - _SHOWN_PER_CODE} more findings of this kind, {count} in all."
                )


class Fields(Struct, frozen=True):
    """A JSON object with its place. Names are given in snake_case and also match camelCase."""

    value: JsonObject
    place: str

    def key(self, name: str) -> str | None:
        """The key as the file spells it, or None."""
        if name in self.value:
            return name
        other = camel(name) if "_" in name else name
        return other if other in self.value else None

    def get(self, name: str) -> Json | Absent:
        """The value; ABSENT is not the same as null."""
        value = self.value.get(name, ABSENT)
        if value is ABSENT and "_" in name:  # no other name has a second spelling, and most are asked for in vain
            return self.value.get(camel(name), ABSENT)
        return value

    def pointer(self, name: str) -> str:
        """The pointer of a key, in the file's spelling."""
        return f"{self.place}/{name if name in self.value else self.key(name) or name}"  # names need no escaping

    def text(self, name: str) -> str | None:
        """A string, else None."""
        value = self.get(name)
        return value if isinstance(value, str) else None

    def number(self, name: str) -> float | None:
        """A finite number from a number or a numeric text, else None."""
        return number_of(self.get(name))

    def mapping(self, name: str) -> JsonObject | None:
        """An object as a dict, else None."""
        value = self.get(name)
        return value if isinstance(value, dict) else None

    def object(self, name: str) -> Fields | None:
        """An object with its place, else None."""
        value = self.get(name)
        return Fields(value, self.pointer(name)) if isinstance(value, dict) else None

    def objects(self, name: str) -> list[Fields]:
        """The objects in a list; other items are skipped."""
        return objects_in(self.get(name), self.pointer(name))


def fields_of(value: Json | Absent, place: str) -> Fields:
    """An object with its place; empty for any other value."""
    return Fields(value if isinstance(value, dict) else {}, place)


def objects_in(value: Json | Absent, place: str) -> list[Fields]:
    """The objects in a list at a place; other items are skipped."""
    if not isinstance(value, list):
        return []
    return [Fields(item, join(place, index)) for index, item in enumerate(value) if isinstance(item, dict)]


def or_null(value: Json | Absent) -> Json:
    """The value, null when it is absent."""
    return None if value is ABSENT else value


def number_of(value: object) -> float | None:
    """A finite float from a number or a numeric text."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if number - number == 0 else None


def count_of(value: Json | Absent) -> int | None:
    """A count from a number or a numeric text; None for anything negative or broken."""
    number = number_of(value)
    if number is None or number < 0:
        return None
    return value if isinstance(value, int) else int(number)  # a float cannot tell large numbers from their neighbours


def kind_of(value: Json) -> str:
    """What a JSON value is, in words."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    return next(words for kind, words in _KINDS if isinstance(value, kind))


_KINDS = ((str, "a text"), (int | float, "a number"), (list, "a list"), (dict, "an object"))
