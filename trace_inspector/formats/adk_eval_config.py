"""ADK eval configurations: `adk-eval-config`, the criteria of a run."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.contents import Holds, Item
from trace_inspector.core.criteria import Criteria, Criterion
from trace_inspector.core.finding import error, info, warning
from trace_inspector.core.pointer import join
from trace_inspector.core.values import Json, JsonObject
from trace_inspector.formats import adk_shapes as shapes
from trace_inspector.formats.adk_eval_config_writer import write
from trace_inspector.formats.format import Format, Source
from trace_inspector.formats.lenient import Fields, Report, check, kind_of, number_of


def recognise(value: Json) -> int:
    """An object whose `criteria` map metrics to numbers or to objects with a threshold."""
    if not isinstance(value, dict):
        return 0
    criteria = value.get("criteria")
    if isinstance(criteria, list):  # nothing ADK reads, but named and laid out like its file: say what is wrong
        return 30 if len(value) == 1 and all(isinstance(item, dict) for item in criteria) else 0
    if not isinstance(criteria, dict):
        return 0
    if not criteria:
        return 50
    fitting = sum(_threshold(raw) is not None for raw in criteria.values())
    return 85 if fitting == len(criteria) else 60 if fitting else 0


def read(source: Source) -> Iterator[Item]:
    """The criteria in their order."""
    fields = Fields(source.value if isinstance(source.value, dict) else {}, "")
    report = Report()
    check(fields, shapes.EVAL_CONFIG, report)
    listed = fields.object("criteria")
    items = []
    for metric, raw in (listed.value if listed else {}).items():
        items.append(_criterion(metric, raw, join(fields.at("criteria"), metric), report))
    yield Criteria(tuple(items), source.name)
    yield Holds("criteria", len(items))
    for name in ("custom_metrics", "user_simulator_config"):
        if fields.object(name) is not None:
            message = f"“{fields.key(name)}” is kept in the file, and not used here."
            report.add(info("not-used", message, fields.at(name)))
    yield from report.drain()


def _criterion(metric: str, raw: Json, place: str, report: Report) -> Criterion:
    threshold = _threshold(raw)
    if threshold is None:
        message = f"“{metric}” should be a number or an object with a threshold, not {kind_of(raw)}."
        if isinstance(raw, dict):
            message = f"“{metric}” has no usable threshold; google-adk 2.13 rejects the file."
        report.add(error("bad-threshold", message, place))
    options: JsonObject = {}
    if isinstance(raw, dict):
        options = {key: value for key, value in raw.items() if key != "threshold"}
        _report_endpoints(raw, place, report)
    return Criterion(metric, threshold, options, place)


def _threshold(raw: Json) -> float | None:
    if isinstance(raw, dict):
        raw = raw.get("threshold")
    return float(raw) if isinstance(raw, bool) else number_of(raw)


def _report_endpoints(raw: JsonObject, place: str, report: Report) -> None:
    judge = Fields(raw, place).object("judge_model_options")
    for fields in (Fields(raw, place), *([judge] if judge else [])):
        for key in fields.value.keys() & shapes.ENDPOINT_KEYS:
            message = f"“{key}” is ignored: a file never chooses where a judge's calls go."
            report.add(warning("endpoint-in-file", message, join(fields.place, key)))


FORMAT = Format(
    name="adk-eval-config",
    title="ADK eval configuration",
    holds="criteria: metrics with thresholds and options",
    recognise=recognise,
    read=read,
    write=write,
    edits=True,
)
