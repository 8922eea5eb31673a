"""What Details shows of a file as a whole: what it is, what it holds, what is odd about it."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtWidgets import QVBoxLayout, QWidget

from trace_inspector.core.finding import Severity
from trace_inspector.models.base.open_file import FileState, OpenFile
from trace_inspector.models.base.translation import tr
from trace_inspector.models.search.properties import Chapter, chapters_of
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.blocks.blocks import Group, banner, facts
from trace_inspector.views.details.fields import chapters
from trace_inspector.views.widgets.controls import Elided

FINDINGS_LISTED = 50
CRITERIA_LISTED = 40

_MARKS = {Severity.ERROR: "failed", Severity.WARNING: "warning", Severity.INFO: "info"}


def file_content(theme: Theme, workspace: Workspace, file: OpenFile) -> tuple[QWidget, Iterator[None]]:
    """A page for a file, and the steps that make the rest of it."""
    page = QWidget()
    page.setObjectName("page")
    box = QVBoxLayout(page)
    box.setContentsMargins(16, 12, 16, 16)
    box.setSpacing(14)
    box.addWidget(Elided(theme, file.name, font="title"))
    if file.state is FileState.FAILED and not file.unrecognised:  # then a finding below says it
        box.addWidget(banner(theme, "failed", file.sentence, "fail"))
    box.addWidget(facts(theme, _rows(workspace, file)))
    box.addStretch(1)
    return page, _groups(theme, file, box)


def _groups(theme: Theme, file: OpenFile, box: QVBoxLayout) -> Iterator[None]:
    """Criteria and findings above the stretch, one a step."""
    if file.criteria is not None:
        group = _listed(theme, box, tr("Criteria"), len(file.criteria.items), CRITERIA_LISTED)
        _put(group, facts(theme, [(tr("Where they come from"), file.criteria.source)]))
        for item in file.criteria.items[:CRITERIA_LISTED]:
            parts = chapters_of(item, item.metric, frozenset({"metric"})) or [Chapter(item.metric)]
            shown = chapters(theme, parts)
            if shown is not None:
                _put(group, shown)
                while shown.grow():
                    yield
    if file.findings:
        group = _listed(theme, box, tr("Findings"), len(file.findings), FINDINGS_LISTED)
        for finding in file.findings[:FINDINGS_LISTED]:
            place = tr("line {0}: ").format(finding.line) if finding.line else ""
            _put(group, banner(theme, _MARKS[finding.severity], place + finding.message, ""))
            yield


def _listed(theme: Theme, box: QVBoxLayout, title: str, count: int, most: int) -> QVBoxLayout:
    group = Group(theme, title, str(count) if count <= most else tr("{0} of {1}").format(most, count))
    box.insertWidget(box.count() - 1, group)
    group.show()
    return group.body


def _put(box: QVBoxLayout, widget: QWidget) -> None:
    """At its end, and shown at once: left to the layout it would count only in the next turn of the loop."""
    box.addWidget(widget)
    widget.show()


def _rows(workspace: Workspace, file: OpenFile) -> list[tuple[str, str]]:
    table = file.table
    counts = workspace.verdicts.counts(file.number)
    rows = [
        (tr("Path"), str(file.path)),
        (tr("Format"), file.format or tr("not known yet" if file.state is FileState.LOADING else "not recognised")),
        (tr("State"), file.state.value),
        (tr("Rows"), f"{len(table):,}"),
    ]
    if table.tops:
        rows.append((tr("Cases and traces"), f"{len(table.tops):,}"))
    rows.extend((what, f"{count:,}") for what, count in file.holds.items())
    if counts.failed or counts.passed or counts.not_evaluated:
        pattern = tr("{0} failed, {1} passed, {2} not evaluated")
        rows.append((tr("Verdicts"), pattern.format(counts.failed, counts.passed, counts.not_evaluated)))
    return rows
