"""The other resources of CES's apps: `ces-resource`, agents, tools, guardrails and more, alone or in lists."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.golden.golden import Persona, Suite
from trace_inspector.core.rows.contents import Holds, Item
from trace_inspector.core.values.extra import Extra
from trace_inspector.formats.ces.app.app import app_items
from trace_inspector.formats.ces.app.app_agents import agents_of
from trace_inspector.formats.ces.app.app_parts import Parts, listed_parts, loose_parts
from trace_inspector.formats.ces.app.app_tools import declaration
from trace_inspector.formats.ces.common.evaluation_entries import entries_in
from trace_inspector.formats.ces.common.recognisers import (
    AGENTS,
    APPS,
    PERSONAS,
    RESOURCE_KINDS,
    TOOLS,
    VERSIONS,
    ResourceKind,
)
from trace_inspector.formats.common.fields import Fields, Report
from trace_inspector.formats.common.format import Implementation, Source


def read(source: Source) -> Iterator[Item]:
    """One suite without cases: agents and personas as such, all else under its own name."""
    report = Report()
    kind = max(RESOURCE_KINDS, key=lambda kind: kind.recognise(source.value))
    entries = [*entries_in(source, kind.recognise, "ces-resource", report)]
    if kind.listed in (APPS, VERSIONS):
        for entry in entries:
            yield from app_items(_app(entry), source, report)
    else:
        stem = source.stem or "resource"
        yield Suite(
            stem,
            agents=agents_of(loose_parts(kind.listed, entries), report),
            personas=tuple(_personas(kind, entries)),
            extras=tuple(_extras(kind, entries)),
            place=source.place,
        )
        yield Holds(kind.folder, len(entries))
    yield from report.drain()


def _app(fields: Fields) -> Parts:
    """An app as it stands in a list, or as a version of it keeps it with all of its resources."""
    snapshot = fields.object("snapshot")
    if snapshot is None:
        return Parts(fields, place=fields.place, is_whole=False)
    return listed_parts(snapshot, snapshot.object("app") or fields)


def _personas(kind: ResourceKind, entries: list[Fields]) -> Iterator[Persona]:
    if kind.folder == PERSONAS:
        for entry in entries:
            yield Persona(_title(entry), entry.text("personality") or "", entry.value, entry.place)


def _extras(kind: ResourceKind, entries: list[Fields]) -> Iterator[Extra]:
    """Tools as they are declared to a model too; agents and personas are shown elsewhere."""
    for entry in entries:
        if kind.listed == TOOLS:
            (part,) = loose_parts(TOOLS, (entry,)).resources
            yield Extra(f"{part.title}, declared", declaration(part, loose_parts(TOOLS, ())), entry.place)
        if kind.listed != AGENTS and kind.folder != PERSONAS:
            yield Extra(f"{kind.folder}/{_title(entry)}", entry.value, entry.place)


def _title(fields: Fields) -> str:
    return fields.text("display_name") or (fields.text("name") or "").rpartition("/")[2]


IMPLEMENTATION = Implementation(read=read)
