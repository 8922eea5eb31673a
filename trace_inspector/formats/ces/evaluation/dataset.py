"""CES's evaluation datasets: `ces-dataset`, the names of evaluations that are run together."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.finding import error, info
from trace_inspector.core.golden.golden import Suite
from trace_inspector.core.rows.contents import Holds, Item
from trace_inspector.core.values.pointer import join
from trace_inspector.formats.ces.common import evaluation_schemas as schemas
from trace_inspector.formats.ces.common.evaluation_entries import entries_in
from trace_inspector.formats.ces.common.recognisers import DATASETS
from trace_inspector.formats.common.extras import extras_of
from trace_inspector.formats.common.fields import Fields, Report, kind_of
from trace_inspector.formats.common.format import Implementation, Source
from trace_inspector.formats.common.schema import check


def read(source: Source) -> Iterator[Item]:
    """A suite without cases for each: what it names stands in files of its own."""
    report = Report()
    stem = source.stem or "dataset"
    named = 0
    for index, fields in enumerate(entries_in(source, DATASETS, "ces-dataset", report)):
        source.tick()
        check(fields, schemas.DATASET, report)
        named += _count(fields, report)
        shown = fields.text("display_name") or ""
        name = (fields.text("name") or "").rpartition("/")[2] or shown or (f"{stem} {index + 1}" if index else stem)
        yield Suite(name, shown, extras=extras_of(fields, "name", "display_name"), place=fields.place)
    yield Holds("evaluations", named)
    are = "1 evaluation is" if named == 1 else f"{named} evaluations are"
    message = f"{are} named, but not in this file. Open the folder of their app to see them."
    report.add(info("named-only", message, source.place))
    yield from report.drain()


def _count(fields: Fields, report: Report) -> int:
    """How many evaluations it names; each should be a name."""
    listed = fields.get("evaluations")
    names = listed if isinstance(listed, list) else []
    for index, name in enumerate(names):
        if not isinstance(name, str):
            message = f"An evaluation should be given by its name (a text), not as {kind_of(name)}."
            report.add(error("wrong-type", message, join(fields.pointer("evaluations"), index)))
    return sum(isinstance(name, str) for name in names)


IMPLEMENTATION = Implementation(read=read)
