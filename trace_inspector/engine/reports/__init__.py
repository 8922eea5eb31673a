"""One file per report. REPORTS is the one list; reports that are file formats are written by those formats."""

from __future__ import annotations

from trace_inspector.engine.reports import as_csv, ces, github, html, junit, markdown
from trace_inspector.engine.reports.report import Report

REPORTS: tuple[Report, ...] = (junit.REPORT, html.REPORT, markdown.REPORT, as_csv.REPORT, github.REPORT, ces.REPORT)
