"""What a screen reader says of a row: where it is, how the sides relate, what each has, and why it counts."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest

from tests.views.compare.comparing import Call, compared, eval_set, session
from trace_inspector.views.compare.page import ComparePage
from trace_inspector.views.shell.main_window import MainWindow

A: Call = ("look", {"area": "Capitol Hill", "days": 3})
OTHER: Call = ("look", {"area": "Capitol Hill", "days": "3"})
B: Call = ("walk", {"to": "Pike"})


def turn(*calls: Call, answer: str = "It is fine.") -> tuple[str, list[Call], str]:
    return "How is it there?", list(calls), answer


def spoken(page: ComparePage) -> list[str]:
    """Row by row, by the arrow key."""
    page.rows.setFocus()
    page.compare.go(0)
    said = [page.rows.accessibleDescription()]
    for _row in range(1, len(page.compare.rows or ())):
        QTest.keyClick(page.rows, Qt.Key.Key_Down)
        said.append(page.rows.accessibleDescription())
    return said


def test_each_row_of_two_sides_is_said_in_words(window: MainWindow, tmp_path: Path) -> None:
    golden = eval_set(tmp_path / "set.evalset.json", turn(A, B))
    page = compared(window, golden, session(tmp_path / "s.json", turn(OTHER, answer="Cold.")))
    head, arguments, missing, answer = spoken(page)
    asked = "Golden: How is it there? Observed: How is it there?"
    assert head == f"Turn 1. {asked} 0 of 2 match. counts against the verdict."
    sides = 'Golden: look(area="Capitol Hill", days=3). Observed: look(area="Capitol Hill", days="3").'
    argument = 'argument days: Golden 3, Observed "3", text instead of number.'
    why = "1 argument differs. they must be equal. counts against the verdict."
    assert arguments == f"Turn 1, call 1. arguments differ. {sides} {argument} {why}"
    sides = 'Golden: walk(to="Pike"). Observed: not called.'
    assert missing == f"Turn 1, call 2. missing. {sides} Expected call is missing. counts against the verdict."
    sides = "Golden: It is fine. Observed: Cold."
    assert answer == f"Turn 1, answer. the answer differs. {sides} Other words. differs, allowed."


def test_the_current_argument_comes_first_and_another_rule_is_said(window: MainWindow, tmp_path: Path) -> None:
    golden = eval_set(tmp_path / "set.evalset.json", turn(("look", {"area": "Pike", "days": 3})))
    page = compared(window, golden, session(tmp_path / "s.json", turn(A, B)))
    page.compare.go(1)
    QTest.keyClick(page.rows, Qt.Key.Key_Right)
    assert page.rows.accessibleDescription().startswith(
        'argument area: Golden "Pike", Observed "Capitol Hill". Turn 1'
    )
    page.compare.go(2)
    assert page.rows.accessibleDescription().endswith("Extra call. counts against the verdict.")
    page.compare.choose_rule(1)
    assert page.rows.accessibleDescription().endswith("Extra call. IN ORDER allows it. differs, allowed.")


def test_of_three_sides_it_says_who_stands_alone(window: MainWindow, tmp_path: Path) -> None:
    page = compared(
        window,
        eval_set(tmp_path / "set.evalset.json", turn(A)),
        session(tmp_path / "base.json", turn(A, B)),
        session(tmp_path / "new.json", turn(OTHER)),
    )
    rows = spoken(page)
    assert rows[1].startswith("Turn 1, call 1. Golden: look(")
    assert 'argument days: Golden 3, Baseline 3, Candidate "3"' in rows[1]
    assert rows[1].endswith("Candidate changed. counts against the verdict.")
    sides = 'Golden: not expected. Baseline: walk(to="Pike"). Candidate: not called.'
    assert rows[2] == f"Turn 1, call 2. {sides} Baseline alone differs."


def test_of_two_runs_nothing_was_expected(window: MainWindow, tmp_path: Path) -> None:
    page = compared(window, session(tmp_path / "one.json", turn(A)), session(tmp_path / "two.json", turn(A, B)))
    assert "Baseline: not called. Candidate: walk(" in spoken(page)[2]


def test_rows_are_announced_where_something_listens(window: MainWindow, tmp_path: Path) -> None:
    golden = eval_set(tmp_path / "set.evalset.json", turn(A, B))
    page = compared(window, golden, session(tmp_path / "s.json", turn(OTHER)))
    before = QAccessible.isActive()
    QAccessible.setActive(True)
    try:
        assert len(spoken(page)) == 4
    finally:
        QAccessible.setActive(before)
