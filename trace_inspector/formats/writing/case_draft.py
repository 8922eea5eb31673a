"""A raw case while it is changed: untouched parts stay the same objects, so that only the rest is written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct

from trace_inspector.core.errors import EditError
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.parts import Text
from trace_inspector.core.trace.trace import Turn
from trace_inspector.core.values.pointer import index_of, join, resolve
from trace_inspector.core.values.value_edits import is_below
from trace_inspector.core.values.value_paths import with_value, without_value
from trace_inspector.core.values.values import ABSENT, Absent, Json, JsonObject
from trace_inspector.formats.common.fields import Fields


class CaseDraft(Struct):
    """The case before and its value now. Pointers lead on from the case; places are those of the whole file."""

    before: Case
    value: JsonObject

    def within(self, place: str) -> str:
        """A place of the file as a pointer from the case."""
        if not is_below(place, self.before.place):
            raise EditError(f"“{place}” is no part of the case that is edited. Select it again.")
        return place[len(self.before.place) :]

    def value_at(self, pointer: str) -> Json:
        """The value at a pointer; null when there is none."""
        value = resolve(self.value, pointer)
        return None if not isinstance(value, str | int | float | list | dict) else value

    def list_at(self, pointer: str) -> list[Json]:
        """The list at a pointer; an empty one when there is none."""
        value = self.value_at(pointer)
        return value if isinstance(value, list) else []

    def fields(self, pointer: str) -> Fields:
        """The object at a pointer; an empty one when there is none."""
        value = self.value_at(pointer)
        return Fields(value if isinstance(value, dict) else {}, pointer)

    def spell(self, name: str) -> str:
        """A new key as the file spells keys."""
        return name

    def key(self, pointer: str, name: str) -> str:
        """The pointer of a key of an object, as the file spells it or would."""
        return join(pointer, self.fields(pointer).key(name) or self.spell(name))

    def put(self, pointer: str, value: Json) -> None:
        """Another value at a pointer, or a new key."""
        self._become(with_value(self.value, pointer, value))

    def put_items(self, pointer: str, items: list[Json]) -> None:
        """A list with other items; one that has the same ones already stays."""
        if not are_same(items, self.list_at(pointer)):
            self.put(pointer, items)

    def drop(self, pointer: str) -> None:
        """Take a key or an item out."""
        self._become(without_value(self.value, pointer))

    def put_or_drop(self, pointer: str, value: Json) -> None:
        """Another value; None takes the key out if it is there."""
        if value is not None:
            self.put(pointer, value)
        elif self.value_at(pointer) is not None:
            self.drop(pointer)

    def put_text(self, texts: Sequence[Text], text: str) -> None:
        """Another text in the place of the first of some; the others go with the parts in which they stand."""
        for part in reversed(texts[1:]):
            pointer = self.within(part.place)
            owner, _, token = pointer.rpartition("/")
            self.drop(pointer if index_of(token) is not None else owner)
        for part in texts[:1]:
            self.put(self.within(part.place), text)

    def turn(self, place: str) -> Turn:
        """The turn at a place."""
        turn = next((turn for turn in self.before.turns if turn.place == place), None)
        if turn is None:
            raise EditError(f"There is no turn at “{place}” any more. Select it again.")
        return turn

    def raw_turns(self, turns: Iterable[Turn], write: Callable[[int, Turn], Json]) -> list[Json]:
        """Turns in their order: those that stand in the case as they are, the others written."""
        places = {turn.place for turn in self.before.turns if turn.place}
        return [
            self.value_at(self.within(turn.place)) if turn.place in places else write(index, turn)
            for index, turn in enumerate(turns)
        ]

    def _become(self, value: Json) -> None:
        if not isinstance(value, dict):
            raise EditError("A case must stay an object.")
        self.value = value


def are_same(items: Sequence[Json], others: Sequence[Json]) -> bool:
    """Whether two lists hold the very same objects."""
    return len(items) == len(others) and all(item is other for item, other in zip(items, others, strict=True))


def texts_in(parts: Iterable[object]) -> list[Text]:
    """The texts among parts."""
    return [part for part in parts if isinstance(part, Text)]


def with_keys(fields: Fields, members: Mapping[str, Json | Absent], spell: Callable[[str], str] = str) -> JsonObject:
    """An object with other values under some keys, as it spells them or as `spell` does; ABSENT takes one out."""
    value = {**fields.value}
    for name, member in members.items():
        key = fields.key(name) or spell(name)
        if member is ABSENT:
            value.pop(key, None)
        else:
            value[key] = member
    return value


def without_keys(fields: Fields, *names: str) -> JsonObject:
    """An object without some keys, however they are spelt."""
    gone = {fields.key(name) for name in names}
    return {key: value for key, value in fields.value.items() if key not in gone}
