"""Matchers in a written evaluation item: they stand in its metadata, at the calls that the item holds."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.trace import calls_of
from trace_inspector.core.values.value_edits import is_below
from trace_inspector.core.values.values import JsonObject
from trace_inspector.formats.extension.writer import matcher_json, tables_of, with_tables
from trace_inspector.formats.vertex.item.item_golden import golden
from trace_inspector.formats.vertex.item.item_losses import WrittenItem


def with_matchers(item: WrittenItem, raw: JsonObject) -> tuple[JsonObject, WrittenItem]:
    """The written item with the matchers of its case, and the case with those alone that have no place in it."""
    case = item.case
    if case is None or not case.matchers:
        return raw, item
    places = _places(case, raw)
    matchers: JsonObject = {}
    unplaced = []
    for matcher in case.matchers:
        owner = next((place for place in places if is_below(matcher.place, f"{place}/args")), None)
        if owner is None:
            unplaced.append(matcher)
        else:
            matchers[places[owner] + matcher.place[len(owner) :]] = matcher_json(matcher)
    if matchers:
        raw = {**raw, "metadata": with_tables({}, {**tables_of({}), "matchers": matchers})}
    return raw, WrittenItem(replace(case, matchers=tuple(unplaced)), item.traces)


def _places(case: Case, raw: JsonObject) -> Mapping[str, str]:
    """Where each call of the case stands in the item; nothing where the two do not answer to each other."""
    there = golden(raw, "", "") if case.turns else Case("")
    old, new = ([call.place for turn in script.turns for call in calls_of(turn)] for script in (case, there))
    return dict(zip(old, new, strict=False)) if len(old) == len(new) else {}
