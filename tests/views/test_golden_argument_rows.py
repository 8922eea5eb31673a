"""Arguments of expected calls in the Golden tab: one row each, and three calls in sight."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from tests.views.golden_tab import Calls, GoldenWindow, golden_file, trace_file, until
from trace_inspector.core.golden.matcher import Match
from trace_inspector.views.golden.fields.argument_row import NARROW_ROW_PX, ROW_PX, ArgumentRow
from trace_inspector.views.golden.fields.marks import NowLabel
from trace_inspector.views.shell.main_window import MainWindow

pytestmark = pytest.mark.shared_window

THREE: Calls = (
    ("search_places", {"query": "parking lots", "radius_m": 800}),
    ("get_transit_stops", {"area": "Capitol Hill", "limit": 5}),
    ("get_walk_score", {"area": "Capitol Hill"}),
)
MADE: Calls = (("search_places", {"query": "parking", "radius_m": 500}), THREE[1])


@pytest.fixture
def golden(window: MainWindow, tmp_path: Path) -> GoldenWindow:
    made = GoldenWindow(window)
    made.open(golden_file(tmp_path, THREE), trace_file(tmp_path, MADE))
    made.select_turn("run.json")
    made.edit()
    return made


def with_details(golden: GoldenWindow, width: int) -> None:
    dock = golden.window.desk.docks["details"]
    golden.window.resizeDocks([dock], [width], Qt.Orientation.Horizontal)
    until(lambda: abs(dock.width() - width) < 20)
    QTest.qWait(20)


def rows(golden: GoldenWindow) -> list[ArgumentRow]:
    return [row for card in golden.calls.cards for row in card.rows.values()]


def parts(row: ArgumentRow) -> list[QRect]:
    """The boxes of what is seen in a row, from left to right."""
    seen = [child for child in row.children() if isinstance(child, QWidget) and child.isVisibleTo(row)]
    return sorted((child.geometry() for child in seen), key=QRect.left)


@pytest.mark.parametrize("width", [760, 600, 432])
def test_an_argument_takes_one_row(golden: GoldenWindow, width: int) -> None:
    with_details(golden, width)
    assert len(rows(golden)) == 5
    for row in rows(golden):
        assert row.height() == ROW_PX
        boxes = parts(row)
        assert len(boxes) == 6  # argument, matcher, value, observed, now, and the button that removes it
        for one, next_one in pairwise(boxes):
            assert one.right() < next_one.left(), "they overlap"
        assert boxes[-1].right() <= row.width()
        assert row.value.width() > 80


def test_both_fields_of_a_tolerance_have_room_in_it(golden: GoldenWindow) -> None:
    golden.calls.cards[0].rows["radius_m"].chip.setFocus()
    golden.calls.cards[0].rows["radius_m"]._pick(Match.TOLERANCE)
    golden.settle()
    for width in (760, 432):
        with_details(golden, width)
        row = golden.calls.cards[0].rows["radius_m"]
        assert row.parameter.isVisible()
        assert row.height() == ROW_PX
        assert row.value.width() >= 44
        assert row.parameter.width() >= 44
        assert row.value.geometry().right() < row.parameter.geometry().left()
        assert row.parameter.geometry().right() < row._observed.geometry().left()


def test_where_words_have_no_room_the_mark_stays_and_the_tip_has_them(golden: GoldenWindow) -> None:
    with_details(golden, 432)
    for row in rows(golden):
        (now,) = row.findChildren(NowLabel)
        assert now.width() >= 14
        assert now.toolTip() == row.now.words
        assert row.now.words in now.accessibleName()
    with_details(golden, 760)
    assert all(not now.toolTip() for row in rows(golden) for now in row.findChildren(NowLabel))


def test_in_very_little_room_it_takes_two(golden: GoldenWindow) -> None:
    row = rows(golden)[0]
    row.setMinimumWidth(0)
    row.resize(300, row.height())
    assert row.height() == NARROW_ROW_PX
    boxes = parts(row)
    for index, one in enumerate(boxes):
        assert all(not one.intersects(other) for other in boxes[index + 1 :])


def test_three_calls_are_in_sight(golden: GoldenWindow) -> None:
    golden.window.resize(1600, 1000)
    with_details(golden, 760)
    viewport = golden.tab._area.viewport()
    for card in golden.calls.cards:
        box = QRect(card.mapTo(viewport, QPoint(0, 0)), card.size())
        assert viewport.rect().contains(box), f"call {card.index + 1} is not in sight"
