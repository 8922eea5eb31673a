"""A results folder in the window: its verdicts as reported, SQL with completion, ready-made questions, an export."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.helpers.results_folders import of_small_set
from tests.views.doing import trigger
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.models.base.open_file import FileState, OpenFile
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.runs.results_query import QueryState
from trace_inspector.views.query.dialog import QueryDialog
from trace_inspector.views.shell.main_window import MainWindow

pytest.importorskip("duckdb", reason="duckdb is not installed")
pytestmark = pytest.mark.shared_window
WAIT_MS = 60_000


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return of_small_set(tmp_path_factory.mktemp("window"))


def opened(window: MainWindow, results: Path, qtbot: QtBot) -> OpenFile:
    files = window.desk.workspace.files
    files.open([results])
    qtbot.waitUntil(lambda: [file.state for file in files.in_order] == [FileState.READY], timeout=WAIT_MS)
    return files.in_order[0]


def dialog(window: MainWindow) -> QueryDialog:
    trigger(window, "query-results")
    found = window.findChild(QueryDialog)
    assert found is not None
    return found


def answered(shown: QueryDialog, qtbot: QtBot) -> list[tuple[str, ...]]:
    qtbot.waitUntil(lambda: shown.query.state is not QueryState.RUNNING, timeout=WAIT_MS)
    return [row.cells for row in shown.query.table.records]


def test_a_folder_opens_like_a_file_with_what_it_reports(window: MainWindow, results: Path, qtbot: QtBot) -> None:
    file = opened(window, results, qtbot)
    assert file.format == "results"
    row = file.table.tops[0]
    assert len(file.table.turns(row)) == 5
    assert file.reported.status(row) is Status.PASSED
    assert not file.can_be_judged


def test_a_query_is_answered_and_a_mistake_is_a_sentence(window: MainWindow, results: Path, qtbot: QtBot) -> None:
    opened(window, results, qtbot)
    shown = dialog(window)
    shown.sql.setPlainText("SELECT turn, call_count FROM turns ORDER BY turn LIMIT 2")
    QTest.keyClick(shown.sql, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert answered(shown, qtbot) == [("1", "1"), ("2", "1")]
    assert shown.sentence.text() == "2 rows"
    shown.sql.setPlainText("COPY turns TO 'x.csv'")
    QTest.keyClick(shown.sql, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    answered(shown, qtbot)
    assert shown.query.state is QueryState.FAILED
    assert "this is COPY" in shown.sentence.text()
    shown.close()


def test_a_ready_made_question_is_asked_when_it_is_chosen(window: MainWindow, results: Path, qtbot: QtBot) -> None:
    opened(window, results, qtbot)
    shown = dialog(window)
    shown.ready.setCurrentIndex(2)
    shown.ready.activated.emit(2)
    assert answered(shown, qtbot)[0][:2] == ("count_shelf", "5")
    assert "FROM calls" in shown.sql.toPlainText()
    shown.close()


def test_a_grouped_answer_is_a_chart_and_one_without_figures_is_none(
    window: MainWindow, results: Path, qtbot: QtBot
) -> None:
    opened(window, results, qtbot)
    shown = dialog(window)
    assert not shown.as_chart.isEnabled()
    shown.sql.setPlainText("SELECT 'a' AS x, 'b' AS y, 4 AS n, 'c' AS z UNION ALL SELECT 'd', 'e', NULL, 'f'")
    shown._ask()
    assert len(answered(shown, qtbot)) == 2
    shown.as_chart.click()
    assert shown.chart.isVisible()
    assert [(bar.label, bar.figure, bar.value) for bar in shown.chart.bars] == [("a, b", "4", 4.0)]
    assert shown.chart.accessibleDescription() == "a, b: 4"
    assert not shown.grab().isNull()
    shown.sql.setPlainText("SELECT 'a' AS x")
    shown._ask()
    answered(shown, qtbot)
    assert not shown.as_chart.isEnabled()
    assert shown.answer.isVisible()
    shown.close()


def test_escape_ends_a_query_without_end(window: MainWindow, results: Path, qtbot: QtBot) -> None:
    opened(window, results, qtbot)
    shown = dialog(window)
    shown.sql.setPlainText("SELECT count(*) FROM range(1000000000) a, range(1000000000) b")
    qtbot.waitUntil(shown.isActiveWindow, timeout=WAIT_MS)  # in the main window the key means something else
    shown._ask()
    QTest.keyClick(shown.sql, Qt.Key.Key_Escape)
    assert shown.query.state is QueryState.NONE
    assert shown.sentence.text() == "Stopped."
    assert shown.isVisible()
    shown.sql.setPlainText("SELECT 1 AS one")
    shown._ask()
    assert answered(shown, qtbot) == [("1",)]
    shown.close()


def test_all_rows_are_exported(window: MainWindow, results: Path, tmp_path: Path, qtbot: QtBot) -> None:
    opened(window, results, qtbot)
    shown = dialog(window)
    shown.sql.setPlainText("SELECT range AS n FROM range(3000)")
    shown.export(tmp_path / "n.txt")
    assert ".csv" in shown.sentence.text()
    shown.export(tmp_path / "n.csv")
    answered(shown, qtbot)
    assert shown.sentence.text() == "Saved n.csv."
    with (tmp_path / "n.csv").open(encoding="utf-8", newline="") as file:
        assert len(list(csv.reader(file))) == 3001
    shown.close()


def test_names_are_completed(window: MainWindow, results: Path, qtbot: QtBot) -> None:
    opened(window, results, qtbot)
    shown = dialog(window)
    shown.sql.clear()
    QTest.keyClicks(shown.sql, "FROM verd")
    popup = shown.sql.names
    assert popup.isVisible()
    QTest.keyClick(popup, Qt.Key.Key_Return)
    assert shown.sql.toPlainText() == "FROM verdicts"
    assert not popup.isVisible()
    shown.close()


def test_without_results_there_is_nothing_to_ask(window: MainWindow, results: Path, qtbot: QtBot) -> None:
    assert not window.commands.actions["query-results"].isEnabled()
    file = opened(window, results, qtbot)
    window.desk.workspace.selection.select(Selection(file.number, file.table.tops[0]))
    assert window.commands.actions["query-results"].isEnabled()
