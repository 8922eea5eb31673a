"""Any two files side by side: chosen in the menu of a file, or dropped one on the other."""

from __future__ import annotations

import json
from pathlib import Path

from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest

from tests.views.compare.comparing import (
    Call,
    TurnOf,
    choose_pair,
    compare_page,
    eval_set,
    opened,
    session,
    settled,
    shown,
    until,
)
from tests.views.menus import menu_at
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.compare.sides import BASELINE, CANDIDATE, GOLDEN, OBSERVED, OTHER_GOLDEN, TITLES, label
from trace_inspector.views.compare.page import ComparePage
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.workspace.panel import WorkspacePanel

COMPARE = "Compare the file &with…"
LOOK: Call = ("look", {"area": "Park"})
WALK: Call = ("walk", {"to": "Pike"})


def one(*calls: Call) -> TurnOf:
    return "How is it?", list(calls), "Fine."


def two_cases(path: Path, call: Call) -> Path:
    """Goldens of two cases."""
    parts = [eval_set(path.with_suffix(f".{case}"), one(call), case=case) for case in ("first", "second")]
    sets = [json.loads(part.read_text()) for part in parts]
    for part in parts:
        part.unlink()
    path.write_text(json.dumps(sets[0] | {"eval_cases": [case for each in sets for case in each["eval_cases"]]}))
    return path


def workspace_panel(window: MainWindow) -> WorkspacePanel:
    panel = window.desk.docks["workspace"].widget()
    assert isinstance(panel, WorkspacePanel)
    return panel


def menu_of(window: MainWindow, file: OpenFile) -> dict[str, QAction]:
    """What the context menu of a file in the workspace offers."""
    view = workspace_panel(window).view
    index = workspace_panel(window)._model.index_of(file.number)
    view.scrollTo(index)
    place = view.visualRect(index).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.RightButton, pos=place)  # which selects the file
    return menu_at(view, place)


def compared_by_menu(window: MainWindow, file: OpenFile, name: str) -> ComparePage:
    """Choose to compare in the menu of a file, and the file of that name."""
    menu_of(window, file)[COMPARE].trigger()
    palette = window.desk.palette
    until(lambda: palette.isVisible() and palette.list.model().rowCount() > 0)
    QTest.keyClicks(palette.field, name)
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    page = compare_page(window)
    shown(page)
    return page


def names(page: ComparePage) -> list[str]:
    return [label(page.compare.files, ref) for ref in page.compare.sides]


def test_two_runs_stand_side_by_side(window: MainWindow, tmp_path: Path) -> None:
    before, after = session(tmp_path / "before.json", one(LOOK)), session(tmp_path / "after.json", one(WALK))
    _first, second = opened(window, before, after)
    page = compared_by_menu(window, second, "before")
    assert [name.partition(" ")[0] for name in names(page)] == ["before.json", "after.json"]
    assert page.compare.roles == (BASELINE, CANDIDATE)
    assert page.compare.rows is not None
    assert page.compare.rows.differences


def test_a_golden_comes_first_whichever_was_chosen(window: MainWindow, tmp_path: Path) -> None:
    golden, run = opened(
        window, eval_set(tmp_path / "set.evalset.json", one(LOOK)), session(tmp_path / "run.json", one(WALK))
    )
    for mine, other in ((golden, run), (run, golden)):
        page = compared_by_menu(window, mine, other.name)
        assert page.compare.roles == (GOLDEN, OBSERVED)
        assert names(page)[0].startswith("set.evalset.json")


def test_two_files_of_goldens_go_on_by_case(window: MainWindow, tmp_path: Path) -> None:
    old, new = opened(
        window,
        two_cases(tmp_path / "old.evalset.json", LOOK),
        two_cases(tmp_path / "new.evalset.json", WALK),
    )
    third = opened(window, session(tmp_path / "run.json", one(WALK)))[0]
    page = compared_by_menu(window, new, "old")
    assert page.compare.roles == (GOLDEN, OTHER_GOLDEN)
    assert [TITLES[role] for role in page.compare.roles] == ["Golden", "Other golden"]
    assert page.compare.takes
    for file in (old, new):
        for case, top in zip(("first", "second"), file.table.tops, strict=True):
            window.desk.workspace.selection.select(Selection(file.number, top))
            shown(page)
            assert names(page) == [f"old.evalset.json › {case}", f"new.evalset.json › {case}"]
    window.desk.workspace.selection.select(Selection(third.number, third.table.tops[0]))
    assert page.compare.sides == ()


def test_what_was_chosen_stays_while_a_golden_of_it_is_edited(window: MainWindow, tmp_path: Path) -> None:
    golden, run = opened(
        window, eval_set(tmp_path / "set.evalset.json", one(LOOK)), session(tmp_path / "run.json", one(WALK))
    )
    window.desk.workspace.selection.select(Selection(golden.number, 0))  # the suite, which is no side
    page = compare_page(window)
    choose_pair(page, golden, run)
    QTest.keyClick(page.rows, Qt.Key.Key_T)
    settled(window, page)
    assert len(page.compare.sides) == 2
    assert page.compare.rows is not None
    assert not page.compare.rows.differences


def test_a_case_that_the_other_file_lacks_is_said(window: MainWindow, tmp_path: Path) -> None:
    old, new = opened(
        window,
        two_cases(tmp_path / "old.evalset.json", LOOK),
        eval_set(tmp_path / "new.evalset.json", one(WALK), case="second"),
    )
    page = compared_by_menu(window, new, "old")
    window.desk.workspace.selection.select(Selection(old.number, old.table.tops[0]))
    assert page.compare.sides == ()
    assert page.compare.notice[0] == "new.evalset.json has no conversation of the case “first”."


def test_one_file_is_dropped_on_another(window: MainWindow, tmp_path: Path) -> None:
    criteria = tmp_path / "test_config.json"
    criteria.write_text('{"criteria": {"tool_trajectory_avg_score": 1.0}}')
    before, after, config = opened(
        window,
        session(tmp_path / "before.json", one(LOOK)),
        session(tmp_path / "after.json", one(WALK)),
        criteria,
    )
    model = workspace_panel(window)._model
    dragged = model.mimeData([model.index_of(after.number)])
    action, target = Qt.DropAction.CopyAction, model.index_of(before.number)
    assert not model.canDropMimeData(dragged, action, -1, -1, model.index_of(after.number))
    assert not model.canDropMimeData(dragged, action, -1, -1, model.index_of(config.number))
    assert not model.canDropMimeData(dragged, action, -1, -1, QModelIndex())
    assert not model.flags(model.index_of(config.number)) & Qt.ItemFlag.ItemIsDragEnabled
    assert model.canDropMimeData(dragged, action, -1, -1, target)
    assert not model.dropMimeData(dragged, action, -1, -1, target)
    page = compare_page(window)
    shown(page)
    assert [name.partition(" ")[0] for name in names(page)] == ["before.json", "after.json"]


def test_a_file_alone_is_compared_with_nothing(window: MainWindow, tmp_path: Path) -> None:
    (run,) = opened(window, session(tmp_path / "run.json", one(LOOK)))
    assert "Copy path" in menu_of(window, run)
    assert not any("ompare" in entry for entry in menu_of(window, run))
    elsewhere = menu_at(workspace_panel(window).view, QPoint(5, 5_000))
    assert elsewhere
    assert not any("ompare" in entry for entry in elsewhere)
