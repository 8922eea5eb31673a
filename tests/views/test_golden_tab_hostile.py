"""The Golden tab with values that nobody means well: huge, many, markup, control characters, deep."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.views.golden_tab import GoldenWindow, focus, golden_file, key, retype, trace_file, until
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.widgets.controls import Label

pytestmark = pytest.mark.shared_window


@pytest.fixture
def golden(window: MainWindow) -> GoldenWindow:
    return GoldenWindow(window)


def opened(golden: GoldenWindow, folder: Path, args: JsonObject, more: int = 0) -> None:
    calls: list[tuple[str, Json]] = [("tool", args)] * (1 + more)
    golden.open(golden_file(folder, calls), trace_file(folder, [("tool", {"a": 1})]))
    golden.select_turn("run.json")
    golden.edit()


def test_an_argument_of_ten_megabytes_is_told_and_can_be_ignored(golden: GoldenWindow, tmp_path: Path) -> None:
    opened(golden, tmp_path, {"a": "x" * 10_000_000})
    row = golden.calls.cards[0].rows["a"]
    assert row.value.isHidden()
    assert row.block is None
    focus(row.chip)
    QTest.keyClicks(row.chip, "i")
    golden.settle()
    assert row.now.words == "not compared"


def test_of_a_thousand_arguments_some_are_shown_and_the_others_counted(golden: GoldenWindow, tmp_path: Path) -> None:
    opened(golden, tmp_path, {f"a{at}": at for at in range(1_000)})
    card = golden.calls.cards[0]
    assert len(card.rows) == 30
    assert card.more.text() == "Show 30 of 970 more"
    focus(card.more)
    key(golden.window, Qt.Key.Key_Return)
    assert len(card.rows) == 60
    retype(golden.field(0, "a59"), "7")
    golden.settle()
    args = golden.expected()[0][1]
    assert isinstance(args, dict)
    assert args["a59"] == 7


def test_of_a_hundred_calls_the_first_are_open_and_all_are_there(golden: GoldenWindow, tmp_path: Path) -> None:
    opened(golden, tmp_path, {f"a{at}": at for at in range(30)}, more=99)
    until(lambda: len(golden.calls.cards) == 100)
    opened_cards = [card for card in golden.calls.cards if card.is_open]
    assert 1 <= len(opened_cards) <= 3
    last = golden.calls.cards[99]
    last.open()
    retype(golden.field(99, "a7"), "70")
    golden.settle()
    args = golden.expected()[99][1]
    assert isinstance(args, dict)
    assert args["a7"] == 70


# Markup, control characters, what means something in a pointer, what is long.
HOSTILE: JsonObject = {
    "<b>bold</b>": "<img src='http://127.0.0.1:1/x'>",
    "line\nbreak\x00": "\x1b[31m\u202e\x00",
    "a/b~c": "&amp; && %s {0}",
    "x" * 5_000: "y" * 5_000,
}


def test_what_stands_in_names_and_values_is_plain_text(golden: GoldenWindow, tmp_path: Path) -> None:
    opened(golden, tmp_path, {**HOSTILE, "n": 1})
    labels = golden.tab.findChildren(Label)
    assert all(label.textFormat() is Qt.TextFormat.PlainText for label in labels)
    for name in HOSTILE:
        row = golden.calls.cards[0].rows[name]
        focus(row.chip)
        QTest.keyClicks(row.chip, "a")
        golden.settle()
        assert row.now.words == "absent", name
    retype(golden.field(0, "n"), "2")
    golden.settle()
    assert golden.expected()[0][1] == {**HOSTILE, "n": 2}


def test_a_long_text_is_edited_on_several_lines(golden: GoldenWindow, tmp_path: Path) -> None:
    opened(golden, tmp_path, {"plan": {"steps": ["walk"] * 60}})
    row = golden.calls.cards[0].rows["plan"]
    assert row.block is not None
    focus(row.block)
    key(golden.window, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(row.block, ",")
    golden.settle()
    assert row.problem.startswith("That is not JSON yet")
    assert golden.expected() == [("tool", {"plan": {"steps": ["walk"] * 60}})]
    key(golden.window, Qt.Key.Key_Escape)
    row.block.selectAll()
    QTest.keyClicks(row.block, '{"steps": []}')
    golden.settle()
    assert golden.expected() == [("tool", {"plan": {"steps": []}})]
    assert row.block.hasFocus()


def test_what_is_nested_too_deeply_is_refused(golden: GoldenWindow, tmp_path: Path) -> None:
    opened(golden, tmp_path, {"a": 1})
    field = golden.field(0, "a")
    focus(field)
    field.selectAll()
    field.insert("[" * 5_000 + "]" * 5_000)
    field.textEdited.emit(field.text())
    assert "nested too deeply" in golden.calls.cards[0].rows["a"].problem
    assert golden.expected() == [("tool", {"a": 1})]
