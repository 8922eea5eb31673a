"""Take after take by keys: verdict, saved file and the `diff` command agree each time, and a step back undoes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from tests.views.compare.comparing import Call, compare_page, compared, eval_set, session, shown, until
from tests.views.compare.comparing import settled as settled_in
from tests.views.test_curating_by_keys import CONTROL, SHIFT, Keyboard, judged, mark, settled, started_with
from trace_inspector.cli import main
from trace_inspector.models.base.open_file import FileState
from trace_inspector.views.compare.page import ComparePage
from trace_inspector.views.shell.main_window import MainWindow

LOOK: Call = ("look", {"area": "Park", "days": 3})
WALK: Call = ("walk", {"to": "Pike"})
BOOK: Call = ("book", {"room": 7})
MORE = "And something else entirely, please?"


def failing(window: MainWindow, keys: Keyboard, *paths: Path) -> ComparePage:
    """Evaluated, with the failing turn beside its golden."""
    started_with(window, *paths)
    keys.press(Qt.Key.Key_F5)
    judged(window)
    keys.press(Qt.Key.Key_F8)
    assert mark(window) == "failed"
    keys.press(Qt.Key.Key_4, CONTROL)
    page = compare_page(window)
    shown(page)
    return page


def verdict(window: MainWindow, page: ComparePage) -> str:
    """On the conversation that is compared, once nothing is under way."""
    workspace = window.desk.workspace
    settled(window)
    until(lambda: not page.compare.busy)
    file = workspace.files.get(page.compare.sides[-1].file)
    assert file is not None
    until(lambda: workspace.verdicts.mark_of(file.number, file.table.tops[0]) != "pending")
    return workspace.verdicts.mark_of(file.number, file.table.tops[0])


def test_the_verdict_the_file_and_diff_agree_after_every_take(
    window: MainWindow, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    golden = eval_set(
        tmp_path / "set.evalset.json",
        ("How is it there?", [LOOK, WALK, BOOK, ("see", {"x": 1})], "Fine."),
        ("Gone, long gone?", [WALK], "Yes."),
    )
    run = session(
        tmp_path / "one.json",
        ("How is it there?", [("look", {"area": "Park", "days": 5}), BOOK, WALK, ("ask", {})], "Fine."),
        (MORE, [BOOK, LOOK], "Done."),
    )
    keys = Keyboard(window)
    page = failing(window, keys, golden, run)
    keys.press(Qt.Key.Key_Home)
    told = []
    for _take in range(12):
        assert page.compare.rows is not None
        if not page.compare.rows.differences:
            break
        before = golden.read_bytes()
        keys.press(Qt.Key.Key_Home)
        keys.press(Qt.Key.Key_N)
        keys.press(Qt.Key.Key_2)
        now = verdict(window, page)
        keys.press(Qt.Key.Key_S, CONTROL)
        until(lambda: not window.desk.workspace.saving.unsaved)
        shown(page)
        assert golden.read_bytes() != before
        differs = main(["diff", str(golden), str(run)])
        told.append((now, differs, page.compare.first_divergence >= 0))
        assert told[-1] in (("failed", 1, True), ("passed", 0, False))
    assert told[-1] == ("passed", 0, False)
    assert len(told) > 4
    capsys.readouterr()


def test_the_saved_file_opened_again_differs_in_nothing(window: MainWindow, tmp_path: Path) -> None:
    golden = eval_set(tmp_path / "set.evalset.json", ("How is it there?", [LOOK, WALK], "Fine."))
    run = session(tmp_path / "s.json", ("How is it there?", [WALK], "Cold."), (MORE, [BOOK], "Done."))
    page = compared(window, golden, run)
    keys = Keyboard(window)
    page.rows.setFocus()
    for _difference in range(3):
        keys.press(Qt.Key.Key_Home)
        keys.press(Qt.Key.Key_N)
        keys.press(Qt.Key.Key_2)
        settled_in(window, page)
    keys.press(Qt.Key.Key_S, CONTROL)
    workspace = window.desk.workspace
    until(lambda: not workspace.saving.unsaved)
    for file in workspace.files:
        workspace.files.close(file.number)
    assert not workspace.files.in_order
    again = compared(window, golden, run)
    assert again.compare.rows is not None
    assert not again.compare.rows.differences
    assert again.compare.takes
    value = json.loads(golden.read_text())
    assert len(value["eval_cases"][0]["conversation"]) == 2
    assert all(file.state is FileState.READY for file in workspace.files)


def test_ignoring_is_undone_and_done_again_by_keys(window: MainWindow, tmp_path: Path) -> None:
    golden = eval_set(tmp_path / "set.evalset.json", ("How is it there?", [LOOK], "Fine."))
    run = session(tmp_path / "one.json", ("How is it there?", [("look", {"area": "Pier", "days": 3})], "Fine."))
    keys = Keyboard(window)
    page = failing(window, keys, golden, run)
    before = golden.read_bytes()
    keys.press(Qt.Key.Key_F)
    keys.press(Qt.Key.Key_Right)
    for press, shift, wanted in (
        (Qt.Key.Key_I, None, "passed"),
        (Qt.Key.Key_Z, CONTROL, "failed"),
        (Qt.Key.Key_Z, CONTROL | SHIFT, "passed"),
        (Qt.Key.Key_I, None, "failed"),
        (Qt.Key.Key_Z, CONTROL, "passed"),
        (Qt.Key.Key_Z, CONTROL, "failed"),
    ):
        keys.press(press, *([shift] if shift is not None else []))
        assert verdict(window, page) == wanted
        assert (page.compare.first_divergence >= 0) is (wanted == "failed")
        row = page.compare.row
        assert row is not None
        assert [value.path for value in row.values if value.ignored] == ["area"] * (wanted == "passed")
    assert not window.desk.workspace.saving.unsaved
    assert golden.read_bytes() == before
