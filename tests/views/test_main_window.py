from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, QSettings, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from tests.models.stories import put
from tests.views.doing import trigger
from tests.views.tales import every_kind, markup, opened
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.views.actions import ACTIONS
from trace_inspector.views.appearance.appearance import Scheme, Theme
from trace_inspector.views.layout.panels import PANELS
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.widgets.controls import Label
from trace_inspector.work.processes.jobs import Jobs

pytestmark = pytest.mark.shared_window


def in_menus(menu: QMenu) -> list[str]:
    found = []
    for action in menu.actions():
        inner = action.menu()
        found += in_menus(inner) if isinstance(inner, QMenu) else [action.objectName()] if action.objectName() else []
    return found


def test_it_opens_on_the_sample_button_with_no_panel_in_the_way(own_window: MainWindow) -> None:
    focus = own_window.focusWidget()
    assert focus is not None
    assert focus.accessibleName() == "Open sample workspace"
    assert own_window.windowTitle() == "Trace Inspector"
    assert own_window.desk.docks == {}


def test_every_action_stands_in_a_menu_once(window: MainWindow) -> None:
    menus = [action.menu() for action in window.menuBar().actions()]
    listed = [name for menu in menus if isinstance(menu, QMenu) for name in in_menus(menu)]
    assert Counter(listed) == Counter(action.id for action in ACTIONS)


def test_ids_and_keys_are_given_once() -> None:
    assert max(Counter(action.id for action in ACTIONS).values()) == 1
    assert max(Counter(action.key for action in ACTIONS if action.key).values()) == 1


def test_no_menu_is_empty_and_no_letter_is_used_twice_in_one(window: MainWindow) -> None:
    for action in window.menuBar().actions():
        menu = action.menu()
        assert isinstance(menu, QMenu)
        texts = [entry.text() for entry in menu.actions() if entry.text()]
        assert texts
        letters = [text[text.index("&") + 1].lower() for text in texts if "&" in text]
        assert max(Counter(letters).values(), default=1) == 1, texts


def test_the_file_menu_ends_with_quit_and_exports_stand_together(window: MainWindow) -> None:
    menu = window.menuBar().actions()[0].menu()
    assert isinstance(menu, QMenu)
    texts = [entry.text().replace("&", "") for entry in menu.actions()]
    assert texts[-1] == "Quit"
    assert texts.index("Export view") == texts.index("Export report") + 2  # and between them one to a typed path


def test_opening_shows_the_panels_and_names_the_window(window: MainWindow) -> None:
    file = put(window.desk.workspace, "/made/run.json", every_kind())
    assert window.windowTitle() == "run.json[*] – Trace Inspector"
    assert set(window.desk.docks) == {panel.id for panel in PANELS}
    assert all(not dock.isHidden() for dock in window.desk.docks.values())
    window.desk.workspace.files.close(file.number)
    assert window.windowTitle() == "Trace Inspector"
    assert all(dock.isHidden() for dock in window.desk.docks.values())
    focus = window.focusWidget()
    assert focus is not None
    assert focus.accessibleName() == "Open sample workspace"


def test_a_small_window_starts_without_the_workspace(window: MainWindow) -> None:
    window.resize(1100, 700)
    opened(window.desk.workspace)
    assert window.desk.docks["workspace"].isHidden()
    trigger(window, "show-workspace")
    assert not window.desk.docks["workspace"].isHidden()


def test_what_happened_has_half_of_a_narrow_tree(window: MainWindow) -> None:
    window.resize(1100, 700)
    opened(window.desk.workspace)
    tree = window.desk.page.tree
    QTest.qWait(0)
    shown = [at for at in range(tree.model().columnCount()) if not tree.isColumnHidden(at)]
    assert tree.columnWidth(0) * 2 >= tree.viewport().width()
    assert shown[:3] == [0, 1, 2], "the first two criteria keep their columns"


def test_a_sentence_in_place_of_rows_has_no_counts_below(window: MainWindow) -> None:
    workspace = window.desk.workspace
    put(workspace, "/made/empty.json")
    words = [label.text() for label in window.page.findChildren(Label) if label.isVisible()]
    assert any("can be shown as a tree" in text for text in words)
    assert not any("columns" in text or "0 turns" in text for text in words), words


