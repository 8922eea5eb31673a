"""Zooms and pans over a conversation of 100,000 events: how long a frame takes, and how long reading held the window.

Frames are measured in processor time, which other programs do not lengthen; the window in time by the clock.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field

from benchmarks.measure import table
from trace_inspector.core.trace.parts import Text, ToolCall, ToolResult
from trace_inspector.core.trace.trace import Event, Span, SpanKind, Steps, Trace, Turn, Usage

if TYPE_CHECKING:
    from trace_inspector.models.timeline.timeline import Timeline
    from trace_inspector.views.shell.main_window import MainWindow
    from trace_inspector.views.timeline.page import TimelinePage

EVENTS = 100_000
FRAMES = 240
START_S = 1_760_000_000.0
EVENT_S = 0.4
PAUSE_S = 30.0
LIMIT_S = 120


class Shown(Struct):
    """One story: seconds until all of it is there, what the window was held meanwhile, and of each frame."""

    complete_s: float = 0.0
    worst_gap_s: float = 0.0
    lanes: int = 0
    zoom_s: list[float] = field(default_factory=list)
    pan_s: list[float] = field(default_factory=list)
    scroll_s: list[float] = field(default_factory=list)


def main() -> None:
    """A conversation of many turns, and one with all events in a single turn."""
    from PySide6.QtWidgets import QApplication

    QApplication.instance() or QApplication([])
    for title, turns in (("1,000 turns of 100 events", 1_000), ("one turn", 1)):
        with tempfile.TemporaryDirectory() as folder:
            shown = show(story(turns), Path(folder))
        table(
            f"{EVENTS:,} events in {title}, {shown.lanes:,} lanes, 1600×1000",
            [
                ("what", "p50", "p95", "longest"),
                *(
                    (name, *figures(frames_s))
                    for name, frames_s in (
                        ("frame while zooming", shown.zoom_s),
                        ("frame while panning", shown.pan_s),
                        ("frame while scrolling", shown.scroll_s),
                    )
                ),
                ("all of it worked out", f"{shown.complete_s:.2f} s", "", ""),
                ("longest the window was held meanwhile", f"{shown.worst_gap_s * 1000:.0f} ms", "", ""),
            ],
        )


def story(turns: int) -> Trace:
    """Model calls and tools by turns, with a request inside of each tool."""
    each = EVENTS // turns
    return Trace("long", tuple(_turn(at, each) for at in range(turns)))


def _turn(index: int, events: int) -> Turn:
    start_s = START_S + index * (events * EVENT_S + PAUSE_S)
    told, spans = [], []
    for at in range(0, events, 2):
        call = ToolCall("look_up", {"article": at}, f"{index}-{at}")
        begun_s = start_s + at * EVENT_S
        usage = Usage(900 + at % 5_000, candidates=20, cached=400)
        told.append(Event("agent", (call,), "model", begun_s, EVENT_S, usage, "gemini-2.5-flash"))
        result = ToolResult("look_up", {"found": at}, call.call_id)
        told.append(
            Event("agent", (result,), None, begun_s + EVENT_S, EVENT_S * (0.5 + at % 7 / 14), span_id=f"t{at}")
        )
        if at % 8 == 0:
            spans.append(Span(f"r{at}", "GET /stock", SpanKind.OTHER, f"t{at}", begun_s + EVENT_S, EVENT_S / 4))
    return Turn(
        index, user=(Text(f"Question {index}"),), events=tuple(told), final_response=(Text("Done."),),
        steps=Steps.EVENTS, start_s=start_s, duration_s=events * EVENT_S, spans=tuple(spans),
    )  # fmt: skip


def show(told: Trace, folder: Path) -> Shown:
    """Put it into a window, as a child would, and look at it from all sides."""
    from tests.helpers.window import main_window

    shown = Shown()
    with main_window(folder / "window.ini") as window:
        page = _open(window, told, shown)
        timeline, bar = page.timeline, page.area.verticalScrollBar()
        timeline.lanes.unfold(timeline.reader.heads)
        timeline.grown.emit()
        shown.lanes = len(timeline.lanes)
        whole, middle = timeline.scale.fitted(), timeline.scale.width_px / 2
        timeline.look_at(whole)
        for factor in (1.12, 1 / 1.12):
            for _ in range(FRAMES // 2):
                shown.zoom_s.append(_frame(page, partial(_zoom, timeline, factor, middle)))
        for nearness in (1.0, 30.0, 2_000.0):
            timeline.look_at(whole.zoomed(nearness, middle))
            for _ in range(FRAMES // 3):
                shown.pan_s.append(_frame(page, partial(_pan, timeline)))
        for at in range(FRAMES):
            shown.scroll_s.append(_frame(page, partial(bar.setValue, bar.maximum() * at // FRAMES)))
    return shown


def _open(window: MainWindow, told: Trace, shown: Shown) -> TimelinePage:
    from PySide6.QtCore import QCoreApplication

    from tests.models.stories import put
    from trace_inspector.models.base.selection import Selection
    from trace_inspector.views.timeline.page import TimelinePage

    file = put(window.desk.workspace, "/made/long.json", told)
    page = window.desk.centre.show_view("timeline") if window.desk.centre else None
    if not isinstance(page, TimelinePage):
        raise TypeError("The window has no timeline.")
    begun_s = time.perf_counter()
    gaps = _gaps(begun_s)
    window.desk.workspace.selection.select(Selection(file.number, file.table.tops[0]))
    next(gaps)
    while page.timeline.reader.busy or not page.timeline.sums.heads:
        QCoreApplication.processEvents()
        shown.worst_gap_s = max(shown.worst_gap_s, next(gaps))
        if time.perf_counter() - begun_s > LIMIT_S:
            raise TimeoutError("The timeline did not get ready in time.")
    shown.complete_s = time.perf_counter() - begun_s
    return page


def _zoom(timeline: Timeline, factor: float, x: float) -> None:
    timeline.look_at(timeline.scale.zoomed(factor, x))


def _pan(timeline: Timeline) -> None:
    timeline.look_at(timeline.scale.moved_to(timeline.scale.left_px + 24))


def _gaps(last_s: float) -> Iterator[float]:
    while True:
        now_s = time.perf_counter()
        yield now_s - last_s
        last_s = now_s


def _frame(page: TimelinePage, change: Callable[[], object]) -> float:
    """Processor time of a change and of painting everything that shows it."""
    from PySide6.QtCore import QCoreApplication

    begun_s = time.process_time()
    change()
    for part in (page.area.viewport(), page.area.minimap, page.area.ruler, page.area.context):
        part.repaint()
    took_s = time.process_time() - begun_s
    QCoreApplication.processEvents()
    return took_s


def figures(frames_s: list[float]) -> tuple[str, str, str]:
    """Median, 95th percentile and the longest, in milliseconds."""
    ordered = sorted(frames_s)
    chosen = (statistics.median(ordered), ordered[len(ordered) * 95 // 100], ordered[-1])
    middle, high, longest = (f"{value * 1000:.1f} ms" for value in chosen)
    return middle, high, longest


if __name__ == "__main__":
    main()
