"""The sentence on top, the line of a turn, the rows, the banner and the bar say the same of what differs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.views.compare.comparing import Call, TurnOf, compared, eval_set, session, settled, told
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.engine.trace_grid.row import Relation
from trace_inspector.views.compare.page import ComparePage
from trace_inspector.views.shell.main_window import MainWindow

MILK: JsonObject = {"id": "milk", "n": 1}
TEA: JsonObject = {"id": "tea", "n": 2}


def page_of(window: MainWindow, folder: Path, golden: list[Call], *runs: list[Call]) -> ComparePage:
    files = [session(folder / f"{at}.json", ("How?", calls, "Fine.")) for at, calls in enumerate(runs)]
    return compared(window, eval_set(folder / "set.evalset.json", ("How?", golden, "Fine.")), *files)


def on_top(page: ComparePage) -> str:
    from trace_inspector.models.compare.words import sentence

    assert page.compare.rows is not None
    packed = page.compare.rows.packed
    return " ".join(sentence(packed.says[page.compare.rule], page.compare.roles[0], packed.more))


@pytest.mark.parametrize("key", [Qt.Key.Key_2, Qt.Key.Key_I], ids=["take", "ignore"])
def test_a_list_in_another_order_is_one_difference_that_is_taken_or_ignored(
    window: MainWindow, tmp_path: Path, key: Qt.Key
) -> None:
    items: list[Json] = [MILK, TEA]
    page = page_of(window, tmp_path, [("order", {"items": items})], [("order", {"items": items[::-1]})])
    assert on_top(page) == "0 of 1 expected calls match. 1 argument differs. They diverge at turn 1, call 1."
    page.compare.go(1)
    head, row, _answer = told(page)
    assert head.endswith("0 of 1 match")
    assert "1 argument differs. | " in row  # the banner
    assert "1 argument differs | they must be equal" in row
    assert "other order" in row
    assert "Taking it makes turn 1 match 1 of 1 calls" in page.rows.bar._effect_label.text()
    QTest.keyClick(page.rows, Qt.Key.Key_Right)
    assert page.rows.accessibleDescription().startswith("argument items: Golden [")
    assert ", other order." in page.rows.accessibleDescription()
    QTest.keyClick(page.rows, key)
    settled(window, page)
    assert on_top(page).startswith("1 of 1 expected calls match. Nothing differs.")
    assert page.compare.row is not None
    assert page.compare.row.relation is Relation.SAME


def test_items_that_differ_and_moved_are_taken_one_after_another(window: MainWindow, tmp_path: Path) -> None:
    there: JsonObject = {"items": [{"id": "tea", "n": 9}, MILK]}
    page = page_of(window, tmp_path, [("order", {"items": [MILK, TEA]})], [("order", there)])
    for left in ([("items[1].n", "there at items[0].n"), ("items", "other order")], [("items", "other order")], []):
        page.compare.go(1)
        assert page.compare.row is not None
        assert [(value.path, value.note) for value in page.compare.row.values] == left
        if left:
            QTest.keyClick(page.rows, Qt.Key.Key_Right)
            QTest.keyClick(page.rows, Qt.Key.Key_2)
            settled(window, page)
    assert on_top(page).startswith("1 of 1 expected calls match.")


MORE = {
    "EXACT": ("0 of 1 expected calls match. 1 argument differs. They diverge at turn 1, call 1.", "0 of 1 match"),
    "PARTIAL": (
        "1 of 1 expected calls match. No difference counts against the verdict; 1 is allowed.",
        "1 of 1 match",
    ),
    "CES": ("1 of 1 expected calls match. No difference counts against the verdict; 1 is allowed.", "1 of 1 match"),
}


def test_the_line_of_a_turn_counts_by_the_rule_that_is_chosen(window: MainWindow, tmp_path: Path) -> None:
    from trace_inspector.engine.trace_grid.rules import RULES

    page = page_of(window, tmp_path, [("a", {"x": 1})], [("a", {"x": 1, "w": 0})])
    for number, rule in enumerate(RULES):
        if rule.title in MORE:
            page.compare.choose_rule(number)
            sentence, line = MORE[rule.title]
            assert on_top(page) == sentence
            assert told(page)[0].endswith(line)
    page.compare.go(1)
    page.rows.visible_rows()
    assert "Taking it makes turn 1 match 1 of 1 calls" in page.rows.bar._effect_label.text()


def test_a_variable_that_is_missing_is_a_difference_that_is_allowed(window: MainWindow, tmp_path: Path) -> None:
    page = with_state(window, tmp_path, {"a": 1, "c": "x"}, {"a": 1})
    assert on_top(page).endswith("No difference counts against the verdict; 1 is allowed.")


def test_a_variable_of_another_kind_is_another_value(window: MainWindow, tmp_path: Path) -> None:
    page = with_state(window, tmp_path, {"a": 1, "b": 2}, {"a": True, "b": 2.0})
    assert page.compare.rows is not None
    rows = [page.compare.rows.row(number) for number in range(len(page.compare.rows))]
    assert [row.relation for row in rows if row.variable] == [Relation.VALUE, Relation.SAME]


def with_state(window: MainWindow, folder: Path, golden: JsonObject, held: JsonObject) -> ComparePage:
    sides = (
        eval_set(folder / "set.evalset.json", ("How?", [], "Fine.")),
        session(folder / "s.json", ("How?", [], "Fine.")),
    )
    for path, state in zip(sides, (golden, held), strict=True):
        value = json.loads(path.read_text())
        if "eval_cases" in value:
            value["eval_cases"][0]["final_session_state"] = state
        else:
            value["state"] = state
        path.write_text(json.dumps(value))
    return compared(window, *sides)


def test_what_may_follow_still_says_what_it_is(window: MainWindow, tmp_path: Path) -> None:
    def held(args: JsonObject, first: int, *, moved: bool = False) -> list[TurnOf]:
        calls: list[Call] = [("b", args), ("c", {"of": "many", "at": "once"})]
        return [
            ("First question", [("a", {"x": first})], "Fine."),
            ("Another matter now", calls[::-1] if moved else calls, "Fine."),
        ]

    long = {"query": "parking lots near the market", "area": "Capitol Hill"}
    page = compared(
        window,
        eval_set(tmp_path / "set.evalset.json", *held({**long, "x": 1, "y": 1}, 1)),
        session(tmp_path / "base.json", *held({**long, "x": 2, "y": 1}, 1)),
        session(tmp_path / "new.json", *held({**long, "x": 2, "y": 2}, 9, moved=True)),
    )
    lines = "\n".join(told(page))
    assert "x: golden alone\ny: candidate changed\ncalled at another place, too\nmay follow from turn 1" in lines
