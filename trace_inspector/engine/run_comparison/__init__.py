"""Two runs of the same cases compared: what got better or worse, how sure that is, and its reports in REPORTS."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trace_inspector.engine.reports.report import Report

if TYPE_CHECKING:
    from trace_inspector.engine.run_comparison.comparison import RunsCompared


def _html(compared: RunsCompared) -> str:
    from trace_inspector.engine.run_comparison.as_html import write

    return write(compared)


def _markdown(compared: RunsCompared) -> str:
    from trace_inspector.engine.run_comparison.as_markdown import write

    return write(compared)


def _comment(compared: RunsCompared) -> str:
    from trace_inspector.engine.run_comparison.as_markdown import write_comment

    return write_comment(compared)


def _json(compared: RunsCompared) -> str:
    from trace_inspector.engine.run_comparison.as_json import write

    return write(compared)


REPORTS: tuple[Report[[RunsCompared]], ...] = (
    Report("html", "two-runs.html", "text/html", _html),
    Report("markdown", "two-runs.md", "text/markdown", _markdown),
    Report("comment", "comment.md", "text/markdown", _comment),
    Report("json", "two-runs.json", "application/json", _json),
)
