"""A results folder in the window: its verdicts as reported, SQL with completion, ready-made questions, an export."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.helpers.results_folders import of_rows, of_small_set
from tests.views.doing import trigger
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.documents.results.manifest import Manifest
from trace_inspector.documents.results.writing import ResultsWriter
from trace_inspector.models.base.open_file import FileState, OpenFile
from trace_inspector.models.runs.results_query import QueryState
from trace_inspector.views.query.dialog import QueryDialog
from trace_inspector.views.shell.main_window import MainWindow

pytest.importorskip("duckdb", reason="duckdb is not installed")
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


def asked(shown: QueryDialog, sql: str, qtbot: QtBot) -> list[tuple[str, ...]]:
    shown.sql.setPlainText(sql)
    QTest.keyClick(shown.sql, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    return answered(shown, qtbot)


def test_a_folder_opens_like_a_file_with_what_it_reports(window: MainWindow, results: Path, qtbot: QtBot) -> None:
    assert not window.commands.actions["query-results"].isEnabled()
    file = opened(window, results, qtbot)
    assert file.format == "results"
    row = file.table.tops[0]
    assert len(file.table.turns(row)) == 5
    assert file.reported.status(row) is Status.PASSED
    assert not file.can_be_judged


def test_queries_are_answered_as_a_table_and_a_chart(window: MainWindow, results: Path, qtbot: QtBot) -> None:
    opened(window, results, qtbot)
    shown = dialog(window)
    assert not shown.as_chart.isEnabled()
    shown.sql.clear()
    QTest.keyClicks(shown.sql, "FROM turn")
    assert not shown.sql.names.isVisible()  # it is a name itself
    shown.sql.clear()
    QTest.keyClicks(shown.sql, "FROM verd")
    assert shown.sql.names.isVisible()
    QTest.keyClick(shown.sql.names, Qt.Key.Key_Return)
    assert shown.sql.toPlainText() == "FROM verdicts"
    assert not shown.sql.names.isVisible()

    assert asked(shown, "SELECT turn, call_count FROM turns ORDER BY turn LIMIT 2", qtbot) == [("1", "1"), ("2", "1")]
    assert shown.sentence.text() == "2 rows"
    asked(shown, "COPY turns TO 'x.csv'", qtbot)
    assert shown.query.state is QueryState.FAILED
    assert "this is COPY" in shown.sentence.text()
    shown.ready.setCurrentIndex(2)
    shown.ready.activated.emit(2)
    assert answered(shown, qtbot)[0][:2] == ("count_shelf", "5")
    assert "FROM calls" in shown.sql.toPlainText()

    sql = "SELECT 'a' AS x, 'b' AS y, 4 AS n, 'c' AS z UNION ALL SELECT 'd', 'e', NULL, 'f'"
    assert len(asked(shown, sql, qtbot)) == 2
    shown.as_chart.click()
    assert shown.chart.isVisible()
    assert [(bar.label, bar.figure, bar.value) for bar in shown.chart.bars] == [("a, b", "4", 4.0)]
    assert shown.chart.accessibleDescription() == "a, b: 4"
    assert not shown.grab().isNull()
    asked(shown, "SELECT 'a' AS x", qtbot)
    assert not shown.as_chart.isEnabled()
    assert shown.answer.isVisible()
    shown.close()


def test_another_folder_is_not_shown_with_the_answer_of_the_one_before(
    window: MainWindow, results: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    opened(window, results, qtbot)
    shown = dialog(window)
    assert asked(shown, "SELECT 4 AS n, 'a' AS what", qtbot) == [("4", "a")]
    shown.set_folder(results)
    assert shown.query.table.records
    other = of_rows(tmp_path / "other", turns=[{"case_id": "b"}])
    shown.set_folder(other)
    assert not shown.query.table.records
    assert not shown.chart.bars
    assert shown.sentence.text() == ""
    assert asked(shown, "SELECT case_id FROM turns", qtbot) == [("b",)]
    shown.close()


def test_lists_of_numbers_are_no_figures(window: MainWindow, results: Path, qtbot: QtBot) -> None:
    opened(window, results, qtbot)
    shown = dialog(window)
    asked(shown, "SELECT 'a' AS what, [1, 2] AS listed, 3::UTINYINT AS n", qtbot)
    assert [column.number for column in shown.query.table.columns] == [False, False, True]
    assert [(bar.label, bar.figure) for bar in shown.chart.bars] == [("a, [1, 2]", "3")]
    shown.close()


def test_what_was_written_since_is_asked(window: MainWindow, results: Path, tmp_path: Path, qtbot: QtBot) -> None:
    """A run that is going on names more files of each table after each shard."""
    opened(window, results, qtbot)
    shown = dialog(window)
    with ResultsWriter(tmp_path / "growing", Manifest(1, "run-1")) as writer:
        writer.add({"turns": [{"case_id": "a"}]}, 1, 1)
        shown.set_folder(tmp_path / "growing")
        assert asked(shown, "SELECT case_id FROM turns ORDER BY ALL", qtbot) == [("a",)]
        writer.add({"turns": [{"case_id": "b"}]}, 1, 1)
        assert asked(shown, "SELECT case_id FROM turns ORDER BY ALL", qtbot) == [("a",), ("b",)]
    shown.close()


def test_escape_ends_a_query_without_end_and_all_rows_are_exported(
    window: MainWindow, results: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    opened(window, results, qtbot)
    shown = dialog(window)
    qtbot.waitUntil(shown.isActiveWindow, timeout=WAIT_MS)  # in the main window the key means something else
    shown.sql.setPlainText("SELECT count(*) FROM range(1000000000) a, range(1000000000) b")
    QTest.keyClick(shown.sql, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: shown.query.state is QueryState.RUNNING, timeout=WAIT_MS)
    QTest.keyClick(shown.sql, Qt.Key.Key_Escape)
    assert shown.query.state is QueryState.NONE
    assert shown.sentence.text() == "Stopped."
    assert shown.isVisible()
    assert asked(shown, "SELECT 1 AS one", qtbot) == [("1",)]

    shown.sql.setPlainText("SELECT range AS n FROM range(3000)")
    shown.export(tmp_path / "n.txt")
    assert ".csv" in shown.sentence.text()
    shown.export(tmp_path / "n.csv")
    answered(shown, qtbot)
    assert shown.sentence.text() == "Saved n.csv."
    with (tmp_path / "n.csv").open(encoding="utf-8", newline="") as file:
        assert len(list(csv.reader(file))) == 3001
    shown.close()
