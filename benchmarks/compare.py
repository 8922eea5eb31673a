"""How soon Compare shows two conversations, and how it scrolls: 2 × 10,000 rows, and two traces of 1,000 turns.

Frames are measured in processor time, which other programs do not lengthen; opening in time by the clock.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field

from benchmarks.measure import table
from benchmarks.timeline import figures
from trace_inspector.core.trace.parts import Text, ToolCall, ToolResult
from trace_inspector.core.trace.trace import Event, Steps, Trace, Turn

if TYPE_CHECKING:
    from trace_inspector.views.compare.page import ComparePage
    from trace_inspector.views.shell.main_window import MainWindow

FRAMES = 240
LIMIT_S = 120


class Shown(Struct):
    """Two conversations: seconds until they stand side by side, of the first painting of them, and of each frame."""

    rows: int = 0
    opened_s: float = 0.0
    first_s: float = 0.0
    scroll_s: list[float] = field(default_factory=list)
    jump_s: list[float] = field(default_factory=list)
    policy_s: list[float] = field(default_factory=list)


def main() -> None:
    """Few long turns, and many short ones."""
    from PySide6.QtWidgets import QApplication

    QApplication.instance() or QApplication([])
    for title, turns, calls in (("1,000 turns", 1_000, 2), ("10,000 rows", 1_000, 8)):
        with tempfile.TemporaryDirectory() as folder:
            shown = show(story(turns, calls, 0), story(turns, calls, 7), Path(folder))
        table(
            f"Two conversations of {title}, {shown.rows:,} rows, 1600×1000",
            [
                ("what", "p50", "p95", "longest"),
                ("side by side after", f"{shown.opened_s:.2f} s", "", ""),
                ("first painting of the rows", f"{shown.first_s * 1000:.0f} ms", "", ""),
                ("frame while scrolling", *figures(shown.scroll_s)),
                ("frame after a jump", *figures(shown.jump_s)),
                ("another rule", *figures(shown.policy_s)),
            ],
        )


def story(turns: int, calls: int, every: int) -> Trace:
    """Turns with calls and an answer; each `every`th call and answer is another one."""
    return Trace("long", tuple(_turn(at, calls, every) for at in range(turns)))


def _turn(index: int, calls: int, every: int) -> Turn:
    events = []
    for at in range(calls):
        number = index * calls + at
        limit = 9 if every and number % every == 0 else 5
        call = ToolCall("look_up", {"article": number, "limit": limit, "area": "Capitol Hill"}, f"{index}-{at}")
        events += [
            Event("ShopAgent", (call,), duration_s=0.4),
            Event("ShopAgent", (ToolResult("look_up", {"found": number}, call.call_id),), duration_s=0.6),
        ]
    end = "Shall I order one of them?" if every and index % every == 0 else "Would you like me to order one?"
    words = f"There are {index} articles on the shelf near the door, and more come on Monday. " * 2 + end
    return Turn(
        index, user=(Text(f"How many articles of number {index} are there?"),), events=tuple(events),
        final_response=(Text(words),), final_author="ShopAgent", steps=Steps.EVENTS, duration_s=4.0,
    )  # fmt: skip


def show(left: Trace, right: Trace, folder: Path) -> Shown:
    """Put both into a window, as a child would, and look at them side by side."""
    from tests.helpers.window import main_window

    shown = Shown()
    with main_window(folder / "window.ini") as window:
        page = _open(window, left, right, shown)
        rows, bar = page.compare.rows, page.rows.verticalScrollBar()
        shown.rows = len(rows.numbers) if rows is not None else 0
        for _ in range(FRAMES):
            shown.scroll_s.append(_frame(page, bar.value() + 60))
        for at in range(FRAMES // 4):
            shown.jump_s.append(_frame(page, bar.maximum() * (at * 7 % 60) // 60))
        for at in range(20):
            begun_s = time.process_time()
            page.compare.choose_rule(at % 2)
            page.repaint()
            shown.policy_s.append(time.process_time() - begun_s)
    return shown


def _open(window: MainWindow, left: Trace, right: Trace, shown: Shown) -> ComparePage:
    from PySide6.QtCore import QCoreApplication

    from tests.models.stories import put
    from trace_inspector.models.compare.sides import ref_of
    from trace_inspector.views.compare.page import ComparePage

    files = [put(window.desk.workspace, f"/made/{name}.json", told) for name, told in (("a", left), ("b", right))]
    page = window.desk.centre.show_view("compare") if window.desk.centre else None
    if not isinstance(page, ComparePage):
        raise TypeError("The window has no comparison.")
    page.compare.choose_sides((ref_of(files[0], 0),) * 2)  # so that the child is there, as after the first look
    _wait(page)
    begun_s = time.perf_counter()
    page.compare.choose_sides(tuple(ref_of(file, file.table.tops[0]) for file in files))
    while page.compare.rows is None:
        QCoreApplication.processEvents()
        if time.perf_counter() - begun_s > LIMIT_S:
            raise TimeoutError("The comparison did not get ready in time.")
    there_s = time.perf_counter()
    page.repaint()
    shown.first_s = time.perf_counter() - there_s
    shown.opened_s = time.perf_counter() - begun_s
    return page


def _wait(page: ComparePage) -> None:
    from PySide6.QtCore import QCoreApplication

    until_s = time.perf_counter() + LIMIT_S
    while page.compare.busy and time.perf_counter() < until_s:
        QCoreApplication.processEvents()


def _frame(page: ComparePage, value: int) -> float:
    """Processor time of scrolling there and of painting everything that shows it."""
    from PySide6.QtCore import QCoreApplication

    begun_s = time.process_time()
    page.rows.verticalScrollBar().setValue(value)
    for part in (page.rows.viewport(), page.strip, page.heads):
        part.repaint()
    took_s = time.process_time() - begun_s
    QCoreApplication.processEvents()
    return took_s


if __name__ == "__main__":
    main()
