"""Sides that a person chose stay when their files are read again."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.views.compare.comparing import Call, compared, eval_set, opened, session, settled, shown, until
from tests.views.doing import trigger
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.models.base.open_file import FileState
from trace_inspector.models.base.row_table import TOP
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.compare.sides import ref_of
from trace_inspector.models.evaluation.run_scope import Scope
from trace_inspector.views.compare.page import ComparePage
from trace_inspector.views.shell.main_window import MainWindow

PARK: Call = ("look", {"area": "Park"})
PIKE: Call = ("look", {"area": "Pike"})


@pytest.fixture
def page(window: MainWindow, tmp_path: Path) -> ComparePage:
    """Two sessions of one name, which no run pairs."""
    paths = [session(tmp_path / name, ("Where?", [call], "There.")) for name, call in SESSIONS.items()]
    page = compared(window, *paths)
    workspace = window.desk.workspace
    workspace.selection.select(
        Selection(workspace.files.in_order[1].number, workspace.files.in_order[1].table.tops[0])
    )
    assert told(page) == ["Park", "Pike"]
    return page


SESSIONS = {"before.json": PARK, "after.json": PIKE}


def told(page: ComparePage) -> list[str]:
    """The area that each side looks at."""
    assert page.compare.rows is not None
    rows = [page.compare.rows.row(at) for at in range(len(page.compare.rows))]
    (call,) = (row for row in rows if row.values)
    return [(text or "").strip('"') for text in call.values[0].texts]


def all_read(window: MainWindow) -> None:
    until(lambda: all(file.state is not FileState.LOADING for file in window.desk.workspace.files))


def test_a_reloaded_side_is_compared_again(window: MainWindow, page: ComparePage, tmp_path: Path) -> None:
    session(tmp_path / "after.json", ("Where?", [("look", {"area": "Pier"})], "There."))
    trigger(window, "reload")
    all_read(window)
    shown(page)
    assert told(page) == ["Park", "Pier"]


def test_both_are_reloaded_at_once(window: MainWindow, page: ComparePage, tmp_path: Path) -> None:
    session(tmp_path / "before.json", ("Where?", [("look", {"area": "Pier"})], "There."))
    for file in window.desk.workspace.files:
        window.desk.workspace.files.reload(file.number)
    all_read(window)
    shown(page)
    assert told(page) == ["Pier", "Pike"]


def test_a_conversation_that_went_is_not_waited_for(window: MainWindow, page: ComparePage, tmp_path: Path) -> None:
    eval_set(tmp_path / "after.json")
    trigger(window, "reload")
    all_read(window)
    assert page.compare.sides == ()
    session(tmp_path / "after.json", ("Where?", [PIKE], "There."))
    trigger(window, "reload")
    all_read(window)
    assert page.compare.sides == ()


def test_who_looks_elsewhere_meanwhile_gets_that(window: MainWindow, page: ComparePage, tmp_path: Path) -> None:
    (other,) = opened(window, session(tmp_path / "other.json", ("When?", [PARK], "Now.")))
    window.desk.workspace.files.reload(window.desk.workspace.files.in_order[1].number)
    window.desk.workspace.selection.select(Selection(other.number, other.table.tops[0]))
    all_read(window)
    assert page.compare.sides == ()
    assert window.desk.workspace.selection.value == Selection(other.number, other.table.tops[0])


def test_who_chooses_others_meanwhile_keeps_those(window: MainWindow, page: ComparePage, tmp_path: Path) -> None:
    (other,) = opened(window, session(tmp_path / "other.json", ("When?", [PARK], "Now.")))
    first = window.desk.workspace.files.in_order[0]
    window.desk.workspace.files.reload(window.desk.workspace.files.in_order[1].number)
    chosen = ref_of(first, first.table.tops[0]), ref_of(other, other.table.tops[0])
    page.compare.choose_sides(chosen)
    all_read(window)
    assert page.compare.sides == chosen


def test_a_closed_side_does_not_come_back(window: MainWindow, page: ComparePage, tmp_path: Path) -> None:
    number = window.desk.workspace.files.in_order[1].number
    window.desk.workspace.files.close(number)
    opened(window, tmp_path / "after.json")
    assert page.compare.sides == ()
    assert window.desk.workspace.files.in_order[0].table.tops[0] != TOP


@pytest.mark.parametrize("which", [0, 1, 2])
def test_of_three_sides_one_is_closed(window: MainWindow, tmp_path: Path, which: int) -> None:
    golden = eval_set(tmp_path / "set.evalset.json", ("Where?", [PARK], "There."))
    paths = [session(tmp_path / name, ("Where?", [call], "There.")) for name, call in SESSIONS.items()]
    page = compared(window, golden, *paths)
    workspace = window.desk.workspace
    file = workspace.files.in_order[2 if which < 2 else 1]
    workspace.selection.select(Selection(file.number, file.table.tops[0]))
    closed = workspace.files.in_order[which]
    workspace.files.close(closed.number)
    page.rows.grab()
    assert all(ref.file != closed.number for ref in page.compare.sides)
    assert len(page.compare.sides) in (0, 2)
    assert page.compare.sides or page.compare.notice[0]


def test_taken_while_a_run_is_under_way(window: MainWindow, tmp_path: Path) -> None:
    golden = eval_set(tmp_path / "set.evalset.json", ("Where?", [PARK], "There."))
    page = compared(window, golden, session(tmp_path / "s.json", ("Where?", [PIKE], "There.")))
    workspace = window.desk.workspace
    page.compare.go(page.compare.first_divergence)
    workspace.evaluation.ask_to_start()
    QTest.keyClick(page.rows, Qt.Key.Key_2)
    settled(window, page)
    until(lambda: workspace.run.value is not None and workspace.run.value.verdict is not None)
    settled(window, page)
    assert page.compare.first_divergence == -1
    assert fared(page) is not Status.FAILED, "that was the golden before"
    workspace.evaluation.ask_to_start(Scope.STALE)  # where the edit came in time there is nothing to do
    until(lambda: fared(page) is Status.PASSED)


def fared(page: ComparePage) -> Status | None:
    verdict = page.compare.verdict
    return verdict.status if verdict is not None else None
