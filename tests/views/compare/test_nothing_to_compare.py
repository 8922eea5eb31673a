"""Where there are no rows it says why, and the next step works by keyboard."""

from __future__ import annotations

import json
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from tests.helpers.eval_sets import case, turn, write_eval_set
from tests.views.compare.comparing import Call, compare_page, compared, eval_set, opened, session, until
from tests.views.test_curating_by_keys import Keyboard
from trace_inspector.models.base.selection import Selection
from trace_inspector.views.shell.main_window import MainWindow

LOOK: Call = ("look", {"area": "Park"})


def test_a_file_of_several_conversations_asks_for_one(window: MainWindow, tmp_path: Path) -> None:
    cases = [case(f"case-{at}", turn(f"Question {at}?")) for at in range(3)]
    (file,) = opened(window, write_eval_set(tmp_path / "many.evalset.json", *cases))
    opened(window, session(tmp_path / "other.json", ("Question 2?", [], "Yes.")))
    page = compare_page(window)
    window.desk.workspace.selection.select(Selection(file.number))
    head, step = page.compare.notice
    assert head == "many.evalset.json holds 3 conversations."
    assert page._choose.text() == "Choose a conversation…"
    assert page._choose.text() in step
    page.take_focus()
    keys = Keyboard(window)
    keys.press(Qt.Key.Key_Return)
    until(lambda: window.desk.palette.isVisible() and not window.desk.palette.searching)
    keys.type("case-1")
    until(lambda: not window.desk.palette.searching)
    keys.press(Qt.Key.Key_Return)
    assert window.desk.workspace.selection.value == Selection(file.number, file.table.tops[1])
    assert page._choose.text() == "Compare with…"


def test_a_file_without_any_says_so(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "none.evalset.json"
    path.write_text(json.dumps({"eval_set_id": "none", "eval_cases": []}))
    (file,) = opened(window, path)
    page = compare_page(window)
    window.desk.workspace.selection.select(Selection(file.number))
    assert page.compare.notice[0] == "There is no conversation in none.evalset.json."


def test_two_conversations_without_turns_say_what_to_do(window: MainWindow, tmp_path: Path) -> None:
    page = compared(window, eval_set(tmp_path / "set.evalset.json"), session(tmp_path / "s.json"))
    assert not page.shows_rows
    said = page._notice.accessibleName()
    assert said.startswith("There is nothing to compare: “one” and “s” have no turns. ")
    assert page._choose.text() in said
    page.take_focus()
    assert QApplication.focusWidget() is page._choose
    assert not page.options.rule.isVisible()


def test_one_conversation_without_turns_is_compared(window: MainWindow, tmp_path: Path) -> None:
    page = compared(
        window, eval_set(tmp_path / "set.evalset.json", ("Where?", [LOOK], "There.")), session(tmp_path / "s.json")
    )
    assert page.shows_rows
    assert page.compare.rows is not None
    assert len(page.compare.rows) == 3
