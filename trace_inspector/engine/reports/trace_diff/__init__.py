"""Reports of what `diff` finds in files, and REPORTS with a row for each. Imports trace_grid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trace_inspector.engine.reports.report import Report

if TYPE_CHECKING:
    from trace_inspector.engine.trace_grid.comparison import Differences


def _html(differences: Differences) -> str:
    from trace_inspector.engine.reports.trace_diff.as_html import write

    return write(differences)


def _markdown(differences: Differences) -> str:
    from trace_inspector.engine.reports.trace_diff.as_markdown import write

    return write(differences)


def _json(differences: Differences) -> str:
    from trace_inspector.engine.reports.trace_diff.as_json import write

    return write(differences)


REPORTS: tuple[Report[[Differences]], ...] = (
    Report("html", "differences.html", "text/html", _html),
    Report("markdown", "differences.md", "text/markdown", _markdown),
    Report("json", "differences.json", "application/json", _json),
)
