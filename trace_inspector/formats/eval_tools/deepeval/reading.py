"""DeepEval's files: `deepeval`, as a test run, as goldens in JSON, lines or a table, as the cache of its metrics."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.finding import info
from trace_inspector.core.golden.golden import Case, Suite
from trace_inspector.core.rows.contents import Item
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import Json
from trace_inspector.formats.common.extras import stated_extras
from trace_inspector.formats.common.fields import Fields, Report
from trace_inspector.formats.common.format import Implementation, Source
from trace_inspector.formats.common.record_counts import RecordCounts
from trace_inspector.formats.common.span_attributes import from_text
from trace_inspector.formats.eval_tools.deepeval.conversations import conversation_golden, conversation_items
from trace_inspector.formats.eval_tools.deepeval.reported import metrics_in, verdict_on
from trace_inspector.formats.eval_tools.deepeval.single_turn import golden_of, is_recorded, name_of, trace_items
from trace_inspector.formats.writing.unique_names import UniqueNames

_CACHE = "test_cases_lookup_map"
_LISTS = ("test_cases", "conversational_test_cases")

_Told = TypeVar("_Told")


def read(source: Source) -> Iterator[Item]:
    """Cases of a run or of the cache as conversations with what was reported; goldens as cases."""
    report, counts = Report(), RecordCounts()
    value = source.value
    fields = Fields(value if isinstance(value, dict) else {}, source.place)
    run = fields.object("testRunData") or fields
    if isinstance(value, list):
        yield from _goldens(report.bounded_list(value, source.place), source, counts)
    elif fields.object(_CACHE) is not None:
        yield from _cached(fields, source, report, counts)
    elif any(isinstance(run.get(name), list) for name in _LISTS):
        yield from _run(fields, run, source, report, counts)
    elif fields.text("testRunLink") is not None:
        message = "This file only names where the test run is to be seen; nothing of the run is in it."
        yield info("no-test-run", message, fields.pointer("testRunLink"))
    else:
        yield from _goldens([fields], source, counts)
    yield counts.finding()
    yield from report.drain()


def _run(fields: Fields, run: Fields, source: Source, report: Report, counts: RecordCounts) -> Iterator[Item]:
    suite = run.text("datasetAlias") or run.text("testFile") or source.stem or "test run"
    names = UniqueNames([], "case")
    goldens: list[Case] = []
    for case in report.bounded(run, "test_cases"):
        source.tick()
        identity = names.take(name_of(case, len(goldens)), case.place)
        goldens.append(golden_of(case, identity, suite))
        yield from trace_items(case, identity, suite, counts)
        yield verdict_on(case, identity, suite, counts)
    for case in report.bounded(run, "conversational_test_cases"):
        source.tick()
        identity = names.take(name_of(case, len(goldens)), case.place)
        goldens.append(conversation_golden(case, identity, suite, is_recorded=True))
        yield from conversation_items(case, identity, suite, counts)
        yield verdict_on(case, identity, suite, counts)
    counts.understood()  # the run
    link = fields.text("testRunLink")
    linked = (Extra("testRunLink", link, fields.pointer("testRunLink")),) if link and run is not fields else ()
    extras = (*stated_extras(run, *_LISTS), *linked)
    yield Suite(suite, cases=tuple(goldens), extras=extras, place=run.place)


def _cached(fields: Fields, source: Source, report: Report, counts: RecordCounts) -> Iterator[Item]:
    """Each entry as a conversation with what its metrics decided."""
    suite = source.stem or "cache"
    kept = fields.object(_CACHE) or Fields({}, fields.place)
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
    yield Suite(suite, cases=tuple(goldens), extras=stated_extras(fields, _CACHE), place=kept.place)


def _all_at(place: str, told: _Told) -> _Told:
    """The same with one place for all of it: no pointer leads into the key of an object."""
    if isinstance(told, tuple):
        return type(told)(_all_at(place, item) for item in told)
    if not isinstance(told, Struct):
        return told
    changed = {
        name: place if name == "place" else _all_at(place, getattr(told, name)) for name in told.__struct_fields__
    }
    return replace(told, **changed)


def _goldens(listed: list[Fields], source: Source, counts: RecordCounts) -> Iterator[Item]:
    suite = source.stem or "goldens"
    names = UniqueNames([], "golden")
    goldens: list[Case] = []
    for golden in listed:
        source.tick()
        identity = names.take(name_of(golden, len(goldens)), golden.place)
        if golden.text("scenario") is not None:
            goldens.append(conversation_golden(golden, identity, suite, is_recorded=False))
            counts.understood()
            continue
        goldens.append(golden_of(golden, identity, suite))
        if is_recorded(golden):
            yield from trace_items(golden, identity, suite, counts)
        else:
            counts.understood()
    yield Suite(suite, cases=tuple(goldens), place=source.place)


IMPLEMENTATION = Implementation(read=read)
