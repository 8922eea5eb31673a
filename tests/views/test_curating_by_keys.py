"""The work of a curator with nothing but the keyboard: every key goes where the focus is, and to nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from tests.helpers.eval_sets import case, turn, write_eval_set
from tests.views.golden_tab import MADE, WANTED, golden_file, trace_file, until
from tests.views.saving_doing import Dialog
from tests.views.test_golden_cases import ces
from trace_inspector.models.base.open_file import FileState
from trace_inspector.views.bulk.dialog import BulkDialog
from trace_inspector.views.promote.dialog import PromoteDialog
from trace_inspector.views.shell.main_window import MainWindow

pytestmark = pytest.mark.shared_window

NONE, CONTROL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier
SHIFT, ALT = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.AltModifier
MOST_TABS = 120


class Keyboard:
    """Somebody whose mouse is broken."""

    def __init__(self, window: MainWindow) -> None:
        self.window = window
        self.count = 0

    def press(self, key: Qt.Key, modifier: Qt.KeyboardModifier = NONE) -> None:
        """One key, to whoever has the focus."""
        if QApplication.activePopupWidget() is None and QApplication.activeModalWidget() is None:
            self.window.activateWindow()  # what a desktop does by itself when a dialog or menu closes
            until(self.window.isActiveWindow)
        held = QApplication.activePopupWidget() or QApplication.focusWidget()
        assert isinstance(held, QWidget), "nothing has the focus"
        self.count += 1
        QTest.keyClick(held, key, modifier)
        QTest.qWait(1)

    def type(self, text: str) -> None:
        """Letters, to whoever has the focus."""
        held = QApplication.focusWidget()
        assert isinstance(held, QWidget), "nothing has the focus"
        QTest.keyClicks(held, text)
        QTest.qWait(1)

    def tab_to(self, name: str) -> None:
        """Tab, until the screen reader says that name."""
        said = []
        for _press in range(MOST_TABS):
            held = QApplication.focusWidget()
            said.append(held.accessibleName() if isinstance(held, QWidget) else "")
            if said[-1].startswith(name):
                return
            self.press(Qt.Key.Key_Tab)
        raise AssertionError(f"no {name} among {said}")

    def command(self, words: str) -> None:
        """By the palette."""
        self.press(Qt.Key.Key_P, CONTROL | SHIFT)
        self.type(words)
        self.press(Qt.Key.Key_Return)


@pytest.fixture
def keys(window: MainWindow) -> Keyboard:
    """At the window."""
    return Keyboard(window)


def started_with(window: MainWindow, *paths: Path) -> None:
    """The files that stood on the command line."""
    window.desk.workspace.files.open(paths)
    until(lambda: all(file.state is FileState.READY for file in window.desk.workspace.files))
    QTest.qWait(10)


def judged(window: MainWindow) -> None:
    """Until all verdicts are there."""
    until(lambda: window.desk.workspace.run.value is not None and window.desk.workspace.run.value.verdict is not None)


def settled(window: MainWindow) -> None:
    """Until all edits are answered and shown."""
    done: list[bool] = []
    window.desk.workspace.goldens.settled(lambda: done.append(True))
    until(lambda: bool(done))
    QTest.qWait(20)


def find(window: MainWindow, kind: type[Dialog]) -> Dialog:
    """The dialog that was asked for."""
    until(lambda: bool(window.findChildren(kind)))
    return window.findChildren(kind)[0]


def mark(window: MainWindow) -> str:
    """Of what is selected."""
    selection = window.desk.workspace.selection.value
    assert selection is not None
    return window.desk.workspace.verdicts.mark_of(selection.file, selection.row)


@pytest.fixture
def failing(window: MainWindow, keys: Keyboard, tmp_path: Path) -> Path:
    """A golden whose run differs in one argument, evaluated; its failing turn was gone to and its golden opened."""
    path = golden_file(tmp_path, WANTED[:1])
    started_with(window, path, trace_file(tmp_path, MADE[:1]))
    keys.press(Qt.Key.Key_F5)
    judged(window)
    keys.press(Qt.Key.Key_F8)
    assert mark(window) == "failed"
    keys.press(Qt.Key.Key_F2)
    return path


def test_a_failing_golden_is_mended_and_saved(window: MainWindow, keys: Keyboard, failing: Path) -> None:
    before = failing.read_text().splitlines()
    keys.tab_to("Golden value of radius_m")
    keys.press(Qt.Key.Key_A, CONTROL)
    keys.type("500")
    until(lambda: mark(window) == "passed")
    keys.press(Qt.Key.Key_S, CONTROL)
    until(lambda: not window.desk.workspace.saving.unsaved)
    after = failing.read_text().splitlines()
    changed = [new.strip() for old, new in zip(before, after, strict=True) if old != new]
    assert changed == ['"radius_m": 500']


def test_an_argument_is_ignored_and_compared_again(window: MainWindow, keys: Keyboard, failing: Path) -> None:
    keys.tab_to("How radius_m is compared")
    keys.type("i")
    until(lambda: mark(window) == "passed")
    keys.press(Qt.Key.Key_Z, CONTROL)
    until(lambda: mark(window) == "failed")
    settled(window)
    assert not window.desk.workspace.files.in_order[0].unsaved
    assert "traceInspector" not in failing.read_text()


def test_tab_goes_through_the_golden_as_it_stands_there_and_out_of_it(
    window: MainWindow, keys: Keyboard, failing: Path
) -> None:
    assert failing.exists()
    assert window.isVisible()
    keys.tab_to("Fold Reference answer")
    keys.tab_to("Reference answer")
    keys.tab_to("Fold The user says")
    keys.tab_to("Words of the user")
    assert keys.count < 16, "folded sections come between, each in its place"
    keys.tab_to("Command palette")
    keys.tab_to("Fold Expected calls")
    keys.tab_to("Golden value of query")


def test_a_recorded_run_becomes_a_golden(window: MainWindow, keys: Keyboard, tmp_path: Path) -> None:
    path = write_eval_set(tmp_path / "shop.evalset.json", case("opening", turn("When do you open?", "At nine.")))
    started_with(window, path, trace_file(tmp_path))
    keys.press(Qt.Key.Key_P, CONTROL)
    keys.type("run.json")
    keys.press(Qt.Key.Key_Return)
    keys.press(Qt.Key.Key_G, CONTROL)
    dialog = find(window, PromoteDialog)
    until(lambda: not dialog.promotion.waiting)
    keys.press(Qt.Key.Key_Return)
    until(lambda: bool(window.desk.workspace.saving.unsaved))
    keys.press(Qt.Key.Key_S, CONTROL)
    until(lambda: not window.desk.workspace.saving.unsaved)
    assert keys.count < 10
    opening, promoted = json.loads(path.read_text())["eval_cases"]
    assert (opening["eval_id"], len(promoted["conversation"])) == ("opening", 1)


def test_an_argument_is_ignored_in_many_goldens(window: MainWindow, keys: Keyboard, tmp_path: Path) -> None:
    path = golden_file(tmp_path)
    stated = json.loads(path.read_text())
    (one,) = stated["eval_cases"]
    stated["eval_cases"] = [one | {"eval_id": f"park{at}"} for at in range(5)]
    path.write_text(json.dumps(stated, indent=2))
    started_with(window, path)
    keys.press(Qt.Key.Key_B, CONTROL)
    dialog = find(window, BulkDialog)
    keys.tab_to("Tool")
    keys.type("places")
    keys.tab_to("Argument")
    keys.type("radius_m")
    until(lambda: dialog.sentence.text().endswith("in 5 goldens"))
    keys.press(Qt.Key.Key_Return, CONTROL)
    settled(window)
    keys.press(Qt.Key.Key_S, CONTROL)
    until(lambda: not window.desk.workspace.saving.unsaved)
    assert path.read_text().count('"ignore"') == 5


def test_ten_goldens_of_ces_come_into_an_eval_set(window: MainWindow, keys: Keyboard, tmp_path: Path) -> None:
    path = write_eval_set(tmp_path / "shop.evalset.json", case("opening", turn("When do you open?", "At nine.")))
    started_with(window, path, ces(tmp_path / "app.json", 10))
    keys.press(Qt.Key.Key_P, CONTROL)
    keys.type("app.json")
    keys.press(Qt.Key.Key_Return)
    keys.press(Qt.Key.Key_Home)
    keys.press(Qt.Key.Key_End, SHIFT)
    keys.command("Copy or move to another suite")
    dialog = find(window, PromoteDialog)
    until(lambda: not dialog.promotion.waiting)
    keys.press(Qt.Key.Key_Return)
    until(lambda: bool(window.desk.workspace.saving.unsaved))
    keys.press(Qt.Key.Key_S, CONTROL | ALT)
    until(lambda: not window.desk.workspace.saving.unsaved)
    assert [one["eval_id"] for one in json.loads(path.read_text())["eval_cases"]] == [
        "opening",
        *(f"g{at}" for at in range(10)),
    ]
