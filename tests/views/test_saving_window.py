"""Saving in the window, by keys: what is written, what is asked first, and what is said."""

from __future__ import annotations

import os
import shutil
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QLineEdit
from pytestqt.qtbot import QtBot

from tests.documents.archives import zipped
from tests.models.test_goldens import eval_set
from tests.views.saving_doing import (
    CONTROL,
    SHIFT,
    WAIT_MS,
    dialog,
    edited,
    messages,
    opened,
    press,
    push,
    says,
    settle,
)
from trace_inspector.flows.goldens.recovery import find_recoverable
from trace_inspector.models.base.open_file import FileState, OnDisk, OpenFile
from trace_inspector.models.base.roles import Role
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.golden import saving as golden_saving
from trace_inspector.models.workspace.workspace_model import WorkspaceModel
from trace_inspector.settings import journal_folder
from trace_inspector.views.actions import saving
from trace_inspector.views.details.panel import DetailsPanel
from trace_inspector.views.saving.refused_bar import RefusedBar
from trace_inspector.views.saving.save_as import save_under
from trace_inspector.views.saving.unsaved import UnsavedDialog
from trace_inspector.views.shell.change_bar import ChangeBar
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.widgets.controls import Button
from trace_inspector.work.reading.disk_watch import DiskWatch

pytestmark = pytest.mark.shared_window
Edit = Callable[..., OpenFile]


@pytest.fixture
def edit(window: MainWindow, qtbot: QtBot) -> Edit:
    """Open a file if it is not yet, and have its first case ask for another city."""
    return partial(edited, window, qtbot)


