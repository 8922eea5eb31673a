"""“Rebase” by keys: rows are decided, verdicts shown before anything changes, and one step takes it back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from tests.helpers.rebase_suite import Suite, suite
from tests.helpers.result_files import adk_file, skipping_runs
from tests.views.doing import trigger
from tests.views.test_evaluate_dialog import open_all
from tests.views.test_every_panel import nameless, unreachable
from tests.views.test_promote_window import file_of, settled
from trace_inspector.models.base.selection import Selection
from trace_inspector.views.rebase.dialog import NAME, RebaseDialog
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.work.golden.bulk_requests import ShapeCases

pytestmark = pytest.mark.shared_window

WAIT_MS = 60_000
COUNT = 20


@pytest.fixture
def made(tmp_path: Path) -> Suite:
    return suite(tmp_path, COUNT)


def opened(window: MainWindow, qtbot: QtBot, made: Suite) -> RebaseDialog:
    open_all(window, qtbot, [made.golden, made.base, made.new])
    window.desk.workspace.selection.select(Selection(file_of(window, made.golden.name)))
    trigger(window, "rebase")
    dialog = window.findChild(RebaseDialog, NAME)
    assert dialog is not None
    dialog.edit.set_runs(str(made.base), str(made.new))
    known(dialog, qtbot)
    return dialog


def known(dialog: RebaseDialog, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not dialog.waiting, timeout=WAIT_MS)


def row(dialog: RebaseDialog, words: str) -> int:
    table = dialog.rows.table
    return next(at for at in range(table.rowCount()) if words in str(table.index(at, 0).data()))


def press(dialog: RebaseDialog, at: int, *keys: Qt.Key) -> None:
    dialog.rows.setCurrentIndex(dialog.rows.table.index(at, 0))
    for key in keys:
        QTest.keyClick(dialog.rows, key)


def cell(dialog: RebaseDialog, at: int, column: int) -> str:
    return str(dialog.rows.table.index(at, column).data() or "")


def test_runs_that_fit_the_goldens_are_proposed(
    window: MainWindow, qtbot: QtBot, made: Suite, tmp_path: Path
) -> None:
    value = json.loads(made.new.read_text(encoding="utf-8"))
    for case in value["eval_cases"]:
        case["eval_id"] += " of another suite"
    other = tmp_path / "newer.evalset.json"
    other.write_text(json.dumps(value), encoding="utf-8")
    dialog = opened(window, qtbot, made)
    dialog.close()
    recorded = adk_file(tmp_path / "of-others.evalset_result.json", skipping_runs())
    open_all(window, qtbot, [other, recorded])  # the second has conversations, which the goldens' runs have not
    window.desk.workspace.selection.select(Selection(file_of(window, made.golden.name)))
    trigger(window, "rebase")
    (again,) = (each for each in window.findChildren(RebaseDialog) if each.isVisible())
    assert (again.edit.base, again.edit.new) == (str(made.base), str(made.new))
    known(again, qtbot)
    again.close()


def test_decided_by_keys_as_one_step(window: MainWindow, qtbot: QtBot, made: Suite) -> None:
    before = made.golden.read_bytes()
    dialog = opened(window, qtbot, made)
    assert nameless(dialog) == []
    assert unreachable(dialog) == []
    assert dialog.verdicts.text() == f"Before: {COUNT} failed · After: {COUNT} failed · 0 goldens would change"
    assert not dialog.make.isEnabled()
    table = dialog.rows.table
    for at in range(table.rowCount()):
        many = int(cell(dialog, at, 2)) > COUNT // 2
        press(dialog, at, Qt.Key.Key_A if many else Qt.Key.Key_R)
    known(dialog, qtbot)
    assert (
        dialog.verdicts.text()
        == f"Before: {COUNT} failed · After: 17 passed, 3 failed · {COUNT} goldens would change"
    )
    assert dialog.open_ends.text() == ""
    QTest.keyClick(dialog.rows, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    settled(window, qtbot)
    assert window.desk.undo.undoText() == f"Rebase {COUNT} goldens"
    assert made.golden.read_bytes() == before
    trigger(window, "save")
    qtbot.waitUntil(lambda: made.golden.read_bytes() == made.expected.read_bytes(), timeout=WAIT_MS)
    window.desk.undo.undo()
    settled(window, qtbot)
    trigger(window, "save")
    qtbot.waitUntil(lambda: made.golden.read_bytes() == before, timeout=WAIT_MS)


def test_an_exception_for_one_case(window: MainWindow, qtbot: QtBot, made: Suite) -> None:
    dialog = opened(window, qtbot, made)
    at = row(dialog, "replaced by “find_customer”")
    press(dialog, at, Qt.Key.Key_A, Qt.Key.Key_Right)
    press(dialog, at + 1, Qt.Key.Key_R)
    known(dialog, qtbot)
    assert cell(dialog, at, 1) == "Accept, with exceptions"
    assert [cell(dialog, at + 1, 1), cell(dialog, at + 2, 1)] == ["Reject", "Accept"]
    assert f"{COUNT - 1} goldens would change" in dialog.verdicts.text()
    press(dialog, at + 1, Qt.Key.Key_Left)
    assert dialog.rows.current is not None
    assert dialog.rows.current.case == ""
    press(dialog, at, Qt.Key.Key_Left)
    assert dialog.rows.table.rowCount() == len(dialog.edit.lines)
    dialog.reject()


def test_a_rule_is_only_for_arguments(window: MainWindow, qtbot: QtBot, made: Suite) -> None:
    dialog = opened(window, qtbot, made)
    at = row(dialog, "replaced by “find_customer”")
    press(dialog, at, Qt.Key.Key_L)
    assert cell(dialog, at, 1) == "Later"
    at = row(dialog, "times 10")
    press(dialog, at, Qt.Key.Key_L)
    assert cell(dialog, at, 1).startswith("Loosen: ")
    known(dialog, qtbot)
    dialog.reject()


def test_closed_before_the_answer_came(window: MainWindow, qtbot: QtBot, made: Suite) -> None:
    dialog = opened(window, qtbot, made)
    press(dialog, 0, Qt.Key.Key_A)
    assert dialog.waiting
    dialog.reject()
    settled(window, qtbot)


def test_without_runs(window: MainWindow, qtbot: QtBot, made: Suite) -> None:
    open_all(window, qtbot, [made.golden])
    window.desk.workspace.selection.select(Selection(file_of(window, made.golden.name)))
    trigger(window, "rebase")
    dialog = window.findChild(RebaseDialog, NAME)
    assert dialog is not None
    assert not dialog.waiting
    assert not dialog.make.isEnabled()
    dialog.reject()


def halves(made: Suite, tmp_path: Path) -> list[Path]:
    """The goldens in two files."""
    whole = json.loads(made.golden.read_text("utf-8"))
    paths = [tmp_path / "one.evalset.json", tmp_path / "two.evalset.json"]
    for path, cases in zip(
        paths, (whole["eval_cases"][: COUNT // 2], whole["eval_cases"][COUNT // 2 :]), strict=True
    ):
        path.write_text(json.dumps({**whole, "eval_cases": cases}, indent=2), "utf-8")
    return paths


def of_two_files(window: MainWindow, qtbot: QtBot, made: Suite, paths: list[Path]) -> RebaseDialog:
    open_all(window, qtbot, [*paths, made.base, made.new])
    window.desk.workspace.selection.select(Selection(file_of(window, paths[0].name)))
    trigger(window, "rebase")
    dialog = window.findChild(RebaseDialog, NAME)
    assert dialog is not None
    dialog.edit.set_runs(str(made.base), str(made.new))
    dialog.edit.set_scope([file_of(window, path.name) for path in paths])
    known(dialog, qtbot)
    return dialog


def accept_all(dialog: RebaseDialog, qtbot: QtBot) -> None:
    for at in range(dialog.rows.table.rowCount()):
        press(dialog, at, Qt.Key.Key_A)
    known(dialog, qtbot)
    QTest.keyClick(dialog.rows, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)


def test_one_undo_step_for_several_files(window: MainWindow, qtbot: QtBot, made: Suite, tmp_path: Path) -> None:
    paths = halves(made, tmp_path)
    before = [path.read_bytes() for path in paths]
    accept_all(of_two_files(window, qtbot, made, paths), qtbot)
    settled(window, qtbot)
    goldens, undo = window.desk.workspace.goldens, window.desk.undo
    assert (undo.count(), undo.undoText()) == (1, f"Rebase {COUNT} goldens in 2 files")
    numbers = [file_of(window, path.name) for path in paths]
    assert sorted(goldens.unsaved) == sorted(numbers)
    for number in numbers:
        goldens.save(number)
    settled(window, qtbot)
    assert [path.read_bytes() for path in paths] != before
    undo.undo()
    settled(window, qtbot)
    for number in numbers:
        goldens.save(number)
    settled(window, qtbot)
    assert [path.read_bytes() for path in paths] == before


def test_a_file_that_was_edited_meanwhile_stays_and_that_is_told(
    window: MainWindow, qtbot: QtBot, made: Suite, tmp_path: Path
) -> None:
    paths = halves(made, tmp_path)
    dialog = of_two_files(window, qtbot, made, paths)
    for at in range(dialog.rows.table.rowCount()):
        press(dialog, at, Qt.Key.Key_A)
    known(dialog, qtbot)
    goldens, second = window.desk.workspace.goldens, file_of(window, paths[1].name)
    goldens.make(second, "Add", lambda _places: ShapeCases("add"))
    told: list[str] = []
    dialog.edit.make(told.append)
    settled(window, qtbot)
    dialog.reject()
    (sentence,) = told
    assert sentence.startswith(f"Rebase {COUNT} goldens in 2 files: done in 1 of 2 files, which Ctrl+Z undoes.")
    assert "two.evalset.json: The goldens have changed since these rows were made." in sentence
    window.desk.undo.undo()
    settled(window, qtbot)
    assert goldens.unsaved == [second]


def test_decisions_are_saved_and_decide_again(
    window: MainWindow, qtbot: QtBot, made: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "decisions.json"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: (str(path), ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args: (str(path), ""))
    dialog = opened(window, qtbot, made)
    at = row(dialog, "replaced by “find_customer”")
    press(dialog, at, Qt.Key.Key_A, Qt.Key.Key_Right)
    press(dialog, at + 1, Qt.Key.Key_R)
    press(dialog, at, Qt.Key.Key_Left)
    limit = row(dialog, "times 10")
    press(dialog, limit, Qt.Key.Key_L)
    known(dialog, qtbot)
    verdicts, shown = dialog.verdicts.text(), [cell(dialog, each, 1) for each in range(len(dialog.edit.lines))]
    QTest.keyClick(dialog.rows, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(path.exists, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: dialog.open_ends.text() == f"The decisions are in {path}.", timeout=WAIT_MS)
    for each in range(dialog.rows.table.rowCount()):
        press(dialog, each, Qt.Key.Key_T)
    known(dialog, qtbot)
    assert dialog.verdicts.text() != verdicts
    QTest.keyClick(dialog.rows, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: dialog.verdicts.text() == verdicts and not dialog.waiting, timeout=WAIT_MS)
    assert [cell(dialog, each, 1) for each in range(len(dialog.edit.lines))] == shown
    path.write_text("[]", "utf-8")
    QTest.keyClick(dialog.rows, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: "no file of decisions" in dialog.open_ends.text(), timeout=WAIT_MS)
    assert dialog.verdicts.text() == verdicts
    QTest.keyClick(dialog.rows, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: "would be lost" in dialog.open_ends.text(), timeout=WAIT_MS)
    assert path.read_text("utf-8") == "[]"
    dialog.reject()


def test_what_differs_keeps_the_most_room(window: MainWindow, qtbot: QtBot, made: Suite) -> None:
    dialog = opened(window, qtbot, made)
    grown = window.desk.theme.grown
    for width in (560, 1000, 560):
        dialog.rows.resize(grown(width), grown(300))
        assert dialog.rows.columnWidth(0) > 0.4 * dialog.rows.width()
    dialog.reject()
