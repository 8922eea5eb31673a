"""Results of agentevals as `run -o json` and its server give them: `agentevals-results`, trace by trace."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.finding import warning
from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.trace.trace import Trace
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, Provenance, Status
from trace_inspector.formats.common.extras import stated_extras
from trace_inspector.formats.common.fields import Fields, Report, fields_of, number_of
from trace_inspector.formats.common.format import Implementation, Source

_STATUSES = {
    "PASSED": Status.PASSED,
    "FAILED": Status.FAILED,
    "NOT_EVALUATED": Status.NOT_EVALUATED,
    "INFORMATIONAL": Status.INFORMATIONAL,
    "ERROR": Status.ERROR,
}
_LISTS = (("traces", "metrics"), ("trace_results", "metric_results"))
_OF_A_METRIC = (
    "metric_name", "score", "eval_status", "per_invocation_scores", "duration_ms", "error", "details",
)  # fmt: skip
_MOST_ERRORS = 20
_MOST_TURNS = 40
# The worst of several decides; what was not evaluated decides nothing.
_DECIDING = (Status.FAILED, Status.ERROR, Status.PASSED)


def read(source: Source) -> Iterator[Item]:
    """Each trace by its id, without turns, with what is reported of it."""
    fields = fields_of(source.value, source.place)
    report = Report()
    run = stated_extras(fields, "traces", "trace_results", "errors")
    for traces, metrics in _LISTS:
        for result in report.bounded(fields, traces):
            source.tick()
            extras = stated_extras(result, "trace_id", metrics)
            trace = Trace(result.text("trace_id") or result.place, extras=(*extras, *run), place=result.place)
            yield trace
            yield _verdict(trace, report.bounded(result, metrics))
    errors = fields.get("errors")
    for index, words in enumerate(errors[:_MOST_ERRORS] if isinstance(errors, list) else ()):
        told = one_line(str(words), 300)
        report.add(warning("run-failed", f"The run reports: {told}.", f"{fields.pointer('errors')}/{index}"))
    yield from report.drain()


def _verdict(trace: Trace, listed: list[Fields]) -> CaseVerdict:
    metrics = tuple(_metric(fields) for fields in listed)
    stated = {metric.status for metric in metrics}
    return CaseVerdict(
        "",
        "",
        trace.id,
        next((status for status in _DECIDING if status in stated), Status.NOT_EVALUATED),
        metrics,
        trace_place=trace.place,
        extras=tuple(
            Extra(f"{fields.text('metric_name') or 'metric'}: {extra.name}", extra.value, extra.place)
            for fields in listed
            for extra in (*stated_extras(fields, *_OF_A_METRIC), *_details(fields))
        ),
    )


def _details(fields: Fields) -> Iterator[Extra]:
    details = fields.mapping("details")
    if details:
        yield Extra("details", details, fields.pointer("details"))


def _metric(fields: Fields) -> MetricVerdict:
    stated = (fields.text("eval_status") or "").upper()
    return MetricVerdict(
        fields.text("metric_name") or "metric",
        fields.number("score"),
        Status.ERROR if fields.text("error") else _STATUSES.get(stated, Status.NOT_EVALUATED),
        reason=fields.text("error") or "",
        provenance=Provenance.REPORTED,
        figures=tuple(_figures(fields)),
    )


def _figures(fields: Fields) -> Iterator[tuple[str, float | None]]:
    """How long the metric took, and its scores turn by turn."""
    took = fields.number("duration_ms")
    if took is not None:
        yield "duration in ms", took
    scores = fields.get("per_invocation_scores")
    for index, score in enumerate(scores[:_MOST_TURNS] if isinstance(scores, list) else ()):
        if (number := number_of(score)) is not None:
            yield f"turn {index + 1}", number


IMPLEMENTATION = Implementation(read=read)
