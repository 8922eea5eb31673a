"""Reports from the window: REPORTS, once; the File menu, the Runs panel and the file dialogs are made from it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from msgspec import Struct
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from trace_inspector.core.translatable import N_
from trace_inspector.flows.runs.requested_reports import RUN_REPORTS
from trace_inspector.models.base.translation import tr
from trace_inspector.views.window_context.desk import Desk


class ReportKind(Struct, frozen=True):
    """A report: its name in menus, the name proposed for its file and how the file dialog lists it."""

    title: str
    file_name: str
    name_filter: str
    longer: str = ""  # an ending that distinguishes it from another kind with the same suffix

    @property
    def ending(self) -> str:
        """By which a typed name tells the kind."""
        return self.longer or Path(self.file_name).suffix


REPORTS = {
    "html": ReportKind(N_("&HTML page…"), RUN_REPORTS["html"].file_name, N_("HTML page (*.html)")),
    "markdown": ReportKind(N_("&Markdown…"), RUN_REPORTS["markdown"].file_name, N_("Markdown (*.md)")),
    "csv": ReportKind(N_("&CSV table…"), RUN_REPORTS["csv"].file_name, N_("CSV table (*.csv)")),
    "junit": ReportKind(N_("&JUnit XML…"), RUN_REPORTS["junit"].file_name, N_("JUnit XML (*.xml)")),
    "github": ReportKind(
        N_("&GitHub annotations…"), RUN_REPORTS["github"].file_name, N_("GitHub annotations (*.txt)")
    ),
    "sarif": ReportKind(N_("&SARIF…"), RUN_REPORTS["sarif"].file_name, N_("SARIF (*.sarif)")),
    "otel": ReportKind(
        N_("&OpenTelemetry events…"), RUN_REPORTS["otel"].file_name, N_("OpenTelemetry events (*.jsonl)")
    ),
    "adk": ReportKind(N_("&ADK result…"), RUN_REPORTS["adk"].file_name, N_("ADK result (*.json)")),
    "vertex": ReportKind(
        N_("&Vertex AI result…"),
        RUN_REPORTS["vertex"].file_name,
        N_("Vertex AI result (*.vertex.json)"),
        ".vertex.json",
    ),
    "ces": ReportKind(N_("CES &results…"), RUN_REPORTS["ces"].file_name, N_("CES results (*.ces.json)"), ".ces.json"),
}


def export(desk: Desk, kind: str, run_id: str = "") -> None:
    """Ask for a name and write a report of that kind: of the run that is shown, or of a kept one."""
    report = REPORTS[kind]
    proposed = str(Path(last_folder(desk)) / report.file_name)
    name, _filter = QFileDialog.getSaveFileName(desk.window, tr("Export report"), proposed, report.name_filter)
    if name:
        write(desk, kind, Path(name), run_id)


def write(desk: Desk, kind: str, path: Path, run_id: str = "") -> None:
    """Write it in the background; the folder is remembered."""
    desk.settings.setValue("folder", str(path.parent))
    if run_id and not desk.workspace.runs.is_shown(run_id):
        desk.workspace.evaluation.export_kept(run_id, kind, path)
    else:
        desk.workspace.evaluation.export(kind, path)


def ask_report_path(desk: Desk) -> None:
    """A file dialog that is the same everywhere and works by typing a path; the ending picks the kind."""
    dialog = QFileDialog(desk.window, tr("Save report"), last_folder(desk))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setNameFilters([report.name_filter for report in REPORTS.values()])
    dialog.setDefaultSuffix("html")
    dialog.selectFile(REPORTS["html"].file_name)
    dialog.fileSelected.connect(lambda name: _save(desk, Path(name)))
    dialog.open()


def report_menu(desk: Desk, run_id: str, parent: QWidget) -> QMenu:
    """Every report of a run, to choose from."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    for kind, report in REPORTS.items():
        menu.addAction(tr(report.title)).triggered.connect(partial(export, desk, kind, run_id))
    return menu


def last_folder(desk: Desk) -> str:
    """Where files were opened or saved last."""
    kept = desk.settings.value("folder", "")
    return kept if isinstance(kept, str) and kept and Path(kept).is_dir() else str(Path.home())


def _save(desk: Desk, path: Path) -> None:
    kinds = {report.ending: kind for kind, report in REPORTS.items()} | {".htm": "html"}
    matching = [ending for ending in kinds if path.name.lower().endswith(ending)]
    kind = kinds[max(matching, key=len)] if matching else None
    if kind is None:
        endings = ", ".join(kinds)
        desk.say(tr("The kind of report does not follow from “{0}”: end the name in {1}.").format(path.name, endings))
        return
    write(desk, kind, path)
