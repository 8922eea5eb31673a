"""Whoever wrote a trace decides nothing about the window: nothing is drawn as markup, fetched, or held up."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QModelIndex, QPoint, Qt
from PySide6.QtGui import QHelpEvent, QTextDocument
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractScrollArea,
    QApplication,
    QLabel,
    QPlainTextEdit,
    QTabBar,
    QTabWidget,
    QTextEdit,
    QToolTip,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.helpers import hostile, network
from tests.helpers.bait import Bait, laid
from tests.helpers.every_field import Key, Maker
from tests.models.stories import TRACES, put, trace, turn
from trace_inspector.core.finding import Finding
from trace_inspector.core.golden import golden
from trace_inspector.core.trace import trace as traces
from trace_inspector.core.trace.criteria import Criteria
from trace_inspector.core.verdict import verdict
from trace_inspector.core.verdict.reported import ReportedBatch
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.selection import Selection
from trace_inspector.views.layout.centre_views import VIEWS
from trace_inspector.views.layout.panels import PANELS
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.work.reading import file_messages

pytestmark = pytest.mark.shared_window

FIXED: dict[Key, object] = {
    ("Turn", "index"): 0,
    ("Turn", "final_event"): None,
    ("Trace", "goes_on"): None,
    ("TurnVerdict", "index"): 0,
}
LIVE = re.compile(r"<(?:img|a|b|script|style|table)\b")
STEP_PX = 90


@pytest.fixture
def bait(tmp_path: Path) -> Iterator[Bait]:
    with laid(tmp_path) as one:
        yield one


@pytest.fixture
def no_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even to this machine: each child is then started anew, which takes longer than all else here."""
    network.none_at_all(monkeypatch)


@pytest.mark.usefixtures("no_connections")
def test_markup_is_nowhere_more_than_text(window: MainWindow, qtbot: QtBot, bait: Bait) -> None:
    text = hostile.markup(bait.path)
    files = drenched_files(window, text)
    window.desk.page.hide_plumbing(hidden=False)
    assert not bait.taken
    for where in everywhere(window, qtbot, *files):
        assert not taken_for_markup(window), where
    centre = window.desk.centre
    assert centre is not None
    for view in VIEWS:
        centre.show_view(view.id)
        assert not [tip for tip in asked_tips(window) if is_live(tip)], view.id
    assert not bait.taken


@pytest.mark.parametrize("story", list(hostile.STORIES))
def test_too_much_of_anything_is_shown_without_a_stall(window: MainWindow, qtbot: QtBot, story: str) -> None:
    put(window.desk.workspace, "/made/small.json", trace("small", turn(0, "Hello?")))
    qtbot.wait(1)  # the panels are there; what follows is done by a child otherwise, and not counted
    made = hostile.STORIES[story]()
    qtbot.wait(1)
    file = put(window.desk.workspace, TRACES, made)
    qtbot.wait(1)
    for _where in everywhere(window, qtbot, file):
        pass
    assert len(file.table) > 0


def drenched_files(window: MainWindow, text: str) -> list[OpenFile]:
    """A file of each kind, in which whatever is a text is markup; with findings and verdicts."""
    workspace, maker = window.desk.workspace, Maker(FIXED)
    recorded = put(
        workspace, f"/made/{text.replace('/', '-')[:200]}.json", hostile.drenched(maker.make(traces.Trace), text)
    )
    batch = ReportedBatch()
    batch.add(recorded.table.tops[0], hostile.drenched(maker.make(verdict.CaseVerdict), text))
    workspace.files.take(file_messages.VerdictsReported(recorded.number, batch))
    suite = put(workspace, "/made/suite.json", hostile.drenched(maker.make(golden.Suite), text))
    found = hostile.drenched(maker.make(Finding), text)
    workspace.files.take(file_messages.Found(suite.number, (replace(found, pointer=""),), maker.make(Criteria)))
    workspace.files.take(file_messages.FileRead(suite.number, text))
    return [recorded, suite]


