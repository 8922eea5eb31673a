"""Many goldens changed at once by keys: what is previewed is what changes, and one step takes it back."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.helpers.eval_sets import call, case, turn, write_eval_set
from tests.views.doing import trigger
from tests.views.test_evaluate_dialog import open_all
from tests.views.test_every_panel import nameless, unreachable
from tests.views.test_promote_window import file_of, settled
from trace_inspector.core.golden.matcher import Match
from trace_inspector.models.base.selection import Selection
from trace_inspector.views.bulk.dialog import NAME, BulkDialog
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.work.golden.bulk_actions import MOST_ROWS

pytestmark = pytest.mark.shared_window

WAIT_MS = 60_000
COUNT = 7


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Cases that search with a moment that is never the same again, and one that does not search."""
    cases = [
        case(f"c{at}", turn(f"Find {at}", "Found it.", [call("search", timestamp=at, city="Graz")]))
        for at in range(COUNT)
    ]
    return [write_eval_set(tmp_path / "shop.evalset.json", *cases, case("other", turn("Hello", "Hello.")))]


def opened(window: MainWindow) -> BulkDialog:
    trigger(window, "bulk-edit")
    dialog = window.findChild(BulkDialog, NAME)
    assert dialog is not None
    return dialog


def previewed(dialog: BulkDialog, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not dialog.waiting, timeout=WAIT_MS)


def rules(window: MainWindow) -> list[Match]:
    goldens, number = window.desk.workspace.goldens, file_of(window, "shop.evalset.json")
    cases = (goldens.case(number, place) for place in goldens.places(number))
    return [matcher.match for case in cases if case is not None for matcher in case.matchers]


