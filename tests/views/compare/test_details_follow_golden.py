"""What Details says of a call beside its golden while Compare edits that golden and takes it back."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.views.compare.comparing import Call, eval_set, opened, session, settled, shown, until
from tests.views.compare.test_takes_by_keys import failing
from tests.views.doing import trigger, whole_details
from tests.views.test_curating_by_keys import CONTROL, Keyboard
from trace_inspector.models.compare.sides import ref_of
from trace_inspector.views.compare.page import ComparePage
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.widgets.controls import Label

WANTED: Call = ("search", {"query": "parking lots", "radius_m": 800})
MADE: Call = ("search", {"query": "parking", "radius_m": 500})
DIFFERENCE = ["golden", "observed", "query", '"parking lots"', "≠", '"parking"', "radius_m", "800", "≠", "500"]


def card(window: MainWindow) -> list[str]:
    """The texts of the card of the call that differs; none where there is no card."""
    content = whole_details(window).content
    said = [label.text() for label in content.findChildren(Label) if label.isVisibleTo(content) and label.text()]
    if "≠" not in said:
        return []
    begins = said.index("golden") if said.index("golden") < said.index("≠") else said.index("observed")
    return said[min(begins, said.index("observed")) :][: len(DIFFERENCE)]


def taken_and_undone(window: MainWindow, page: ComparePage, keys: Keyboard, take: Qt.Key) -> None:
    """Take a side by its key and undo that, with Details beside Compare, which it gives way to by itself."""
    if window.desk.docks["details"].isHidden():
        trigger(window, "show-details")
        page.rows.setFocus()
    until(lambda: card(window) == DIFFERENCE)
    keys.press(take)
    settled(window, page)
    until(lambda: not card(window))
    keys.press(Qt.Key.Key_Z, CONTROL)
    settled(window, page)


def test_the_difference_is_again_what_it_was_once_taking_is_undone(window: MainWindow, tmp_path: Path) -> None:
    golden = eval_set(tmp_path / "set.evalset.json", ("Where?", [WANTED], "There."))
    keys = Keyboard(window)
    page = failing(window, keys, golden, session(tmp_path / "one.json", ("Where?", [MADE], "There.")))
    keys.press(Qt.Key.Key_N)
    taken_and_undone(window, page, keys, Qt.Key.Key_2)
    until(lambda: card(window) == DIFFERENCE)
    QTest.qWait(50)
    assert card(window) == DIFFERENCE


def test_the_same_of_three_sides(window: MainWindow, tmp_path: Path) -> None:
    golden = eval_set(tmp_path / "set.evalset.json", ("Where?", [WANTED], "There."), case="one")
    run = session(tmp_path / "one.json", ("Where?", [MADE], "There."))
    keys = Keyboard(window)
    page = failing(window, keys, golden, run)
    (before,) = opened(window, session(tmp_path / "before.json", ("Where?", [WANTED], "There.")))[-1:]
    first, last = page.compare.sides
    page.compare.choose_sides((first, ref_of(before, before.table.tops[0]), last))
    shown(page)
    page.rows.setFocus()
    keys.press(Qt.Key.Key_N)
    taken_and_undone(window, page, keys, Qt.Key.Key_3)
    until(lambda: card(window) == DIFFERENCE)
