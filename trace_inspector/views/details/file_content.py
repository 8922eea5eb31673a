"""What Details shows of a file as a whole: what it is, what it holds, what is odd about it."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QVBoxLayout, QWidget

from trace_inspector.core.finding import Severity
from trace_inspector.models.open_file import FileState, OpenFile
from trace_inspector.models.properties import Chapter, chapters_of
from trace_inspector.models.workspace import Workspace
from trace_inspector.views.controls import Elided
from trace_inspector.views.details.blocks import Group, banner, facts
from trace_inspector.views.details.fields import chapters
from trace_inspector.views.look import Look

FINDINGS_LISTED = 50
CRITERIA_LISTED = 40

_MARKS = {Severity.ERROR: "failed", Severity.WARNING: "warning", Severity.INFO: "info"}


def file_content(look: Look, workspace: Workspace, file: OpenFile) -> QWidget:
    """A page for a file."""
    page = QWidget()
    page.setObjectName("page")
    box = QVBoxLayout(page)
    box.setContentsMargins(16, 12, 16, 16)
    box.setSpacing(14)
    box.addWidget(Elided(look, file.name, font="title"))
    if file.state is FileState.FAILED:
        box.addWidget(banner(look, "failed", file.sentence, "fail"))
    box.addWidget(facts(look, _rows(workspace, file)))
    if file.criteria is not None:
        count = len(file.criteria.items)
        caption = str(count) if count <= CRITERIA_LISTED else _tr("{0} of {1}").format(CRITERIA_LISTED, count)
        group = Group(look, _tr("Criteria"), caption)
        group.body.addWidget(facts(look, [(_tr("Where they come from"), file.criteria.source)]))
        for item in file.criteria.items[:CRITERIA_LISTED]:
            said = chapters_of(item, item.metric, frozenset({"metric"})) or [Chapter(item.metric)]
            shown = chapters(look, said)
            if shown is not None:
                shown.finish()
                group.body.addWidget(shown)
        box.addWidget(group)
    if file.findings:
        count = len(file.findings)
        caption = str(count) if count <= FINDINGS_LISTED else _tr("{0} of {1}").format(FINDINGS_LISTED, count)
        group = Group(look, _tr("Findings"), caption)
        for finding in file.findings[:FINDINGS_LISTED]:
            place = _tr("line {0}: ").format(finding.line) if finding.line else ""
            group.body.addWidget(banner(look, _MARKS[finding.severity], place + finding.message, ""))
        box.addWidget(group)
    box.addStretch(1)
    return page


def _rows(workspace: Workspace, file: OpenFile) -> list[tuple[str, str]]:
    table = file.table
    counts = workspace.counts(file.number)
    rows = [
        (_tr("Path"), str(file.path)),
        (_tr("Format"), file.format or _tr("not known yet" if file.state is FileState.LOADING else "not recognised")),
        (_tr("State"), file.state.value),
        (_tr("Rows"), f"{len(table):,}"),
    ]
    if table.tops:
        rows.append((_tr("Cases and traces"), f"{len(table.tops):,}"))
    rows.extend((what, f"{count:,}") for what, count in file.holds.items())
    if counts.failed or counts.passed or counts.not_evaluated:
        told = _tr("{0} failed, {1} passed, {2} not evaluated")
        rows.append((_tr("Verdicts"), told.format(counts.failed, counts.passed, counts.not_evaluated)))
    return rows


def _tr(text: str) -> str:
    return QCoreApplication.translate("Details", text)
