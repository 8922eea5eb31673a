from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QLineEdit,
    QListView,
    QPlainTextEdit,
    QTabBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.models.stories import call, put, trace, turn
from tests.views.doing import trigger, wait_for, whole_details
from tests.views.tales import MARKUP, every_kind, markup, opened
from trace_inspector.core.rows.rows import Kind
from trace_inspector.models.base.open_file import FileState, OpenFile
from trace_inspector.models.base.row_table import TOP
from trace_inspector.models.base.selection import Selection
from trace_inspector.views.answer.answer import AnswerView
from trace_inspector.views.blocks.blocks import Fold, PassageView
from trace_inspector.views.details import content
from trace_inspector.views.details.criterion_row import CriterionRow
from trace_inspector.views.details.panel import CONTENT, VERDICTS, DetailsPanel
from trace_inspector.views.filtering.popup import FilterPopup
from trace_inspector.views.layout.panels import PANELS
from trace_inspector.views.problems.panel import ProblemsPanel
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.widgets.palette import Palette
from trace_inspector.views.widgets.tree_view import TreeView

pytestmark = pytest.mark.shared_window

CONTROLS = (QAbstractButton, QLineEdit, QAbstractItemView, QTabBar, QPlainTextEdit, AnswerView, CriterionRow, Fold)


def details(window: MainWindow) -> DetailsPanel:
    panel = window.desk.docks["details"].widget()
    assert isinstance(panel, DetailsPanel)
    return panel


def controls(root: QWidget) -> Iterator[QWidget]:
    for widget in root.findChildren(QWidget):
        internal = widget.objectName().startswith("qt_") or isinstance(widget, QHeaderView)
        below_field = isinstance(widget, QListView) and isinstance(widget.parent(), Palette | FilterPopup)
        in_tabs = isinstance(widget.parent(), QTabBar)
        if isinstance(widget, CONTROLS) and not internal and not below_field and not in_tabs:
            yield widget


def nameless(root: QWidget) -> list[QWidget]:
    return [
        widget
        for widget in controls(root)
        if not (widget.accessibleName() or (isinstance(widget, QAbstractButton) and widget.text()))
    ]


def unreachable(root: QWidget) -> list[QWidget]:
    return [widget for widget in controls(root) if not widget.focusPolicy() & Qt.FocusPolicy.TabFocus]


def rows_under(file: OpenFile, parent: int = TOP) -> Iterator[int]:
    for row in file.table.visible_children(parent):
        yield row
        yield from rows_under(file, row)


