"""Times of tools, models, guardrails and callbacks: mean and percentiles by kind and name (reference A4, A6)."""

from __future__ import annotations

import math

from trace_inspector.core.trace.trace import Span, SpanKind, Trace, Turn
from trace_inspector.core.verdict.verdict import CaseVerdict, RunVerdict, Status
from trace_inspector.engine.reports import html
from trace_inspector.engine.reports.html import WorkTimes, work_times
from trace_inspector.engine.reports.sources import Sources


def span(name: str, kind: SpanKind, seconds: float | None) -> Span:
    return Span(name, name, kind, duration_s=seconds)


def traced(*spans: Span) -> Trace:
    return Trace("t", (Turn(0, spans=spans),))


def test_percentiles_are_values_that_were_measured() -> None:
    lines = work_times([traced(*(span("find", SpanKind.TOOL, at / 10) for at in range(1, 101)))])
    assert lines == (WorkTimes("tool", "find", 100, lines[0].mean_s, ((50, 5.0), (90, 9.0), (99, 9.9))),)
    assert math.isclose(lines[0].mean_s, 5.05)


def test_kinds_and_names_are_kept_apart_and_the_slowest_comes_first() -> None:
    one = traced(span("find", SpanKind.TOOL, 1.0), span("guardrail leaks", SpanKind.OTHER, 0.5))
    other = traced(span("gemini", SpanKind.MODEL, 2.0), span("callback before", SpanKind.OTHER, 0.1))
    assert [(line.kind, line.name, line.count) for line in work_times([one, other, one])] == [
        ("model", "gemini", 1),
        ("tool", "find", 2),
        ("guardrail", "guardrail leaks", 2),
        ("callback", "callback before", 1),
    ]


def test_what_is_no_work_or_has_no_time_is_left_out() -> None:
    silent = traced(
        span("find", SpanKind.TOOL, None),
        span("find", SpanKind.TOOL, math.inf),
        span("GET /", SpanKind.PLUMBING, 1.0),
        span("other", SpanKind.OTHER, 1.0),
    )
    assert work_times([silent]) == ()


def test_the_page_has_a_table_of_them_and_none_without() -> None:
    case = CaseVerdict("c", "", "t", Status.PASSED)
    run = RunVerdict("r", Status.PASSED, 0.0, "", "c", (case, case))
    key = ("", "", "t")
    page = html.write(run, Sources(traces={key: traced(span("<find>", SpanKind.TOOL, 0.25))}))
    assert "<h2>Durations of single steps</h2>" in page
    figures = '<td class="figure">1</td><td class="figure">0.25 s</td>'
    assert f"<td>tool</td><td><bdi>&lt;find&gt;</bdi></td>{figures}" in page
    assert "Durations of single steps" not in html.write(run, Sources(traces={key: traced()}))
