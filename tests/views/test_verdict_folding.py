"""At the end of an evaluation what failed is unfolded and what passed is folded; a person's own choice stays."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.models.stories import GOLDENS, TRACES, begin, call, golden, judge, judged, put, trace, turn
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.selection import Selection
from trace_inspector.views.shell.main_window import MainWindow

pytestmark = pytest.mark.shared_window

OBSERVED = [
    trace("good", turn(0, "one?", call("a"))),
    trace("bad", turn(0, "one?", call("a")), turn(1, "two?", call("b"))),
    trace("fine", turn(0, "one?", call("a"))),
]
EXPECTED = golden(
    ("good", (turn(0, "one?", call("a")),)),
    ("bad", (turn(0, "one?", call("a")), turn(1, "two?", call("c")))),
    ("fine", (turn(0, "one?", call("a")),)),
)


def filled(window: MainWindow) -> OpenFile:
    workspace = window.desk.workspace
    file = put(workspace, TRACES, *OBSERVED)
    put(workspace, GOLDENS, EXPECTED)
    workspace.selection.select(Selection(file.number, file.table.tops[1]))
    return file


def evaluate(window: MainWindow) -> None:
    workspace = window.desk.workspace
    judge(workspace, begin(workspace), judged(OBSERVED, [EXPECTED]))


def unfolded(window: MainWindow, file: OpenFile) -> list[str]:
    tops = file.table.tops
    rows = [*tops, *(turn for top in tops for turn in file.table.turns(top))]
    return [file.table.label(row) for row in rows if window.page.tree.isExpanded(window.page.index_of(row))]


def test_what_passed_folds_and_what_failed_stays_open(window: MainWindow) -> None:
    file = filled(window)
    assert unfolded(window, file) == ["good", "bad", "fine"]
    evaluate(window)
    assert unfolded(window, file) == ["bad", file.table.label(file.table.turns(file.table.tops[1])[1])]


def test_what_a_person_unfolded_stays_so(window: MainWindow) -> None:
    file = filled(window)
    tree = window.page.tree
    evaluate(window)
    tree.setCurrentIndex(window.page.index_of(file.table.tops[2]))
    QTest.keyClick(tree, Qt.Key.Key_Right)
    tree.setCurrentIndex(window.page.index_of(file.table.tops[1]))
    QTest.keyClick(tree, Qt.Key.Key_Left)
    tree.setCurrentIndex(window.page.index_of(file.table.tops[0]))
    evaluate(window)
    assert unfolded(window, file) == ["fine", file.table.label(file.table.turns(file.table.tops[1])[1])]


def test_what_is_selected_stays_in_sight(window: MainWindow) -> None:
    file = filled(window)
    first = file.table.turns(file.table.tops[0])[0]
    window.desk.workspace.selection.select(Selection(file.number, first))
    evaluate(window)
    assert "good" in unfolded(window, file)
    assert "fine" not in unfolded(window, file)


def test_a_file_that_is_shown_later_is_folded_likewise(window: MainWindow) -> None:
    file = filled(window)
    other = put(window.desk.workspace, "/made/other.json", *OBSERVED[:1])
    window.desk.workspace.selection.select(Selection(other.number, 0))
    evaluate(window)
    window.desk.workspace.selection.select(Selection(file.number))
    assert "fine" not in unfolded(window, file)
    assert "bad" in unfolded(window, file)