def test_an_argument_is_ignored_in_many_goldens_as_one_step(
    window: MainWindow, qtbot: QtBot, files: list[Path]
) -> None:
    before = files[0].read_bytes()
    open_all(window, qtbot, files)
    window.desk.workspace.selection.select(Selection(file_of(window, "shop.evalset.json")))
    dialog = opened(window)
    assert nameless(dialog) == []
    assert unreachable(dialog) == []
    for name, text in (("tool", "search"), ("argument", "timestamp")):
        QTest.keyClicks(dialog.fields[name], text)
    previewed(dialog, qtbot)
    table = dialog.table.table
    assert [table.index(row, 0).data() for row in range(table.rowCount())] == [f"c{at}" for at in range(COUNT)]
    assert dialog.sentence.text() == f"Ignore argument “timestamp” of “search” in {COUNT} goldens"
    dialog.table.setCurrentIndex(table.index(1, 0))
    QTest.keyClick(dialog.table, Qt.Key.Key_Space)
    assert dialog.sentence.text() == f"Ignore argument “timestamp” of “search” in {COUNT - 1} goldens"
    sentence = dialog.sentence.text()
    QTest.keyClick(dialog.fields["tool"], Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    settled(window, qtbot)
    assert rules(window) == [Match.IGNORE] * (COUNT - 1)
    assert window.desk.undo.undoText() == sentence
    window.desk.undo.undo()
    settled(window, qtbot)
    assert rules(window) == []
    edited = window.desk.workspace.goldens.edited(file_of(window, "shop.evalset.json"))
    assert edited is not None
    assert not edited.is_changed
    assert files[0].read_bytes() == before


def test_words_are_replaced_by_a_pattern_and_a_bad_pattern_is_told(
    window: MainWindow, qtbot: QtBot, files: list[Path]
) -> None:
    open_all(window, qtbot, files)
    window.desk.workspace.selection.select(Selection(file_of(window, "shop.evalset.json")))
    dialog = opened(window)
    QTest.keyClick(dialog.kind, Qt.Key.Key_Down)
    QTest.keyClick(dialog.fields["pattern"], Qt.Key.Key_Space)
    QTest.keyClicks(dialog.fields["wanted"], "Find (")
    previewed(dialog, qtbot)
    assert "not a regular expression" in dialog.edit.sentence_of_refusal
    assert not dialog.make.isEnabled()
    QTest.keyClicks(dialog.fields["wanted"], r"\d+)")
    QTest.keyClicks(dialog.fields["new"], r"Look for \1")
    previewed(dialog, qtbot)
    table = dialog.table.table
    assert table.rowCount() == COUNT
    assert [table.index(2, at).data() for at in range(5)] == ["c2", "1", "user", "Find 2", "Look for 2"]
    QTest.keyClick(dialog, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    settled(window, qtbot)
    rows = window.desk.workspace.files.in_order[0].table
    assert sum("Look for" in rows.label(row) for row in range(len(rows))) >= COUNT


def test_ctrl_enter_before_the_preview_is_there_says_so(window: MainWindow, qtbot: QtBot, files: list[Path]) -> None:
    open_all(window, qtbot, files)
    window.desk.workspace.selection.select(Selection(file_of(window, "shop.evalset.json")))
    dialog = opened(window)
    for name, text in (("tool", "search"), ("argument", "timestamp")):
        QTest.keyClicks(dialog.fields[name], text)
    assert dialog.waiting
    QTest.keyClick(dialog, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert "again when they are" in dialog.sentence.text()
    previewed(dialog, qtbot)
    assert dialog.sentence.text() == f"Ignore argument “timestamp” of “search” in {COUNT} goldens"
    QTest.keyClick(dialog, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    settled(window, qtbot)
    assert rules(window) == [Match.IGNORE] * COUNT


def test_what_is_not_listed_any_more_changes_too(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    many = MOST_ROWS + 20
    path = write_eval_set(tmp_path / "shop.evalset.json", *(case(f"c{at}", turn("Hi", "Hi.")) for at in range(many)))
    open_all(window, qtbot, [path])
    window.desk.workspace.selection.select(Selection(file_of(window, "shop.evalset.json")))
    dialog = opened(window)
    while "tag" not in dialog.fields:
        QTest.keyClick(dialog.kind, Qt.Key.Key_Down)
    QTest.keyClicks(dialog.fields["tag"], "new")
    previewed(dialog, qtbot)
    assert dialog.sentence.text() == f"Add tag “new” in {many:,} goldens"
    assert dialog.table.table.rowCount() == MOST_ROWS
    QTest.keyClick(dialog, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    settled(window, qtbot)
    goldens, number = window.desk.workspace.goldens, file_of(window, "shop.evalset.json")
    held = [goldens.case(number, place) for place in goldens.places(number)]
    assert [one.tags for one in held if one is not None] == [("new",)] * many


MEANINGLESS = {
    Match.TOLERANCE: (["", "soon", "nan", "inf", "-3"], "How far off"),
    Match.REGEXP: (["(", "a{99999}{99999}"], "The pattern cannot be used"),
    Match.CONTAINS: ([""], "This is empty"),
}


def test_a_rule_that_means_nothing_is_told_and_goes_into_no_golden(
    window: MainWindow, qtbot: QtBot, files: list[Path]
) -> None:
    open_all(window, qtbot, files)
    window.desk.workspace.selection.select(Selection(file_of(window, "shop.evalset.json")))
    dialog = opened(window)
    for name, text in (("tool", "search"), ("argument", "timestamp")):
        QTest.keyClicks(dialog.fields[name], text)
    for match, (texts, told) in MEANINGLESS.items():
        QTest.keyClick(dialog.fields["rule"], Qt.Key.Key_Home)
        while dialog.edit.values.get("rule") != match.value:
            QTest.keyClick(dialog.fields["rule"], Qt.Key.Key_Down)
        for text in texts:
            QTest.keyClick(dialog.fields["text"], Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
            QTest.keyClick(dialog.fields["text"], Qt.Key.Key_Delete)
            QTest.keyClicks(dialog.fields["text"], text)
            assert dialog.edit.sentence_of_refusal.startswith(told), (match, text)
            assert not dialog.make.isEnabled(), (match, text)
        QTest.keyClick(dialog, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        settled(window, qtbot)
        assert rules(window) == [], match
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
