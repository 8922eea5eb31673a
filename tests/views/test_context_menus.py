"""Context menus: what can be done first, nothing that cannot be done, in the tree, the timeline and the lists."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QGuiApplication, QStandardItem, QStandardItemModel
from pytestqt.qtbot import QtBot

from tests.models.stories import GOLDENS, TRACES, put
from tests.views.doing import trigger, wait_for
from tests.views.menus import menu_at
from tests.views.tales import EXPECTED, OBSERVED, opened
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.evaluation.pair_table import NO_CASE
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.evaluate.dialog import EvaluateDialog
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.timeline.page import TimelinePage
from trace_inspector.views.widgets.tree_view import TreeView
from trace_inspector.views.workspace.panel import WorkspacePanel

pytestmark = pytest.mark.shared_window


def of_tree(window: MainWindow, row: int) -> list[str]:
    tree = window.page.tree
    index = window.page.index_of(row)
    tree.setCurrentIndex(index)
    tree.scrollTo(index)
    return [text.partition("\t")[0].replace("&", "") for text in menu_at(tree, tree.visualRect(index).center())]


def test_a_recorded_turn_offers_views_and_the_golden_but_no_editing_of_rows(window: MainWindow) -> None:
    file = opened(window.desk.workspace)
    entries = of_tree(window, file.table.turns(file.table.tops[1])[0])
    assert entries[:3] == ["Show in Conversation", "Show in Timeline", "Show in Compare"]
    assert {"Promote to golden…", "Overrule the verdict…", "Copy"} <= {*entries}
    assert not {"Delete", "Move up", "Merge into one golden", "Add a turn", "Duplicate"} & {*entries}


def test_a_golden_offers_only_what_applies_to_it(window: MainWindow) -> None:
    workspace = window.desk.workspace
    put(workspace, TRACES, *OBSERVED)
    file = put(workspace, GOLDENS, EXPECTED)
    file.format = "adk-eval-set"
    workspace.selection.select(Selection(file.number, file.table.tops[1]))
    whole = of_tree(window, file.table.tops[1])
    assert {"Edit the golden", "Rename…", "Delete", "Duplicate"} <= {*whole}
    assert not {"Merge into one golden", "Split before this turn"} & {*whole}
    second = of_tree(window, file.table.turns(file.table.tops[1])[1])
    assert "Split before this turn" in second


def test_files_are_closed_and_their_paths_copied_by_the_mouse(window: MainWindow) -> None:
    file = opened(window.desk.workspace)
    panel = window.desk.docks["workspace"].widget()
    assert isinstance(panel, WorkspacePanel)
    model = panel.view.model()
    row = model.index(0, 0, model.index(0, 0))
    panel.view.setCurrentIndex(row)
    entries = menu_at(panel.view, panel.view.visualRect(row).center())
    entries["Copy path"].trigger()
    assert QGuiApplication.clipboard().text() == str(file.path)
    assert not any(text.replace("&", "") == "Save" for text in entries)  # nothing is edited
    heading = menu_at(panel.view, panel.view.visualRect(model.index(0, 0)).center())
    assert next(text.replace("&", "") for text in heading) == "Open files…"
    entries[window.commands.actions["close-file"].text()].trigger()
    assert wait_for(lambda: window.desk.workspace.files.get(file.number) is None)


def test_a_lane_is_selected_and_shown_elsewhere(window: MainWindow) -> None:
    file = opened(window.desk.workspace)
    window.desk.workspace.selection.select(Selection(file.number, file.table.tops[0]))
    trigger(window, "view-timeline")
    page = window.views.findChild(TimelinePage)
    assert isinstance(page, TimelinePage)
    assert wait_for(lambda: len(page.timeline.lanes) > 0 and not page.timeline.reader.busy)
    entries = menu_at(page.area, QPoint(40, 100))
    assert [text.partition("\t")[0] for text in entries][:2] == ["Show in Tree", "Show in Conversation"]
    assert "Fit turn" in entries
    next(action for text, action in entries.items() if text.startswith("Show in Conversation")).trigger()
    assert window.views.shown == "conversation"


def test_every_list_offers_at_least_to_copy_its_row(window: MainWindow) -> None:
    opened(window.desk.workspace)
    QGuiApplication.clipboard().setText("")
    trigger(window, "show-state")
    for view in window.findChildren(TreeView):
        if view.isVisible() and view.model().rowCount():
            index = view.model().index(0, 0)
            view.setCurrentIndex(index)
            entries = menu_at(view, view.visualRect(index).center())
            assert entries, view.accessibleName()


def test_a_pair_is_corrected_by_the_mouse(window: MainWindow) -> None:
    opened(window.desk.workspace)
    trigger(window, "evaluate-with")
    dialog = window.findChild(EvaluateDialog)
    assert isinstance(dialog, EvaluateDialog)
    pairs = dialog.pairs
    assert wait_for(lambda: pairs.isVisible() and pairs.table.rowCount() > 0)
    entries = menu_at(pairs, pairs.visualRect(pairs.table.index(0, 0)).center())
    assert list(entries)[:3] == ["Choose another case…", "No case", "As proposed"]
    entries["No case"].trigger()
    assert wait_for(lambda: pairs.table.index(0, 1).data() == NO_CASE)
    dialog.reject()


def test_a_row_of_a_list_is_copied_from_its_menu(theme: Theme, qtbot: QtBot) -> None:
    view = TreeView(theme, "Words")
    qtbot.addWidget(view)
    model = QStandardItemModel(view)
    model.appendRow([QStandardItem("one"), QStandardItem("two")])
    view.setModel(model)
    view.show()
    done: list[str] = []
    view.offers = lambda index: ((f"Take {index.data()}", lambda: done.append("taken")),)
    view.setCurrentIndex(model.index(0, 0))
    entries = menu_at(view, view.visualRect(model.index(0, 0)).center())
    assert list(entries) == ["Take one", "Copy", "Select all"]
    entries["Copy"].trigger()
    entries["Take one"].trigger()
    assert (QGuiApplication.clipboard().text(), done) == ("one\ttwo", ["taken"])
    assert menu_at(view, QPoint(5, view.height() - 5)) == {}
