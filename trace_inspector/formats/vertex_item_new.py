"""A new evaluation item for a list that is there, with what people say beside its calls."""

from __future__ import annotations

from dataclasses import replace

from trace_inspector.core.contents import Contents
from trace_inspector.core.finding import Finding
from trace_inspector.core.golden import Case, Suite
from trace_inspector.core.trace import calls_of
from trace_inspector.core.value_edits import is_below
from trace_inspector.core.values import JsonObject
from trace_inspector.formats.reserved_key_writer import matcher_json, tables_of, with_tables
from trace_inspector.formats.vertex_item_golden import golden
from trace_inspector.formats.vertex_item_losses import WrittenItem, losses_of
from trace_inspector.formats.vertex_item_writer import item_json


def new_item(case: Case) -> tuple[JsonObject, tuple[Finding, ...]]:
    """One item of a case. Matchers of calls go along in its metadata; what has no place is told."""
    item = WrittenItem(case)
    raw = item_json(item, case.id)
    there = golden(raw, "", "") if case.turns else Case("")
    old, new = ([call.place for turn in one.turns for call in calls_of(turn)] for one in (case, there))
    places = dict(zip(old, new, strict=False)) if len(old) == len(new) else {}
    matchers: JsonObject = {}
    left = []
    for matcher in case.matchers:
        owner = next((place for place in places if is_below(matcher.place, f"{place}/args")), None)
        if owner is None:
            left.append(matcher)
        else:
            matchers[places[owner] + matcher.place[len(owner) :]] = matcher_json(matcher)
    told = WrittenItem(replace(case, matchers=tuple(left)))
    losses = losses_of(Contents("", suites=(Suite("", cases=(case,)),)), [told])
    if matchers:
        raw["metadata"] = with_tables({}, {**tables_of({}), "matchers": matchers})
    return raw, tuple(losses)
