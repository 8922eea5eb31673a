"""The attributes and events of a span, decoded on demand."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import ABSENT, Absent, Json, JsonObject

Decode = Callable[[JsonObject, str], tuple[Json, str]]


def _value_of(item: JsonObject, place: str) -> tuple[Json, str]:
    return item.get("value"), f"{place}/value"


class Form(Struct, frozen=True):
    """Where a format of spans has the attributes and events of a span."""

    attributes: str = "attributes"
    events: tuple[str, ...] = ("events", "span_events")
    decode: Decode = _value_of  # of one item of a list of attributes
    within: Form | None = None  # the form of its events, where that differs


class Note(Struct, frozen=True):
    """An event of a span, or a log record that belongs to it."""

    name: str
    attributes: Attributes
    body: Json | Absent
    place: str


class Attributes(Struct, eq=False):
    """The attributes of one span by name, decoded on demand, each with its pointer."""

    holder: JsonObject
    holder_place: str
    form: Form
    joined: list[tuple[JsonObject, str]] | None = None  # log records
    _by_name: dict[str, tuple[Json, str]] | None = None
    _is_listed: bool = False  # each as an item of a list, to be decoded

    @classmethod
    def given(cls, entries: dict[str, tuple[Json, str]]) -> Attributes:
        """Attributes that a file has in several places, each with its whole pointer."""
        made = cls({}, "", Form(attributes=""))
        made._by_name = entries
        return made

    @property
    def place(self) -> str:
        """The pointer of the attributes; "" where they stand in several places."""
        return f"{self.holder_place}/{self.form.attributes}" if self.form.attributes else ""

    def _index(self) -> dict[str, tuple[Json, str]]:
        if self._by_name is None:
            listed = self.raw()
            if isinstance(listed, dict):
                self._by_name = {name: (value, pointer) for name, value, pointer in flattened(listed)}
            else:
                self._is_listed = isinstance(listed, list)
                self._by_name = {
                    key: (item, f"/{index}")
                    for index, item in enumerate(listed if isinstance(listed, list) else ())
                    if isinstance(item, dict) and isinstance(key := item.get("key"), str)
                }
        return self._by_name

    def _decoded(self, name: str) -> tuple[Json | Absent, str]:
        entry = self._index().get(name)
        if entry is None:
            return ABSENT, self.place
        item, pointer = entry
        if isinstance(item, dict) and self._is_listed:
            return self.form.decode(item, self.place + pointer)
        return item, self.place + pointer

    def raw(self) -> Json:
        """The attributes as in the file: a list of pairs, or an object."""
        return self.holder.get(self.form.attributes)

    def names(self) -> Iterable[str]:
        """All names, in the order of the file."""
        return self._index()

    def get(self, name: str) -> Json | Absent:
        """The value of an attribute. Most that are asked for are not there: no pointer is made for nothing."""
        entry = (self._by_name or self._index()).get(name)
        if entry is None:
            return ABSENT
        item = entry[0]
        return self.form.decode(item, "")[0] if self._is_listed and isinstance(item, dict) else item

    def pointer(self, name: str) -> str:
        """The pointer of an attribute's value."""
        return self._decoded(name)[1]

    def text(self, *names: str) -> str | None:
        """The first of some attributes that is a non-empty text."""
        there = self._by_name or self._index()
        for name in names:
            if name in there and isinstance(value := self.get(name), str) and value:
                return value
        return None

    def parsed(self, *names: str) -> tuple[Json | Absent, str]:
        """The first of some attributes that exists, with JSON strings parsed, and its pointer."""
        there = self._by_name or self._index()
        for name in names:
            if name not in there:
                continue
            value, place = self._decoded(name)
            if value is not ABSENT and value != "":
                return from_text(value), place
        return ABSENT, self.place

    def leads_inside(self, *names: str) -> bool:
        """Whether pointers into the first of some attributes are valid in the file."""
        there = self._by_name or self._index()
        for name in names:
            if name in there and (value := self.get(name)) is not ABSENT and value != "":
                return isinstance(value, str) or not self._is_listed
        return False

    def notes(self) -> Iterator[Note]:
        """The events of the span, then the log records that belong to it."""
        for key in self.form.events:
            listed = self.holder.get(key)
            for index, raw in enumerate(listed if isinstance(listed, list) else ()):
                if isinstance(raw, dict):
                    yield self._note(raw, f"{self.holder_place}/{key}/{index}")
        for raw, place in self.joined or ():
            yield self._note(raw, place)

    def _note(self, raw: JsonObject, place: str) -> Note:
        attributes = Attributes(raw, place, self.form.within or self.form)
        body = self.form.decode({"value": raw["body"]}, "")[0] if "body" in raw else ABSENT
        name, body_place = attributes.note_name(), f"{place}/body" if body is not ABSENT else attributes.place
        return Note(name, attributes, body, body_place)

    def note_name(self) -> str:
        """The name of the event or log record that these are the attributes of."""
        named = (name for key in _NOTE_NAMES if isinstance(name := self.holder.get(key), str) and name)
        return next(named, None) or self.text("event.name", "event") or ""


_NOTE_NAMES = ("name", "eventName", "event_name")
_NESTED = 12  # levels of nested objects whose keys are joined into names


def flattened(mapping: JsonObject) -> Iterator[tuple[str, Json, str]]:
    """Attributes of an object by name, with pointers; those of nested objects as `llm.model_name`."""
    level: list[tuple[str, Json, str]] = [(name, value, join("", name)) for name, value in mapping.items()]
    for _ in range(_NESTED):
        yield from level
        level = [
            (f"{name}.{key}", inner, join(place, key))
            for name, value, place in level
            for key, inner in _members(value)
        ]
        if not level:
            return


def _members(value: Json) -> Iterable[tuple[str, Json]]:
    if isinstance(value, dict):
        return value.items()
    return ((str(index), inner) for index, inner in enumerate(value)) if isinstance(value, list) else ()


def from_text(value: Json) -> Json:
    """The parsed object or list in a JSON string; any other string, also of digits, unchanged."""
    if not isinstance(value, str) or value[:64].lstrip()[:1] not in ("{", "["):
        return value
    from pydantic_core import from_json

    try:
        parsed: Json = from_json(value)
    except (ValueError, TypeError):  # the latter for text with a lone surrogate
        parsed = _slowly(value)
    return parsed


_MAX_DEPTH = 400  # deeper values exceed the recursion limit where they are copied and compared


def _slowly(text: str) -> Json:
    """Parse with json what the fast parser refuses for its depth or for lone surrogates."""
    try:
        parsed: Json = json.loads(text)
    except (ValueError, RecursionError):
        return text
    level: list[Json] = [parsed]
    for _ in range(_MAX_DEPTH):
        level = [inner for value in level for inner in _children(value)]
        if not level:
            return parsed
    return text


def _children(value: Json) -> Iterable[Json]:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
