"""Titles instead of ids in the tree; candidate, persona and run as columns where a file has them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QTextEdit
from pytestqt.qtbot import QtBot

from tests.formats import ces_golden_files, ces_result_files, vertex_files
from tests.models.stories import TRACES, batches, put, rows_of, trace, turn
from tests.views.doing import wait_for, whole_details
from tests.views.test_tree_columns import tick, titles
from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.models.base.open_file import FileState, OpenFile
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.tree.columns import TreeColumn
from trace_inspector.models.tree.trace_tree import TraceTreeModel
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.work.reading import file_messages

pytestmark = pytest.mark.shared_window

CASE = "1b4e28ba-2fa1-11d2-883f-0016d3cca427"
EVALUATION = f"{ces_golden_files.APP}/evaluations/{CASE}"
FIRST, SECOND = "6fa459ea-ee8a-3ca4-894e-db77e160355e", "886313e1-3b8a-5372-9b90-0c9aee199e5d"


def opened(window: MainWindow, qtbot: QtBot, path: Path, value: Json) -> OpenFile:
    """The file of a value, read the real way and selected."""
    path.write_text(json.dumps(value), "utf-8")
    workspace = window.desk.workspace
    workspace.files.open([path])
    qtbot.waitUntil(lambda: all(file.state is FileState.READY for file in workspace.files), timeout=60_000)
    file = next(file for file in workspace.files if file.path == path)
    workspace.selection.select(Selection(file.number, file.table.tops[0]))
    return file


def told(window: MainWindow) -> str:
    """What Details say of the selected row."""
    panel = whole_details(window).content
    texts = [label.text() for label in panel.findChildren(QLabel)]
    return "\n".join([*texts, *(text.toPlainText() for text in panel.findChildren(QTextEdit))])


def result(name: str, at: str, persona: str) -> JsonObject:
    """A result as the service names it."""
    return ces_result_files.result(
        name=f"{EVALUATION}/results/{name}",
        displayName=f"Seats by the window result - {at}",
        appVersionDisplayName="spring",
        persona={"displayName": persona},
    )


def cells(window: MainWindow, file: OpenFile, column: TreeColumn) -> list[str]:
    """What the column says of each trace."""
    model = window.desk.page.tree.model()
    assert isinstance(model, TraceTreeModel)
    at = model.column(column)
    return [model.index_of(row).siblingAtColumn(at).data() for row in rows_of(file.table, Kind.TRACE)]


def test_an_evaluation_is_called_as_people_call_it(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    value = {**ces_golden_files.full_golden(), "name": EVALUATION, "displayName": "Seats by the window"}
    file = opened(window, qtbot, tmp_path / "evaluation.json", value)
    assert [file.table.label(row) for row in rows_of(file.table, Kind.CASE)] == ["Seats by the window"]
    assert CASE in told(window)


def test_results_and_the_case_they_ran_are_called_by_their_titles(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    window.resize(2000, 1000)  # room for all columns
    results = [result(FIRST, "Monday", "In a hurry"), result(SECOND, "Tuesday", "In a hurry")]
    file = opened(window, qtbot, tmp_path / "results.json", [*results])
    table = file.table
    assert [table.label(row) for row in rows_of(table, Kind.RUNS)] == ["Seats by the window"]
    assert [table.label(row) for row in rows_of(table, Kind.TRACE)] == [
        "result - Monday",
        "result - Tuesday",
    ]
    assert [table.label(row) for row in rows_of(table, Kind.CASE)] == ["Seats by the window"]
    assert FIRST in told(window)
    assert CASE in told(window)
    assert {"Candidate", "Persona", "Run"} <= set(titles(window))
    assert cells(window, file, TreeColumn.CANDIDATE) == ["spring", "spring"]
    assert cells(window, file, TreeColumn.PERSONA) == ["In a hurry", "In a hurry"]
    assert cells(window, file, TreeColumn.RUN) == ["1", "2"]


def test_candidates_of_an_item_have_a_column_and_one_run_has_none(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    file = opened(window, qtbot, tmp_path / "items.json", vertex_files.full_list())
    assert "Candidate" in titles(window)
    assert "Persona" not in titles(window)
    assert set(cells(window, file, TreeColumn.CANDIDATE)) == set(file.table.details.candidates)
    assert all(cells(window, file, TreeColumn.CANDIDATE))


def test_a_file_without_them_offers_the_columns_and_shows_none(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    window.resize(1920, 1080)  # room for all of them
    items = opened(window, qtbot, tmp_path / "items.json", vertex_files.full_list())
    plain = put(window.desk.workspace, TRACES, trace("plain", turn(0, "Where?")))
    window.desk.workspace.selection.select(Selection(plain.number, 0))
    assert {"Candidate", "Persona", "Run"}.isdisjoint(titles(window))
    tick(window, "Persona")
    assert "Persona" in titles(window)
    window.desk.workspace.selection.select(Selection(items.number, items.table.tops[0]))
    assert {"Candidate", "Persona"} <= set(titles(window))
    tick(window, "Candidate")
    assert "Candidate" not in titles(window)


def test_a_column_comes_with_the_first_value(window: MainWindow) -> None:
    """Its first rows have none, those that arrive later do."""
    workspace = window.desk.workspace
    file = put(workspace, TRACES)
    whole = [trace("a", turn(0, "Where?")), replace(trace("b", turn(0, "When?")), persona="novice")]
    first, *rest = batches(*whole, size=2)
    later, first.details = first.details, []
    workspace.files.take(file_messages.RowsRead(file.number, first))
    workspace.selection.select(Selection(file.number, 0))
    assert "Persona" not in titles(window)
    rest[0].details = later
    for batch in rest:
        workspace.files.take(file_messages.RowsRead(file.number, batch))
    assert wait_for(lambda: "Persona" in titles(window))
    model = window.desk.page.tree.model()
    assert isinstance(model, TraceTreeModel)
    assert model.headerData(model.column(TreeColumn.PERSONA), Qt.Orientation.Horizontal) == "Persona"
