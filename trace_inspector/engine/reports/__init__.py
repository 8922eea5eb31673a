"""One file per report. REPORTS is the one list; reports that are file formats are written by those formats."""

from __future__ import annotations

from trace_inspector.core.verdict.verdict import RunVerdict
from trace_inspector.engine.reports.report import Report
from trace_inspector.engine.reports.sources import Sources


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


def _ces(run: RunVerdict, sources: Sources) -> str:
    from trace_inspector.engine.reports.ces import write

    return write(run, sources)


REPORTS = (
    Report("junit", "JUnit XML for build servers", _junit),
    Report("html", "One page to read, without scripts", _html),
    Report("markdown", "A table and the reasons, for a review or a job's summary", _markdown),
    Report("csv", "One line for each criterion of each case and turn", _csv),
    Report("github", "Annotations for a workflow's log", _github),
    Report("ces", "CES evaluation results", _ces),
)
