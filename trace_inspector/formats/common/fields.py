"""Typed access to parsed JSON that never raises: what is there is used, what is odd becomes a finding."""

from __future__ import annotations

import enum
import functools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field

from trace_inspector.core.finding import Finding, Severity, error, info, warning
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import ABSENT, Absent, Json, JsonObject

# Cases, turns and events of one file. Each takes a few hundred bytes, and two bytes are enough to ask for one.
MOST_ITEMS = 125_000
# One sentence a kind is enough to act on; a damaged export would otherwise give a hundred thousand.
_SHOWN_PER_CODE = 50


@functools.lru_cache(maxsize=1024)
def camel(name: str) -> str:
    """tool_uses as toolUses."""
    head, *rest = name.split("_")
    return head + "".join(word[:1].upper() + word[1:] for word in rest)


class Report:
    """Collects findings, a bounded number of each code, and knows how many items a reading may still give."""

    def __init__(self) -> None:
        self._room = MOST_ITEMS
        self._shown: list[Finding] = []
        self._counts: Counter[tuple[Severity, str]] = Counter()

    def add(self, finding: Finding) -> None:
        """Take one finding; beyond the bound only its number is kept."""
        kind = (finding.severity, finding.code)
        self._counts[kind] += 1
        if self._counts[kind] <= _SHOWN_PER_CODE:
            self._shown.append(finding)

    def take(self, findings: Iterable[Finding]) -> None:
        """Take several."""
        for finding in findings:
            self.add(finding)

    def bounded(self, owner: Fields, name: str) -> list[Fields]:
        """The objects in a list, as far as there is room for them."""
        return self.bounded_list(owner.get(name), owner.at(name))

    def bounded_list(self, listed: Json | Absent, place: str) -> list[Fields]:
        """The objects in a list that stands at a place, as far as there is room for them."""
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
            index = next(at for at, item in enumerate(listed) if not isinstance(item, dict))
            message = (
                f"This should be an object, not {kind_of(listed[index])}. Of {len(listed):,} items in this list "
                f"{len(listed) - len(objects):,} are no objects and were left out."
            )
            self.add(error("not-an-object", message, join(place, index)))
        return objects

    def drain(self) -> Iterator[Finding]:
        """Everything collected, and for each code that was cut one line with the number left out."""
        yield from self._shown
        for (severity, code), count in self._counts.items():
            if count > _SHOWN_PER_CODE:
                yield Finding(severity, code, f"{count - _SHOWN_PER_CODE} more of the same kind, {count} in all.")


@dataclass(frozen=True, slots=True)
class Fields:
    """A JSON object with its place. Names are given in snake_case and found in camelCase too."""

    value: JsonObject
    place: str

    def key(self, name: str) -> str | None:
        """The key as the file spells it, or None."""
        if name in self.value:
            return name
        other = camel(name)
        return other if other in self.value else None

    def get(self, name: str) -> Json | Absent:
        """The value, null and absent told apart."""
        if name in self.value:
            return self.value[name]
        return self.value.get(camel(name), ABSENT)

    def at(self, name: str) -> str:
        """The pointer of a key, in the file's spelling."""
        return f"{self.place}/{name if name in self.value else self.key(name) or name}"  # our names need no escape

    def text(self, name: str) -> str | None:
        """A string, else None."""
        value = self.get(name)
        return value if isinstance(value, str) else None

    def number(self, name: str) -> float | None:
        """A finite number, given as such or as text, else None."""
        return number_of(self.get(name))

    def mapping(self, name: str) -> JsonObject | None:
        """An object as it stands, else None."""
        value = self.get(name)
        return value if isinstance(value, dict) else None

    def object(self, name: str) -> Fields | None:
        """An object with its place, else None."""
        value = self.get(name)
        return Fields(value, self.at(name)) if isinstance(value, dict) else None

    def objects(self, name: str) -> list[Fields]:
        """The objects in a list; anything else in it is left out."""
        return objects_in(self.get(name), self.at(name))


def objects_in(value: Json | Absent, place: str) -> list[Fields]:
    """The objects in a list that stands at a place; anything else in it is left out."""
    if not isinstance(value, list):
        return []
    return [Fields(item, join(place, index)) for index, item in enumerate(value) if isinstance(item, dict)]


def known(value: Json | Absent) -> Json:
    """The value, null when it is absent."""
    return None if value is ABSENT else value


def number_of(value: Json | Absent) -> float | None:
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
    return int(number) if number is not None and number >= 0 else None


class Extra(enum.Enum):
    """What google-adk does with a key it does not know; of a service, whose schema grows, such a key is only told."""

    REJECTED = "rejected"
    DROPPED = "dropped"
    KEPT = "kept"
    TOLD = "told"


STRING = (str,)
NUMBER = (int, float, str)
OBJECT = (dict,)
LIST = (list,)
BOOLEAN = (bool,)
OBJECT_OR_LIST = (dict, list)
TEXT_OR_LIST = (str, list)
TEXT_OR_OBJECT = (str, dict)
TEXT_OR_WHOLE = (str, int)
TEXT_OR_NUMBER = (str, int, float)
ANYTHING = (object,)

