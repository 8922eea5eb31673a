"""Where Compare opens: at the selected turn, what diverges in it in sight; equal hand-offs are folded."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from tests.views.compare.comparing import (
    Call,
    TurnOf,
    compare_page,
    compared,
    eval_set,
    opened,
    session,
    settled,
    shown,
    told,
    until,
)
from tests.views.test_curating_by_keys import CONTROL, Keyboard, judged, mark
from trace_inspector.models.base.selection import Selection
from trace_inspector.views.compare.page import ComparePage
from trace_inspector.views.shell.main_window import MainWindow

CALLS: list[Call] = [(f"see_{number}", {"at": number}) for number in range(12)]
OTHER: Call = ("see_9", {"at": 90})
TO: Call = ("transfer_to_agent", {"agent_name": "Guide"})


def turns(*wrong: int) -> list[TurnOf]:
    """Six turns of many calls; in those turns the tenth call has another argument."""
    return [
        (f"Question {turn}?", [OTHER if turn in wrong and call[0] == "see_9" else call for call in CALLS], "Fine.")
        for turn in range(6)
    ]


def opened_at(window: MainWindow, folder: Path, turn: int | None) -> ComparePage:
    """A golden and a run that differs in the fourth and the last turn, Compare opened with a turn selected."""
    golden = eval_set(folder / "set.evalset.json", *turns(), case="one")
    _golden, run = opened(window, golden, session(folder / "one.json", *turns(3, 5)))
    top = run.table.tops[0]
    window.desk.workspace.selection.select(Selection(run.number, top if turn is None else run.table.turns(top)[turn]))
    page = compare_page(window)
    shown(page)
    QTest.qWait(20)
    return page


def in_sight(page: ComparePage, number: int) -> bool:
    """Whether a row is wholly seen."""
    rows = page.compare.rows
    assert rows is not None
    high = page.rows.viewport().height()
    place = rows.place(number)
    return any(
        row.position == place and row.top_px >= -1 and row.bottom_px <= high + 1 for row in page.rows.visible_rows()
    )


@pytest.mark.parametrize("turn", [3, 5, None])
def test_what_diverges_first_is_in_sight(window: MainWindow, tmp_path: Path, turn: int | None) -> None:
    page = opened_at(window, tmp_path, turn)
    rows, first = page.compare.rows, page.compare.first_divergence
    assert rows is not None
    assert rows.row(first).turn == 3
    assert page.compare.current == rows.turn_head(first if turn != 5 else len(rows.packed.kinds) - 1)
    assert in_sight(page, first) is (turn != 5)


def test_without_a_divergence_the_turn_is_at_the_top(window: MainWindow, tmp_path: Path) -> None:
    page = opened_at(window, tmp_path, 2)
    rows = page.compare.rows
    assert rows is not None
    assert rows.row(page.compare.current).turn == 2
    first = page.rows.visible_rows()[0]
    assert rows.number(first.position) == page.compare.current
    assert abs(first.top_px) < 1


def test_another_turn_that_is_selected_opens_alike(window: MainWindow, tmp_path: Path) -> None:
    page = opened_at(window, tmp_path, 0)
    assert not in_sight(page, page.compare.first_divergence)
    run = window.desk.workspace.files.in_order[1]
    window.desk.workspace.selection.select(Selection(run.number, run.table.turns(run.table.tops[0])[3]))
    until(lambda: in_sight(page, page.compare.first_divergence))


def handed_over(window: MainWindow, folder: Path, *observed: Call) -> ComparePage:
    golden = eval_set(folder / "set.evalset.json", ("Where?", [TO, CALLS[0], TO, CALLS[1]], "There."))
    return compared(window, golden, session(folder / "one.json", ("Where?", list(observed), "There.")))


def test_equal_hand_offs_are_folded_and_counted_in_their_place(window: MainWindow, tmp_path: Path) -> None:
    page = handed_over(window, tmp_path, TO, CALLS[0], TO, CALLS[1])
    lines = told(page)
    assert not any("transfer to Guide" in line for line in lines)
    assert sum("1 equal hand-off is folded. A shows it." in line for line in lines) == 2
    assert not page.left_out.isVisible()
    before = len(lines)
    band = next(row for row in page.rows.visible_rows() if row.layout.head_px)
    QTest.mouseClick(
        page.rows.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(60, round(band.top_px + band.layout.head_px / 2))
    )
    assert len(told(page)) == before + 2
    page.options._fold_hand_offs()
    assert len(told(page)) == before
    QTest.keyClick(page.rows, Qt.Key.Key_A)
    assert len(told(page)) == before + 2


def test_a_hand_off_that_differs_is_shown(window: MainWindow, tmp_path: Path) -> None:
    page = handed_over(window, tmp_path, ("transfer_to_agent", {"agent_name": "Clerk"}), CALLS[0], TO, CALLS[1])
    lines = told(page)
    assert sum("transfer_to_agent" in line for line in lines) >= 1
    assert sum("equal hand-off" in line for line in lines) == 1


MOST_KEYS = 10


def test_from_the_failing_turn_to_the_golden_saved(window: MainWindow, tmp_path: Path) -> None:
    golden = eval_set(tmp_path / "set.evalset.json", *turns(), case="one")
    run = session(tmp_path / "one.json", *turns(3))
    opened(window, golden, run)
    keys, before = Keyboard(window), golden.read_bytes()
    window.desk.workspace.evaluation.ask_to_start()
    judged(window)
    page = compare_page(window)
    corrected_and_saved(window, keys, page)
    assert golden.read_bytes() != before
    assert keys.count <= MOST_KEYS


def corrected_and_saved(window: MainWindow, keys: Keyboard, page: ComparePage) -> None:
    """To the first failing turn, and its first difference taken into the golden."""
    keys.press(Qt.Key.Key_F8)
    assert mark(window) == "failed"
    keys.press(Qt.Key.Key_4, CONTROL)
    shown(page)
    keys.press(Qt.Key.Key_N)
    keys.press(Qt.Key.Key_2)
    settled(window, page)
    keys.press(Qt.Key.Key_S, CONTROL)
    until(lambda: not window.desk.workspace.saving.unsaved)


GOLDEN_OF_OTHERS = "adk-evalset/*book-finder__eval.test.json"
RUN_OF_OTHERS = "adk-evalset-result/*book_finder_eval_single_turn_*.evalset_result.json"


def test_the_same_with_files_that_nobody_prepared(window: MainWindow, tmp_path: Path, corpus: Path) -> None:
    """Five calls and the answer differ: the whole turn is taken."""
    copies = []
    for pattern in (GOLDEN_OF_OTHERS, RUN_OF_OTHERS):
        file = next(corpus.glob(pattern))
        copies.append(tmp_path / file.name.rpartition("__")[2])
        copies[-1].write_bytes(file.read_bytes())
    opened(window, *copies)
    keys, before = Keyboard(window), copies[0].read_bytes()
    window.desk.workspace.evaluation.ask_to_start()
    judged(window)
    page = compare_page(window)
    keys.press(Qt.Key.Key_F8)
    failing = window.desk.workspace.selection.value
    assert failing is not None
    assert mark(window) == "failed"
    keys.press(Qt.Key.Key_4, CONTROL)
    shown(page)
    keys.press(Qt.Key.Key_T)
    settled(window, page)
    until(lambda: window.desk.workspace.verdicts.mark_of(failing.file, failing.row) == "passed")
    assert page.compare.rows is not None
    assert not page.compare.rows.differences
    keys.press(Qt.Key.Key_S, CONTROL)
    until(lambda: not window.desk.workspace.saving.unsaved)
    assert copies[0].read_bytes() != before
    assert keys.count <= MOST_KEYS
