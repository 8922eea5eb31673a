"""Rubrics taken from a file that is not open: listed, picked by keys, added as one step; a bad file is a sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu

from tests.formats import eval_set_files as adk
from tests.views.golden_doing import opened_golden, settle, undone, unfold, until
from tests.views.golden_tab import choose
from tests.views.menus import menu_at
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.views.golden.rubric_file import NAME, RubricFileDialog
from trace_inspector.views.golden.rubrics_section import RubricsSection
from trace_inspector.views.shell.main_window import MainWindow

pytestmark = pytest.mark.shared_window


def rubric(name: str, text: str) -> JsonObject:
    return {"rubric_id": name, "rubric_content": {"text_property": text}}


@pytest.fixture
def section(window: MainWindow, tmp_path: Path) -> RubricsSection:
    case = adk.case(adk.turn(), rubrics=[rubric("polite", "Is polite.")])
    tab = opened_golden(window, tmp_path / "a.evalset.json", adk.eval_set(case))
    body = unfold(tab, "rubrics")
    assert isinstance(body, RubricsSection)
    return body


def from_file(window: MainWindow, section: RubricsSection, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Through the menu, by keys; only the system's own dialog is not opened."""
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args: (str(path), ""))
    section.add.button.setFocus()
    QTest.keyClick(section.add.button, Qt.Key.Key_Return)
    assert until(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
    choose("From a file…")
    window.activateWindow()


CONFIG: Json = {
    "criteria": {
        "rubric_based_final_response_quality_v1": {
            "threshold": 0.5,
            "rubrics": [rubric("polite", "Says please."), rubric("brief", "Is brief."), rubric("more", "Is brief.")],
        }
    }
}


SUITE = adk.eval_set(adk.case(adk.turn(), rubrics=[rubric("polite", "Says please."), rubric("brief", "Is brief.")]))


def test_what_is_picked_is_added_as_one_step(
    window: MainWindow, section: RubricsSection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("criteria.json", CONFIG), ("suite.json", SUITE)):
        path = tmp_path / name
        path.write_text(json.dumps(value))
        from_file(window, section, path, monkeypatch)
        is_picked_from(window, section)
        assert until(lambda: window.findChild(RubricFileDialog, NAME) is None)


def is_picked_from(window: MainWindow, section: RubricsSection) -> None:
    """The second rubric is left out by keys; the first is added, and taken back."""
    assert until(lambda: window.findChild(RubricFileDialog, NAME) is not None)
    dialog = window.findChild(RubricFileDialog, NAME)
    assert dialog is not None
    texts = [dialog.list.item(at).text() for at in range(dialog.list.count())]
    assert texts == ["polite: Says please.", "brief: Is brief."]
    assert dialog.add.text() == "Add 2 rubrics"
    first = dialog.list.visualItemRect(dialog.list.item(0)).center()
    menu_at(dialog.list, first)["Leave out"].trigger()
    assert dialog.add.text() == "Add 1 rubric"
    menu_at(dialog.list, first)["Include"].trigger()
    QTest.keyClick(dialog.list, Qt.Key.Key_Down)
    QTest.keyClick(dialog.list, Qt.Key.Key_Space)
    assert dialog.add.text() == "Add 1 rubric"
    QTest.keyClick(dialog.list, Qt.Key.Key_Return)
    settle(window)
    assert [row.text.toPlainText() for row in section.rows] == ["Is polite.", "Says please."]
    undone(window)
    assert [row.text.toPlainText() for row in section.rows] == ["Is polite."]


def test_a_file_without_any_is_one_sentence(
    window: MainWindow, section: RubricsSection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(window.desk, "say", said.append)
    (tmp_path / "none.json").write_text('{"criteria": {"response_match_score": 0.5}}')
    for name, sentence in (("none.json", "No rubrics stand in"), ("gone.json", "")):
        said.clear()
        from_file(window, section, tmp_path / name, monkeypatch)
        assert until(lambda: len(said) > 1)
        assert said[-1].startswith(f"{name}: {sentence}")
        assert len(said[-1]) > len(name) + 10
        assert window.findChild(RubricFileDialog, NAME) is None