def everywhere(window: MainWindow, qtbot: QtBot, *files: OpenFile) -> Iterator[str]:
    """Each view and each panel, with its tabs, on rows from the beginning, the middle and the end of each file."""
    centre = window.desk.centre
    assert centre is not None
    window.resize(1000, 640)  # less to paint
    for at, view in enumerate(VIEWS):
        shown = centre.show_view(view.id)
        for file, row in rows_of(*files)[at :: len(VIEWS)]:  # Details shows each of them in turn
            window.desk.workspace.selection.select(Selection(file.number, row))
            qtbot.wait(1)
            shown.grab()
            yield f"{view.id}: {kind_of(file, row)}"
    for panel in PANELS:
        dock = window.desk.docks[panel.id]
        dock.show()
        dock.raise_()
        for tabs in dock.findChildren(QTabBar) or [QTabBar()]:
            for tab in range(max(tabs.count(), 1)):
                tabs.setCurrentIndex(tab)
                for file, row in rows_of(*files)[tab::12]:
                    window.desk.workspace.selection.select(Selection(file.number, row))
                    qtbot.wait(1)
                    yield f"{panel.id}, tab {tab}: {kind_of(file, row)}"
                dock.grab()


def kind_of(file: OpenFile, row: int) -> str:
    return file.table.kind(row).name if row >= 0 else "file"


def rows_of(*files: OpenFile) -> list[tuple[OpenFile, int]]:
    """Each file itself, one row of each kind, the middle and the end."""
    found = []
    for file in files:
        kinds = file.table.columns.kind
        found += [(file, row) for row in (-1, *map(kinds.index, set(kinds)), len(kinds) // 2, len(kinds) - 1)]
    return found


def taken_for_markup(window: MainWindow) -> list[str]:
    """Texts that Qt would draw as more than text, wherever they show."""
    labels = [
        label
        for label in window.findChildren(QLabel)
        if label.textFormat() is not Qt.TextFormat.PlainText and label.metaObject().className() != "QTipLabel"
    ]
    edits: list[QPlainTextEdit | QTextEdit] = [*window.findChildren(QPlainTextEdit), *window.findChildren(QTextEdit)]
    return [
        *(f"label: {label.text()}" for label in labels),
        *(
            f"text: {edit.toPlainText()}"
            for edit in edits
            if edit.isVisible() and LIVE.search(body_of(edit.document()))
        ),
        *(f"tooltip: {tip}" for tip in tips(window) if is_live(tip)),
    ]


def body_of(document: QTextDocument) -> str:
    """What a text is to Qt, without the words around it that every text has."""
    return document.toHtml().partition("<body")[2].partition(">")[2]


def is_live(tip: str) -> bool:
    """Whether Qt would draw a tooltip as markup with something of a trace in it."""
    return GuiQt.mightBeRichText(tip) and bool(LIVE.search(tip))


def tips(window: MainWindow) -> Iterator[str]:
    """Tooltips of widgets and of the items of lists."""
    for widget in window.findChildren(QWidget):
        yield widget.toolTip()
        yield widget.whatsThis()
        if isinstance(widget, QTabWidget | QTabBar):
            yield from (widget.tabToolTip(at) for at in range(widget.count()))
        if isinstance(widget, QAbstractItemView) and widget.isVisible():
            yield from item_tips(widget)


def item_tips(view: QAbstractItemView) -> Iterator[str]:
    model = view.model()
    for row in range(min(model.rowCount(QModelIndex()), 20)) if model is not None else ():
        for column in range(8):
            tip = model.index(row, column, QModelIndex()).data(Qt.ItemDataRole.ToolTipRole)
            yield tip if isinstance(tip, str) else ""


def asked_tips(window: MainWindow) -> Iterator[str]:
    """Tooltips that are made when they are asked for, everywhere in what scrolls."""
    areas = [area for area in window.findChildren(QAbstractScrollArea) if area.isVisible()]
    for viewport in (area.viewport() for area in areas):
        for x in range(8, viewport.width(), 3 * STEP_PX):
            for y in range(8, viewport.height(), STEP_PX):
                at = QPoint(x, y)
                QApplication.sendEvent(viewport, QHelpEvent(QEvent.Type.ToolTip, at, viewport.mapToGlobal(at)))
                yield QToolTip.text()
    QToolTip.hideText()
