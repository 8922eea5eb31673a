"""Forms for the settings of each metric: thresholds, options, defaults and needs, as plain values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from trace_inspector.core.trace.criterion_form import FLAG, NUMBER, OTHER, TEXT, WHOLE, WORD, MetricForm, OptionForm
from trace_inspector.core.values.values import JsonObject
from trace_inspector.engine.metrics import all_metrics
from trace_inspector.engine.scoring.metric import Metric

_KINDS = {"boolean": FLAG, "integer": WHOLE, "number": NUMBER, "string": TEXT}
_NESTED = "judge_model_options"
_LEFT_OUT = ("rubrics", "parallelism_limit")  # has a table of its own; has no effect here


def metric_forms() -> tuple[MetricForm, ...]:
    """Every metric, ours first."""
    return tuple(_form(metric) for metric in all_metrics())


def _form(metric: Metric) -> MetricForm:
    schema = metric.parameters.model_json_schema(by_alias=False) if metric.parameters else {}
    return MetricForm(
        metric.name,
        metric.title,
        metric.family,
        metric.meaning,
        tuple(sorted(metric.needs)),
        metric.range,
        metric.default_threshold,
        metric.informational,
        tuple(_options(schema, schema.get("$defs", {}), ())),
        "rubrics" in metric.options,
        metric.has_parts,
    )


def _options(schema: JsonObject, shared: Mapping[str, JsonObject], path: tuple[str, ...]) -> Iterator[OptionForm]:
    properties = schema.get("properties")
    for name, raw in (properties if isinstance(properties, dict) else {}).items():
        field = raw if isinstance(raw, dict) else {}
        kind = _resolved(field, shared)
        if name in _LEFT_OUT:
            continue
        if name == _NESTED:
            yield from _options(kind, shared, (*path, name))
        else:
            yield _option((*path, name), field, kind)


def _option(path: tuple[str, ...], field: JsonObject, kind: JsonObject) -> OptionForm:
    words = kind.get("enum")
    named = kind.get("type")
    default = field.get("default")
    title = path[-1].replace("_", " ")
    if path[-1] == "match_type":  # an enumeration by number, which files name
        return OptionForm(path, title, WORD, "EXACT", ("EXACT", "IN_ORDER", "ANY_ORDER"))
    if isinstance(words, list):
        return OptionForm(path, title, WORD, default, tuple(map(str, words)))
    least = kind.get("minimum")
    option_kind = _KINDS.get(named, OTHER) if isinstance(named, str) else OTHER
    return OptionForm(path, title, option_kind, default, least=least if isinstance(least, int | float) else None)


def _resolved(field: JsonObject, shared: Mapping[str, JsonObject]) -> JsonObject:
    """What a field is: itself, what it refers to, or what it is when it is not left out."""
    ref, either = field.get("$ref"), field.get("anyOf")
    if isinstance(ref, str):
        return shared.get(ref.rpartition("/")[2], {})
    kinds = [kind for kind in either if isinstance(kind, dict)] if isinstance(either, list) else []
    stated = [kind for kind in kinds if kind.get("type") != "null"]
    return _resolved(stated[0], shared) if len(stated) == 1 else field
