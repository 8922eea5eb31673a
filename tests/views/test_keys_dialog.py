from __future__ import annotations

from PySide6.QtWidgets import QDialog, QLabel

from tests.views.doing import trigger
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