def test_the_only_file_that_was_edited_is_saved_from_anywhere_but_never_renamed(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    one, other = eval_set(tmp_path / "a.evalset.json", "Graz"), eval_set(tmp_path / "b.evalset.json", "Linz")
    first = edited(window, qtbot, one)
    opened(window, qtbot, other)
    press(window, qtbot, Qt.Key.Key_S)
    qtbot.waitUntil(lambda: not first.unsaved, timeout=WAIT_MS)
    assert "Rome" in one.read_text()
    second = edited(window, qtbot, other)
    edited(window, qtbot, one, "Bern")
    window.desk.workspace.selection.select(None)
    assert saving.current(window.desk) is None
    assert not saving.can_save(window.desk), "it is not clear which"
    window.desk.workspace.selection.select(Selection(second.number))
    press(window, qtbot, Qt.Key.Key_S)
    qtbot.waitUntil(lambda: not second.unsaved, timeout=WAIT_MS)
    assert "Bern" not in one.read_text()


def test_an_edit_is_marked_until_it_is_saved_and_our_own_save_is_no_news(
    window: MainWindow, qtbot: QtBot, edit: Edit, tmp_path: Path
) -> None:
    disk = window.findChild(DiskWatch)
    assert disk is not None
    disk._every_s = 0.01
    file = edit(eval_set(tmp_path / "a.evalset.json", "Graz", "Linz"))
    said = messages(window)
    model = WorkspaceModel(window.desk.workspace)
    assert model.index_of(file.number).data(Role.UNSAVED)
    assert window.isWindowModified()
    assert window.windowTitle() == "a.evalset.json[*] – Trace Inspector"
    assert window.desk.workspace.saving.words() == "a.evalset.json has 1 unsaved edit, all in the recovery journal"
    press(window, qtbot, Qt.Key.Key_S)
    qtbot.waitUntil(lambda: not file.unsaved, timeout=WAIT_MS)
    qtbot.wait(300)
    assert "Rome" in file.path.read_text()
    assert not window.isWindowModified()
    assert not model.index_of(file.number).data(Role.UNSAVED)
    assert window.desk.workspace.saving.words().startswith("Saved ")
    assert (file.on_disk, [sentence for sentence in said if "on disk" in sentence]) == (OnDisk.SAME, [])
    assert not window.commands.actions["save"].isEnabled()
    file.path.write_text(file.path.read_text() + " ")
    qtbot.waitUntil(lambda: file.on_disk is OnDisk.CHANGED, timeout=WAIT_MS)


def looked_at_again(window: MainWindow, qtbot: QtBot, path: Path) -> None:
    """Every open file was looked at on disk: another file, which comes last, is seen to change."""
    disk = window.findChild(DiskWatch)
    assert disk is not None
    disk._every_s = 0.01
    path.write_text("{}")
    probe = 1_000_000
    seen: list[int] = []
    disk.changed.connect(lambda number, _there: seen.append(number))
    disk.watch(probe, path)
    qtbot.waitUntil(lambda: probe in disk._states, timeout=WAIT_MS)
    path.write_text("[1, 2, 3]")
    qtbot.waitUntil(lambda: probe in seen, timeout=WAIT_MS)
    disk.forget(probe)


@pytest.mark.parametrize("together", [False, True])
def test_two_edited_members_of_an_archive_are_saved_one_after_the_other_and_neither_is_news(
    window: MainWindow, qtbot: QtBot, edit: Edit, tmp_path: Path, together: bool
) -> None:
    archive = tmp_path / "sets.zip"
    texts = {f"{name}.evalset.json": eval_set(tmp_path / name, name).read_bytes() for name in ("Graz", "Linz")}
    archive.write_bytes(zipped({**texts, "notes.txt": b"kept"}))
    first, second = (edit(archive / name) for name in texts)
    looked_at_again(window, qtbot, tmp_path / "one.json")
    said = messages(window)
    window.desk.workspace.selection.select(Selection(first.number))
    press(window, qtbot, Qt.Key.Key_S, CONTROL | Qt.KeyboardModifier.AltModifier if together else CONTROL)
    qtbot.waitUntil(lambda: not first.unsaved, timeout=WAIT_MS)
    looked_at_again(window, qtbot, tmp_path / "two.json")
    assert (first.on_disk, second.on_disk) == (OnDisk.SAME, OnDisk.SAME)
    window.desk.workspace.selection.select(Selection(second.number))
    press(window, qtbot, Qt.Key.Key_S)
    qtbot.waitUntil(lambda: not second.unsaved, timeout=WAIT_MS)
    looked_at_again(window, qtbot, tmp_path / "three.json")
    assert (first.on_disk, second.on_disk) == (OnDisk.SAME, OnDisk.SAME)
    assert [sentence for sentence in said if "on disk" in sentence] == []
    with zipfile.ZipFile(archive) as saved:
        assert [("Rome" in saved.read(name).decode()) for name in texts] == [True, True]
        assert saved.read("notes.txt") == b"kept"


@pytest.mark.parametrize("modifiers", [CONTROL, CONTROL | Qt.KeyboardModifier.AltModifier])
def test_a_save_says_that_another_name_of_the_file_keeps_what_it_held(
    window: MainWindow, qtbot: QtBot, edit: Edit, tmp_path: Path, modifiers: Qt.KeyboardModifier
) -> None:
    file = edit(eval_set(tmp_path / "a.evalset.json", "Graz"))
    os.link(file.path, tmp_path / "other.json")
    press(window, qtbot, Qt.Key.Key_S, modifiers)
    qtbot.waitUntil(lambda: says(window, "Another name of the same file") and says(window, "Saved "), timeout=WAIT_MS)
    assert ("Rome" in file.path.read_text(), "Rome" in (tmp_path / "other.json").read_text()) == (True, False)


def test_saving_a_file_whose_folder_is_gone_asks_for_another_place(
    window: MainWindow, qtbot: QtBot, edit: Edit, tmp_path: Path
) -> None:
    (tmp_path / "in").mkdir()
    file = edit(eval_set(tmp_path / "in" / "a.evalset.json", "Graz"))
    looked_at_again(window, qtbot, tmp_path / "one.json")
    shutil.rmtree(tmp_path / "in")
    qtbot.waitUntil(lambda: says(window, "or asks for another place"), timeout=WAIT_MS)
    press(window, qtbot, Qt.Key.Key_S)
    asked = dialog(window, qtbot, QFileDialog)
    assert says(window, "The folder is gone.")
    assert (file.unsaved, (tmp_path / "in").exists()) == (1, False)
    asked.reject()


@pytest.mark.parametrize("cities", [("Graz",), ("Graz", "Linz")])
def test_f2_right_after_a_click_on_a_file_edits_its_first_golden(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, cities: tuple[str, ...]
) -> None:
    file = opened(window, qtbot, eval_set(tmp_path / "a.evalset.json", *cities))
    press(window, qtbot, Qt.Key.Key_F2, Qt.KeyboardModifier.NoModifier)
    assert window.desk.workspace.selection.value == Selection(file.number, file.table.tops[0])
    panel = window.desk.docks["details"].widget()
    assert isinstance(panel, DetailsPanel)
    assert panel.golden.context is not None
    assert says(window, "This is the first of 2 goldens.") is (len(cities) > 1)
    settle(window, qtbot)


def test_saved_under_another_name_a_folder_that_has_the_old_one_is_no_news(
    window: MainWindow, qtbot: QtBot, edit: Edit, tmp_path: Path
) -> None:
    file = edit(eval_set(tmp_path / "a.evalset.json", "Graz"))
    looked_at_again(window, qtbot, tmp_path / "one.json")
    file.path.unlink()
    file.path.mkdir()
    qtbot.waitUntil(lambda: file.on_disk is OnDisk.GONE, timeout=WAIT_MS)
    other = tmp_path / "b.evalset.json"
    save_under(window.desk, file, other)
    qtbot.waitUntil(lambda: not file.unsaved, timeout=WAIT_MS)
    looked_at_again(window, qtbot, tmp_path / "two.json")
    assert (file.path, file.on_disk) == (other, OnDisk.SAME)


def test_save_as_appends_an_ending_and_leaves_open_files_alone(
    window: MainWindow, qtbot: QtBot, edit: Edit, tmp_path: Path
) -> None:
    other = edit(eval_set(tmp_path / "other.evalset.json", "Enns"))
    file = edit(eval_set(tmp_path / "a.evalset.json", "Graz"))
    before = other.path.read_bytes(), file.path.read_bytes()
    (tmp_path / "link.json").symlink_to(other.path)
    refused = "other.evalset.json is open here"
    for name, said in ((other.name, refused), ("link.json", refused), ("b", "Saved as b.evalset.json")):
        press(window, qtbot, Qt.Key.Key_S, CONTROL | SHIFT)
        asked = dialog(window, qtbot, QFileDialog)
        field = asked.findChildren(QLineEdit)[0]
        field.setText(str(tmp_path / name))
        assert isinstance(asked, QFileDialog)
        asked.fileSelected.emit(str(tmp_path / name))
        asked.reject()
        qtbot.waitUntil(partial(says, window, said), timeout=WAIT_MS)
        qtbot.waitUntil(lambda: not window.findChildren(QFileDialog), timeout=WAIT_MS)
    assert (other.path.read_bytes(), (tmp_path / "a.evalset.json").read_bytes()) == before
    assert file.path == tmp_path / "b.evalset.json"
    assert "Rome" in file.path.read_text()
    assert (file.unsaved, other.unsaved) == (0, 1)


def test_a_file_that_was_opened_through_a_link_is_saved_where_it_leads_and_stays_one_file(
    window: MainWindow, qtbot: QtBot, edit: Edit, tmp_path: Path
) -> None:
    path, link = eval_set(tmp_path / "a.evalset.json", "Graz"), tmp_path / "link.evalset.json"
    link.symlink_to(path)
    file = edit(link)
    window.desk.workspace.files.open([path])
    press(window, qtbot, Qt.Key.Key_S)
    qtbot.waitUntil(lambda: not file.unsaved, timeout=WAIT_MS)
    assert (window.desk.workspace.files.in_order, file.path, file.on_disk) == ((file,), link, OnDisk.SAME)
    assert (link.is_symlink(), path.is_symlink(), "Rome" in path.read_text()) == (True, False, True)


def test_closing_asks_once_and_cancel_keeps_everything(
    window: MainWindow, qtbot: QtBot, edit: Edit, tmp_path: Path
) -> None:
    file = edit(eval_set(tmp_path / "a.evalset.json", "Graz"))
    before = file.path.read_bytes()
    for _again in range(2):
        press(window, qtbot, Qt.Key.Key_W)
        assert len(window.findChildren(UnsavedDialog)) == 1
    push(dialog(window, qtbot, UnsavedDialog), "Cancel")
    qtbot.waitUntil(lambda: not window.findChildren(UnsavedDialog))
    assert (window.desk.workspace.files.in_order, file.unsaved) == ((file,), 1)
    press(window, qtbot, Qt.Key.Key_W)
    push(dialog(window, qtbot, UnsavedDialog), "Discard")
    qtbot.waitUntil(lambda: not window.desk.workspace.files.in_order, timeout=WAIT_MS)
    assert file.path.read_bytes() == before
    assert list(journal_folder().iterdir()) == []
    assert not window.desk.undo.canUndo()


def test_quitting_can_leave_the_edits_for_the_next_start(
    own_window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    file = edited(own_window, qtbot, eval_set(tmp_path / "a.evalset.json", "Graz"))
    before = file.path.read_bytes()
    press(own_window, qtbot, Qt.Key.Key_W)
    asked = dialog(own_window, qtbot, UnsavedDialog)
    assert isinstance(asked, UnsavedDialog)
    assert asked.later.isHidden()
    push(dialog(own_window, qtbot, UnsavedDialog), "Cancel")
    qtbot.waitUntil(lambda: not own_window.findChildren(UnsavedDialog))
    press(own_window, qtbot, Qt.Key.Key_Q)
    push(dialog(own_window, qtbot, UnsavedDialog), "Keep for next start")
    qtbot.waitUntil(lambda: not own_window.isVisible(), timeout=WAIT_MS)
    assert file.path.read_bytes() == before
    assert [(one.file, one.changes) for one in find_recoverable().recoverable] == [(file.path, 1)]


def test_quitting_stays_open_when_a_save_fails_and_says_why(
    own_window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    locked = edited(own_window, qtbot, eval_set(tmp_path / "locked.evalset.json", "Graz"))
    file = edited(own_window, qtbot, eval_set(tmp_path / "a.evalset.json", "Graz"))
    locked.path.chmod(0o444)
    press(own_window, qtbot, Qt.Key.Key_Q)
    asked = dialog(own_window, qtbot, UnsavedDialog)
    assert isinstance(asked, UnsavedDialog)
    push(asked, "Save all")
    qtbot.waitUntil(lambda: not file.unsaved and asked.save.isEnabled(), timeout=WAIT_MS)
    assert "read-only" in asked._rows[locked.number][2].text()
    assert own_window.isVisible()
    assert locked.unsaved == 1
    locked.path.chmod(0o644)
    push(asked, "Save all")
    qtbot.waitUntil(lambda: not own_window.isVisible(), timeout=WAIT_MS)
    assert "Rome" in locked.path.read_text()


def test_reloading_asks_because_edits_would_go(window: MainWindow, qtbot: QtBot, edit: Edit, tmp_path: Path) -> None:
    file = edit(eval_set(tmp_path / "a.evalset.json", "Graz"))
    press(window, qtbot, Qt.Key.Key_R)
    push(dialog(window, qtbot, UnsavedDialog), "Discard and reload")
    qtbot.waitUntil(lambda: window.desk.workspace.files.get(file.number) is None, timeout=WAIT_MS)
    (again,) = window.desk.workspace.files
    qtbot.waitUntil(lambda: again.state is FileState.READY, timeout=WAIT_MS)
    assert "Rome" not in again.path.read_text()


def test_the_strip_of_a_changed_file_asks_as_well_before_its_edits_go(
    window: MainWindow, qtbot: QtBot, edit: Edit, tmp_path: Path
) -> None:
    file = edit(eval_set(tmp_path / "a.evalset.json", "Graz"))
    window.desk.workspace.files.note_disk(file.number, there=True)
    bar = window.findChild(ChangeBar)
    assert bar is not None
    next(button for button in bar.findChildren(Button) if button.text().startswith("Reload")).click()
    asked = dialog(window, qtbot, UnsavedDialog)
    assert (file.unsaved, file.state) == (1, FileState.READY)
    push(asked, "Cancel")
    assert (file.unsaved, file.on_disk) == (1, OnDisk.CHANGED)


def test_what_others_refuse_is_said_once_and_blocks_nothing(
    window: MainWindow, qtbot: QtBot, edit: Edit, tmp_path: Path
) -> None:
    path = eval_set(tmp_path / "a.evalset.json", "Graz")
    path.write_text(path.read_text().replace('"invocation_id"', '"mood": 1, "invocation_id"'))
    file = edit(path)
    press(window, qtbot, Qt.Key.Key_S)
    qtbot.waitUntil(lambda: not file.unsaved, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: bool(window.findChildren(RefusedBar)))
    (bar,) = window.findChildren(RefusedBar)
    assert bar.accessibleName().startswith(
        "ADK may refuse a.evalset.json at 1 place. Line 8: google-adk 2.13 rejects “mood”"
    )
    bar.go()
    selection = window.desk.workspace.selection.value
    assert selection is not None
    assert file.table.place(selection.row) == "/eval_cases/0/conversation/0"
    bar.dismiss()


def test_files_are_saved_by_themselves_only_where_that_is_wished(
    window: MainWindow, qtbot: QtBot, edit: Edit, tmp_path: Path
) -> None:
    assert golden_saving.REST_MS == 2000
    saving = window.desk.workspace.saving
    saving._rest.setInterval(50)
    file = edit(eval_set(tmp_path / "a.evalset.json", "Graz"))
    qtbot.wait(200)
    assert file.unsaved == 1
    window.desk.workspace.evaluation.preferences.set_autosave(autosave=True)
    edit(file.path, "Oslo")
    qtbot.waitUntil(lambda: not file.unsaved, timeout=WAIT_MS)
    assert "Oslo" in file.path.read_text()
    qtbot.waitUntil(lambda: not saving._rest.isActive(), timeout=WAIT_MS)


def test_an_edit_without_a_journal_is_refused_and_nothing_pretends(
    window: MainWindow, edit: Edit, tmp_path: Path
) -> None:
    journal_folder().parent.mkdir(parents=True, exist_ok=True)
    journal_folder().write_text("in the way")
    said = messages(window)
    file = edit(eval_set(tmp_path / "a.evalset.json", "Graz"))
    assert any("was not made, because its journal cannot be written" in sentence for sentence in said)
    assert file.unsaved == 0
    assert not window.desk.undo.canUndo()
    goldens = window.desk.workspace.goldens
    case = goldens.case(file.number, goldens.places(file.number)[0])
    assert "Rome" not in repr(case)