def test_a_panel_that_was_hidden_stays_hidden_next_time(
    own_window: MainWindow, theme: Theme, qtbot: QtBot, tmp_path: Path
) -> None:
    opened(own_window.desk.workspace)
    trigger(own_window, "show-details")
    assert own_window.desk.docks["details"].isHidden()
    own_window.close()
    jobs = Jobs()
    settings = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    again = MainWindow(theme, Workspace(jobs), jobs, settings)
    qtbot.addWidget(again)
    again.show()
    opened(again.desk.workspace)
    assert again.desk.docks["details"].isHidden()
    assert not again.desk.docks["problems"].isHidden()


def test_the_theme_is_remembered(window: MainWindow) -> None:
    trigger(window, "theme-dark")
    assert window.desk.theme.scheme is Scheme.DARK
    assert window.desk.settings.value("theme") == "dark"


def test_files_dropped_on_the_window_are_opened(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[list[Path]] = []
    monkeypatch.setattr(window.desk.workspace.files, "open", asked.append)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "a.json")), QUrl("http://example.invalid/b.json")])
    button, key = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, data, button, key))
    assert asked == [[tmp_path / "a.json"]]


def test_keys_walk_from_failing_turn_to_failing_turn(window: MainWindow, qtbot: QtBot) -> None:
    file = opened(window.desk.workspace)
    window.commands.refresh()
    qtbot.waitUntil(window.commands.actions["next-failing"].isEnabled)
    seen = []
    for _press in range(2):
        QTest.keyClick(window, Qt.Key.Key_F8)
        selection = window.desk.workspace.selection.value
        assert selection is not None
        seen.append((file.table.label(file.table.top_of(selection.row)), file.table.label(selection.row)[:6]))
    assert seen == [("fails", "Turn 1"), ("stops early", "Turn 2")]
    QTest.keyClick(window, Qt.Key.Key_F8, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(window, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    selection = window.desk.workspace.selection.value
    assert selection is not None
    assert file.table.label(selection.row).startswith("Turn 2")


def test_copying_the_tree_gives_tab_separated_text(window: MainWindow) -> None:
    file = opened(window.desk.workspace)
    window.desk.workspace.selection.select(Selection(file.number, file.table.tops[0]))
    window.desk.page.tree.setFocus()
    trigger(window, "copy")
    copied = QApplication.clipboard().text()
    assert copied.startswith("passes\t1.00\t1.00\t")


def test_hiding_plumbing_counts_what_is_hidden(window: MainWindow) -> None:
    file = put(window.desk.workspace, "/made/run.json", every_kind())
    page = window.desk.page
    turn = file.table.turns(file.table.tops[0])[0]
    assert len(file.table.visible_children(turn)) < len(file.table.children(turn))
    trigger(window, "hide-plumbing")
    assert not page.plumbing_hidden
    assert len(file.table.visible_children(turn)) == len(file.table.children(turn))


def test_a_text_of_markup_names_the_window_literally(window: MainWindow) -> None:
    put(window.desk.workspace, "/made/<b>bold.json", markup())
    assert window.windowTitle() == "<b>bold.json[*] – Trace Inspector"
    assert window.childAt(QPoint(5, 5)) is not None


def test_no_layout_squeezes_a_panel_away(window: MainWindow) -> None:
    opened(window.desk.workspace)
    sides = [window.desk.docks[name] for name in ("workspace", "details")]
    window.resizeDocks(sides, [40, 40], Qt.Orientation.Horizontal)
    QApplication.processEvents()
    assert [dock.width() >= 200 for dock in sides] == [True, True]


def test_panels_made_beforehand_stay_out_of_the_way_and_come_with_the_first_file(own_window: MainWindow) -> None:
    assert [own_window.make_panel() for _ in PANELS] == [True] * len(PANELS)
    assert not own_window.make_panel()
    assert list(own_window.desk.docks) == [panel.id for panel in PANELS]
    assert all(dock.isHidden() for dock in own_window.desk.docks.values())
    made = list(own_window.desk.docks.values())
    put(own_window.desk.workspace, "/made/traces.json")
    assert [dock.isHidden() for dock in made] == [False] * len(PANELS)
    assert list(own_window.desk.docks.values()) == made
