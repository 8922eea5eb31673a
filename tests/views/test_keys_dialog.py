from __future__ import annotations

from PySide6.QtGui import QUndoCommand
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QLabel, QScrollArea

from tests.views.doing import trigger
from trace_inspector.views.help.keys import KeyList
from trace_inspector.views.help.own_keys import PLACES
from trace_inspector.views.layout.centre_views import VIEWS
from trace_inspector.views.layout.panels import PANELS
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.widgets.controls import Tag


def test_f1_lists_the_keys_of_menus_views_panels_and_places(window: MainWindow) -> None:
    trigger(window, "keys")
    dialog = next(one for one in window.findChildren(QDialog) if one.isVisible())
    told = {label.text() for label in dialog.findChildren(QLabel)}
    caps = {tag.accessibleName() for tag in dialog.findChildren(Tag)}
    assert {"Everywhere", "Go to case or turn"} <= told
    assert "F8" in caps
    groups = [(shown.title, shown.keys) for shown in VIEWS] + [(shown.title, shown.keys) for shown in PANELS]
    for title, keys in (*groups, *PLACES.items()):
        assert not keys or title in told
        assert {own.does for own in keys} <= told
        assert {own.keys for own in keys} <= caps


def test_every_view_says_which_keys_it_has() -> None:
    assert all(view.keys for view in VIEWS)


def list_of_keys(window: MainWindow) -> KeyList:
    trigger(window, "keys")
    (shown,) = [one for one in window.findChildren(KeyList) if one.isVisible()]
    QTest.qWait(0)
    return shown


def test_nothing_in_the_list_of_keys_is_wider_than_the_dialog(window: MainWindow) -> None:
    for percent in (100, 150):
        window.desk.theme.scale(percent)
        scroll = list_of_keys(window).findChildren(QScrollArea)[0]
        inside = scroll.widget()
        assert inside is not None
        assert inside.minimumSizeHint().width() <= scroll.viewport().width(), percent
        assert scroll.horizontalScrollBar().maximum() == 0
        scroll.window().close()


def test_a_key_is_named_by_what_it_does_always_not_by_what_it_would_do_now(window: MainWindow) -> None:
    window.desk.undo.push(QUndoCommand("Recovered edit"))
    told = {label.text() for label in list_of_keys(window).findChildren(QLabel)}
    assert {"Undo", "Redo"} <= told
    assert not any("Recovered" in text for text in told)
    assert any("Recovered" in entry.text for entry in window.desk.commands()), "the palette says what it would undo"


def test_a_key_is_found_by_its_words(window: MainWindow) -> None:
    shown = list_of_keys(window)
    QTest.keyClicks(shown.field, "next FAILING")
    seen = [label.text() for label in shown.findChildren(QLabel) if label.isVisible()]
    assert "Next failing turn" in seen
    assert "Another row" not in seen
    QTest.keyClicks(shown.field, " zzz")
    (left,) = [label.text() for label in shown.findChildren(QLabel) if label.isVisible()]
    assert left == "No key has these words."
