"""A translation made from what the collector finds changes every word of the window: none is built past it."""

from __future__ import annotations

import ast
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, Qt, QTranslator
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QApplication, QDockWidget, QHeaderView, QMenu, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from tests.project.rooms import PACKAGE, package
from trace_inspector.models.base.open_file import FileState
from trace_inspector.models.base.translation import tr
from trace_inspector.views.shell.main_window import MainWindow

PERCENTILES = ("p50", "p90", "p99")
COLLECTOR = PACKAGE.parent / "packaging" / "translations.py"


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What translators get."""
    file = tmp_path_factory.mktemp("translations") / "all.ts"
    subprocess.run([sys.executable, str(COLLECTOR), str(file)], check=True, timeout=240)
    return file


@pytest.fixture
def translated(collected: Path, tmp_path: Path, qapp: QApplication) -> Iterator[None]:
    """Every text in brackets, as no text is written."""
    tree = ET.parse(collected)
    for message in tree.getroot().iter("message"):
        translation, source = message.find("translation"), message.find("source")
        assert translation is not None
        assert source is not None
        translation.attrib.clear()
        translation.text = f"⟦{source.text}⟧"
    tree.write(tmp_path / "all.ts", encoding="utf-8")
    compiled = tmp_path / "all.qm"
    tool = str(Path(sys.executable).with_name("pyside6-lrelease"))
    subprocess.run([tool, "-silent", str(tmp_path / "all.ts"), "-qm", str(compiled)], check=True, timeout=240)
    translator = QTranslator(qapp)
    assert translator.load(str(compiled))
    QCoreApplication.installTranslator(translator)
    yield
    QCoreApplication.removeTranslator(translator)


def literals() -> Iterator[str]:
    """The texts that modules give to `tr` and N_ as they stand."""
    for module in package().modules.values():
        for node in ast.walk(module.tree()):
            match node:
                case ast.Call(func=ast.Name(id="tr" | "N_"), args=[ast.Constant(value=str(text)), *_]):
                    yield text


def test_the_collector_finds_every_text_and_gives_it_no_context(collected: Path) -> None:
    root = ET.parse(collected).getroot()
    assert [context.findtext("name") for context in root.iter("context")] == [""]
    found = {message.findtext("source") for message in root.iter("message")}
    assert [text for text in literals() if text not in found] == []  # inside an f-string it sees none


def test_words_of_the_window_are_translated(translated: None, window: MainWindow, qtbot: QtBot) -> None:
    del translated  # first: the window is made with it
    assert tr("&Undo") == "⟦&Undo⟧"
    workspace = window.desk.workspace
    workspace.open_samples()
    qtbot.waitUntil(
        lambda: bool(workspace.files) and all(file.state is FileState.READY for file in workspace.files),
        timeout=60_000,
    )
    assert [text for text in shown(window) if any(map(str.isalpha, text)) and "⟦" not in text] == []


def shown(window: QWidget) -> Iterator[str]:
    """Menus, actions, panels, tabs and buttons: what is never data."""
    for action in window.findChildren(QAction):
        if not action.isSeparator() and not action.objectName().startswith("qt_"):
            yield action.text()
    yield from (menu.title() for menu in window.findChildren(QMenu))
    yield from (dock.windowTitle() for dock in window.findChildren(QDockWidget))
    for tabs in window.findChildren(QTabBar):
        yield from (tabs.tabText(index) for index in range(tabs.count()))
    for view in window.findChildren(QHeaderView):
        if view.model() is not None:
            titles = [view.model().headerData(index, Qt.Orientation.Horizontal) for index in range(view.count())]
            yield from (title for title in titles if isinstance(title, str) and title not in PERCENTILES)
    yield from (button.text() for button in window.findChildren(QAbstractButton))
