"""agent-eval's summaries: `agent-eval-summary`, the scores of a run question by question, and their averages."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator

from trace_inspector.core.contents import Holds, Item
from trace_inspector.core.finding import Finding, warning
from trace_inspector.core.pointer import join
from trace_inspector.core.trace import Trace
from trace_inspector.core.values import Json
from trace_inspector.core.verdict import CaseVerdict, MetricVerdict, Provenance, Status
from trace_inspector.formats.agent_eval_cells import extras_in, name_in
from trace_inspector.formats.agent_eval_verdicts import figures_of, reported_name, result_of
from trace_inspector.formats.format import Format, Source
from trace_inspector.formats.lenient import Fields, Report, number_of
from trace_inspector.formats.vertex_verdicts import overall

_READ = ("question_id", "deterministic_metrics", "llm_metrics")
_OF_A_RUN = ("experiment_id", "run_type", "test_description", "interaction_datetime")


def recognise(value: Json) -> int:
    """An object with an overall summary, or one question by question."""
    fields = Fields(value if isinstance(value, dict) else {}, "")
    has_all, has_each = fields.object("overall_summary"), isinstance(fields.get("per_question_summary"), list)
    if has_all is not None and (has_each or has_all.key("llm_based_metrics") or has_all.key("deterministic_metrics")):
        return 95
    return 80 if has_each and fields.key("experiment_id") else 0


def read(source: Source) -> Iterator[Item]:
    """Each question as a trace without turns, with what is reported of it."""
    fields = Fields(source.value if isinstance(source.value, dict) else {}, source.place)
    report = Report()
    run = tuple(extra for extra in extras_in(fields, ("overall_summary", "per_question_summary")))
    scores: dict[str, list[float]] = defaultdict(list)
    for index, question in enumerate(report.bounded(fields, "per_question_summary")):
        source.tick()
        case_id = name_in(question, "question_id") or f"question {index + 1}"
        extras = (*extras_in(question, _READ), *run)
        trace = Trace(f"{case_id} ({index + 1})", case_id=case_id, extras=extras, place=question.place)
        metrics = (*_computed(question), *_judged(question, report))
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
    averages = list(_averages(fields))
    yield Holds("averages", len(averages))
    report.take(_differing(averages, scores))
    yield from report.drain()


def _computed(question: Fields) -> Iterator[MetricVerdict]:
    """Metrics of which only the details stand here: figures without a score, unless one is called so."""
    listed = question.object("deterministic_metrics")
    for name, value in (listed.value if listed else {}).items():
        details = value if isinstance(value, dict) else {"score": value}
        score = number_of(details.get("score"))
        yield MetricVerdict(
            reported_name(name),
            score,
            Status.INFORMATIONAL,
            provenance=Provenance.REPORTED,
            figures=tuple(figures_of({key: one for key, one in details.items() if key != "score"})),
        )


def _judged(question: Fields, report: Report) -> Iterator[MetricVerdict]:
    listed = question.object("llm_metrics")
    for name, value in (listed.value if listed else {}).items():
        yield result_of(name, value, join(question.at("llm_metrics"), name), "", report)


def _averages(fields: Fields) -> Iterator[tuple[str, float, str]]:
    """Each average with the name of its metric and its place."""
    overall_summary = fields.object("overall_summary")
    for kind in ("llm_based_metrics", "deterministic_metrics"):
        listed = overall_summary.object(kind) if overall_summary else None
        for name, value in (listed.value if listed else {}).items():
            stated = value.get("average") if isinstance(value, dict) else value
            average = number_of(stated)
            if listed is not None and average is not None:
                yield name, average, join(listed.place, name)


def _differing(averages: list[tuple[str, float, str]], scores: dict[str, list[float]]) -> Iterator[Finding]:
    """Averages that the scores of the questions do not bear out."""
    for name, stated, place in averages:
        found = scores.get(name, [])
        mean = sum(found) / len(found) if found else stated
        if not math.isclose(stated, mean, rel_tol=1e-3, abs_tol=5e-3):  # they may be rounded
            message = f"The summary of “{name}” says {stated:g} on average; the questions here give {mean:g}."
            yield warning("summary-differs", message, place)


FORMAT = Format(
    name="agent-eval-summary",
    title="agent-eval summary",
    system="agent-eval",
    short="summaries of evaluations",
    holds="reported scores question by question, and their averages",
    recognise=recognise,
    read=read,
)
