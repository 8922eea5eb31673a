"""Edits that a window left behind are offered in the next one, and come back exactly as they were."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.models.test_goldens import answering, eval_set
from tests.views.doing import trigger, whole_details
from tests.views.saving_doing import opened, press, settle
from trace_inspector.core.trace.trace import answer_text
from trace_inspector.core.values.edit import Set
from trace_inspector.documents.reading.reading import read
from trace_inspector.documents.saving.file_lock import lock
from trace_inspector.documents.saving.journal import JournalWriter
from trace_inspector.flows.goldens.edit_session import EditSession
from trace_inspector.flows.goldens.recovery import find_recoverable
from trace_inspector.models.base.open_file import FileState
from trace_inspector.models.base.selection import Selection
from trace_inspector.settings import journal_folder, ready_data_folder
from trace_inspector.views.details.panel import CONTENT, RAW
from trace_inspector.views.preferences.dialog import PreferencesDialog
from trace_inspector.views.saving.recoverable_edits import RecoverableEdits
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.widgets.controls import Button, Label

WAIT_MS = 60_000
EDITS = 3


def unnoted(_journal: JournalWriter) -> None:
    """Nobody waits for the disk."""


@pytest.fixture
def left(tmp_path: Path) -> Path:
    """A file with three edits that somebody left behind."""
    path = eval_set(tmp_path / "a.evalset.json", "Graz")
    session = EditSession(read(path), unnoted)
    for number in range(EDITS):
        session.apply(Set("/eval_cases/0/eval_id", f'"edit {number}"'))
    session.close()
    return path


def offer(window: MainWindow, qtbot: QtBot) -> RecoverableEdits:
    window.saving.offer_recoverable_edits()
    qtbot.waitUntil(lambda: bool(window.desk.workspace.recovery.recoverable), timeout=WAIT_MS)
    (bar,) = window.findChildren(RecoverableEdits)
    qtbot.waitUntil(bar.isVisible)
    return bar


def words(bar: RecoverableEdits) -> str:
    return " | ".join(label.text() for label in bar.findChildren(Label))


def content_words(window: MainWindow) -> str:
    content = whole_details(window).content
    return " | ".join(label.text() for label in content.findChildren(Label))


def push(bar: RecoverableEdits, name: str) -> None:
    button = next(one for one in bar.findChildren(Button) if one.text() == name)
    button.setFocus()
    QTest.keyClick(button, Qt.Key.Key_Return)


def test_recover_opens_the_file_with_every_edit_and_undo_works_behind_it(
    window: MainWindow, qtbot: QtBot, left: Path
) -> None:
    before = left.read_bytes()
    bar = offer(window, qtbot)
    assert "Unsaved edits of 1 file remain from an earlier session." in words(bar)
    assert "3 edits" in words(bar)
    assert "the file has not changed since" in words(bar)
    push(bar, "Recover")
    assert not bar.isVisible()
    workspace = window.desk.workspace
    qtbot.waitUntil(lambda: bool(workspace.files) and workspace.files.in_order[0].unsaved == EDITS, timeout=WAIT_MS)
    (file,) = workspace.files
    (place,) = workspace.goldens.places(file.number)
    ids = []
    for _step in range(EDITS):
        case = workspace.goldens.case(file.number, place)
        assert case is not None
        ids.append(case.id)
        window.desk.undo.undo()
        qtbot.waitUntil(lambda: not workspace.goldens.busy, timeout=WAIT_MS)
    assert ids == ["edit 2", "edit 1", "edit 0"]
    assert file.unsaved == 0
    assert left.read_bytes() == before
    assert not window.desk.undo.canUndo()


def test_content_and_raw_show_what_was_recovered_and_then_saved(window: MainWindow, qtbot: QtBot, left: Path) -> None:
    window.desk.workspace.files.open([left])
    workspace = window.desk.workspace
    (file,) = workspace.files
    qtbot.waitUntil(lambda: file.state is FileState.READY, timeout=WAIT_MS)
    workspace.selection.select(Selection(file.number, file.table.tops[0]))
    assert "Graz" in content_words(window)
    push(offer(window, qtbot), "Recover")
    qtbot.waitUntil(lambda: file.unsaved == EDITS, timeout=WAIT_MS)
    settle(window, qtbot)
    assert "edit 2" in content_words(window)
    press(window, qtbot, Qt.Key.Key_Z)
    settle(window, qtbot)
    assert "edit 1" in content_words(window), "an undo while Content is on show"
    panel = whole_details(window)
    panel.tabs.setCurrentIndex(RAW)
    qtbot.waitUntil(lambda: "Graz" in panel.raw.text.toPlainText(), timeout=WAIT_MS)
    press(window, qtbot, Qt.Key.Key_S)
    qtbot.waitUntil(lambda: not file.unsaved, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: "edit 1" in panel.raw.text.toPlainText(), timeout=WAIT_MS)
    panel.tabs.setCurrentIndex(CONTENT)
    assert "edit 1" in content_words(window)


def test_typed_letters_are_one_edit_before_a_window_ends_in_the_offer_and_when_they_are_recovered(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    workspace = window.desk.workspace
    file = opened(window, qtbot, eval_set(tmp_path / "a.evalset.json", "Graz"))
    goldens = workspace.goldens
    (place,) = goldens.places(file.number)
    for key, texts in (("first", ["I", "It", "It s"]), ("second", ["N", "No", "No.", "No. "])):
        for text in texts:
            goldens.change(file.number, place, "Type the answer", answering(text), key=key)
    settle(window, qtbot)
    assert file.unsaved == 2
    window.desk.undo.undo()
    settle(window, qtbot)
    assert file.unsaved == 1
    window.desk.undo.redo()
    settle(window, qtbot)
    told = workspace.saving.words()
    assert "2 unsaved edits" in told
    workspace.files.close(file.number)  # what is not saved stays in the journal
    qtbot.waitUntil(lambda: not goldens.busy, timeout=WAIT_MS)
    bar = offer(window, qtbot)
    assert "2 edits" in words(bar)
    push(bar, "Recover")
    qtbot.waitUntil(lambda: any(one.unsaved for one in workspace.files), timeout=WAIT_MS)
    (again,) = workspace.files
    assert (again.unsaved, workspace.saving.words()) == (2, told)
    settle(window, qtbot)
    window.desk.undo.undo()
    settle(window, qtbot)
    case = goldens.case(again.number, place)
    assert case is not None
    assert answer_text(case.turns[0]) == "It s", "all of the word goes at once, as before"
    assert again.unsaved == 1


def test_edits_that_a_dying_process_still_holds_are_offered_when_it_is_gone(
    window: MainWindow, qtbot: QtBot, left: Path
) -> None:
    (journal,) = journal_folder().glob("*.journal")
    holder = os.open(journal, os.O_RDWR)
    try:
        assert lock(holder)
        told: list[int] = []
        recovery = window.desk.workspace.recovery
        recovery.changed.connect(lambda: told.append(len(recovery.recoverable)))
        window.saving.offer_recoverable_edits()
        qtbot.waitUntil(lambda: told == [0], timeout=WAIT_MS)
    finally:
        os.close(holder)
    qtbot.waitUntil(lambda: told[-1] == 1, timeout=WAIT_MS)
    assert [one.file for one in recovery.recoverable] == [left]
    recovery.later()
    QTest.qWait(1_500)
    assert not recovery.recoverable


def test_edits_of_a_file_that_is_gone_are_recovered_and_saved(window: MainWindow, qtbot: QtBot, left: Path) -> None:
    left.unlink()
    bar = offer(window, qtbot)
    assert "the file is gone" in words(bar)
    push(bar, "Recover")
    workspace = window.desk.workspace
    qtbot.waitUntil(lambda: bool(workspace.files) and workspace.files.in_order[0].unsaved == EDITS, timeout=WAIT_MS)
    workspace.saving.save(workspace.files.in_order[0].number, lambda _answer: None)
    qtbot.waitUntil(left.exists, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: not workspace.files.in_order[0].unsaved, timeout=WAIT_MS)
    assert '"edit 2"' in left.read_text()


@pytest.mark.usefixtures("left")
def test_later_keeps_them_and_forget_is_taken_back_by_undo(window: MainWindow, qtbot: QtBot) -> None:
    bar = offer(window, qtbot)
    push(bar, "Later")
    assert not bar.isVisible()
    assert len(find_recoverable().recoverable) == 1
    window.desk.workspace.recovery.look()
    qtbot.waitUntil(bar.isVisible, timeout=WAIT_MS)
    push(bar, "Discard")
    qtbot.waitUntil(lambda: window.desk.workspace.recovery.forgotten is not None, timeout=WAIT_MS)
    assert not find_recoverable().recoverable
    qtbot.waitUntil(lambda: "Discarded 3 edits of a.evalset.json; kept for 30 days" in words(bar), timeout=WAIT_MS)
    undo = next(one for one in bar.findChildren(Button) if one.text() == "Undo")
    assert undo.accessibleName() == "Undo discarding the edits of a.evalset.json"
    assert bar.focusWidget() is undo, "the next key can take it back"
    QTest.keyClick(undo, Qt.Key.Key_Return)
    qtbot.waitUntil(
        lambda: "3 edits" in words(bar) and "remain from an earlier session" in words(bar), timeout=WAIT_MS
    )
    assert undo.isHidden()
    assert len(find_recoverable().recoverable) == 1


@pytest.mark.usefixtures("left")
def test_forgotten_edits_are_found_in_the_preferences(window: MainWindow, qtbot: QtBot) -> None:
    bar = offer(window, qtbot)
    push(bar, "Discard")
    # Whoever looks for journals holds each for a moment, and what is held cannot be forgotten: look afterwards.
    qtbot.waitUntil(lambda: window.desk.workspace.recovery.forgotten is not None, timeout=WAIT_MS)
    assert not find_recoverable().recoverable
    push(bar, "Later")
    qtbot.waitUntil(bar.isHidden)
    trigger(window, "preferences")
    (asked,) = window.findChildren(PreferencesDialog)
    name = "Offer the edits of a.evalset.json again"

    def again() -> list[Button]:
        return [one for one in asked.findChildren(Button) if one.accessibleName() == name]

    qtbot.waitUntil(lambda: bool(again()), timeout=WAIT_MS)
    QTest.keyClick(again()[0], Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(window.desk.workspace.recovery.recoverable), timeout=WAIT_MS)
    assert bar.isVisible()
    asked.reject()


def test_nothing_is_offered_where_nothing_was_left(window: MainWindow, qtbot: QtBot) -> None:
    window.saving.offer_recoverable_edits()
    qtbot.wait(50)
    assert window.findChildren(RecoverableEdits) == []


def test_a_journal_that_cannot_be_read_is_named_in_the_window_and_stays(window: MainWindow, qtbot: QtBot) -> None:
    folder = ready_data_folder() / "journals"
    folder.mkdir()
    path = folder / "1-a.journal"
    path.write_bytes(b"trace-inspector journal 2\nof the future")
    window.saving.offer_recoverable_edits()
    qtbot.waitUntil(lambda: bool(window.desk.workspace.recovery.problems), timeout=WAIT_MS)
    (bar,) = window.findChildren(RecoverableEdits)
    qtbot.waitUntil(bar.isVisible)
    assert str(path) in words(bar)
    assert "cannot be read" in words(bar)
    push(bar, "Later")
    assert not bar.isVisible()
    assert path.read_bytes().endswith(b"future")


def test_beside_edits_that_are_offered_there_is_what_cannot_be_read(
    window: MainWindow, qtbot: QtBot, left: Path
) -> None:
    window.desk.workspace.recovery.add_problem("/some/file: It cannot be read.")
    bar = offer(window, qtbot)
    assert "Unsaved edits of 1 file remain from an earlier session." in words(bar)
    assert "/some/file: It cannot be read." in words(bar)
    push(bar, "Discard")
    assert bar.isVisible(), "nobody has read the other line yet"
    assert left.exists()
