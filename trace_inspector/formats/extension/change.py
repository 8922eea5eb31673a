"""Matchers and notes under our own key while what they are about is changed: they follow it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from trace_inspector.core.golden.golden_change import Calls
from trace_inspector.core.golden.matcher import Matcher
from trace_inspector.core.values.pointer import join, resolve
from trace_inspector.core.values.value_edits import ValueStep, is_below, pointer_after
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.extension.reader import matcher_of
from trace_inspector.formats.extension.writer import matcher_json


def followed_tables(tables: Mapping[str, JsonObject], steps: Iterable[ValueStep]) -> dict[str, JsonObject]:
    """The tables after steps; entries about something that is gone go with it."""
    made = list(steps)
    return {
        name: {to: stated for pointer, stated in table.items() if (to := pointer_after(pointer, made)) is not None}
        for name, table in tables.items()
    }


def with_matchers(
    table: JsonObject, new: Json, owner: str, change: Calls, raws: Sequence[JsonObject], before: JsonObject
) -> JsonObject:
    """The matchers of the calls of a turn are those of the change; the calls stand somewhere below `owner`.

    One that the table had `before` the change stays as it is spelled there, also at another place.
    """
    turn = resolve(new, owner)
    places = dict(_places_of(turn, owner, {id(raw) for raw in raws})) if isinstance(turn, dict | list) else {}
    now: JsonObject = {
        f"{places[id(raw)]}/args{matcher.place}": _spelled(matcher, before)
        for expected, raw in zip(change.calls, raws, strict=True)
        for matcher in expected.matchers
    }
    kept: JsonObject = {}
    for pointer, stated in table.items():
        if not any(is_below(pointer, place) for place in places.values()):
            kept[pointer] = stated
        elif pointer in now:
            same = matcher_of(stated) == matcher_of(now[pointer])
            kept[pointer] = stated if same else now[pointer]
    return {**kept, **{pointer: stated for pointer, stated in now.items() if pointer not in kept}}


def _spelled(matcher: Matcher, table: JsonObject) -> Json:
    """A matcher as an equal one is spelled in a table: 5 is not written 5.0."""
    bare = replace(matcher, place="")
    return next((stated for stated in table.values() if matcher_of(stated) == bare), matcher_json(matcher))


def with_note(table: JsonObject, pointer: str, text: str) -> JsonObject:
    """The notes with another about one value; an empty text removes it."""
    others: JsonObject = {place: stated for place, stated in table.items() if place != pointer}
    return {**others, pointer: text} if text else others


def _places_of(value: Json, pointer: str, identities: set[int]) -> Iterator[tuple[int, str]]:
    """The pointers of these objects, by identity."""
    if id(value) in identities:
        yield id(value), pointer
        return
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from _places_of(item, join(pointer, key), identities)
