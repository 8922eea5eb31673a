"""Compare in a real window: the catalogue of differences as rows, keys, filters, three sides, hostile texts."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.views.compare.comparing import (
    Call,
    TurnOf,
    compare_page,
    compared,
    each_compared,
    eval_set,
    opened,
    session,
    shown,
    told,
)
from trace_inspector.engine.trace_diff.difference_counts import Counted
from trace_inspector.engine.trace_grid.row import RuleSays
from trace_inspector.engine.trace_grid.rules import RULES
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.compare.sides import ref_of
from trace_inspector.models.compare.words import reason, sentence
from trace_inspector.views.shell.main_window import MainWindow

A: Call = ("look", {"area": "Capitol Hill", "days": 3})
B: Call = ("walk", {"to": "Pike"})
C: Call = ("book", {"room": 7})

CATALOGUE: dict[str, tuple[list[Call], list[Call], list[str]]] = {
    "the same": ([A], [A], ["Match"]),
    "an argument": ([A], [("look", {"area": "Capitol Hill", "days": 4})], ["1 argument differs"]),
    "a type": ([A], [("look", {"area": "Capitol Hill", "days": "3"})], ["1 argument differs"]),
    "renamed": ([A], [("see", A[1])], ["Another tool in its place"]),
    "missing": ([A, B], [A], ["Match", "Expected call is missing"]),
    "extra": ([A], [A, B], ["Match", "Extra call"]),
    "repeated": ([A], [A, B, B], ["Match", "Repeated ×2"]),
    "moved": ([A, B, C], [B, C, A], ["Called at another place", "Match", "Match"]),
    "moved and changed": (
        [A, B, C],
        [B, C, ("look", {"area": "Capitol Hill", "days": 4})],
        ["1 argument differs", "Match", "Match"],
    ),
}


def one(calls: list[Call], answer: str = "It is fine.") -> TurnOf:
    return "How is it there?", calls, answer


def test_every_difference_is_a_row_with_its_reason(window: MainWindow, tmp_path: Path) -> None:
    sides = {what: ([one(expected)], [one(observed)]) for what, (expected, observed, _reasons) in CATALOGUE.items()}
    for what, page in each_compared(window, tmp_path, sides):
        reasons = CATALOGUE[what][2]
        compare = page.compare
        assert compare.rows is not None
        rows = [compare.rows.row(number) for number in range(1, 1 + len(reasons))]
        found = [
            reason(row, RULES[0].title, counts=compare.rows.counts(number, 0)) for number, row in enumerate(rows, 1)
        ]
        assert [why for why, _below in found] == reasons, what
        is_elsewhere = any("at another place, too" in below for _why, below in found)
        assert is_elsewhere == (what == "moved and changed"), what
        for (why, below), line in zip(found, told(page)[1:], strict=False):
            assert all(part in line for part in (why, *below.splitlines())), what
        assert "Under EXACT" in [getattr(shape, "text", "") for shape in page.heads._lay_out()], what


def test_the_policy_only_recolours(window: MainWindow, tmp_path: Path) -> None:
    page = compared(
        window, eval_set(tmp_path / "set.evalset.json", one([A])), session(tmp_path / "s.json", one([A, B]))
    )
    compare = page.compare
    before = compare.rows
    assert before is not None
    assert before.counts(2, 0)
    assert compare.first_divergence == 2
    page.options.rule.setCurrentIndex(1)
    page.options.rule.activated.emit(1)
    assert compare.rows is before
    assert not compare.busy
    assert not before.counts(2, compare.rule)
    assert compare.first_divergence == -1
    assert any("IN ORDER allows it" in line for line in told(page))


def test_keys_go_through_differences_and_filters_leave_rows_out(window: MainWindow, tmp_path: Path) -> None:
    turns = [(f"Question number {at}", [A], "Fine.") for at in range(12)]
    others = [*turns]
    others[3] = (turns[3][0], [("look", {"area": "Pike", "days": 3})], "Fine.")
    others[9] = (turns[9][0], [A, B], "Well.")
    page = compared(window, eval_set(tmp_path / "set.evalset.json", *turns), session(tmp_path / "s.json", *others))
    compare = page.compare
    assert compare.rows is not None
    assert page.options.count.text() == "3 differences"
    QTest.keyClick(page.rows, Qt.Key.Key_N)
    assert page.options.count.text() == "Difference 1 of 3"
    assert 'argument area: Golden "Capitol Hill", Observed "Pike"' in page.rows.accessibleDescription()
    assert "counts against the verdict" in page.rows.accessibleDescription()
    QTest.keyClick(page.rows, Qt.Key.Key_N)
    QTest.keyClick(page.rows, Qt.Key.Key_P)
    assert page.options.count.text() == "Difference 1 of 3"
    QTest.keyClick(page.rows, Qt.Key.Key_F)
    assert compare.current == compare.first_divergence
    assert compare.is_dimmed(compare.rows.differences[-1])
    everything = len(compare.rows)
    compare.show_only(differences=True)
    assert 0 < len(compare.rows) < everything / 2
    compare.show_only(differences=False, tool="walk")
    assert len(compare.rows) == 2
    compare.show_only(tool="")
    compare.show_only(folded=compare.rows.same_turns())
    assert len(compare.rows) < everything
    assert any("2 rows" in line for line in told(page))


def test_three_sides_say_who_stands_alone(window: MainWindow, tmp_path: Path) -> None:
    other: Call = ("look", {"area": "Capitol Hill", "days": 9})
    page = compared(
        window,
        eval_set(tmp_path / "set.evalset.json", one([A, B])),
        session(tmp_path / "base.json", one([A, ("walk", {"to": "Broadway"})])),
        session(tmp_path / "new.json", one([other, ("walk", {"to": "Broadway"})])),
    )
    lines = "\n".join(told(page))
    assert "Candidate changed" in lines
    assert "Golden stands alone" in lines
    assert page.compare.roles == ("golden", "baseline", "candidate")


def test_of_three_sides_time_and_tokens_are_held_against_the_baseline() -> None:
    says = RuleSays((Counted(calls=8, matching=7), Counted(calls=8, matching=6, extra=1)))
    head, rest = sentence(says, "golden", (3.04, 4800))
    assert head == "The candidate matches 6 of 8 calls, the baseline 7 of 8."
    assert rest == "1 is extra. Against the baseline 3.0 s slower, 4,800 more tokens."
    assert sentence(says, "golden", (None, None))[1] == "1 is extra."


@pytest.mark.parametrize(
    ("says", "rest"),
    [
        (RuleSays((Counted(calls=1, matching=1),)), "Nothing differs."),
        (
            RuleSays((Counted(calls=1, matching=1),), allowed=1),
            "No difference counts against the verdict; 1 is allowed.",
        ),
        (RuleSays((Counted(calls=1, extra=1),), allowed=1), "1 is extra."),
        (RuleSays((Counted(answers=1),)), "1 answer is worded differently."),
        (
            RuleSays((Counted(answers=1, seconds=-92.6, tokens=-24_426),), allowed=2),
            (
                "No difference counts against the verdict; 2 are allowed. 1 answer is worded differently. "
                "92.6 s faster, 24,426 fewer tokens."
            ),
        ),
        (RuleSays((Counted(seconds=0.012),)), "Nothing differs. 12 ms slower."),
        (RuleSays((Counted(answers=1), Counted(answers=1))), "1 answer is worded differently."),
        (RuleSays((Counted(answers=1), Counted())), "The candidate has no differences."),
    ],
)
def test_the_sentence_says_what_differs_in_words(says: RuleSays, rest: str) -> None:
    assert sentence(says, "golden", (None, None))[1] == rest


def test_what_may_follow_is_counted_to_the_last(window: MainWindow, tmp_path: Path) -> None:
    turns = [(f"Question number {at}", [A], "Fine.") for at in range(1_201)]
    pike: Call = ("look", {"area": "Pike", "days": 3})
    others = [(asked, [pike], "Fine.") for asked, _calls, _said in turns]
    page = compared(window, eval_set(tmp_path / "set.evalset.json", *turns), session(tmp_path / "s.json", *others))
    assert "1,200 later differences may follow from it and are dimmed" in "\n".join(told(page))
    page.compare.dim(on=False)
    assert "may follow" not in "\n".join(told(page))


def test_while_other_sides_are_put_together_nothing_of_the_ones_before_is_painted(
    window: MainWindow, tmp_path: Path
) -> None:
    paths = eval_set(tmp_path / "set.evalset.json", one([A])), session(tmp_path / "s.json", one([B]))
    page = compared(window, *paths)
    page.compare.go(1)
    page.rows.grab()
    assert page.rows.bar.isVisible()
    (third,) = opened(window, session(tmp_path / "more.json", one([A, C])))[-1:]
    page.compare.choose_sides((*page.compare.sides, ref_of(third, third.table.tops[0])))
    page.rows.grab()
    page.strip.grab()
    assert told(page) == []
    assert not page.rows.bar.isVisible()
    shown(page)
    assert len(page.compare.rows.row(1).cells if page.compare.rows is not None else ()) == 3


def test_calls_are_aligned_by_hand_and_back(window: MainWindow, tmp_path: Path) -> None:
    page = compared(
        window,
        eval_set(tmp_path / "set.evalset.json", one([A])),
        session(tmp_path / "s.json", one([("find", {"where": 1})])),
    )
    compare = page.compare
    assert "Expected call is missing" in told(page)[1]
    compare.go(1)
    QTest.keyClick(page.rows, Qt.Key.Key_M)
    QTest.keyClick(page.rows, Qt.Key.Key_Down)
    QTest.keyClick(page.rows, Qt.Key.Key_M)
    shown(page)
    assert "Another tool in its place" in told(page)[1]
    compare.unalign()
    shown(page)
    assert "Expected call is missing" in told(page)[1]


def test_without_a_golden_it_says_what_to_do(window: MainWindow, tmp_path: Path) -> None:
    (file,) = opened(window, session(tmp_path / "s.json", one([A])))
    page = compare_page(window)
    window.desk.workspace.selection.select(Selection(file.number, file.table.tops[0]))
    assert not page.shows_rows
    assert page.compare.notice[0] == "No golden belongs to this conversation yet."
    assert "Compare with…" in page.compare.notice[1]


HOSTILE = "<b>bold</b> &amp; <img src='http://127.0.0.1/x'> \u202e\u0000 {{x}} %s " + "W" * 5_000


def test_hostile_texts_are_shown_as_they_stand(window: MainWindow, tmp_path: Path) -> None:
    calls: list[Call] = [("<i>tool</i>", {"<a href=x>": HOSTILE, "n" * 500: [[[HOSTILE]]]})]
    golden = eval_set(tmp_path / "set.evalset.json", (HOSTILE, [A], HOSTILE))
    page = compared(window, golden, session(tmp_path / "s.json", (HOSTILE, calls, HOSTILE + "x")))
    lines: list[str] = []
    for number in range(len(page.compare.rows or ())):
        page.compare.go(number)
        page.rows.grab()
        lines += told(page)
    assert any("<i>tool</i>" in line for line in lines)


def test_the_end_of_the_scroll_bar_is_the_end_of_the_rows(window: MainWindow, tmp_path: Path) -> None:
    turns: list[TurnOf] = [(f"Question {number}?", [A], "Fine. " * 300) for number in range(30)]
    page = compared(window, eval_set(tmp_path / "set.evalset.json", *turns), session(tmp_path / "s.json", *turns))
    page.rows.grab()
    bar = page.rows.verticalScrollBar()
    bar.setValue(bar.maximum())
    assert page.compare.rows is not None
    last = page.rows.visible_rows()[-1]
    assert last.position == len(page.compare.rows) - 1
    assert last.bottom_px == page.rows.viewport().height()
    assert bar.value() == bar.maximum()
