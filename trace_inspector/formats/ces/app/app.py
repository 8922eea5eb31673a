"""Apps of CES: `ces-app`, a folder or archive of files that make one app together, or its own file alone."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.golden.golden import Persona, Suite
from trace_inspector.core.rows.contents import Holds, Item
from trace_inspector.core.trace.criteria import Criteria
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.pointer import join
from trace_inspector.formats.ces.app.app_agents import agents_of
from trace_inspector.formats.ces.app.app_cases import cases_of
from trace_inspector.formats.ces.app.app_parts import DATASETS, EVALUATIONS, EXPECTATIONS, Parts, parts_of
from trace_inspector.formats.ces.app.app_settings import check_settings
from trace_inspector.formats.ces.common.recognisers import AGENTS, PERSONAS, TOOLS, is_bundle
from trace_inspector.formats.ces.common.thresholds import OF_APP, criteria_in
from trace_inspector.formats.common.extras import extras_of
from trace_inspector.formats.common.fields import Fields, Report
from trace_inspector.formats.common.format import Implementation, Source

_READ = ("name", "display_name", "description", "root_agent", "global_instruction", "evaluation_personas")
_GLOBAL = "global_instruction.txt"


def read(source: Source) -> Iterator[Item]:
    """One suite: agents with their instructions and tools, personas, and the evaluations as cases."""
    report = Report()
    value = source.value if isinstance(source.value, dict) else {}
    parts = (
        parts_of(value, source.place, report)
        if is_bundle(value)
        else Parts(Fields(value, source.place), is_whole=False)
    )
    yield from app_items(parts, source, report)
    yield from report.drain()


def app_items(parts: Parts, source: Source, report: Report) -> Iterator[Item]:
    """What an app holds, wherever its resources stand."""
    check_settings(parts.app, report)
    suite_id = parts.app.text("display_name") or source.stem or "app"
    yield Suite(
        suite_id,
        parts.app.text("display_name") or "",
        parts.app.text("description") or "",
        cases=cases_of(parts, suite_id, source, report),
        agents=agents_of(parts, report),
        personas=tuple(_personas(parts)),
        extras=tuple(_extras(parts)),
        place=parts.place,
    )
    criteria = criteria_in(parts.app, OF_APP, report)
    if criteria:
        yield Criteria(criteria, source.name)
    yield Holds("apps", 1)
    for kind, what in ((AGENTS, "agents"), (TOOLS, "tools"), (DATASETS, "datasets"), (EXPECTATIONS, "criteria")):
        if count := len(parts.of(kind)):
            yield Holds(what, count)


def _personas(parts: Parts) -> Iterator[Persona]:
    listed = [*parts.app.objects("evaluation_personas"), *(part.fields for part in parts.of(PERSONAS))]
    for persona in listed:
        name = (persona.text("name") or "").rpartition("/")[2] or persona.text("display_name") or ""
        words = persona.text("personality") or persona.text("description") or ""
        yield Persona(name, words, persona.value, persona.place)


def _extras(parts: Parts) -> Iterator[Extra]:
    """Everything else in the app: its settings, and every file that is neither agent, evaluation nor persona."""
    yield from extras_of(parts.app, *_READ)
    stated = parts.app.text("global_instruction")
    if stated is not None:
        yield Extra("globalInstruction", parts.text(stated), parts.app.pointer("global_instruction"))
    elif _GLOBAL in parts.texts:
        yield Extra("globalInstruction", parts.texts[_GLOBAL], join(parts.place, _GLOBAL))
    shown = {AGENTS, EVALUATIONS, PERSONAS}
    for part in parts.resources:
        if part.kind not in shown:
            yield Extra(f"{part.kind}/{part.title}", part.fields.value, part.fields.place)
    for other in parts.others:
        yield Extra(_file_name(other.place, parts.place), other.value, other.place)
    for name, text in parts.texts.items():
        if name != _GLOBAL and not name.endswith("/instruction.txt"):
            yield Extra(name, text, join(parts.place, name))


def _file_name(place: str, above: str) -> str:
    return place[len(above) + 1 :].replace("~1", "/").replace("~0", "~")


IMPLEMENTATION = Implementation(read=read)
