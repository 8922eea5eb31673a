"""The strip beside the scroll bar: what it shows follows the rule, what is dimmed, and other rows."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtGui import QColor
from PySide6.QtTest import QTest

from tests.views.compare.comparing import Call, compared, eval_set, session
from trace_inspector.models.compare.comparison import Compare
from trace_inspector.views.compare.page import ComparePage
from trace_inspector.views.shell.main_window import MainWindow

A: Call = ("look", {"area": "Capitol Hill"})
B: Call = ("walk", {"to": "Pike"})
OTHER: Call = ("look", {"area": "Pike"})


def turn(number: int, *calls: Call) -> tuple[str, list[Call], str]:
    return f"Question number {number}?", list(calls), "Fine."


def parted(window: MainWindow, folder: Path) -> tuple[ComparePage, Compare]:
    """By EXACT they part in the first turn, by IN ORDER and ANY ORDER in the second."""
    page = compared(
        window,
        eval_set(folder / "set.evalset.json", turn(1, A), turn(2, A)),
        session(folder / "s.json", turn(1, A, B), turn(2, OTHER)),
    )
    return page, page.compare


def test_another_rule_and_what_is_dimmed_show_in_the_strip(window: MainWindow, tmp_path: Path) -> None:
    page, compare = parted(window, tmp_path)
    exact = page.strip.grab().toImage()
    compare.choose_rule(1)
    in_order = page.strip.grab().toImage()
    assert in_order != exact
    compare.choose_rule(2)
    assert page.strip.grab().toImage() == in_order
    compare.choose_rule(0)
    assert page.strip.grab().toImage() == exact
    compare.dim(on=False)
    assert page.strip.grab().toImage() == in_order
    compare.show_only(differences=True)
    QTest.qWait(1)
    assert page.strip.grab().toImage() != in_order


def test_a_difference_among_many_rows_on_one_line_of_pixels_is_seen(window: MainWindow, tmp_path: Path) -> None:
    calls: list[Call] = [("look", {"at": at}) for at in range(3_000)]
    others = [*calls]
    others[1_500] = ("look", {"at": -1})
    page = compared(
        window,
        eval_set(tmp_path / "set.evalset.json", turn(1, *calls)),
        session(tmp_path / "s.json", turn(1, *others)),
    )
    page.compare.go(0)
    image = page.strip.grab().toImage()
    ink = QColor(window.desk.theme.tokens.text)
    wide = max(sum(image.pixelColor(x, y) == ink for x in range(image.width())) for y in range(image.height()))
    assert wide == round(12 * image.devicePixelRatio())
