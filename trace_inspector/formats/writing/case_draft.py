"""A raw case while it is changed: what nobody touches stays the same object, so that only the rest is written."""

from __future__ import annotations

from dataclasses import dataclass

from trace_inspector.core.errors import EditError
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.trace import Turn
from trace_inspector.core.values.pointer import resolve
from trace_inspector.core.values.value_edits import is_below
from trace_inspector.core.values.value_paths import with_value, without_value
from trace_inspector.core.values.values import Json
from trace_inspector.formats.common.fields import Fields


@dataclass(slots=True)
class CaseDraft:
    """The case before and its value now. Pointers lead on from the case; places are those of the whole file."""

    before: Case
    value: Json

    def within(self, place: str) -> str:
        """A place of the file as a pointer from the case."""
        if not is_below(place, self.before.place):
            raise EditError(f"“{place}” is no part of the case that is edited. Select it again.")
        return place[len(self.before.place) :]

    def at(self, pointer: str) -> Json:
        """The value at a pointer; null when there is none."""
        found = resolve(self.value, pointer)
        return None if not isinstance(found, str | int | float | list | dict) else found

    def fields(self, pointer: str) -> Fields:
        """The object at a pointer; an empty one when there is none."""
        found = self.at(pointer)
        return Fields(found if isinstance(found, dict) else {}, pointer)

    def put(self, pointer: str, value: Json) -> None:
        """Another value at a pointer, or a new key."""
        self.value = with_value(self.value, pointer, value)

    def drop(self, pointer: str) -> None:
        """Take a key or an item out."""
        self.value = without_value(self.value, pointer)

    def put_or_drop(self, pointer: str, value: Json) -> None:
        """Another value; None takes the key out if it is there."""
        if value is not None:
            self.put(pointer, value)
        elif self.at(pointer) is not None:
            self.drop(pointer)

    def turn(self, place: str) -> Turn:
        """The turn at a place."""
        turn = next((turn for turn in self.before.turns if turn.place == place), None)
        if turn is None:
            raise EditError(f"There is no turn at “{place}” any more. Select it again.")
        return turn
