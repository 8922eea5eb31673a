"""Files of CES, Vertex AI and agent-eval in the window: read by a child, walked by key, verdicts side by side."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from tests.formats import ces_golden_files, ces_result_files, vertex_files
from tests.views.doing import wait_for
from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.values.values import Json
from trace_inspector.models.base.open_file import FileState, OpenFile
from trace_inspector.models.base.selection import Selection
from trace_inspector.views.details.panel import VERDICTS, DetailsPanel
from trace_inspector.views.shell.main_window import MainWindow

pytestmark = pytest.mark.shared_window


def opened(window: MainWindow, qtbot: QtBot, path: Path, value: Json) -> OpenFile:
    """The file of a value, read the real way."""
    path.write_text(json.dumps(value), "utf-8")
    workspace = window.desk.workspace
    workspace.files.open([path])
    qtbot.waitUntil(lambda: all(file.state is FileState.READY for file in workspace.files), timeout=60_000)
    return next(file for file in workspace.files if file.path == path)


def verdicts(window: MainWindow) -> DetailsPanel:
    panel = window.desk.docks["details"].widget()
    assert isinstance(panel, DetailsPanel)
    panel.tabs.setCurrentIndex(VERDICTS)
    return panel


def shown(panel: DetailsPanel) -> str:
    texts = [label.text() for label in panel.verdicts.findChildren(QLabel) if label.isVisibleTo(panel)]
    return "\n".join(texts)


def test_from_a_result_of_ces_to_the_expectation_that_failed(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    failing = ces_result_files.replay(
        expectationOutcome=[
            ces_result_files.met(
                expectation={"toolCall": ces_result_files.call("search", title="Emma")},
                observedToolCall=ces_result_files.call("search", title="Emma"),
            ),
            {
                "expectation": {"toolCall": ces_result_files.call("order", copies=2)},
                "outcome": "FAIL",
                "toolInvocationResult": {"outcome": "FAIL", "explanation": "It was never called."},
            },
        ]
    )
    value = ces_result_files.result(ces_result_files.replay(), failing, evaluationStatus="FAIL")
    file = opened(window, qtbot, tmp_path / "result.json", value)
    panel = verdicts(window)
    window.desk.page.tree.setFocus()
    QTest.keyClick(window, Qt.Key.Key_F8)
    selection = window.desk.workspace.selection.value
    assert selection is not None
    table = file.table
    assert table.kind(selection.row) is Kind.TURN
    assert table.order_of(selection.row) == 1
    assert wait_for(lambda: "It was never called." in shown(panel)), shown(panel)
    assert "derived" in shown(panel).lower()  # CES states no verdict of a turn
    window.desk.workspace.selection.select(Selection(file.number, table.tops[0]))
    assert wait_for(lambda: "The file reports FAILED" in shown(panel)), shown(panel)


def test_a_file_that_contradicts_its_parts_says_so(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    failing = ces_result_files.replay(
        overallToolInvocationResult={"toolInvocationScore": 0.0, "outcome": "FAIL"},
    )
    file = opened(window, qtbot, tmp_path / "result.json", ces_result_files.result(failing, evaluationStatus="PASS"))
    assert [found.code for found in file.findings if found.code == "verdicts-differ"]
    panel = verdicts(window)
    window.desk.workspace.selection.select(Selection(file.number, file.table.turns(file.table.tops[0])[0]))
    assert wait_for(lambda: "failed" in shown(panel).lower()), shown(panel)
    window.desk.workspace.selection.select(Selection(file.number, file.table.tops[0]))
    assert wait_for(lambda: "PASSED" in shown(panel)), shown(panel)


def test_both_candidates_of_an_item_are_there(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    file = opened(window, qtbot, tmp_path / "items.json", vertex_files.full_list())
    table = file.table
    labels = [table.label(row) for row in range(len(table)) if table.kind(row) is Kind.TRACE]
    assert len(labels) >= 2
    assert len(set(labels)) == len(labels)
    panel = verdicts(window)
    told = set()
    for row in table.tops:
        if table.kind(row) is Kind.TRACE:
            window.desk.workspace.selection.select(Selection(file.number, row))
            assert wait_for(lambda: shown(panel) not in told), "that of the one before stays"
            told.add(shown(panel))
    assert len(told) == len(labels)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("golden", ces_golden_files.full_golden()),
        ("scenario", ces_golden_files.scenario()),
        ("simulated", ces_result_files.RESULTS["scenario"]),
        ("run", ces_result_files.run()),
        ("conversation", ces_result_files.conversation()),
    ],
)
def test_each_view_shows_each_kind_of_file(
    name: str, value: Json, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    file = opened(window, qtbot, tmp_path / f"{name}.json", value)
    for key in (Qt.Key.Key_2, Qt.Key.Key_3, Qt.Key.Key_1):
        QTest.keyClick(window, key, Qt.KeyboardModifier.ControlModifier)
        for row in range(min(len(file.table), 40)):
            window.desk.workspace.selection.select(Selection(file.number, row))
        qtbot.wait(20)
    assert not window.desk.fault