@pytest.fixture
def quiet(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    yield
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


@pytest.mark.usefixtures("quiet")
def test_every_panel_on_the_samples(window: MainWindow, qtbot: QtBot) -> None:
    """The real way: children read and judge the samples; every control has a name and a tab stop."""
    workspace = window.desk.workspace
    workspace.open_samples()
    qtbot.waitUntil(
        lambda: bool(workspace.files) and all(file.state is FileState.READY for file in workspace.files),
        timeout=60_000,
    )
    trigger(window, "evaluate")
    qtbot.waitUntil(
        lambda: workspace.run.value is not None and workspace.run.value.verdict is not None, timeout=60_000
    )
    assert workspace.navigation.next_failing(1)
    for panel in PANELS:
        window.desk.docks[panel.id].show()
        window.desk.docks[panel.id].raise_()
    for tab in range(details(window).tabs.count()):
        details(window).tabs.setCurrentIndex(tab)
        qtbot.wait(1)
        assert nameless(window) == []
        assert unreachable(window) == []
    qtbot.waitUntil(lambda: details(window).raw.currentIndex() == 1, timeout=60_000)
    text = details(window).raw.text
    assert text.marked().startswith("{")
    assert text.marked().rstrip().endswith("}")


def test_the_welcome_page_is_named_and_reachable(window: MainWindow, qtbot: QtBot) -> None:
    window.show_welcome()
    qtbot.waitUntil(lambda: nameless(window) == [])  # Qt makes the tabs of panels when it lays them out
    assert unreachable(window) == []


def test_there_are_blocks_for_every_kind_of_row() -> None:
    assert set(content.BLOCKS) == set(Kind)


@pytest.mark.usefixtures("quiet")
def test_every_row_has_content_and_verdicts(window: MainWindow) -> None:
    file = opened(window.desk.workspace)
    other = put(window.desk.workspace, "/made/kinds.json", every_kind())
    window.desk.page.hide_plumbing(hidden=False)
    seen = set()
    for one in (file, other):
        window.desk.workspace.selection.select(Selection(one.number))
        for tab in (CONTENT, VERDICTS):  # one after the other: each has a layout of the whole window
            details(window).tabs.setCurrentIndex(tab)
            for row in rows_under(one):
                seen.add(one.table.kind(row))
                window.desk.workspace.selection.select(Selection(one.number, row))
                whole_details(window)
                assert nameless(details(window)) == []
                assert unreachable(details(window)) == []
    missing = set(Kind) - seen - {Kind.SUITE, Kind.CASE, Kind.USER}
    assert missing == set()


def test_every_label_takes_text_as_it_stands(window: MainWindow) -> None:
    file = put(window.desk.workspace, "/made/markup.json", markup())
    window.desk.page.expand_all()
    shown = ""
    for row in rows_under(file):
        window.desk.workspace.selection.select(Selection(file.number, row))
        whole_details(window)
        labels = window.findChildren(QLabel)
        assert [label.text() for label in labels if label.textFormat() is not Qt.TextFormat.PlainText] == []
        assert [widget.toolTip() for widget in window.findChildren(QWidget) if "<" in widget.toolTip()] == []
        shown += "".join(label.text() for label in details(window).findChildren(QLabel))
    assert MARKUP in shown


def test_enter_on_a_problem_goes_there(window: MainWindow) -> None:
    file = opened(window.desk.workspace)
    panel = window.desk.docks["problems"].widget()
    assert isinstance(panel, ProblemsPanel)
    assert panel.count == panel.model.rowCount() > 0
    panel.view.setCurrentIndex(panel.model.index(0, 0))
    panel.view.setFocus()
    QTest.keyClick(panel.view, Qt.Key.Key_Return)
    selection = window.desk.workspace.selection.value
    assert selection is not None
    assert selection.file == file.number
    assert window.desk.page.tree.hasFocus()


def test_the_failing_call_is_named_with_both_values(window: MainWindow) -> None:
    file = opened(window.desk.workspace)
    fails = next(top for top in file.table.tops if file.table.label(top) == "fails")
    window.desk.workspace.selection.select(Selection(file.number, file.table.turns(fails)[0]))
    told = [label.text() for label in whole_details(window).content.findChildren(QLabel)]
    assert "search: 1 argument differs" in told
    assert '"parking"' in told
    assert '"lots"' in told
    assert any(text.startswith("Rule: EXACT.") for text in told)


def test_criteria_fold_open_by_keys_and_stay_open(window: MainWindow, qtbot: QtBot) -> None:
    file = opened(window.desk.workspace)
    turns = [file.table.turns(top)[0] for top in file.table.tops[:2]]
    details(window).tabs.setCurrentIndex(VERDICTS)
    window.desk.workspace.selection.select(Selection(file.number, turns[1]))
    qtbot.wait(1)
    row = details(window).verdicts.findChildren(CriterionRow)[0]
    row.setFocus()
    QTest.keyClick(row, Qt.Key.Key_Return)
    assert row.open
    window.desk.workspace.selection.select(Selection(file.number, turns[0]))
    qtbot.wait(1)
    assert details(window).verdicts.findChildren(CriterionRow)[0].open


def test_a_tree_row_is_painted_for_every_kind(window: MainWindow) -> None:
    put(window.desk.workspace, "/made/kinds.json", every_kind())
    page = window.page
    page.hide_plumbing(hidden=False)
    page.expand_all()
    picture = page.grab().toImage()
    page.tree.setFocus()
    assert isinstance(page.tree, TreeView)
    assert not picture.isNull()
    colours = {picture.pixelColor(x, y).name() for x in range(picture.width()) for y in range(60, 500, 2)}
    assert window.desk.theme.tokens.tool.lower() in colours


def test_a_long_word_does_not_push_the_page_out_of_sight(window: MainWindow) -> None:
    word = "x" * 3_000
    one = turn(0, word, call("search", **{word[:200]: 1}), answer=word)
    file = put(window.desk.workspace, f"/made/{word[:200]}.json", trace(word[:300], one))
    content = details(window).content
    for row in (TOP, *range(len(file.table))):
        window.desk.workspace.selection.select(Selection(file.number, row))
        QTest.qWait(20)
        page = content.widget()
        assert page is not None
        assert page.minimumSizeHint().width() <= content.viewport().width(), (
            file.table.kind(row) if row >= 0 else "file"
        )


def test_a_fact_stands_beside_its_name_whole(window: MainWindow) -> None:
    window.resize(1100, 700)
    put(window.desk.workspace, "/made/" + "/".join(["a-long-folder"] * 12) + "/run.json", every_kind())
    window.desk.workspace.selection.select(Selection(window.desk.workspace.files.in_order[0].number))

    def paths() -> list[PassageView]:
        parts = details(window).content.findChildren(PassageView)
        return [part for part in parts if "a-long" in part.toPlainText()]

    assert wait_for(lambda: bool(paths()))
    path = paths()[0]
    assert wait_for(lambda: path.height() >= path.document().size().height() > 4 * path.fontMetrics().height())
    before = path.grab().toImage()
    path.setFocus()
    QTest.qWait(20)
    assert path.grab().toImage() != before, "the focus is not to be seen"
