"""Writes what people add to a golden under `traceInspector`: matchers and notes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from trace_inspector.core.golden.matcher import Match, Matcher
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.extension.key import KEY, VERSION, is_ours

_TABLES = ("matchers", "notes")


def matcher_json(matcher: Matcher) -> JsonObject:
    """A matcher without its place."""
    more = _MORE.get(matcher.match)
    return {"match": matcher.match.value, **(more(matcher) if more else {})}


def tables_of(owner: Mapping[str, Json]) -> dict[str, JsonObject]:
    """The matchers and notes under an object's key, by the pointers they are for."""
    ours = owner.get(KEY)
    stated = ours if isinstance(ours, dict) and is_ours(ours) else {}
    return {name: table if isinstance(table := stated.get(name), dict) else {} for name in _TABLES}


def with_tables(owner: JsonObject, tables: Mapping[str, JsonObject]) -> JsonObject:
    """The object with other matchers and notes; without the key where there are none."""
    before = tables_of(owner)
    if all(tables[name] == before[name] for name in _TABLES):
        return owner
    stated = owner.get(KEY)
    ours: JsonObject = {**stated} if isinstance(stated, dict) and is_ours(stated) else {"version": VERSION}
    for name in _TABLES:
        if tables[name]:
            ours[name] = tables[name]
        else:
            ours.pop(name, None)
    if ours.keys() <= {"version"}:
        return {key: value for key, value in owner.items() if key != KEY}
    return {**owner, KEY: ours}


def _tolerance(matcher: Matcher) -> JsonObject:
    given = {"absolute": matcher.absolute, "relative": matcher.relative}
    return {name: number for name, number in given.items() if number is not None}


_MORE: Mapping[Match, Callable[[Matcher], JsonObject]] = {
    Match.CONTAINS: lambda matcher: {"text": matcher.text},
    Match.REGEXP: lambda matcher: {"pattern": matcher.text},
    Match.TOLERANCE: _tolerance,
}
