"""DeepEval's cache of results: the key of each entry is the case itself, as JSON in a text."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import TypeVar

from trace_inspector.core.golden.golden import Case, Suite
from trace_inspector.core.rows.contents import Item
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import Json
from trace_inspector.formats.common.extras import stated_extras
from trace_inspector.formats.common.fields import Fields, Report
from trace_inspector.formats.common.format import Source
from trace_inspector.formats.common.record_counts import RecordCounts
from trace_inspector.formats.common.span_attributes import from_text
from trace_inspector.formats.eval_tools.deepeval.reported import metrics_in
from trace_inspector.formats.eval_tools.deepeval.single_turn import golden_of, name_of, trace_items

CACHE = "test_cases_lookup_map"

Told = TypeVar("Told")


def cached(fields: Fields, source: Source, report: Report, counts: RecordCounts) -> Iterator[Item]:
    """Each entry as a conversation with what its metrics decided."""
    suite = source.stem or "cache"
    kept = fields.object(CACHE) or Fields({}, fields.place)
    goldens: list[Case] = []
    entries = [(join(kept.place, key), held) for key, held in kept.value.items()]
    cases: list[Json] = [stated if isinstance(stated := from_text(key), dict) else {} for key in kept.value]
    for index, (case, (place, held)) in enumerate(zip(report.bounded_list(cases, ""), entries, strict=False)):
        source.tick()
        if not isinstance(held, dict) or not case.value:
            counts.unknown("entry", place)
            continue
        identity = name_of(case, index)
        goldens.append(_all_at(place, golden_of(case, identity, suite)))
        yield from (_all_at(place, item) for item in trace_items(case, identity, suite, counts))
        metrics = [
            (told.object("metric_data") or told, told.object("metric_configuration"))
            for told in Fields(held, place).objects("cached_metrics_data")
        ]
        yield metrics_in(metrics, identity, suite, place, counts)
    yield Suite(suite, cases=tuple(goldens), extras=stated_extras(fields, CACHE), place=kept.place)


def _all_at(place: str, told: Told) -> Told:
    """The same with one place for all of it: no pointer leads into the key of an object."""
    if isinstance(told, tuple):
        return type(told)(_all_at(place, item) for item in told)
    if not dataclasses.is_dataclass(told) or isinstance(told, type):
        return told
    changed = {
        field.name: place if field.name == "place" else _all_at(place, getattr(told, field.name))
        for field in dataclasses.fields(told)
    }
    return dataclasses.replace(told, **changed)
