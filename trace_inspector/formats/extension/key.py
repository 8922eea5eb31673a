"""Our own key in other people's files, `traceInspector`: what a file carries from the one it was made from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from trace_inspector.core.values.difference import is_place
from trace_inspector.core.values.values import Json, JsonObject

KEY = "traceInspector"
VERSION = 1
_SAID = ("matchers", "notes", "overrules")
_OURS = ("version", "origin", "leftovers", "file")


@dataclass(frozen=True, slots=True)
class Carried:
    """The format of the origin, and its values that the file has no place for, by pointer into the origin.

    `of_file` are those of the whole file, carried by the first of its rows where the file is but a list of them;
    such a row may have no counterpart in the origin, and so no leftovers of its own.
    """

    origin: str
    leftovers: JsonObject
    of_file: JsonObject
    is_part: bool = True


def is_ours(found: Json) -> bool:
    """Whether this is an object of the one version that is known here."""
    return isinstance(found, dict) and found.get("version") is not True and found.get("version") == VERSION


def carried(value: Json) -> Carried | None:
    """What an object carries from its origin; None where there is nothing that could be used."""
    found = value.get(KEY) if isinstance(value, dict) else None
    if not isinstance(found, dict) or not is_ours(found):
        return None
    origin, leftovers, of_file = found.get("origin"), found.get("leftovers", {}), found.get("file", {})
    name = origin.get("format") if isinstance(origin, dict) else None
    if not isinstance(name, str) or not isinstance(leftovers, dict) or not isinstance(of_file, dict):
        return None
    is_part = "leftovers" in found or "file" not in found
    return Carried(name, _by_pointer(leftovers), _by_pointer(of_file), is_part)


def everything_carried(value: Json) -> Iterator[Json]:
    """What stands under the key anywhere in a value."""
    left = [value]
    while left:
        match left.pop():
            case dict() as members:
                left.extend(members.values())
                if KEY in members:
                    yield members[KEY]
            case list() as listed:
                left.extend(listed)


def carrying(value: JsonObject, origin: str, leftovers: JsonObject) -> JsonObject:
    """The object with these things under the key, beside what people wrote there."""
    found = value.get(KEY)
    written = found if isinstance(found, dict) else {}
    ours: JsonObject = {"version": VERSION, "origin": {"format": origin}, "leftovers": leftovers}
    return {**value, KEY: ours | _own(written)}


def carrying_for_file(row: JsonObject, origin: str, of_file: JsonObject) -> JsonObject:
    """The first row of a list with what the whole file carries, beside its own."""
    found = row.get(KEY)
    written = found if isinstance(found, dict) else {}
    ours: JsonObject = {"version": VERSION, "origin": {"format": origin}}
    if carried(row) is not None:
        ours["leftovers"] = written.get("leftovers", {})
    return {**row, KEY: {**ours, "file": of_file} | _own(written)}


def without_carried(value: Json) -> Json:
    """The object without what it carries from its origin; what people wrote under the key stays."""
    if not isinstance(value, dict) or carried(value) is None:
        return value
    found = value[KEY]
    own = _own(found) if isinstance(found, dict) else {}
    if own:
        return {key: {"version": VERSION} | own if key == KEY else item for key, item in value.items()}
    return {key: item for key, item in value.items() if key != KEY}


def with_people_only(value: Json) -> Json:
    """The object with nothing under the key but what people say there; where they say nothing, without the key."""
    if not isinstance(value, dict) or KEY not in value:
        return value
    found = value[KEY]
    said = {name: found[name] for name in _SAID if found.get(name)} if isinstance(found, dict) else {}
    rest = {key: item for key, item in value.items() if key != KEY}
    return {**rest, KEY: {"version": VERSION, **said}} if said else rest


def _own(found: JsonObject) -> JsonObject:
    return {key: item for key, item in found.items() if key not in _OURS}


def _by_pointer(values: JsonObject) -> JsonObject:
    return {at: kept for at, kept in values.items() if is_place(at)}
