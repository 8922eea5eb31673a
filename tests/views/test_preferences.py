"""Preferences by keys: a key that leaves no trace, letters of every size, offline, the data folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QScrollArea
from pytestqt.qtbot import QtBot

from tests.helpers.judge_server import VARIABLES, model_server
from tests.helpers.keyrings import BACKEND, FILE, SECRET
from tests.views.doing import trigger, wait_for
from tests.views.test_every_panel import nameless, unreachable
from trace_inspector import log
from trace_inspector.flows.judges.selection import GEMINI, OPENAI, JudgeChoice
from trace_inspector.models.evaluation.preferences import FONT_PERCENTS, Preferences
from trace_inspector.settings import choose_data_folder, data_folder, hold_data_folder, next_data_folder
from trace_inspector.views.preferences.dialog import NAME, PreferencesDialog
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.widgets.controls import Label

pytestmark = pytest.mark.shared_window

WAIT_MS = 60_000


@pytest.fixture
def drawer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A keyring for child processes."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    path = tmp_path / "drawer.json"
    monkeypatch.setenv(FILE, str(path))
    monkeypatch.setenv(BACKEND, "tests.helpers.keyrings.Drawer")
    return path


def opened(window: MainWindow, qtbot: QtBot) -> PreferencesDialog:
    trigger(window, "preferences")
    dialog = window.findChild(PreferencesDialog, NAME)
    assert dialog is not None
    idle(window, qtbot)
    return dialog


def idle(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not window.desk.jobs.busy, timeout=WAIT_MS)


def test_a_key_is_kept_used_and_stands_nowhere_else(
    own_window: MainWindow, qtbot: QtBot, drawer: Path, tmp_path: Path, private_data: Path
) -> None:
    heard: list[str] = []
    with log.recording() as ring, model_server(lambda _prompt, _number: "yes") as server:
        own_window.desk.workspace.evaluation.preferences.set_judge(JudgeChoice(OPENAI, "small", f"{server.url}/v1"))
        dialog = opened(own_window, qtbot)
        assert nameless(dialog) == []
        assert unreachable(dialog) == []
        assert (
            dialog.key.status.text() == "No key is stored. Paste one, or set the environment variable OPENAI_API_KEY."
        )
        dialog.key.field.setFocus()
        QTest.keyClicks(dialog.key.field, SECRET)
        assert SECRET not in dialog.key.field.displayText()
        QTest.keyClick(dialog.key.field, Qt.Key.Key_Return)
        assert dialog.key.field.text() == ""
        idle(own_window, qtbot)
        assert dialog.key.status.text() == "A key is stored in the keyring."
        dialog.judge.test.click()
        idle(own_window, qtbot)
        assert dialog.judge.outcome.text().startswith("small answers after ")
        heard += [label.text() for label in own_window.findChildren(QLabel)]
        heard += [f"{job.title} {job.note} {job.sentence}" for job in own_window.desk.jobs.jobs]
        heard += ring.lines()
        assert list(json.loads(drawer.read_text("utf-8")).values()) == [SECRET]
        dialog.key.forget.click()
        idle(own_window, qtbot)
        assert json.loads(drawer.read_text("utf-8")) == {}
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
    own_window.desk.settings.sync()
    assert [line for line in heard if SECRET in line] == []
    left = [path for folder in (tmp_path, private_data) for path in folder.rglob("*") if path.is_file()]
    assert "window.ini" in {path.name for path in left}
    assert [path for path in left if SECRET.encode() in path.read_bytes()] == []


def test_a_keyring_that_hangs_holds_nothing_up(
    window: MainWindow, qtbot: QtBot, drawer: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not drawer.exists()
    monkeypatch.setenv(BACKEND, "tests.helpers.keyrings.Stuck")
    window.desk.workspace.evaluation.preferences.set_judge(JudgeChoice(GEMINI))
    dialog = opened(window, qtbot)
    assert dialog.key.status.text().startswith("The keyring does not answer within 2 s.")
    assert "GOOGLE_API_KEY" in dialog.key.status.text()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)


def test_letters_change_at_once_and_keep_their_size_in_another_theme(window: MainWindow, qtbot: QtBot) -> None:
    dialog = opened(window, qtbot)
    label = dialog.findChildren(QLabel)[0]
    before = label.font().pixelSize()
    dialog.text_size.setFocus()
    dialog.text_size.activated.emit(FONT_PERCENTS.index(150))
    assert label.font().pixelSize() == round(before * 1.5)
    dialog.scheme.activated.emit(2)
    assert window.desk.theme.tokens.dark
    assert label.font().pixelSize() == round(before * 1.5)
    assert Preferences(window.desk.settings).font_percent == 150
    dialog.text_size.activated.emit(FONT_PERCENTS.index(100))
    assert label.font().pixelSize() == before
    QTest.keyClick(dialog, Qt.Key.Key_Escape)


def test_what_is_preferred_is_there_after_a_restart(window: MainWindow, qtbot: QtBot) -> None:
    dialog = opened(window, qtbot)
    dialog.in_flight.setFocus()
    QTest.keyClick(dialog.in_flight, Qt.Key.Key_Up)
    dialog.allowed.setFocus()
    QTest.keyClicks(dialog.allowed, "https://one.example/v1  http://127.0.0.1:1/v1")
    QTest.keyClick(dialog.allowed, Qt.Key.Key_Return)
    dialog.offline.setFocus()
    QTest.keyClick(dialog.offline, Qt.Key.Key_Space)
    again = Preferences(window.desk.settings)
    assert again.judge.in_flight == 17
    assert again.allowed == ("https://one.example/v1", "http://127.0.0.1:1/v1")
    assert again.offline
    QTest.keyClick(dialog, Qt.Key.Key_Escape)


def test_another_data_folder_counts_from_the_next_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TRACE_INSPECTOR_DATA")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "share"))
    today = data_folder()
    monkeypatch.setenv("TRACE_INSPECTOR_DATA", "")
    monkeypatch.setenv("TRACE_INSPECTOR_DATA_HELD", "")
    hold_data_folder()
    choose_data_folder(tmp_path / "elsewhere")
    assert (data_folder(), next_data_folder()) == (today, tmp_path / "elsewhere")
    choose_data_folder(None)
    assert next_data_folder() == today


def test_settings_that_are_nonsense_are_as_if_there_were_none(window: MainWindow) -> None:
    settings = window.desk.settings
    for name, value in (
        ("judge/kind", "dragon"),
        ("judge/in-flight", "-7"),
        ("font", "huge"),
        ("offline", "perhaps"),
    ):
        settings.setValue(name, value)
    held = Preferences(settings)
    assert (held.judge, held.font_percent, held.offline) == (JudgeChoice(), 100, False)


def test_a_password_in_an_endpoint_is_not_kept(window: MainWindow) -> None:
    held = Preferences(window.desk.settings)
    held.set_judge(JudgeChoice(OPENAI, "m", f"https://me:{SECRET}@judge.example/v1"))
    held.allow((f"https://{SECRET}@one.example/a@b", "http://127.0.0.1:1"))
    assert held.judge.endpoint == "https://judge.example/v1"
    assert held.allowed == ("https://one.example/a@b", "http://127.0.0.1:1")
    assert held.judge.who == "m @ judge.example"


@pytest.mark.parametrize("size_px", [(1024, 640), (1600, 1000)], ids=str)
def test_the_page_has_room_for_every_text_size(
    own_window: MainWindow, qtbot: QtBot, size_px: tuple[int, int]
) -> None:
    own_window.resize(*size_px)
    dialog = opened(own_window, qtbot)
    scroll = dialog.findChild(QScrollArea)
    assert scroll is not None
    for percent in FONT_PERCENTS:
        dialog._set_letters(percent)
        QTest.qWait(1)
        assert scroll.horizontalScrollBar().maximum() == 0, percent
        assert dialog.width() <= own_window.width()
        assert dialog.height() <= own_window.height()
        assert wait_for(lambda: not cut(dialog)), percent


def cut(dialog: PreferencesDialog) -> list[str]:
    """Sentences that are higher than their labels; another size takes some turns of the loop."""
    return [
        label.text()
        for label in dialog.findChildren(Label)
        if label.isVisible() and label.wordWrap() and label.height() < label.heightForWidth(label.width())
    ]
