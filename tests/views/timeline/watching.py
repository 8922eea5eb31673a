"""The timeline as a person uses it: keys, mouse, what is painted, what is said where there is nothing to draw."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from tests.models.stories import TRACES, call, put, trace, turn
from tests.views.tales import every_kind, markup
from trace_inspector.core.trace.trace import Span, SpanKind, Trace, Turn
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.timeline.lanes import LaneKind
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.timeline.brush import ROW_PX
from trace_inspector.views.timeline.page import TimelinePage

STORY = trace("t", *(turn(3 * at, f"{at}?", call("search", q=at), call("web", q=at), spans=1) for at in range(3)))


def show(window: MainWindow, page: TimelinePage, qtbot: QtBot, story: Trace = STORY) -> OpenFile:
    """Open a story and select its first turn."""
    file = put(window.desk.workspace, TRACES, story)
    window.desk.workspace.selection.select(Selection(file.number, file.table.turns(file.table.tops[0])[0]))
    qtbot.waitUntil(lambda: page.timeline.file is file and not page.timeline.reader.busy, timeout=60_000)
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


def wheel(page: TimelinePage, delta: int, modifiers: Qt.KeyboardModifier, x: float = 500) -> None:
    at = QPointF(x, 100)
    event = QWheelEvent(
        at, page.area.viewport().mapToGlobal(at), QPoint(), QPoint(0, delta), Qt.MouseButton.NoButton, modifiers,
        Qt.ScrollPhase.NoScrollPhase, False,  # noqa: FBT003
    )  # fmt: skip
    QApplication.sendEvent(page.area.viewport(), event)


def selected(window: MainWindow, file: OpenFile) -> None:
    window.desk.workspace.selection.select(Selection(file.number))
    QTest.qWait(1)


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
