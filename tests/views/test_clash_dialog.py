"""The file is another one on disk than the one that is edited: both put together by keys, and nothing goes unseen."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.models.test_goldens import eval_set
from tests.views.menus import menu_at
from tests.views.saving_doing import WAIT_MS, dialog, edited, opened, press, push, says, settle
from trace_inspector.core.golden.golden_change import Named, SuiteDescribed
from trace_inspector.core.golden.three_way import ChangedBy
from trace_inspector.core.values.values import JsonObject
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.views.saving.conflict_dialog import ClashDialog, show_clash
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.work.golden.requests import MergePreview, MergeRow
from trace_inspector.work.processes.request_child import Answer

pytestmark = pytest.mark.shared_window


def clash(window: MainWindow, qtbot: QtBot, rows: int) -> ClashDialog:
    """The dialog that comes when the selected file is saved, with so many rows."""
    press(window, qtbot, Qt.Key.Key_S)
    asked = dialog(window, qtbot, ClashDialog)
    qtbot.waitUntil(lambda: asked.rows.count() == rows, timeout=WAIT_MS)
    return asked


def choose(asked: ClashDialog, words: str) -> None:
    """Take one of what is offered for the row that is shown, by keys."""
    assert asked.choice.isVisible()
    asked.choice.setFocus()
    QTest.keyClick(asked.choice, Qt.Key.Key_Home)
    while asked.choice.currentText() != words:
        before = asked.choice.currentIndex()
        QTest.keyClick(asked.choice, Qt.Key.Key_Down)
        assert asked.choice.currentIndex() != before, f"“{words}” is not offered"


def put_together(window: MainWindow, qtbot: QtBot, asked: ClashDialog) -> None:
    push(asked, "Merge")
    qtbot.waitUntil(lambda: not window.findChildren(ClashDialog), timeout=WAIT_MS)


def on_disk(file: OpenFile) -> JsonObject:
    value = json.loads(file.path.read_text())
    assert isinstance(value, dict)
    return value


def write(file: OpenFile, value: JsonObject) -> None:
    file.path.write_text(json.dumps(value, indent=2) + "\n")


def ids(file: OpenFile) -> list[str]:
    return [one["eval_id"] for one in json.loads(file.path.read_text())["eval_cases"]]


def city(window: MainWindow, file: OpenFile, case: int) -> str:
    goldens = window.desk.workspace.goldens
    found = goldens.case(file.number, goldens.places(file.number)[case])
    return repr(found.turns[0].events if found else None)


def test_a_file_that_changed_on_disk_is_put_together_by_choice(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    file = edited(window, qtbot, eval_set(tmp_path / "a.evalset.json", "Graz", "Linz", "Wels"))
    edited(window, qtbot, file.path, "Bari", 1)
    theirs = json.loads(file.path.read_text())
    for case in (0, 2):
        theirs["eval_cases"][case]["conversation"][0]["intermediate_data"]["tool_uses"][0]["args"]["city"] = "Oslo"
    file.path.write_text(json.dumps(theirs, indent=2) + "\n")
    before = file.path.read_bytes()
    asked = clash(window, qtbot, 3)
    assert not asked.together.isEnabled()
    assert ('"Rome"' in asked.mine.toPlainText(), '"Oslo"' in asked.theirs.toPlainText()) == (True, True)
    choose(asked, "Take what is edited here")
    put_together(window, qtbot, asked)
    assert file.path.read_bytes() == before
    assert (file.unsaved, window.desk.undo.undoText()) == (1, "Merge both sides")
    settle(window, qtbot)
    press(window, qtbot, Qt.Key.Key_S)
    qtbot.waitUntil(lambda: not file.unsaved, timeout=WAIT_MS)
    cases = json.loads(file.path.read_text())["eval_cases"]
    cities = [one["conversation"][0]["intermediate_data"]["tool_uses"][0]["args"]["city"] for one in cases]
    assert cities == ["Rome", "Bari", "Oslo"]


@pytest.mark.parametrize(("words", "order"), [("edited here", "bca"), ("on disk", "cba")])
def test_an_order_that_both_changed_is_decided_and_not_guessed(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, words: str, order: str
) -> None:
    file = opened(window, qtbot, eval_set(tmp_path / "a.evalset.json", *"abc"))
    window.desk.workspace.goldens.arrange(file.number, "Move", lambda places: [*places[1:], places[0]])
    settle(window, qtbot)
    theirs = on_disk(file)
    theirs["eval_cases"] = json.loads(json.dumps(theirs["eval_cases"]))[::-1]
    write(file, theirs)
    asked = clash(window, qtbot, 1)
    assert asked.rows.item(0).text() == "order of the cases – changed differently"
    assert (asked.mine.toPlainText(), asked.theirs.toPlainText()) == ("b\nc\na", "c\nb\na")
    assert not asked.together.isEnabled()
    assert asked.choice.findText("Keep both") < 0
    entries = menu_at(asked.rows, asked.rows.visualItemRect(asked.rows.item(0)).center())
    assert list(entries) == ["Not decided yet", "Take what is on disk", "Take what is edited here"]
    entries[f"Take what is {words}"].trigger()
    assert asked.choice.currentText() == f"Take what is {words}"
    put_together(window, qtbot, asked)
    settle(window, qtbot)
    press(window, qtbot, Qt.Key.Key_S)
    qtbot.waitUntil(lambda: not file.unsaved and "".join(ids(file)) == order, timeout=WAIT_MS)


def test_a_value_of_the_file_is_one_side_or_the_other_and_a_case_may_be_both(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    file = edited(window, qtbot, eval_set(tmp_path / "a.evalset.json", "Graz"))
    window.desk.workspace.goldens.describe(file.number, "Name", SuiteDescribed("mine", ""), "name")
    settle(window, qtbot)
    theirs = json.loads(file.path.read_text().replace('"city": "Graz"', '"city": "Oslo"'))
    write(file, {**theirs, "name": "theirs"})
    asked = clash(window, qtbot, 2)
    assert [asked.rows.item(at).text() for at in range(2)] == [
        "Graz – changed differently",
        "/name – changed differently",
    ]
    choose(asked, "Keep both")
    asked.rows.setFocus()
    QTest.keyClick(asked.rows, Qt.Key.Key_Down)
    assert asked.choice.findText("Keep both") < 0
    assert not asked.together.isEnabled()
    choose(asked, "Take what is edited here")
    put_together(window, qtbot, asked)
    settle(window, qtbot)
    assert len(set(window.desk.workspace.goldens.places(file.number))) == 2
    assert ("Oslo" in city(window, file, 0), "Rome" in city(window, file, 1)) == (True, True)
    press(window, qtbot, Qt.Key.Key_S)
    qtbot.waitUntil(lambda: not file.unsaved, timeout=WAIT_MS)
    assert on_disk(file)["name"] == "mine"
    assert len(set(ids(file))) == 2


def test_a_golden_that_cannot_keep_its_id_is_told_before_and_after(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    file = opened(window, qtbot, eval_set(tmp_path / "a.evalset.json", "Graz", "Linz"))
    goldens = window.desk.workspace.goldens
    goldens.change(file.number, goldens.places(file.number)[0], "Rename", lambda _case: (Named("Wels"),))
    settle(window, qtbot)
    eval_set(file.path, "Graz", "Linz", "Wels")
    told = "“Wels” from here becomes “Wels (2)”: another golden on disk got the id “Wels”, too."
    asked = clash(window, qtbot, 2)
    assert asked.summary.text().endswith(told)
    put_together(window, qtbot, asked)
    assert says(window, told)
    settle(window, qtbot)
    press(window, qtbot, Qt.Key.Key_S)
    qtbot.waitUntil(lambda: not file.unsaved and ids(file) == ["Wels (2)", "Linz", "Wels"], timeout=WAIT_MS)


def test_a_file_that_can_no_longer_be_read_is_said_and_can_still_be_saved_over(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    file = edited(window, qtbot, eval_set(tmp_path / "a.evalset.json", "Graz"))
    file.path.write_bytes(b"\x00\xff no longer an eval set")
    press(window, qtbot, Qt.Key.Key_S)
    asked = dialog(window, qtbot, ClashDialog)
    qtbot.waitUntil(asked.keep.hasFocus, timeout=WAIT_MS)
    assert asked.summary.text() != "Comparing…"
    assert asked.summary.text().endswith(".")
    assert not asked.together.isEnabled()
    push(asked, "Save over it")
    qtbot.waitUntil(lambda: not window.findChildren(ClashDialog) and not file.unsaved, timeout=WAIT_MS)
    assert "Rome" in file.path.read_text()


def test_a_file_that_changes_once_more_is_compared_once_more(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    file = edited(window, qtbot, eval_set(tmp_path / "a.evalset.json", "Graz", "Linz"))
    file.path.write_text(file.path.read_text().replace("Linz", "Wels"))
    asked = clash(window, qtbot, 2)
    file.path.write_text(file.path.read_text().replace('"city": "Graz"', '"city": "Oslo"'))
    push(asked, "Merge")
    qtbot.waitUntil(lambda: "to be decided" in asked.summary.text(), timeout=WAIT_MS)
    assert not asked.together.isEnabled()
    assert asked.rows.item(0).text() == "Graz – changed differently"
    QTest.keyClick(asked, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not window.findChildren(ClashDialog), timeout=WAIT_MS)
    assert ("Oslo" in file.path.read_text(), file.unsaved) == (True, 1)


def test_more_conflicts_than_are_listed_cannot_be_put_together(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    file = edited(window, qtbot, eval_set(tmp_path / "a.evalset.json", "Graz"))
    file.path.write_text(file.path.read_text().replace('"city": "Graz"', '"city": "Oslo"'))
    asked = clash(window, qtbot, 1)
    row = MergeRow(0, "Graz", ChangedBy.CONFLICT, "mine", "theirs")
    asked._take(Answer(MergePreview(file.number, "", (row,), 501, 501, 0, ChangedBy.SAME)))
    choose(asked, "Take what is on disk")
    assert "too many to decide" in asked.summary.text()
    assert not asked.together.isEnabled()
    asked.reject()


def test_an_answer_for_a_dialog_that_is_gone_is_heard_by_nobody(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    file = edited(window, qtbot, eval_set(tmp_path / "a.evalset.json", "Graz", "Linz"))
    process = window.desk.workspace.goldens.edited(file.number)
    assert process is not None
    os.kill(process.process, signal.SIGSTOP)
    try:
        show_clash(window.desk, file)
        asked = dialog(window, qtbot, ClashDialog)
        asked.reject()
        qtbot.waitUntil(lambda: not window.findChildren(ClashDialog), timeout=WAIT_MS)
    finally:
        os.kill(process.process, signal.SIGCONT)
    settle(window, qtbot)
    assert file.unsaved


def test_who_does_not_wait_hears_that_both_are_together(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    file = edited(window, qtbot, eval_set(tmp_path / "a.evalset.json", "Graz", "Linz"))
    theirs = on_disk(file)
    write(file, theirs | {"name": "Weather"})
    asked = clash(window, qtbot, 2)
    push(asked, "Merge")
    asked.reject()
    settle(window, qtbot)
    assert says(window, "Both are merged")
