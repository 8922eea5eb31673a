"""Runs, sets and analyses of losses of Vertex's service: `vertex-run`, what was run and what came of it."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.finding import info, warning
from trace_inspector.core.golden.golden import Suite
from trace_inspector.core.rows.contents import Holds, Item
from trace_inspector.core.trace.trace import Trace
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, Provenance, Status
from trace_inspector.formats.common.fields import Fields, Report, count_of, fields_of, number_of
from trace_inspector.formats.common.format import Implementation, Source
from trace_inspector.formats.vertex.common.content import beyond, check_word, status_text
from trace_inspector.formats.vertex.common.recognisers import LOSSES, RUN_LISTS, kind_of_run

_STATES = frozenset(
    {
        "STATE_UNSPECIFIED", "PENDING", "RUNNING", "SUCCEEDED", "FAILED", "CANCELLED", "INFERENCE",
        "GENERATING_RUBRICS", "GENERATING_LOSS_CLUSTERS",
    }
)  # fmt: skip
_RESULTS = ("evaluation_results", "evaluation_run_results")
_AVERAGE = "AVERAGE"
_WHOLE = "all items"


def read(source: Source) -> Iterator[Item]:
    """Each run, set and analysis under its name with all of its members; the items that they name are not in it."""
    report = Report()
    count = 0
    for fields in _entries(source, report):
        source.tick()
        kind = kind_of_run(fields)
        if not kind:
            message = (
                "This document is no run, set or analysis of losses, unlike others in this file; it is left out."
            )
            report.add(warning("not-recognised", message, fields.place))
            continue
        count += 1
        yield from _run(fields, source, report) if kind == "run" else [_suite(fields, source, report)]
    yield Holds("evaluation runs", count)
    yield from report.drain()


def _entries(source: Source, report: Report) -> list[Fields]:
    if isinstance(source.value, list):
        return report.bounded_list(source.value, source.place)
    whole = fields_of(source.value, source.place)
    if kind_of_run(whole):
        return [whole]
    return [entry for name in RUN_LISTS for entry in report.bounded(whole, name)]


def _run(fields: Fields, source: Source, report: Report) -> Iterator[Item]:
    check_word(fields, "state", _STATES, report)
    problem = status_text(fields)
    if problem:
        report.add(warning("run-failed", f"The run ended in an error: {problem}.", fields.pointer("error")))
    suite = _suite(fields, source, report)
    yield suite
    for name in _RESULTS:
        results = fields.object(name)
        summary = results.object("summary_metrics") if results is not None else None
        if summary is not None:
            yield from _summary(summary, suite.id)


def _suite(fields: Fields, source: Source, report: Report) -> Suite:
    results = next((inner for name in _RESULTS if (inner := fields.object(name)) is not None), None)
    owners = [owner for owner in (fields, results) if owner is not None]
    analyses = [analysis for owner in owners for name in LOSSES for analysis in report.bounded(owner, name)]
    if fields.key("clusters"):
        analyses.append(fields)
    clusters = [extra for analysis in analyses for extra in _clusters(analysis, report)]
    name = fields.text("name") or ""
    return Suite(
        id=name.rpartition("/")[2] or source.stem,
        name=fields.text("display_name") or "",
        extras=(*beyond(fields, "display_name", "clusters", *LOSSES), *clusters),
        place=fields.place,
    )


def _clusters(analysis: Fields, report: Report) -> Iterator[Extra]:
    """Each cluster of failures in a line: whose metric, what kind of loss, how many items."""
    config = analysis.object("config") or Fields({}, analysis.place)
    about = " of ".join(text for text in (config.text("metric"), config.text("candidate")) if text)
    for cluster in report.bounded(analysis, "clusters"):
        entry = cluster.object("taxonomy_entry") or Fields({}, cluster.place)
        kinds = " / ".join(text for key in ("l1_category", "l2_category") if (text := entry.text(key)))
        count, examples = count_of(cluster.get("item_count")), len(cluster.objects("examples"))
        if count is not None and examples > count:
            message = f"This cluster counts {count} items and shows {examples} of them."
            report.add(info("counts-differ", message, cluster.pointer("item_count")))
        items = "" if count is None else " (1 item)" if count == 1 else f" ({count} items)"
        title = kinds or cluster.text("cluster_id") or "cluster"
        yield Extra(f"loss{': ' + about if about else ''}: {title}{items}", cluster.value, cluster.place)


def _summary(summary: Fields, suite_id: str) -> Iterator[Item]:
    """The figures of each candidate, whose keys are CANDIDATE/METRIC/FIGURE."""
    metrics = summary.object("metrics")
    figures: dict[str, dict[str, list[tuple[str, float]]]] = {}
    for key, value in (metrics.value if metrics is not None else {}).items():
        number = number_of(value)
        if number is not None:
            rest, _, figure = key.rpartition("/")
            candidate, _, metric = rest.rpartition("/")
            figures.setdefault(candidate, {}).setdefault(metric or key, []).append((figure, number))
    counted = [(name, count_of(summary.get(name))) for name in ("total_items", "failed_items")]
    extras = tuple(Extra(name, count, summary.pointer(name)) for name, count in counted if count is not None)
    for candidate, of_candidate in figures.items():
        trace = Trace(
            f"{_WHOLE}, {candidate}" if candidate else _WHOLE,
            case_id=_WHOLE,
            suite_id=suite_id,
            candidate=candidate,
            extras=extras,
            place=metrics.place if metrics is not None else summary.place,
        )
        yield trace
        verdicts = tuple(
            MetricVerdict(
                metric,
                next((number for figure, number in listed if figure == _AVERAGE), None),
                Status.INFORMATIONAL,
                provenance=Provenance.REPORTED,
                figures=tuple((figure.lower(), number) for figure, number in listed if figure != _AVERAGE),
            )
            for metric, listed in of_candidate.items()
        )
        yield CaseVerdict(
            _WHOLE, suite_id, trace.id, Status.INFORMATIONAL, verdicts, trace_place=trace.place, candidate=candidate
        )


IMPLEMENTATION = Implementation(read=read)
