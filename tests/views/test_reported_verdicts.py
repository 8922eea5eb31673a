"""What a file itself says of its traces: shown before anything is run, and beside what was recomputed."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from tests.formats.adk_files import RESULT
from tests.models.stories import GOLDENS, TRACES, begin, call, golden, judge, judged, put, trace, turn
from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.verdict.reported import ReportedBatch
from trace_inspector.core.verdict.verdict import (
    CaseVerdict,
    MetricVerdict,
    Provenance,
    RubricVerdict,
    Status,
    TurnVerdict,
)
from trace_inspector.models.base.open_file import FileState, OpenFile
from trace_inspector.models.base.roles import MARK_OF, Role
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.tree.columns import TreeColumn
from trace_inspector.models.tree.trace_tree import TraceTreeModel
from trace_inspector.views.details.criterion_row import CriterionRow
from trace_inspector.views.details.panel import VERDICTS, DetailsPanel
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.widgets.controls import MarkLabel
from trace_inspector.work.reading import file_messages

pytestmark = pytest.mark.shared_window

OBSERVED = trace("one", turn(0, "where?", call("search", q="parking"), answer="There."))
EXPECTED = golden(("one", (turn(0, "where?", call("search", q="lots"), answer="There."),)))


METRICS = (
    MetricVerdict("tool_trajectory_avg_score", 1.0, Status.PASSED, 1.0, provenance=Provenance.REPORTED, native=1),
    MetricVerdict("response_match_score", 1.0, Status.PASSED, 0.8, provenance=Provenance.REPORTED),
    MetricVerdict(
        "only_there", None, Status.NOT_EVALUATED, reason="the judge was away", provenance=Provenance.REPORTED,
        rubrics=(RubricVerdict("polite", 1.0, "says please"),),
    ),
)  # fmt: skip
REPORTED = CaseVerdict(
    "one", "suite", "one", Status.PASSED, METRICS, (TurnVerdict(0, 0, Status.PASSED, METRICS),), session_id="s-77"
)


def opened(window: MainWindow) -> OpenFile:
    """A file that reports, as the child tells of it."""
    workspace = window.desk.workspace
    file = put(workspace, TRACES, OBSERVED)
    batch = ReportedBatch()
    batch.add(file.table.tops[0], REPORTED)
    workspace.files.take(file_messages.VerdictsReported(file.number, batch))
    put(workspace, GOLDENS, EXPECTED)
    return file


def details(window: MainWindow, qtbot: QtBot, file: OpenFile) -> DetailsPanel:
    panel = window.desk.docks["details"].widget()
    assert isinstance(panel, DetailsPanel)
    panel.tabs.setCurrentIndex(VERDICTS)
    window.desk.workspace.selection.select(Selection(file.number, file.table.turns(file.table.tops[0])[0]))
    qtbot.wait(1)
    return panel


def labels(panel: DetailsPanel) -> str:
    return "\n".join(label.text() for label in panel.verdicts.findChildren(QLabel) if label.isVisibleTo(panel))


def test_before_a_run_the_file_speaks_alone(window: MainWindow, qtbot: QtBot) -> None:
    file = opened(window)
    panel = details(window, qtbot, file)
    assert "The file reports PASSED. Nothing was recomputed here" in labels(panel)
    assert [row.accessibleName() for row in panel.verdicts.findChildren(CriterionRow)][:2] == [
        "tool_trajectory_avg_score: passed, 1.00, needs 1.00, reported 1.00",
        "response_match_score: passed, 1.00, needs 0.80, reported 1.00",
    ]
    table, workspace = file.table, window.desk.workspace
    assert [
        workspace.verdicts.mark_of(file.number, row) for row in (table.tops[0], table.turns(table.tops[0])[0])
    ] == [
        "passed",
        "passed",
    ]
    assert workspace.verdicts.counts(file.number).passed == 1


def test_a_conflict_opens_with_its_cause(window: MainWindow, qtbot: QtBot) -> None:
    file = opened(window)
    judge(window.desk.workspace, begin(window.desk.workspace), judged([OBSERVED], [EXPECTED]))
    panel = details(window, qtbot, file)
    shown = labels(panel)
    assert "Reported PASSED, recomputed FAILED." in shown
    assert "Reported 1.00 (passed), recomputed 0.00 (failed). This run says:" in shown
    assert "the judge was away" not in shown  # what agrees, or stands alone, stays folded
    assert any(mark.accessibleName() == "error" for mark in panel.verdicts.findChildren(MarkLabel))


def test_what_only_the_file_has_can_be_unfolded_by_key(window: MainWindow, qtbot: QtBot) -> None:
    file = opened(window)
    panel = details(window, qtbot, file)
    row = next(
        row for row in panel.verdicts.findChildren(CriterionRow) if row.accessibleName().startswith("only_there")
    )
    row.setFocus()
    QTest.keyClick(row, Qt.Key.Key_Space)
    assert "the judge was away" in labels(panel)
    assert "says please" in labels(panel)


def test_a_folded_conflict_stays_folded(window: MainWindow, qtbot: QtBot) -> None:
    file = opened(window)
    judge(window.desk.workspace, begin(window.desk.workspace), judged([OBSERVED], [EXPECTED]))
    panel = details(window, qtbot, file)
    row = next(row for row in panel.verdicts.findChildren(CriterionRow) if row.open)
    QTest.mouseClick(row, Qt.MouseButton.LeftButton)
    window.desk.workspace.selection.select(Selection(file.number, file.table.tops[0]))
    qtbot.wait(1)
    details(window, qtbot, file)
    assert "This run says" not in labels(panel)


def test_failing_as_reported_is_gone_to_before_any_run(window: MainWindow) -> None:
    workspace = window.desk.workspace
    file = put(workspace, TRACES, OBSERVED, trace("two", turn(0, "and?")))
    assert not workspace.navigation.next_failing(1)
    batch = ReportedBatch()
    batch.add(file.table.tops[1], CaseVerdict("two", "", "two", Status.FAILED))
    workspace.files.take(file_messages.VerdictsReported(file.number, batch))
    assert workspace.navigation.next_failing(1)
    assert workspace.selection.value == Selection(file.number, file.table.tops[1])


def test_a_result_file_is_marked_before_anything_is_run(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    """The real way: a child reads the file and tells what it reports."""
    path = tmp_path / "r.evalset_result.json"
    path.write_text(RESULT, "utf-8")
    workspace = window.desk.workspace
    workspace.files.open([path])
    qtbot.waitUntil(lambda: [file.state for file in workspace.files] == [FileState.READY], timeout=60_000)
    (file,) = workspace.files
    assert workspace.run.value is None
    traces = [top for top in file.table.tops if file.table.kind(top) is Kind.TRACE]
    marks = [workspace.verdicts.mark_of(file.number, top) for top in traces]
    assert marks == [MARK_OF[Status.FAILED], MARK_OF[Status.PASSED]]
    model = window.desk.page.tree.model()
    assert isinstance(model, TraceTreeModel)
    told = [model.index_of(top).data(Role.CAPTION) for top in traces]
    assert ["verdict as reported" in words for words in told] == [True, True]


def test_scores_of_the_file_have_columns_until_a_run_has_its_own(window: MainWindow, qtbot: QtBot) -> None:
    file = opened(window)
    window.desk.workspace.selection.select(Selection(file.number))
    model = window.desk.page.tree.model()
    assert isinstance(model, TraceTreeModel)
    score = model.column(TreeColumn.SCORE)
    assert [line.name for line in model.metrics] == ["tool_trajectory_avg_score", "response_match_score"]
    assert "as reported" in model.headerData(score, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    top = file.table.tops[0]
    for row in (top, file.table.turns(top)[0]):
        cell = model.index_of(row).siblingAtColumn(score)
        assert (cell.data(), cell.data(Role.MARK), cell.data(Role.FAILING)) == ("1.00", "passed", False)
    judge(window.desk.workspace, begin(window.desk.workspace), judged([OBSERVED], [EXPECTED]))
    qtbot.wait(1)
    cell = model.index_of(top).siblingAtColumn(score)
    assert (cell.data(), cell.data(Role.FAILING)) == ("0.00", True)
    assert "as reported" not in model.headerData(score, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
