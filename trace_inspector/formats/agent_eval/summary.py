"""agent-eval's summaries: `agent-eval-summary`, the scores of a run question by question, and their averages."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator

from trace_inspector.core.finding import Finding, error, warning
from trace_inspector.core.rows.contents import Holds, Item
from trace_inspector.core.trace.trace import Trace
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.pointer import join
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, Provenance, Status
from trace_inspector.formats.agent_eval.cells import extras_in, name_in
from trace_inspector.formats.agent_eval.checks import Advising, check_stated
from trace_inspector.formats.agent_eval.schemas import SUMMARY
from trace_inspector.formats.agent_eval.verdicts import (
    all_figures,
    beside_result,
    figures_of,
    reported_name,
    result_of,
)
from trace_inspector.formats.common.fields import Fields, Report, fields_of, number_of
from trace_inspector.formats.common.format import Implementation, Source
from trace_inspector.formats.vertex.common.verdicts import overall

_READ = ("question_id", "deterministic_metrics", "llm_metrics")
_JUDGED = "llm_based_metrics"


def read(source: Source) -> Iterator[Item]:
    """Each question as a trace without turns, with what is reported of it."""
    fields = fields_of(source.value, source.place)
    report = Report()
    check_stated(fields, SUMMARY, report)
    run = tuple(extras_in(fields, ("per_question_summary",)))
    scores: dict[str, list[float]] = defaultdict(list)
    for index, question in enumerate(report.bounded(fields, "per_question_summary")):
        source.tick()
        case_id = name_in(question, "question_id") or f"question {index + 1}"
        extras = (*extras_in(question, _READ), *_beside(question), *run)
        trace = Trace(f"{case_id} ({index + 1})", case_id=case_id, extras=extras, place=question.place)
        metrics = (*_computed(question, report), *_judged(question, report))
        for metric in metrics:
            if metric.score is not None and metric.status is not Status.ERROR:
                scores[metric.metric].append(metric.score)
        yield trace
        yield CaseVerdict(
            case_id,
            "",
            trace.id,
            overall(metrics),
            metrics,
            trace_place=trace.place,
            provenance=Provenance.DERIVED,
        )
    averages = list(_averages(fields, report))
    yield Holds("averages", len(averages))
    report.take(_differing(averages, scores))
    yield from report.drain()


def _beside(question: Fields) -> Iterator[Extra]:
    """Details of metrics that are no numbers, and whatever else results say."""
    listed = question.object("deterministic_metrics")
    for name, value in (listed.value if listed else {}).items():
        if listed is not None and isinstance(value, dict) and not all_figures(value):
            yield Extra(f"{reported_name(name)}: details", value, join(listed.place, name))
    judged = question.object("llm_metrics")
    for name, value in (judged.value if judged else {}).items():
        if judged is not None and isinstance(value, dict):
            yield from beside_result(name, Fields(value, join(judged.place, name)))


def _computed(question: Fields, report: Report) -> Iterator[MetricVerdict]:
    """Metrics of which only the details stand here: figures without a score, unless one is called so."""
    listed = question.object("deterministic_metrics")
    for name, value in (listed.value if listed else {}).items():
        details = value if isinstance(value, dict) else {"score": value}
        score = number_of(details.get("score"))
        if score is None and details.get("score") not in (None, ""):
            place = join(question.pointer("deterministic_metrics"), name)
            Advising(report).add(error("wrong-type", f"“{name}” should be a number or an object of details.", place))
        yield MetricVerdict(
            reported_name(name),
            score,
            Status.INFORMATIONAL,
            provenance=Provenance.REPORTED,
            figures=tuple(figures_of({key: detail for key, detail in details.items() if key != "score"})),
        )


def _judged(question: Fields, report: Report) -> Iterator[MetricVerdict]:
    listed = question.object("llm_metrics")
    for name, value in (listed.value if listed else {}).items():
        yield result_of(name, value, join(question.pointer("llm_metrics"), name), "", report)


def _averages(fields: Fields, report: Report) -> Iterator[tuple[str, float, str]]:
    """Each average with the name of its metric and its place."""
    overall_summary = fields.object("overall_summary")
    for kind in (_JUDGED, "deterministic_metrics"):
        listed = overall_summary.object(kind) if overall_summary else None
        for name, value in (listed.value if listed else {}).items():
            stated = value.get("average") if isinstance(value, dict) else value
            average = number_of(stated)
            place = join(listed.place if listed else "", name)
            if average is not None:
                yield name, average, place
            elif value is not None and not isinstance(value, dict) and kind == _JUDGED:
                message = f"The average of “{name}” should be a number or an object."
                Advising(report).add(error("wrong-type", message, place))


def _differing(averages: list[tuple[str, float, str]], scores: dict[str, list[float]]) -> Iterator[Finding]:
    """Averages that the scores of the questions do not bear out."""
    for name, stated, place in averages:
        values = scores.get(name, [])
        mean = sum(values) / len(values) if values else stated
        if not math.isclose(stated, mean, rel_tol=1e-3, abs_tol=5e-3):  # they may be rounded
            message = f"The summary of “{name}” says {stated:g} on average; the questions here give {mean:g}."
            yield warning("summary-differs", message, place)


IMPLEMENTATION = Implementation(read=read)
