"""Reports of the comparison of two runs: the same as the command writes."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QFileDialog

from trace_inspector.core.translatable import N_
from trace_inspector.engine.reports.report import by_name
from trace_inspector.engine.run_comparison import REPORTS as OF_TWO_RUNS
from trace_inspector.models.base.translation import tr
from trace_inspector.views.widgets.palette import Entry
from trace_inspector.views.window_context.desk import Desk
from trace_inspector.views.window_context.reporting import ReportKind, last_folder

OF_RUNS = by_name(OF_TWO_RUNS)
REPORTS = {
    "html": ReportKind(N_("&HTML page…"), OF_RUNS["html"].file_name, N_("HTML page (*.html)")),
    "markdown": ReportKind(N_("&Markdown…"), OF_RUNS["markdown"].file_name, N_("Markdown (*.md)")),
    "comment": ReportKind(N_("&Comment of a pull request…"), OF_RUNS["comment"].file_name, N_("Markdown (*.md)")),
    "json": ReportKind(N_("&JSON…"), OF_RUNS["json"].file_name, N_("JSON (*.json)")),
}


def ask_kind(desk: Desk) -> None:
    """Choose the kind, then the file."""
    entries = [
        Entry(tr(report.title).replace("&", ""), partial(export, desk, kind), report.file_name)
        for kind, report in REPORTS.items()
    ]
    desk.palette.ask(tr("Export the comparison as"), entries)


def export(desk: Desk, kind: str) -> None:
    """Ask for a name and write the report in the background."""
    report, title = REPORTS[kind], tr("Export the comparison")
    proposed = str(Path(last_folder(desk)) / report.file_name)
    name, _filter = QFileDialog.getSaveFileName(desk.window, title, proposed, report.name_filter)
    if name:
        desk.settings.setValue("folder", str(Path(name).parent))
        desk.workspace.runs.pair.export(kind, Path(name))
