"""Filters, finding and “go to” over 100,000 rows with verdicts, in the window: how long, and the longest hold."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.measure import table

if TYPE_CHECKING:
    from trace_inspector.models.search.finding import Finding
    from trace_inspector.models.workspace.workspace import Workspace
    from trace_inspector.views.shell.main_window import MainWindow

TRACES, TURNS = 500, 20  # ten rows a turn
LIMIT_S = 60
FILTERS = (
    *("seattle_00001", "case:seattle_0001*", "turn:3", "tool:search", "agent:helper*", "kind:answer", "is:error"),
    *("latency>9s", "tokens>100", "text:parking", "xyzzy", "verdict:failed", "verdict:failed kind:call"),
    "-verdict:failed tool:search",
)


def main() -> None:
    """One window on one file."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from tests.helpers.window import main_window

    with tempfile.TemporaryDirectory() as folder:
        os.environ["TRACE_INSPECTOR_DATA"] = folder
        with main_window(Path(folder) / "window.ini") as window:
            rows = fill(window.desk.workspace)
            _settle(lambda: False, 1.0)
            title = f"Over {rows:,} rows with verdicts, processor time"
            heads = ["What", "in place after", "done after", "longest hold", "shown"]
            table(title, [heads, *filtered(window), *found(window), *gone_to(window)])


def fill(workspace: Workspace) -> int:
    """A file of traces, every fifth of which failed; how many rows."""
    from tests.models.stories import SHOWN, begin, call, golden, judge, judged, put, trace, turn

    calls = [call("search", q="parking lots"), call("stops", near="market"), call("walk", to="pike"), call("rents")]
    observed = [
        trace(f"seattle_{at:05}", *(turn(number, f"Where to park, {number}?", *calls) for number in range(TURNS)))
        for at in range(TRACES)
    ]
    expected = golden(
        *(
            (one.id, one.turns if at % 5 else (turn(0, "Where?", call("search", q="other")), *one.turns[1:]))
            for at, one in enumerate(observed)
        )
    )
    file = put(workspace, "/made/traces.json", *observed)
    put(workspace, "/made/goldens.json", expected)
    judge(workspace, begin(workspace, SHOWN), judged(observed, [expected]))
    return len(file.table)


def filtered(window: MainWindow) -> Iterator[list[str]]:
    """Each filter, typed whole, and taken away again."""
    workspace = window.desk.workspace
    filtering, file = workspace.filtering, workspace.files.in_order[0]
    for text in FILTERS:
        placed: list[float] = []

        def note(number: int, placed: list[float] = placed) -> None:
            if number == file.number:
                placed.append(time.thread_time())

        def is_done() -> bool:
            told = filtering.showing(file.number)
            return told is not None and not told.searching

        filtering.placed.connect(note)
        begun_s = time.thread_time()
        longest_s = _settle(is_done, LIMIT_S, first=partial(filtering.set_text, text))
        done_s = time.thread_time() - begun_s
        filtering.placed.disconnect(note)
        showing = filtering.showing(file.number)
        shown = f"{showing.shown:,}" if showing else ""
        yield [f"`{text}`", _ms(placed[0] - begun_s), _ms(done_s), _ms(longest_s), shown]
        _settle(lambda: False, 0.2, first=lambda: filtering.set_text(""))


def found(window: MainWindow) -> Iterator[list[str]]:
    """Finding text everywhere."""
    from trace_inspector.models.search.find_query import Query
    from trace_inspector.models.search.finding import Finding

    for query in (Query("xyzzy", everywhere=True), Query("park.ng l", is_pattern=True, everywhere=True)):
        finding = Finding(
            window.desk.workspace.files,
            window.desk.workspace.selection,
            window.desk.workspace.run,
            window.desk.jobs,
        )
        begun_s = time.thread_time()
        longest_s = _settle(partial(_has_ended, finding), LIMIT_S, first=partial(finding.start, query))
        done = _ms(time.thread_time() - begun_s)
        yield [f"find `{query.text}`", "", done, _ms(longest_s), f"{len(finding.hits):,}"]


def _has_ended(finding: Finding) -> bool:
    return not finding.running


def gone_to(window: MainWindow) -> Iterator[list[str]]:
    """Opening “go to”, and a query that only one turn matches."""
    palette = window.desk.palette
    for name, step in (
        ("go to opens", window.commands.actions["go-to"].trigger),
        ("go to `seattle_00321 turn 20`", lambda: palette.field.setText("seattle_00321 turn 20")),
    ):
        begun_s = time.thread_time()
        longest_s = _settle(lambda: not palette.searching, LIMIT_S, first=step)
        yield [name, "", _ms(time.thread_time() - begun_s), _ms(longest_s), ""]


def _settle(there: Callable[[], bool], limit_s: float, first: Callable[[], object] = lambda: None) -> float:
    """Let the event loop run until something holds or for a while; its longest turn, in processor time."""
    from PySide6.QtCore import QCoreApplication

    until_s, longest_s = time.monotonic() + limit_s, 0.0
    begun_s = time.thread_time()
    first()
    longest_s = time.thread_time() - begun_s
    while not there():
        if time.monotonic() > until_s:
            if limit_s == LIMIT_S:
                sys.exit("It took too long.")
            break
        begun_s = time.thread_time()
        QCoreApplication.processEvents()
        longest_s = max(longest_s, time.thread_time() - begun_s)
    return longest_s


def _ms(value_s: float) -> str:
    return f"{value_s * 1000:.0f} ms"


if __name__ == "__main__":
    main()
