"""Expected calls in the Golden tab: added, doubled, removed, moved, renamed, and their arguments."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.views.golden_tab import Calls, GoldenWindow, choose, drag, focus, golden_file, key, retype, trace_file
from trace_inspector.core.golden.matcher import Match
from trace_inspector.views.golden.fields.marks import Grip, IconButton
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.widgets.controls import Button

pytestmark = pytest.mark.shared_window

ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture
def golden(window: MainWindow, tmp_path: Path) -> GoldenWindow:
    """A golden and its trace, evaluated; the trace's turn is selected and its golden about to be edited."""
    made = GoldenWindow(window)
    made.open(golden_file(tmp_path), trace_file(tmp_path))
    made.select_turn("run.json")
    made.edit()
    return made


def names(golden: GoldenWindow) -> list[str]:
    return [name for name, _args in golden.expected()]


def button(golden: GoldenWindow, card: int, icon_name: str) -> IconButton:
    found = golden.calls.cards[card].findChildren(IconButton)
    return next(each for each in found if each.accessibleName() == icon_name)


def test_the_call_that_nobody_expected_is_offered_first(golden: GoldenWindow) -> None:
    focus(golden.calls.add.button)
    key(golden.window, Qt.Key.Key_Return)
    choose("Observed: web(")
    golden.settle()
    assert golden.expected()[2] == ("web", {"query": "garages"})
    assert golden.calls.cards[2].now.words == "matches"
    assert QApplication.focusWidget() is golden.field(2, "query")


def test_a_tool_that_is_typed_may_be_called_anything(golden: GoldenWindow) -> None:
    for name in ("observed flights", "observed 99", "tool box"):
        focus(golden.calls.add.button)
        key(golden.window, Qt.Key.Key_F2)
        field = QApplication.focusWidget()
        assert field is not None
        QTest.keyClicks(field, name)
        key(golden.window, Qt.Key.Key_Return)
        golden.settle()
        assert names(golden)[-1] == name


def test_an_argument_fares_as_its_call_where_the_run_takes_any_spelling(window: MainWindow, tmp_path: Path) -> None:
    criterion = {"threshold": 1.0, "any_spelling": True}
    (tmp_path / "test_config.json").write_text(json.dumps({"criteria": {"trajectory_match": criterion}}))
    golden = GoldenWindow(window)
    wanted: Calls = (("places", {"radius_m": 500}),)
    made: Calls = (("places", {"radiusM": 500}),)
    golden.open(golden_file(tmp_path, wanted), trace_file(tmp_path, made))
    golden.select_turn("run.json")
    golden.edit()
    (card,) = golden.calls.cards
    assert (card.now.words, card.rows["radius_m"].now.words) == ("matches", "equal")


def test_a_call_is_doubled_and_removed_by_key_and_each_is_one_step(golden: GoldenWindow) -> None:
    focus(button(golden, 0, "Duplicate the call"))
    key(golden.window, Qt.Key.Key_Return)
    golden.settle()
    assert names(golden) == ["places", "places", "stops"]
    focus(button(golden, 2, "Remove the call"))
    key(golden.window, Qt.Key.Key_Space)
    golden.settle()
    assert names(golden) == ["places", "places"]
    held = QApplication.focusWidget()
    assert held is not None
    assert golden.calls.cards[1].isAncestorOf(held)
    golden.workspace.steps.undo()
    golden.workspace.steps.undo()
    golden.settle()
    assert names(golden) == ["places", "stops"]
    assert len(golden.calls.cards) == 2


def test_a_call_is_moved_with_its_matchers_and_keeps_the_focus(golden: GoldenWindow) -> None:
    chip = golden.calls.cards[0].rows["query"].chip
    focus(chip)
    QTest.keyClicks(chip, "c")
    golden.settle()
    focus(golden.field(0, "radius_m"))
    key(golden.window, Qt.Key.Key_Down, ALT)
    golden.settle()
    assert names(golden) == ["stops", "places"]
    assert golden.calls.cards[1].rows["query"].chip.match is Match.CONTAINS
    assert QApplication.focusWidget() is golden.field(1, "radius_m")
    key(golden.window, Qt.Key.Key_Up, ALT)
    golden.settle()
    assert names(golden) == ["places", "stops"]


