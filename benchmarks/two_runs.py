"""How long a key holds the page of two runs: 10,000 cases filtered letter by letter, and sorted; processor time."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.measure import table
from benchmarks.timeline import figures
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.engine.run_comparison.change_group import Group
from trace_inspector.work.runs.comparison_messages import CaseLine, CaseLines, CaseSide, PairHead, Tally
from trace_inspector.work.runs.comparison_requests import in_groups, orders_of

if TYPE_CHECKING:
    from trace_inspector.models.runs.run_pair import RunPair
    from trace_inspector.views.run_comparison.page import TwoRunsPage

CASES = 10_000
WORDS = "get_rent seattle_09 failed"
COLUMNS = ("tool_trajectory_avg_score", "response_match_score", "hallucinations_v1")
SIDES = {
    Group.REGRESSED: (Status.PASSED, Status.FAILED),
    Group.WORSE: (Status.FAILED, Status.FAILED),
    Group.IMPROVED: (Status.FAILED, Status.PASSED),
    Group.NOT_COMPARABLE: (Status.NOT_EVALUATED, Status.PASSED),
    Group.UNCHANGED: (Status.PASSED, Status.PASSED),
}


def main() -> None:
    """One window, its page of two runs filled as a child would."""
    from PySide6.QtWidgets import QApplication

    QApplication.instance() or QApplication([])
    from tests.helpers.window import main_window
    from tests.models.stories import put, trace, turn
    from trace_inspector.views.run_comparison.page import TwoRunsPage

    with tempfile.TemporaryDirectory() as folder, main_window(Path(folder) / "window.ini") as window:
        page = window.desk.centre.show_view("two-runs") if window.desk.centre else None
        if not isinstance(page, TwoRunsPage):
            raise TypeError("The window has no page of two runs.")
        put(window.desk.workspace, "/made/a.json", trace("a", turn(0, "Hello?")))  # so that the centre is shown
        fill(window.desk.workspace.runs.pair)
        _settle(lambda: None)
        rows = [("a letter more in the filter", *figures(typed(page))), ("a letter less", *figures(deleted(page)))]
        rows += [("another order", *figures(ordered(page))), ("another group alone", *figures(grouped(page)))]
        rows += [("painting the list", *figures(painted(page)))]
        table(f"Two runs of {CASES:,} cases, 1600×1000", [("what", "p50", "p95", "longest"), *rows])


def fill(pair: RunPair) -> None:
    """Cases of five groups, with words and scores as a regression of some size has them."""
    lines = tuple(in_groups([case(at) for at in range(CASES)]))
    counts = tuple((group, sum(line.group is group for line in lines)) for group in Group)
    tally = Tally(CASES, CASES, CASES // 2)
    orders = orders_of(lines, len(COLUMNS))
    pair.compared.take(PairHead(counts, CASES // 5, tally, tally, 0.2, (), (), (), (), COLUMNS, orders))
    pair.compared.take(CaseLines(lines))
    pair.changed.emit()


def case(at: int) -> CaseLine:
    """One of them."""
    group = tuple(SIDES)[at % len(SIDES)]
    before, after = SIDES[group]
    tools = ("get_rent", "get_permits", "search_web", "transfer_to_agent")
    return CaseLine(
        f"seattle_{at * 7 % CASES:05}",
        group,
        CaseSide(before),
        CaseSide(after),
        f"Turn {at % 9 + 1}: {tools[at % 4]} called with another city, {at % 13} sentences unsupported",
        tuple((at % 5 / 5, at % (7 + column) / (7 + column)) for column in range(len(COLUMNS))),
        (at % 50 / 10, at % 37 / 10),
    )


def typed(page: TwoRunsPage) -> list[float]:
    """Each letter of a search, one after the other."""
    from PySide6.QtTest import QTest

    page.words.setFocus()
    return [_settle(partial(QTest.keyClicks, page.words, letter)) for letter in WORDS]


def deleted(page: TwoRunsPage) -> list[float]:
    """And away again."""
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest

    return [_settle(partial(QTest.keyClick, page.words, Qt.Key.Key_Backspace)) for _letter in WORDS]


def ordered(page: TwoRunsPage) -> list[float]:
    """Each column up and down."""
    from PySide6.QtCore import Qt

    ways = (Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder)
    columns = range(page.table.columnCount())
    return [_settle(partial(page.cases.sortByColumn, at, way)) for _again in "12" for at in columns for way in ways]


def grouped(page: TwoRunsPage) -> list[float]:
    """Each group alone, and all of them."""
    return [_settle(partial(page.show_only, group)) for group in (*SIDES, None)]


def painted(page: TwoRunsPage) -> list[float]:
    """All that is in sight of the list."""
    return [_settle(page.cases.viewport().repaint) for _again in range(20)]


def _settle(step: Callable[[], object]) -> float:
    """The longest turn of the main thread's loop: the step itself, or one that it leads to, as painting."""
    from PySide6.QtCore import QCoreApplication

    holds_s = []
    for work in (step, *(QCoreApplication.processEvents,) * 5):
        begun_s = time.thread_time()
        work()
        holds_s.append(time.thread_time() - begun_s)
    return max(holds_s)


if __name__ == "__main__":
    main()
