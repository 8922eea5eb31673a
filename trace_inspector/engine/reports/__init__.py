"""Reports of a run, one file each, and REPORTS with a row for each; file formats write those that are theirs."""

from __future__ import annotations

from typing import TypeAlias

from trace_inspector.core.verdict.verdict import RunVerdict
from trace_inspector.engine.reports.report import Report
from trace_inspector.engine.reports.sources import Sources

RunReport: TypeAlias = Report[[RunVerdict, Sources]]


def _junit(run: RunVerdict, sources: Sources) -> str:
    from trace_inspector.engine.reports.junit import write

    return write(run, sources)


def _html(run: RunVerdict, sources: Sources) -> str:
    from trace_inspector.engine.reports.html import write

    return write(run, sources)


def _markdown(run: RunVerdict, sources: Sources) -> str:
    from trace_inspector.engine.reports.markdown import write

    return write(run, sources)


def _csv(run: RunVerdict, sources: Sources) -> str:
    from trace_inspector.engine.reports.as_csv import write

    return write(run, sources)


def _github(run: RunVerdict, sources: Sources) -> str:
    from trace_inspector.engine.reports.github import write

    return write(run, sources)


def _sarif(run: RunVerdict, sources: Sources) -> str:
    from trace_inspector.engine.reports.sarif import write

    return write(run, sources)


def _otel(run: RunVerdict, sources: Sources) -> str:
    from trace_inspector.engine.reports.otel import write

    return write(run, sources)


def _ces(run: RunVerdict, sources: Sources) -> str:
    from trace_inspector.engine.reports.ces import write

    return write(run, sources)


REPORTS: tuple[RunReport, ...] = (
    Report("junit", "report.xml", "application/xml", _junit),
    Report("html", "report.html", "text/html", _html),
    Report("markdown", "report.md", "text/markdown", _markdown),
    Report("csv", "report.csv", "text/csv", _csv),
    Report("github", "annotations.txt", "text/plain", _github),
    Report("sarif", "report.sarif", "application/sarif+json", _sarif),
    Report("otel", "report.otlp.jsonl", "application/jsonl", _otel),
    Report("ces", "report.ces.json", "application/json", _ces),
)
