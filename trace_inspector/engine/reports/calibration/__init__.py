"""Reports of calibrations: how far a judge agrees with people, as lines, JSON and a page. REPORTS lists the files."""

from __future__ import annotations

from collections.abc import Sequence

from trace_inspector.engine.calibration.calibration import Calibration
from trace_inspector.engine.reports.report import Report


def _html(calibrations: Sequence[Calibration], findings: Sequence[str]) -> str:
    from trace_inspector.engine.reports.calibration.as_html import write

    return write(calibrations, findings)


REPORTS: tuple[Report[[Sequence[Calibration], Sequence[str]]], ...] = (
    Report("html", "calibration.html", "text/html", _html),
)
