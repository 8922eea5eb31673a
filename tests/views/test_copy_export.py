from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from tests.views.doing import trigger, wait_for
from tests.views.tales import opened
from trace_inspector.models.base.selection import Selection
from trace_inspector.views.actions.export import write_view
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.widgets.tree_view import TreeView

pytestmark = pytest.mark.shared_window

SELECT = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows


def copied() -> str:
    return QGuiApplication.clipboard().text()


def test_selected_rows_are_copied_as_json_text_and_tsv(window: MainWindow) -> None:
    opened(window.desk.workspace)
    tree = window.desk.page.tree
    model = tree.model()
    tree.clearSelection()
    tree.selectionModel().select(model.index(1, 0), SELECT)
    tree.selectionModel().select(model.index(0, 0, model.index(1, 0)), SELECT)
    trigger(window, "copy-json")
    rows = json.loads(copied())
    assert [(row["level"], row["Verdict"], row["What happened"]) for row in rows] == [
        (0, "failed", "fails"),
        (1, "failed", "Turn 1  “one?”"),
    ]
    assert rows[0]["Calls"] == "0.50"
    trigger(window, "copy-tsv")
    assert copied().splitlines()[0].split("\t")[:3] == ["Verdict", "What happened", "Calls"]
    trigger(window, "copy-text")
    assert copied().splitlines()[1].startswith("  failed  Turn 1")


def test_lists_are_copied_too(window: MainWindow) -> None:
    opened(window.desk.workspace)
    view = window.desk.docks["problems"].widget().focusProxy()
    assert isinstance(view, TreeView)
    window.activateWindow()
    assert wait_for(window.isActiveWindow)
    view.setFocus()
    view.selectAll()
    trigger(window, "copy-json")
    assert any("not called" in row["Problem"] for row in json.loads(copied()))


def test_the_tree_is_exported_as_it_is_unfolded_and_filtered(window: MainWindow, tmp_path: Path) -> None:
    file = opened(window.desk.workspace)
    window.desk.workspace.filtering.set_text("case:alone")
    assert wait_for(lambda: file.table.visible.filtered)
    window.desk.page.expand_all()
    for kind in ("csv", "html", "markdown"):
        path = tmp_path / f"view.{kind}"
        write_view(window.desk, kind, path)
        assert wait_for(path.exists)
        text = path.read_text("utf-8")
        assert "what else?" in text
        assert "stops early" not in text


def test_the_conversation_in_front_is_exported_whole(window: MainWindow, tmp_path: Path) -> None:
    file = opened(window.desk.workspace)
    trigger(window, "view-conversation")
    window.desk.workspace.selection.select(Selection(file.number, file.table.tops[1]))
    path = tmp_path / "view.csv"
    write_view(window.desk, "csv", path)
    assert wait_for(path.exists)
    lines = path.read_text("utf-8").splitlines()
    assert lines[1].startswith("0,failed,fails")
    assert any("walk()" in line for line in lines)
    assert not any("alone" in line for line in lines)


def test_an_open_file_is_not_written_over(window: MainWindow) -> None:
    file = opened(window.desk.workspace)
    write_view(window.desk, "csv", file.path)
    QTest.qWait(0)
    assert not file.path.exists()
