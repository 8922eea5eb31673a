"""ADK eval configurations: `adk-eval-config`, the criteria of a run."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.finding import error, warning
from trace_inspector.core.rows.contents import Holds, Item
from trace_inspector.core.trace.criteria import Criteria, Criterion
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.adk.common import schemas
from trace_inspector.formats.adk.common.recognisers import threshold_of
from trace_inspector.formats.adk.eval_set.eval_config_checks import check_name, check_options, check_rest
from trace_inspector.formats.adk.eval_set.eval_config_writer import write
from trace_inspector.formats.common.fields import Fields, Report, fields_of, kind_of
from trace_inspector.formats.common.format import Implementation, Source
from trace_inspector.formats.common.schema import check


def read(source: Source) -> Iterator[Item]:
    """The criteria in their order."""
    fields = fields_of(source.value, "")
    report = Report()
    check(fields, schemas.EVAL_CONFIG, report)
    listed = fields.object("criteria")
    custom = frozenset(fields.mapping("custom_metrics") or {})
    items = []
    for metric, raw in (listed.value if listed else {}).items():
        place = join(fields.pointer("criteria"), metric)
        check_name(metric, custom, place, report)
        items.append(_criterion(metric, raw, place, report))
    yield Criteria(tuple(items), source.name)
    yield Holds("criteria", len(items))
    check_rest(fields, report)
    yield from report.drain()


def _criterion(metric: str, raw: Json, place: str, report: Report) -> Criterion:
    threshold = threshold_of(raw)
    if threshold is None:
        report.add(error("bad-threshold", _why_not(metric, raw), place))
    options: JsonObject = {}
    if isinstance(raw, dict):
        options = {key: value for key, value in raw.items() if key != "threshold"}
        _report_endpoints(raw, place, report)
        check_options(Fields(raw, place), report)
    return Criterion(metric, threshold, options, place)


def _why_not(metric: str, raw: Json) -> str:
    """What is wrong with a criterion, and what to write."""
    stated = raw.get("threshold") if isinstance(raw, dict) else raw
    if isinstance(stated, int | float):
        return (
            f"The threshold of “{metric}” is not a finite number, so no score can be compared with it. Write a "
            "number."
        )
    if not isinstance(raw, dict):
        return f"“{metric}” should be a number or an object with a “threshold”, not {kind_of(raw)}."
    if "threshold" not in raw:
        empty = "is empty" if not raw else "has no “threshold”"
        return f"“{metric}” {empty}; google-adk 2.13 rejects the file. Give it a “threshold”, a number."
    return f"The threshold of “{metric}” is {kind_of(stated)}; google-adk 2.13 rejects the file. Write a number."


def _report_endpoints(raw: JsonObject, place: str, report: Report) -> None:
    fields: Fields | None = Fields(raw, place)
    for inside in ("judge_model_options", "judge_model_config", "http_options", ""):
        if fields is None:
            return
        for key in fields.value.keys() & schemas.ENDPOINT_KEYS:
            message = f"“{key}” is ignored, because a file may not choose where a judge's calls are sent."
            report.add(warning("endpoint-in-file", message, join(fields.place, key)))
        fields = fields.object(inside) if inside else None


IMPLEMENTATION = Implementation(read=read, write=write)
