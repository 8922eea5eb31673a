"""The timeline as a person uses it: keys, mouse, what is painted, what is said where there is nothing to draw."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QLabel, QToolButton, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from tests.models.stories import GOLDENS, TRACES, call, golden, put, trace, turn
from tests.views.doing import wait_for
from tests.views.tales import MARKUP, every_kind, markup, opened
from trace_inspector.core.criteria import Criteria
from trace_inspector.core.rows import Kind
from trace_inspector.core.trace import Span, SpanKind, Steps, Trace, Turn
from trace_inspector.models.open_file import OpenFile
from trace_inspector.models.selection import Selection
from trace_inspector.models.timeline_lanes import LaneKind
from trace_inspector.views.look import Scheme
from trace_inspector.views.main_window import MainWindow
from trace_inspector.views.timeline.brush import ROW_PX
from trace_inspector.views.timeline.page import TimelinePage
from trace_inspector.views.timeline.ruler import ticks
from trace_inspector.work import loading

STORY = trace("t", *(turn(3 * at, f"{at}?", call("search", q=at), call("web", q=at), spans=1) for at in range(3)))


@pytest.fixture
def page(window: MainWindow) -> TimelinePage:
    """The timeline in front, nothing open yet."""
    assert window.desk.centre is not None
    made = window.desk.centre.show_view("timeline")
    assert isinstance(made, TimelinePage)
    return made


def show(window: MainWindow, page: TimelinePage, qtbot: QtBot, story: Trace = STORY) -> OpenFile:
    """Open a story and select its first turn."""
    file = put(window.desk.workspace, TRACES, story)
    window.desk.workspace.select(Selection(file.number, file.table.turns(file.table.tops[0])[0]))
    qtbot.waitUntil(lambda: page.timeline.file is file and not page.timeline.reader.busy, timeout=20_000)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    page.take_focus()
    QTest.qWait(1)
    return file


def words(page: TimelinePage) -> str:
    """What the page says in place of lanes."""
    return " ".join(label.text() for label in page.findChildren(QLabel) if label.isVisible())


def colours(widget: QWidget) -> set[str]:
    picture = widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    return {f"#{pixel & 0xFFFFFF:06X}" for pixel in set(memoryview(picture.constBits()).cast("B").cast("I"))}


def lane_y(page: TimelinePage, number: int) -> int:
    return number * ROW_PX + ROW_PX // 2 - page.area.verticalScrollBar().value()


def find_lane(page: TimelinePage, label: str) -> int:
    timeline = page.timeline
    for number in range(len(timeline.lanes)):
        lane = timeline.lanes[number]
        if lane.kind is LaneKind.PIECE and timeline.works[lane.head].label[lane.piece] == label:
            return number
    raise AssertionError(label)


# Keys


def test_ctrl_3_brings_it_and_arrows_select_rows_everywhere(
    window: MainWindow, page: TimelinePage, qtbot: QtBot
) -> None:
    file = show(window, page, qtbot)
    QTest.keyClick(window, Qt.Key.Key_1, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(window, Qt.Key.Key_3, Qt.KeyboardModifier.ControlModifier)
    assert page.area.hasFocus()
    for _ in range(10):
        QTest.keyClick(page.area, Qt.Key.Key_Down)
        selection = window.desk.workspace.selection
        assert selection is not None
        assert selection.row == page.timeline.row
        if file.table.kind(selection.row) is Kind.CALL and page.timeline.lane == find_lane(page, "search"):
            break
    else:
        raise AssertionError("the call was never reached")
    assert "search, tool call" in page.area.accessibleDescription()
    QTest.keyClick(page.area, Qt.Key.Key_Return)
    assert window.desk.page.tree.hasFocus()
    assert file.table.label(window.desk.page.tree.currentIndex().internalId()).startswith("search")


def test_keys_zoom_pan_and_fit(window: MainWindow, page: TimelinePage, qtbot: QtBot) -> None:
    file = show(window, page, qtbot)
    window.desk.workspace.select(Selection(file.number, file.table.turns(0)[1]))
    QTest.keyClick(page.area, Qt.Key.Key_F)
    fitted = page.timeline.scale
    QTest.keyClick(page.area, Qt.Key.Key_Plus)
    near = page.timeline.scale
    assert near.px_per_s == pytest.approx(1.25 * fitted.px_per_s)
    QTest.keyClick(page.area, Qt.Key.Key_Right)
    assert page.timeline.scale.left_px > near.left_px
    QTest.keyClick(page.area, Qt.Key.Key_Left)
    assert page.timeline.scale.left_px == pytest.approx(near.left_px)
    QTest.keyClick(page.area, Qt.Key.Key_Minus)
    assert page.timeline.scale.px_per_s == pytest.approx(fitted.px_per_s)
    QTest.keyClick(page.area, Qt.Key.Key_0)
    assert page.timeline.scale.total_px == pytest.approx(page.timeline.scale.width_px)
    QTest.keyClick(page.area, Qt.Key.Key_F)
    assert page.timeline.scale.x(1030.0) == pytest.approx(24)
    page.timeline.toggle(file.table.turns(0)[0])
    page.timeline.select_lane(find_lane(page, "web"))
    QTest.keyClick(page.area, Qt.Key.Key_Z)
    assert page.timeline.scale.x(1031.0) == pytest.approx(24)
    assert page.timeline.scale.x(1032.0) == pytest.approx(page.timeline.scale.width_px - 24)


def test_space_folds_and_home_and_end_go_far(window: MainWindow, page: TimelinePage, qtbot: QtBot) -> None:
    show(window, page, qtbot)
    QTest.keyClick(page.area, Qt.Key.Key_Space)
    assert len(page.timeline.lanes) == 3
    QTest.keyClick(page.area, Qt.Key.Key_End)
    assert page.timeline.lane == len(page.timeline.lanes) - 1
    QTest.keyClick(page.area, Qt.Key.Key_Home)
    assert page.timeline.lane == 0
    QTest.keyClick(page.area, Qt.Key.Key_PageDown)
    assert page.timeline.lane > 0


def test_the_minimap_takes_the_same_keys(window: MainWindow, page: TimelinePage, qtbot: QtBot) -> None:
    show(window, page, qtbot)
    before = page.timeline.scale.px_per_s
    page.area.minimap.setFocus()
    QTest.keyClick(page.area.minimap, Qt.Key.Key_Plus)
    assert page.timeline.scale.px_per_s > before


# Mouse


def wheel(page: TimelinePage, delta: int, modifiers: Qt.KeyboardModifier, x: float = 500) -> None:
    at = QPointF(x, 100)
    event = QWheelEvent(
        at, page.area.viewport().mapToGlobal(at), QPoint(), QPoint(0, delta), Qt.MouseButton.NoButton, modifiers,
        Qt.ScrollPhase.NoScrollPhase, False,  # noqa: FBT003
    )  # fmt: skip
    QApplication.sendEvent(page.area.viewport(), event)


def test_the_wheel_with_ctrl_zooms_where_the_mouse_is_and_with_shift_pans(
    window: MainWindow, page: TimelinePage, qtbot: QtBot
) -> None:
    show(window, page, qtbot)
    before, x = page.timeline.scale, 500 - page.area.labels_px
    moment_s = before.time_s(x)
    wheel(page, 120, Qt.KeyboardModifier.ControlModifier)
    assert page.timeline.scale.px_per_s > before.px_per_s
    assert page.timeline.scale.x(moment_s) == pytest.approx(x)
    left_px = page.timeline.scale.left_px
    wheel(page, -120, Qt.KeyboardModifier.ShiftModifier)
    assert page.timeline.scale.left_px == pytest.approx(left_px + 120)


def test_the_wheel_alone_scrolls_lanes(window: MainWindow, page: TimelinePage, qtbot: QtBot) -> None:
    show(window, page, qtbot, trace("t", turn(0, "?", *(call("search", q=at) for at in range(60)))))
    scale = page.timeline.scale
    wheel(page, -120, Qt.KeyboardModifier.NoModifier)
    assert page.area.verticalScrollBar().value() > 0
    assert page.timeline.scale == scale


def test_dragging_pans_and_a_click_selects(window: MainWindow, page: TimelinePage, qtbot: QtBot) -> None:
    show(window, page, qtbot)
    page.timeline.look_at(page.timeline.scale.zoomed(4, 100))
    view, number = page.area.viewport(), find_lane(page, "web")
    left_px, lane = page.timeline.scale.left_px, page.timeline.lane
    start = QPoint(page.area.labels_px + 200, lane_y(page, number))
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=start)
    QTest.mouseMove(view, start - QPoint(40, 0))
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=start - QPoint(40, 0))
    assert page.timeline.scale.left_px == pytest.approx(left_px + 40)
    assert page.timeline.lane == lane
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=start)
    assert page.timeline.lane == number


def test_the_arrow_folds_its_turn(window: MainWindow, page: TimelinePage, qtbot: QtBot) -> None:
    show(window, page, qtbot)
    before = len(page.timeline.lanes)
    QTest.mouseClick(page.area.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(16, lane_y(page, 0)))
    assert len(page.timeline.lanes) < before


def test_a_double_click_shows_a_piece_large(window: MainWindow, page: TimelinePage, qtbot: QtBot) -> None:
    show(window, page, qtbot)
    at = QPoint(page.area.labels_px + 100, lane_y(page, find_lane(page, "web")))
    QTest.mouseClick(page.area.viewport(), Qt.MouseButton.LeftButton, pos=at)
    QTest.mouseDClick(page.area.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert page.timeline.scale.x(1001.0) == pytest.approx(24)


def test_the_frame_of_the_minimap_moves_and_its_handles_zoom(
    window: MainWindow, page: TimelinePage, qtbot: QtBot
) -> None:
    show(window, page, qtbot)
    minimap, left = page.area.minimap, page.area.minimap.labels_px
    begin, end = minimap.frame()
    near = page.timeline.scale.px_per_s
    QTest.mousePress(minimap, Qt.MouseButton.LeftButton, pos=QPoint(round(left + end), 20))
    QTest.mouseMove(minimap, QPoint(round(left + (begin + end) / 2), 20))
    QTest.mouseRelease(minimap, Qt.MouseButton.LeftButton)
    assert page.timeline.scale.px_per_s > near
    QTest.mouseClick(minimap, Qt.MouseButton.LeftButton, pos=QPoint(minimap.width() - 40, 20))
    moved = minimap.frame()
    assert moved[0] > end
    assert moved[1] - moved[0] < end - begin


# What is painted


@pytest.mark.parametrize("scheme", [Scheme.LIGHT, Scheme.DARK])
def test_forms_and_hues_are_painted(window: MainWindow, page: TimelinePage, qtbot: QtBot, scheme: Scheme) -> None:
    window.desk.look.choose(scheme)  # before there is much to dress anew
    show(window, page, qtbot)
    tokens = window.desk.look.tokens
    assert {tokens.tool, tokens.agent, tokens.accent, tokens.sel} <= colours(page.area)


def test_the_critical_path_can_be_left_out(window: MainWindow, page: TimelinePage, qtbot: QtBot) -> None:
    show(window, page, qtbot)
    box = next(check for check in page.controls.findChildren(QCheckBox) if check.text() == "Critical path")
    y = find_lane(page, "search") * ROW_PX + 21
    x = page.area.labels_px + round(page.timeline.scale.x(1000.5))

    def under_the_bar() -> QColor:
        return page.area.viewport().grab().toImage().pixelColor(x, y)

    assert under_the_bar() == window.desk.look.color("text")
    box.click()
    assert under_the_bar() != window.desk.look.color("text")


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
    assert "3 of 18 pieces are plumbing and hidden" in box.toolTip()
    box.click()
    assert box.toolTip() == ""
    assert not window.desk.page.plumbing_hidden
    assert len(page.timeline.lanes) == before + 2
    window.desk.page.hide_plumbing(hidden=True)
    assert (len(page.timeline.lanes), box.isChecked()) == (before, True)


def test_verdicts_stand_before_their_lanes(window: MainWindow, page: TimelinePage, qtbot: QtBot) -> None:
    file = opened(window.desk.workspace)
    fails = next(top for top in file.table.tops if file.table.label(top) == "fails")
    window.desk.workspace.select(Selection(file.number, file.table.turns(fails)[0]))
    qtbot.waitUntil(lambda: page.timeline.top == fails and not page.timeline.reader.busy)
    timeline = page.timeline
    marks = {timeline.mark_of(timeline.lanes[at]) for at in range(len(timeline.lanes))}
    assert {"failed", "extra"} <= marks


# Who hears it


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


# States


def test_with_nothing_selected_there_is_a_next_step(window: MainWindow, page: TimelinePage, qtbot: QtBot) -> None:
    put(window.desk.workspace, GOLDENS)
    file = show(window, page, qtbot)
    window.desk.workspace.close(file.number)
    assert "Nothing is selected." in words(page)
    assert "Choose a trace" in words(page)


def selected(window: MainWindow, file: OpenFile) -> None:
    window.desk.workspace.select(Selection(file.number))
    QTest.qWait(1)


def test_a_file_that_is_read(window: MainWindow, page: TimelinePage) -> None:
    workspace = window.desk.workspace
    file = workspace.reading.add(Path("/made/slow.json"))
    assert file is not None
    selected(window, file)
    assert "Reading slow.json…" in words(page)
    workspace.reading.take(loading.FileRead(file.number, sentence="It is no JSON."))
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


# Hostile traces


def strange() -> Iterator[Trace]:
    far = (Span("a", "1970", SpanKind.OTHER, None, 0.0, 1.0), Span("b", "9999", SpanKind.OTHER, None, 2.5e11, 1.0))
    ring = (Span("a", "a", SpanKind.OTHER, "b", 5.0, 1.0), Span("b", "b", SpanKind.OTHER, "a", 5.0, 1.0))
    deep = tuple(Span(str(at), f"deep {at}", SpanKind.OTHER, str(at - 1), float(at), 900.0) for at in range(500))
    odd = (
        Span("n", "negative", SpanKind.OTHER, None, 5.0, -50.0),
        Span("z", "zero", SpanKind.OTHER, None, 5.0, 0.0),
        Span("i", "infinite", SpanKind.OTHER, None, float("inf"), 1.0),
        Span("o", "orphan", SpanKind.OTHER, "nobody", 5.0, 99.0),
        Span("e", "é" * 3_000 + "\u202eevil\x1b[31m", SpanKind.OTHER, None, 5.0, 1.0),
    )
    for spans in (far, ring, deep, odd):
        yield Trace("odd", (Turn(0, start_s=4.0, duration_s=3.0, spans=spans), turn(1, "?")), spans=spans)
    yield every_kind()
    yield markup()


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
