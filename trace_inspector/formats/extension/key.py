"""Our own key in other people's files, `traceInspector`: what a file carries from the one it was made from."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from trace_inspector.core.values.difference import is_place
from trace_inspector.core.values.values import Json, JsonObject

KEY = "traceInspector"
VERSION = 1
_BY_PEOPLE = ("matchers", "notes", "overrules")
_OURS = ("version", "origin", "leftovers", "file")


class Carried(Struct, frozen=True):
    """The format of the origin, and its values that the file has no place for, by pointer into the origin.

    `of_file` are those of the whole file, carried by the first of its rows where the file is but a list of them;
    such a row may have no counterpart in the origin, and so no leftovers of its own.
    """

    origin: str
    leftovers: JsonObject
    of_file: JsonObject
    is_part: bool = True


def is_ours(value: Json) -> bool:
    """Whether this is an object of the one version that is known here."""
    return isinstance(value, dict) and value.get("version") is not True and value.get("version") == VERSION


def carried(value: Json) -> Carried | None:
    """What an object carries from its origin; None where there is nothing that could be used."""
    ours = value.get(KEY) if isinstance(value, dict) else None
    if not isinstance(ours, dict) or not is_ours(ours):
        return None
    origin, leftovers, of_file = ours.get("origin"), ours.get("leftovers", {}), ours.get("file", {})
    name = origin.get("format") if isinstance(origin, dict) else None
    if not isinstance(name, str) or not isinstance(leftovers, dict) or not isinstance(of_file, dict):
        return None
    is_part = "leftovers" in ours or "file" not in ours
    return Carried(name, _by_pointer(leftovers), _by_pointer(of_file), is_part)


def everything_carried(value: Json) -> Iterator[Json]:
    """What stands under the key anywhere in a value."""
    remaining = [value]
    while remaining:
        match remaining.pop():
            case dict() as members:
                remaining.extend(members.values())
                if KEY in members:
                    yield members[KEY]
            case list() as listed:
                remaining.extend(listed)


def carrying(value: JsonObject, origin: str, leftovers: JsonObject) -> JsonObject:
    """The object with these things under the key, beside what people wrote there."""
    stated = value.get(KEY)
    written = stated if isinstance(stated, dict) else {}
    ours: JsonObject = {"version": VERSION, "origin": {"format": origin}, "leftovers": leftovers}
    return {**value, KEY: ours | _own(written)}


def carrying_for_file(row: JsonObject, origin: str, of_file: JsonObject) -> JsonObject:
    """The first row of a list with what the whole file carries, beside its own."""
    stated = row.get(KEY)
    written = stated if isinstance(stated, dict) else {}
    ours: JsonObject = {"version": VERSION, "origin": {"format": origin}}
    if carried(row) is not None:
        ours["leftovers"] = written.get("leftovers", {})
    return {**row, KEY: {**ours, "file": of_file} | _own(written)}


def without_carried(value: Json) -> Json:
    """The object without what it carries from its origin; what people wrote under the key stays."""
    if not isinstance(value, dict) or carried(value) is None:
        return value
    ours = value[KEY]
    own = _own(ours) if isinstance(ours, dict) else {}
    if own:
        return {key: {"version": VERSION} | own if key == KEY else item for key, item in value.items()}
    return {key: item for key, item in value.items() if key != KEY}


def with_people_only(value: Json) -> Json:
    """The object with nothing under the key but what people say there; where they say nothing, without the key."""
    if not isinstance(value, dict) or KEY not in value:
        return value
    ours = value[KEY]
    tables = {name: ours[name] for name in _BY_PEOPLE if ours.get(name)} if isinstance(ours, dict) else {}
    rest = {key: item for key, item in value.items() if key != KEY}
    return {**rest, KEY: {"version": VERSION, **tables}} if tables else rest


def _own(ours: JsonObject) -> JsonObject:
    return {key: item for key, item in ours.items() if key not in _OURS}


def _by_pointer(values: JsonObject) -> JsonObject:
    return {pointer: kept for pointer, kept in values.items() if is_place(pointer)}
