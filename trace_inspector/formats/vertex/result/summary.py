"""Summaries of Vertex's results held against the scores that they are made of."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from trace_inspector.core.finding import Finding, warning
from trace_inspector.core.trace.trace import Trace
from trace_inspector.core.verdict.score_statistics import score_statistics, win_rates
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, Provenance, Status
from trace_inspector.formats.common.fields import Fields, count_of, number_of

_FIGURES = (
    "num_cases_total", "num_cases_valid", "num_cases_error", "stdev_score", "stdev", "pass_rate", "min", "max",
)  # fmt: skip
_WHOLE = "all cases"


def alone(fields: Fields, suite_id: str) -> Iterator[Trace | CaseVerdict]:
    """The summary as the scores of all cases together, where the cases themselves are left out."""
    listed = fields.objects("summary_metrics")
    if not listed or fields.key("eval_case_results"):
        return
    metrics = []
    for summary in listed:
        score = next(
            (number for name in ("mean_score", "mean") if (number := summary.number(name)) is not None), None
        )
        figures = [(name, number) for name in _FIGURES if (number := summary.number(name)) is not None]
        status = Status.NOT_EVALUATED if score is None else Status.INFORMATIONAL
        name = summary.text("metric_name") or ""
        metrics.append(MetricVerdict(name, score, status, provenance=Provenance.REPORTED, figures=tuple(figures)))
    place = fields.pointer("summary_metrics")
    yield Trace(_WHOLE, case_id=_WHOLE, suite_id=suite_id, place=place)
    yield CaseVerdict(_WHOLE, suite_id, _WHOLE, Status.INFORMATIONAL, tuple(metrics), trace_place=place)


def differing(
    fields: Fields, metrics: Sequence[MetricVerdict], cases: Sequence[Sequence[CaseVerdict]]
) -> Iterator[Finding]:
    """What the scores do not bear out, counted as the SDK counts them: over all responses of all cases."""
    for summary in fields.objects("summary_metrics"):
        name = summary.text("metric_name") or ""
        scored = [_valid(metric) for metric in metrics if metric.metric == name]
        if scored:
            yield from _summary(summary, name, scored)
    rates = fields.object("win_rates")
    for name in rates.value if rates is not None else ():
        stated = rates.object(name) if rates is not None else None
        if stated is not None:
            yield from _rates(stated, name, cases)


def _valid(metric: MetricVerdict) -> float | None:
    return None if metric.status is Status.ERROR else metric.score


def _summary(summary: Fields, name: str, scored: Sequence[float | None]) -> Iterator[Finding]:
    statistics = score_statistics(scored)
    figures = (
        ("mean_score", statistics.mean, "on average"),
        ("stdev_score", statistics.stdev, "as the deviation"),
        ("pass_rate", statistics.pass_rate, "as the share that passes"),
    )
    for key, figure, words in figures:
        stated = summary.number(key)
        if stated is not None and not _same(stated, figure):
            shown = "no such figure" if figure is None else f"{figure:g}"
            message = f"The summary of “{name}” says {stated:g} {words}; the cases here give {shown}."
            yield warning("summary-differs", message, summary.pointer(key))
    for key, count, words in (
        ("num_cases_total", statistics.total, "cases"),
        ("num_cases_valid", statistics.valid, "valid cases"),
        ("num_cases_error", statistics.errors, "failed cases"),
    ):
        stated_count = count_of(summary.get(key))
        if stated_count is not None and stated_count != count:
            message = f"The summary of “{name}” counts {stated_count} {words}; here there are {count}."
            yield warning("summary-differs", message, summary.pointer(key))


def _rates(stated: Fields, name: str, cases: Sequence[Sequence[CaseVerdict]]) -> Iterator[Finding]:
    most = max((len(verdicts) for verdicts in cases), default=0)
    scores = [[_score(verdict, name) for verdict in verdicts] for verdicts in cases]
    rates = win_rates(scores, most)
    if rates is None:
        return
    listed = stated.get("win_rates")
    wins = [number_of(number) for number in listed] if isinstance(listed, list) else [*rates.wins]
    ties = stated.number("tie_rate") if stated.key("tie_rate") else rates.ties
    if len(wins) == most and all(map(_same, (*wins, ties), (*rates.wins, rates.ties))):
        return
    shown = ", ".join(f"{rate:g}" for rate in rates.wins)
    message = (
        f"The win rates of “{name}” do not follow from the scores here, which give {shown} and {rates.ties:g} ties."
    )
    yield warning("summary-differs", message, stated.place)


def _score(verdict: CaseVerdict, name: str) -> float | None:
    return next((metric.score for metric in verdict.metrics if metric.metric == name), None)


def _same(first: float | None, other: float | None) -> bool:
    return first is not None and other is not None and math.isclose(first, other, rel_tol=1e-6, abs_tol=1e-9)
