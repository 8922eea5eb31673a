"""CES's evaluation datasets: `ces-dataset`, the names of evaluations that are run together."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.finding import error, info
from trace_inspector.core.golden.golden import Suite
from trace_inspector.core.rows.contents import Holds, Item
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import Json
from trace_inspector.formats.ces.common import evaluation_shapes as shapes
from trace_inspector.formats.ces.common.evaluation_entries import entries_in, least_sure
from trace_inspector.formats.common.extras import extras_of
from trace_inspector.formats.common.fields import Fields, Report, check, kind_of
from trace_inspector.formats.common.format import Format, Source

LISTED = "evaluation_datasets"
_OF_ANOTHER = ("state", "evaluation_results", "evaluation_type", "progress", "golden", "scenario")


def recognise(value: Json) -> int:
    """An object with the names of evaluations, a list of them, or the service's reply with such a list."""
    return least_sure(value, LISTED, _score)


def _score(fields: Fields) -> int:
    parts = (fields.text("name") or "").split("/")
    if len(parts) > 1 and parts[-2] == "evaluationDatasets":
        return 92
    listed = fields.get("evaluations")
    is_named = isinstance(listed, list) and all(isinstance(one, str) for one in listed)
    if not is_named or any(fields.key(name) for name in _OF_ANOTHER):
        return 0
    return 75 if fields.key("display_name") else 0


def read(source: Source) -> Iterator[Item]:
    """A suite without cases for each: what it names stands in files of its own."""
    report = Report()
    stem = source.name.split(".", maxsplit=1)[0] or "dataset"
    named = 0
    for index, fields in enumerate(entries_in(source, LISTED, _score, FORMAT.name, report)):
        source.tick()
        check(fields, shapes.DATASET, report)
        named += _count(fields, report)
        shown = fields.text("display_name") or ""
        name = (fields.text("name") or "").rpartition("/")[2] or shown or (f"{stem} {index + 1}" if index else stem)
        yield Suite(name, shown, extras=extras_of(fields, "name", "display_name"), place=fields.place)
    yield Holds("evaluations", named)
    are = "1 evaluation is" if named == 1 else f"{named} evaluations are"
    message = f"{are} named here. Open the folder of their app to see what is in them."
    report.add(info("named-only", message, source.place))
    yield from report.drain()


def _count(fields: Fields, report: Report) -> int:
    """How many evaluations it names; each should be a name."""
    listed = fields.get("evaluations")
    names = listed if isinstance(listed, list) else []
    for index, name in enumerate(names):
        if not isinstance(name, str):
            message = f"An evaluation should be given by its name, not as {kind_of(name)}."
            report.add(error("wrong-type", message, join(fields.at("evaluations"), index)))
    return sum(isinstance(name, str) for name in names)


FORMAT = Format(
    name="ces-dataset",
    title="CES evaluation dataset",
    system="CES",
    short="evaluation datasets",
    holds="the names of evaluations that are run together",
    recognise=recognise,
    read=read,
)
