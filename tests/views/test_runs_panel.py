"""From the person's side: overrule, see it everywhere, undo, find the run again, report it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from tests.views.doing import trigger, wait_for
from tests.views.menus import menu_at
from tests.views.tales import opened
from trace_inspector.flows.runs.requested_reports import RUN_REPORTS
from trace_inspector.models.base.open_file import FileState
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.evaluation.judge_calls_model import COLUMNS
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.details.overruling import OverruleForm
from trace_inspector.views.details.panel import DetailsPanel
from trace_inspector.views.judge_calls.panel import JudgeCallsPanel
from trace_inspector.views.runs.panel import RunsPanel
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.window_context import reporting
from trace_inspector.work.processes.jobs import Jobs

pytestmark = pytest.mark.shared_window

WAIT_MS = 60_000
NOTE = "the lots were meant"


def details(window: MainWindow) -> DetailsPanel:
    panel = window.desk.docks["details"].widget()
    assert isinstance(panel, DetailsPanel)
    return panel


def runs(window: MainWindow) -> RunsPanel:
    window.desk.docks["runs"].show()
    window.desk.docks["runs"].raise_()
    panel = window.desk.docks["runs"].widget()
    assert isinstance(panel, RunsPanel)
    return panel


def calls(window: MainWindow) -> JudgeCallsPanel:
    panel = window.desk.docks["judge-calls"].widget()
    assert isinstance(panel, JudgeCallsPanel)
    return panel


def text_in(window: MainWindow) -> str:
    return "\n".join(label.text() for label in details(window).verdicts.findChildren(QLabel))


def overrule_by_keys(window: MainWindow, note: str = NOTE) -> None:
    trigger(window, "overrule")
    assert wait_for(lambda: isinstance(QApplication.focusWidget(), QLineEdit))
    field = QApplication.focusWidget()
    assert field is not None
    QTest.keyClicks(field, note)
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert wait_for(lambda: details(window).findChild(OverruleForm) is None)


def until(qtbot: QtBot, there: Callable[[], bool]) -> None:
    qtbot.waitUntil(there, timeout=WAIT_MS)


def evaluate_samples(window: MainWindow, qtbot: QtBot) -> None:
    workspace = window.desk.workspace
    workspace.open_samples()
    until(
        qtbot,
        lambda: bool(workspace.files) and all(file.state is FileState.READY for file in workspace.files),
    )
    trigger(window, "evaluate")
    until(qtbot, lambda: workspace.run.value is not None and workspace.run.value.verdict is not None)


def test_overruling_by_keys_is_seen_everywhere_and_undone(window: MainWindow) -> None:
    file, workspace = opened(window.desk.workspace), window.desk.workspace
    top = next(top for top in file.table.tops if file.table.label(top) == "fails")
    workspace.selection.select(Selection(file.number, file.table.turns(top)[0]))
    undo = window.commands.actions["undo"]
    assert not undo.isEnabled()
    overrule_by_keys(window)
    assert wait_for(lambda: NOTE in text_in(window))
    assert "Turn 1: passed, originally failed." in text_in(window)
    assert workspace.verdicts.mark_of(file.number, file.table.turns(top)[0]) == "passed"
    assert wait_for(undo.isEnabled)
    assert undo.text() == "&Undo: Overrule Turn 1"
    QTest.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert wait_for(lambda: NOTE not in text_in(window))
    assert workspace.verdicts.mark_of(file.number, file.table.turns(top)[0]) == "failed"
    trigger(window, "redo")
    assert wait_for(lambda: NOTE in text_in(window))


def test_a_note_is_required_and_escape_leaves_everything_as_it_is(window: MainWindow) -> None:
    file, workspace = opened(window.desk.workspace), window.desk.workspace
    workspace.selection.select(Selection(file.number, file.table.turns(file.table.tops[1])[0]))
    trigger(window, "overrule")
    form = details(window).findChild(OverruleForm)
    assert isinstance(form, OverruleForm)
    form.note.setText("   ")
    QTest.keyClick(form.note, Qt.Key.Key_Return)
    assert workspace.run.value is not None
    assert workspace.run.value.overrules == ()
    QTest.keyClick(form.note, Qt.Key.Key_Escape)
    assert wait_for(lambda: details(window).findChild(OverruleForm) is None)
    assert workspace.run.value.overrules == ()


def test_a_sentence_leads_to_its_criterion(window: MainWindow) -> None:
    file, workspace = opened(window.desk.workspace), window.desk.workspace
    workspace.selection.select(Selection(file.number, file.table.turns(file.table.tops[1])[0]))
    details(window).content.overrule_requested.emit("response_match_score")
    form = details(window).findChild(OverruleForm)
    assert isinstance(form, OverruleForm)
    form.note.setText("it says the same")
    QTest.keyClick(form.note, Qt.Key.Key_Return)
    assert workspace.run.value is not None
    assert [(one.metric, one.turn) for one in workspace.run.value.overrules] == [("response_match_score", 0)]


def test_the_tree_offers_to_overrule_by_the_mouse(window: MainWindow) -> None:
    opened(window.desk.workspace)
    tree = window.desk.page.tree
    row = tree.model().index(0, 0)
    tree.setCurrentIndex(row)
    assert window.commands.actions["overrule"].text() in menu_at(tree, tree.visualRect(row).center())


def test_a_half_written_note_outlives_other_verdicts(window: MainWindow) -> None:
    file, workspace = opened(window.desk.workspace), window.desk.workspace
    workspace.selection.select(Selection(file.number, file.table.turns(file.table.tops[1])[0]))
    trigger(window, "overrule")
    form = details(window).findChild(OverruleForm)
    assert isinstance(form, OverruleForm)
    form.note.setText("half")
    details(window).verdicts.show_selection(workspace.selection.value)
    again = details(window).verdicts.findChildren(OverruleForm)[-1]
    assert again is not form
    assert again.note.text() == "half"


def test_every_report_can_be_asked_for() -> None:
    assert set(reporting.REPORTS) == set(RUN_REPORTS)
    endings = [report.ending for report in reporting.REPORTS.values()]
    assert len(set(endings)) == len(endings)


def test_an_empty_list_says_what_to_do(window: MainWindow, qtbot: QtBot) -> None:
    opened(window.desk.workspace)
    panel = runs(window)
    until(qtbot, lambda: window.desk.workspace.runs.list.read)
    assert panel.count == 1, "the run that could not be kept is listed all the same"
    window.desk.workspace.run.put(None)
    window.desk.workspace.run.tell()
    window.desk.workspace.runs.list.refresh()
    until(qtbot, lambda: panel.count == 0)
    told = "\n".join(label.text() for label in panel.findChildren(QLabel))
    assert "Press F5" in told


def test_a_run_is_overruled_listed_reported_and_shown_again(
    window: MainWindow, theme: Theme, qtbot: QtBot, tmp_path: Path
) -> None:
    """The real way, with children: the samples judged by the replies recorded for them."""
    workspace = window.desk.workspace
    evaluate_samples(window, qtbot)
    assert workspace.navigation.next_failing(1)
    window.desk.docks["judge-calls"].raise_()
    until(qtbot, lambda: calls(window).model.rowCount() > 0)
    until(qtbot, lambda: "Verdict:" in calls(window).reply.text.toPlainText())
    titles = [column.title for column in COLUMNS]
    assert calls(window).model.index(0, titles.index("Source")).data() == "recorded"
    assert calls(window).reply.text.marked() in ("yes", "no")
    overrule_by_keys(window)
    failed = workspace.navigation.failing_position()[1]
    panel = runs(window)
    until(qtbot, lambda: not workspace.runs.writer.busy)
    until(qtbot, lambda: bool(panel.chosen and panel.chosen.line.summary and panel.chosen.line.summary.overruled))
    written = [tmp_path / reporting.REPORTS[kind].file_name for kind in ("html", "markdown", "csv")]
    for kind, target in zip(("html", "markdown", "csv"), written, strict=True):
        reporting.write(window.desk, kind, target)
    until(qtbot, lambda: all(target.exists() for target in written) and not window.desk.jobs.busy)
    assert [NOTE in target.read_text("utf-8") for target in written] == [True] * 3
    evaluated = workspace.files.in_order[0].path
    with qtbot.waitSignal(
        workspace.messages.posted, timeout=WAIT_MS, check_params_cb=lambda told: "evaluated" in told
    ):
        reporting.write(window.desk, "csv", evaluated)
    other = another_window(theme, qtbot, tmp_path)
    other.desk.workspace.open_samples()
    until(qtbot, lambda: all(file.state is FileState.READY for file in other.desk.workspace.files))
    listed = runs(other)
    until(qtbot, lambda: listed.chosen is not None)
    listed.view.setFocus()
    QTest.keyClick(listed.view, Qt.Key.Key_Return)
    until(
        qtbot,
        lambda: other.desk.workspace.run.value is not None and other.desk.workspace.run.value.verdict is not None,
    )
    assert other.desk.workspace.navigation.failing_position()[1] == failed
    assert other.desk.workspace.run.value is not None
    assert [one.note for one in other.desk.workspace.run.value.overrules] == [NOTE]
    kept = tmp_path / "kept.md"
    assert listed.chosen is not None
    other.desk.workspace.evaluation.export_kept(listed.chosen.line.id, "markdown", kept)
    until(qtbot, lambda: kept.exists() and not other.desk.jobs.busy)
    assert NOTE in kept.read_text("utf-8")


def test_deleting_asks_once_below_the_list(window: MainWindow, qtbot: QtBot) -> None:
    from tests.flows.test_store_run import REQUEST
    from tests.store.test_runs import RUN
    from trace_inspector.flows.runs.store_run import save_run

    save_run(RUN, REQUEST)
    file = opened(window.desk.workspace)
    panel = runs(window)
    until(qtbot, lambda: panel.model.rowCount() == 2)
    panel.view.setCurrentIndex(panel.model.index(panel.model.row_of(RUN.id), 0))
    QTest.keyClick(panel.view, Qt.Key.Key_Delete)
    told = [label.text() for label in panel.findChildren(QLabel) if label.isVisible()]
    assert any("Delete the run" in words for words in told)
    focus = QApplication.focusWidget()
    assert focus is not None
    QTest.keyClick(focus, Qt.Key.Key_Return)
    assert panel.model.rowCount() == 2, "what has the focus keeps the run"
    QTest.keyClick(panel.view, Qt.Key.Key_Delete)
    panel._delete.click()
    until(qtbot, lambda: panel.model.rowCount() == 1)
    assert window.desk.workspace.verdicts.counts(file.number).failed > 0


def test_selected_runs_stay_selected_when_the_list_is_read_again(window: MainWindow, qtbot: QtBot) -> None:
    from tests.flows.test_store_run import REQUEST
    from tests.store.test_runs import RUN
    from trace_inspector.flows.runs.store_run import save_run

    for run in (RUN, replace(RUN, id="other-run", started_s=RUN.started_s + 60)):
        save_run(run, REQUEST)
    panel = runs(window)
    until(qtbot, lambda: panel.model.rowCount() == 2)
    panel.view.selectAll()
    window.desk.workspace.runs.rename(RUN.id, "mine")
    until(qtbot, lambda: "mine" in [run.line.name for run in panel.model.records])
    assert len(panel.picked) == 2


def another_window(theme: Theme, qtbot: QtBot, tmp_path: Path) -> MainWindow:
    jobs = Jobs()
    made = MainWindow(theme, Workspace(jobs), jobs, QSettings(str(tmp_path / "b.ini"), QSettings.Format.IniFormat))
    qtbot.addWidget(made)
    made.resize(1100, 700)
    made.show()
    return made