def test_a_call_is_dragged_by_its_grip(golden: GoldenWindow) -> None:
    first, second = golden.calls.cards
    drag(first.findChildren(Grip)[0], second.mapToGlobal(second.rect().bottomLeft()))
    golden.settle()
    assert names(golden) == ["stops", "places"]


def test_another_tool_is_picked_or_written(golden: GoldenWindow) -> None:
    focus(golden.calls.cards[1].tool.button)
    key(golden.window, Qt.Key.Key_Return)
    choose("web")
    golden.settle()
    assert golden.expected()[1] == ("web", {"area": "Hill"})
    key(golden.window, Qt.Key.Key_F2)
    held = QApplication.focusWidget()
    assert held is not None
    QTest.keyClicks(held, "search_map")
    key(golden.window, Qt.Key.Key_Return)
    golden.settle()
    assert names(golden) == ["places", "search_map"]


def test_an_argument_is_added_with_the_observed_value_and_removed(golden: GoldenWindow) -> None:
    focus(button(golden, 1, "Remove the argument area"))
    key(golden.window, Qt.Key.Key_Return)
    golden.settle()
    assert golden.expected()[1] == ("stops", {})
    focus(button(golden, 1, "Add an argument"))
    key(golden.window, Qt.Key.Key_Return)
    held = QApplication.focusWidget()
    assert held is not None
    QTest.keyClicks(held, "limit")
    key(golden.window, Qt.Key.Key_Return)
    golden.settle()
    assert golden.expected()[1] == ("stops", {"limit": ""})
    assert QApplication.focusWidget() is golden.field(1, "limit")


def test_a_tolerance_has_a_field_of_its_own(golden: GoldenWindow) -> None:
    row = golden.calls.cards[0].rows["radius_m"]
    focus(row.chip)
    QTest.keyClicks(row.chip, "t")
    golden.settle()
    retype(row.parameter, "many")
    assert "300" in row.problem
    retype(row.parameter, "40 %")
    golden.settle()
    matcher = golden.case().matchers[0]
    assert (matcher.match, matcher.absolute, matcher.relative) == (Match.TOLERANCE, None, 0.4)
    assert (row.now.mark, row.now.words) == ("passed", "480 to 1120")


def test_each_way_to_compare_is_what_the_engine_says(golden: GoldenWindow) -> None:
    row = golden.calls.cards[0].rows["radius_m"]
    ways = [("a", "", "passed"), ("i", "", "skip"), ("s", "", "failed"), ("r", "5.0", "failed"), ("c", "5", "failed")]
    for letter, written, mark in ways:
        focus(row.chip)
        QTest.keyClicks(row.chip, letter)
        golden.settle()
        if written:
            retype(row.parameter, written)
            golden.settle()
        assert row.now.mark == mark, letter
        assert golden.calls.cards[0].now.mark == ("failed" if mark == "failed" else "passed"), letter
        while golden.workspace.steps.canUndo():
            golden.workspace.steps.undo()
        golden.settle()
        assert golden.case().matchers == (), letter


def test_a_call_that_was_not_made_is_removed_where_that_is_said(golden: GoldenWindow) -> None:
    cards = golden.calls.cards
    assert [card.now.words for card in cards] == ["differs", "not called"]
    shown = [not each.isHidden() for card in cards for each in card.findChildren(Button) if each.text() == "Remove"]
    assert shown == [False, True]
    remove = next(each for each in cards[1].findChildren(Button) if each.text() == "Remove")
    focus(remove)
    key(golden.window, Qt.Key.Key_Return)
    golden.settle()
    assert names(golden) == ["places"]
    golden.workspace.steps.undo()
    golden.settle()
    assert names(golden) == ["places", "stops"]
