"""What is painted of a timeline, and what is said where there is nothing to draw."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QToolButton, QToolTip
from pytestqt.qtbot import QtBot

from tests.models.stories import GOLDENS, TRACES, golden, put
from tests.views.doing import wait_for
from tests.views.tales import MARKUP, markup, opened
from tests.views.timeline.watching import STORY, colours, find_lane, lane_y, selected, show, strange, words
from trace_inspector.core.trace.criteria import Criteria
from trace_inspector.core.trace.trace import Steps, Trace, Turn
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.timeline.lanes import LaneKind
from trace_inspector.models.timeline.words import described, summary
from trace_inspector.views.appearance.appearance import Scheme
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.timeline.brush import ROW_PX
from trace_inspector.views.timeline.page import TimelinePage
from trace_inspector.views.timeline.ruler import ticks
from trace_inspector.work.reading import file_messages

pytestmark = pytest.mark.shared_window


@pytest.mark.parametrize("scheme", [Scheme.LIGHT, Scheme.DARK])
def test_forms_and_hues_are_painted(window: MainWindow, page: TimelinePage, qtbot: QtBot, scheme: Scheme) -> None:
    window.desk.theme.choose(scheme)  # before there is much to dress anew
    show(window, page, qtbot)
    tokens = window.desk.theme.tokens
    assert {tokens.tool, tokens.agent, tokens.accent, tokens.sel} <= colours(page.area)


def test_the_critical_path_can_be_left_out(window: MainWindow, page: TimelinePage, qtbot: QtBot) -> None:
    show(window, page, qtbot)
    box = next(check for check in page.controls.findChildren(QCheckBox) if check.text() == "Critical path")
    y = find_lane(page, "search") * ROW_PX + 21
    x = page.area.labels_px + round(page.timeline.scale.x(1000.5))

    def under_the_bar() -> QColor:
        return page.area.viewport().grab().toImage().pixelColor(x, y)

    assert under_the_bar() == window.desk.theme.color("text")
    box.click()
    assert under_the_bar() != window.desk.theme.color("text")


def test_folded_pauses_are_as_wide_as_they_should_be(window: MainWindow, page: TimelinePage, qtbot: QtBot) -> None:
    show(window, page, qtbot)
    box = next(check for check in page.controls.findChildren(QCheckBox) if check.text() == "Fold idle")
    assert page.timeline.scale.axis.folds == 2
    assert [round(width) for _left, width, _idle_s in page.timeline.scale.folds()] == [28]
    box.click()
    assert page.timeline.scale.axis.folds == 0


def test_the_ruler_counts_from_each_turn(window: MainWindow, page: TimelinePage, qtbot: QtBot) -> None:
    show(window, page, qtbot)
    page.timeline.look_at(page.timeline.scale.fitted())
    found = [tick.text for tick in ticks(page.timeline) if tick.text]
    assert [text for text in found if text.startswith("Turn")] == ["Turn 1", "Turn 4", "Turn 7"]
    after = found[found.index("Turn 4") + 1]
    assert after in ("5 s", "2 s", "4 s", "10 s")


def test_ticks_stand_in_turns_and_not_in_the_pauses_between(
    window: MainWindow, page: TimelinePage, qtbot: QtBot
) -> None:
    show(window, page, qtbot)
    page.timeline.fold_idle(folded=False)
    page.timeline.look_at(page.timeline.scale.fitted())
    moments_s = [page.timeline.scale.time_s(tick.x) for tick in ticks(page.timeline)]
    assert len(moments_s) >= 6
    assert all((moment_s - 1000.0) % 30 <= 10.001 for moment_s in moments_s)


def test_plumbing_is_shown_from_here_and_from_the_tree(window: MainWindow, page: TimelinePage, qtbot: QtBot) -> None:
    show(window, page, qtbot)
    box = next(check for check in page.controls.findChildren(QCheckBox) if check.text() == "Hide plumbing")
    before = len(page.timeline.lanes)
    assert "3 of 18 spans are plumbing (HTTP, queue) and are hidden" in box.toolTip()
    box.click()
    assert box.toolTip() == ""
    assert not window.desk.page.plumbing_hidden
    assert len(page.timeline.lanes) == before + 2
    window.desk.page.hide_plumbing(hidden=True)
    assert (len(page.timeline.lanes), box.isChecked()) == (before, True)


def test_verdicts_stand_before_their_lanes(window: MainWindow, page: TimelinePage, qtbot: QtBot) -> None:
    file = opened(window.desk.workspace)
    fails = next(top for top in file.table.tops if file.table.label(top) == "fails")
    window.desk.workspace.selection.select(Selection(file.number, file.table.turns(fails)[0]))
    qtbot.waitUntil(lambda: page.timeline.top == fails and not page.timeline.reader.busy)
    timeline = page.timeline
    marks = {timeline.mark_of(timeline.lanes[at]) for at in range(len(timeline.lanes))}
    assert {"failed", "extra"} <= marks


def test_everything_has_a_name(window: MainWindow, page: TimelinePage, qtbot: QtBot) -> None:
    show(window, page, qtbot)
    assert page.area.accessibleName() == "Timeline"
    assert page.area.minimap.accessibleName() == "Whole trace"
    assert page.strip.accessibleName().startswith("Turn: 3 turns, p50 10.0 s, p90 10.0 s, p99 10.0 s; Turn 1: 10.0 s")
    assert "critical path: tools 2.0 s" in page.legend.accessibleName()
    buttons = [*page.controls.findChildren(QCheckBox), *page.controls.findChildren(QToolButton)]
    assert all(button.accessibleName() and button.focusPolicy() & Qt.FocusPolicy.TabFocus for button in buttons)


def test_tooltips_are_plain_whatever_the_trace_says(window: MainWindow, page: TimelinePage, qtbot: QtBot) -> None:
    show(window, page, qtbot, markup())
    number = next(at for at in range(len(page.timeline.lanes)) if page.timeline.lanes[at].kind is LaneKind.TURN)
    tip = page.area.tip(QPoint(40, lane_y(page, number)))
    assert "&lt;img" in tip
    assert "<img" not in tip
    assert MARKUP not in tip
    assert page.area.tip(QPoint(40, 5_000)) == ""


def test_with_nothing_selected_there_is_a_next_step(window: MainWindow, page: TimelinePage, qtbot: QtBot) -> None:
    put(window.desk.workspace, GOLDENS)
    file = show(window, page, qtbot)
    window.desk.workspace.files.close(file.number)
    assert "Nothing is selected." in words(page)
    assert "Choose a trace" in words(page)


def test_a_file_that_is_read(window: MainWindow, page: TimelinePage) -> None:
    workspace = window.desk.workspace
    file = workspace.files.add(Path("/made/slow.json"))
    assert file is not None
    selected(window, file)
    assert "Reading slow.json…" in words(page)
    workspace.files.take(file_messages.FileRead(file.number, sentence="It is no JSON."))
    assert wait_for(lambda: "It is no JSON." in words(page))
    assert "Ctrl+O" in words(page)


def test_a_file_of_criteria(window: MainWindow, page: TimelinePage) -> None:
    file = put(window.desk.workspace, "/made/test_config.json")
    file.criteria = Criteria(())
    selected(window, file)
    page.timeline.grown.emit()
    assert "test_config.json holds criteria, which have no times." in words(page)


def test_a_golden_and_a_trace_without_times(window: MainWindow, page: TimelinePage, qtbot: QtBot) -> None:
    bare = Turn(0, steps=Steps.EVENTS)
    other = put(window.desk.workspace, GOLDENS, golden(("c", (bare,))))
    selected(window, other)
    qtbot.waitUntil(lambda: not page.timeline.reader.busy)
    assert "A golden has no times." in words(page)
    file = put(window.desk.workspace, TRACES, Trace("timeless", (bare,)))
    selected(window, file)
    qtbot.waitUntil(lambda: not page.timeline.reader.busy)
    assert "No times are recorded in timeless." in words(page)


def test_turns_that_say_only_how_long_they_took_stand_one_after_another(
    window: MainWindow, page: TimelinePage, qtbot: QtBot
) -> None:
    lengths_s = (2.8, None, 1.5)
    turns = (
        Turn(index, user=STORY.turns[0].user, steps=Steps.EVENTS, duration_s=length_s)
        for index, length_s in enumerate(lengths_s)
    )
    file = show(window, page, qtbot, Trace("lengths", tuple(turns), place="/lengths"))
    assert words(page) == ""
    works = [page.timeline.works[head] for head in file.table.turns(file.table.tops[0])]
    assert [(work.start_s, work.end_s) for work in (works[0], works[2])] == [(0.0, 2.8), (2.8, pytest.approx(4.3))]
    assert described(page.timeline, page.timeline.lanes[0]).splitlines()[1:] == [
        "Start not recorded",
        "Duration 2.800 s",
    ]
    assert "stand one after another" in summary(page.timeline)
    assert window.desk.theme.tokens.agent in colours(page.area)


@pytest.mark.parametrize("number", range(6))
def test_whatever_is_in_a_trace_is_painted(window: MainWindow, page: TimelinePage, qtbot: QtBot, number: int) -> None:
    show(window, page, qtbot, list(strange())[number])
    window.desk.page.hide_plumbing(hidden=False)
    page.timeline.lanes.unfold(page.timeline.reader.heads)
    page.timeline.grown.emit()
    for key in (Qt.Key.Key_0, Qt.Key.Key_End, Qt.Key.Key_Z, *[Qt.Key.Key_Plus] * 3, Qt.Key.Key_Home, Qt.Key.Key_F):
        QTest.keyClick(page.area, key)
        assert not page.grab().isNull()
    for lane in range(min(60, len(page.timeline.lanes))):
        page.area.tip(QPoint(10, lane_y(page, lane)))
    QToolTip.hideText()