_WORDS: dict[tuple[type, ...], str] = {
    STRING: "a text",
    NUMBER: "a number",
    OBJECT: "an object",
    LIST: "a list",
    BOOLEAN: "true or false",
    OBJECT_OR_LIST: "an object or a list",
    TEXT_OR_LIST: "a text or a list",
    TEXT_OR_OBJECT: "a text or an object",
    TEXT_OR_WHOLE: "a text or a whole number",
    TEXT_OR_NUMBER: "a text or a number",
}


@dataclass(frozen=True, slots=True)
class Field:
    """What a key may hold."""

    types: tuple[type, ...] = ANYTHING
    required: bool = False
    nullable: bool = True


@dataclass(frozen=True, slots=True, eq=False)  # told apart by identity, so that what follows from one is kept
class Shape:
    """The keys of one kind of object, as google-adk 2.13 or a service has them."""

    name: str  # with article, for sentences: "an invocation"
    fields: Mapping[str, Field]
    extra: Extra = Extra.REJECTED
    # Other tools' keys that are understood, each with the key it stands for.
    read_anyway: Mapping[str, str] = field(default_factory=dict)


def check(fields: Fields, shape: Shape, report: Report) -> None:
    """Report unknown keys, missing keys and wrong types of one object."""
    by_key = _by_key(shape)
    for key, value in fields.value.items():
        expected = by_key.get(key)
        if expected is None:
            if shape.extra is not Extra.KEPT or key in shape.read_anyway:
                _report_unknown(fields, key, shape, report)
        elif value is None:
            if not expected.nullable:
                report.add(error("wrong-type", f"“{key}” of {shape.name} is null.", join(fields.place, key)))
        elif not _fits(value, expected.types):
            message = f"“{key}” of {shape.name} should be {unfit(value, expected.types)}."
            report.add(error("wrong-type", message, join(fields.place, key)))
    for name, spellings in _required(shape):
        if spellings.isdisjoint(fields.value):
            report.add(error("missing-field", f"“{name}” is missing in {shape.name}.", fields.place))


def unfit(value: Json, types: tuple[type, ...]) -> str:
    """What a value should be and is, as the end of a sentence; "" where it fits."""
    if _fits(value, types):
        return ""
    is_number = types is NUMBER and isinstance(value, int | float) and not isinstance(value, bool)
    return f"{_WORDS[types]}, not {'one without end' if is_number else kind_of(value)}"


def kind_of(value: Json) -> str:
    """What a JSON value is, in words."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    return next(words for kind, words in _KINDS if isinstance(value, kind))


_KINDS = ((str, "a text"), (int | float, "a number"), (list, "a list"), (dict, "an object"))


def spellings(shape: Shape) -> Set[str]:
    """Every key that an object of a kind may have."""
    return _by_key(shape).keys()


@functools.lru_cache(maxsize=256)
def _by_key(shape: Shape) -> dict[str, Field]:
    return {spelled: expected for name, expected in shape.fields.items() for spelled in (name, camel(name))}


@functools.lru_cache(maxsize=256)
def _required(shape: Shape) -> tuple[tuple[str, frozenset[str]], ...]:
    """Each key that must be there, with everything that may stand in its place."""
    return tuple(
        (name, frozenset({name, camel(name), *(key for key, meant in shape.read_anyway.items() if meant == name)}))
        for name, expected in shape.fields.items()
        if expected.required
    )


def _fits(value: Json, types: tuple[type, ...]) -> bool:
    if types is NUMBER:
        return number_of(value) is not None
    return isinstance(value, types)


def _report_unknown(fields: Fields, key: str, shape: Shape, report: Report) -> None:
    place = join(fields.place, key)
    meant = shape.read_anyway.get(key)
    used = "It is not shown here, and stays in the file." if meant is None else "It is read here."
    if shape.extra is Extra.REJECTED:
        fix = f"write “{meant}”" if meant else "take it out"
        report.add(warning("unknown-key", f"google-adk 2.13 rejects “{key}” in {shape.name}: {fix}. {used}", place))
    elif shape.extra is Extra.TOLD:
        message = f"“{key}” is no key of {shape.name} that is known here: newer than this program, or a slip."
        report.add(info("unknown-key", f"{message} It stays in the file as it is.", place))
    elif shape.extra is Extra.DROPPED:
        report.add(info("unknown-key", f"google-adk 2.13 drops “{key}” in {shape.name}. {used}", place))
    elif meant and fields.key(meant) is None:
        message = f"“{key}” of {shape.name} is another tool's key; google-adk 2.13 wants “{meant}”. {used}"
        report.add(warning("other-spelling", message, place))
    elif meant is not None:
        message = f"“{key}” of {shape.name} is another tool's key; google-adk 2.13 keeps it unread. {used}"
        report.add(info("other-spelling", message, place))
