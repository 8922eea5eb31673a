"""How fast a window that listens shows what it is sent: spans in batches of 512, a conversation a turn.

How long it takes from sending a span to its row and to its line in the list of turns, how late the window comes to a
timer, and how memory grows. With a golden also how long to the verdict at the row, and how many had none in the end.
`python -m benchmarks.listening_window [SECONDS [SPANS_A_SECOND]] [golden] [together]`: four connections send in turn,
or all at the same moment, so that 2,048 spans come at once.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import tempfile
import time
from multiprocessing.queues import SimpleQueue
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field

from benchmarks.following import PROBE_MS, Shown, figures_of, note_lateness, resident_mib
from benchmarks.listening import STAMP, Load, golden_file, in_batches, send
from benchmarks.measure import table
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.settings import OVERRIDE

if TYPE_CHECKING:
    from trace_inspector.models.runs.live_run import LiveRun
    from trace_inspector.views.shell.main_window import MainWindow

SECONDS, SPANS_A_SECOND = 60, 5_000
REST_S = 10
MEMORY_EVERY_S = 5
GOLDEN, TOGETHER = "golden", "together"


def main() -> None:
    """A whole window with the tree of the recording in front."""
    from PySide6.QtWidgets import QApplication

    has_golden, is_together = GOLDEN in sys.argv[1:], TOGETHER in sys.argv[1:]
    given = [int(each) for each in sys.argv[1:] if each not in (GOLDEN, TOGETHER)]
    seconds, rate = (*given, *(SECONDS, SPANS_A_SECOND)[len(given) :])
    judged = Judged()
    QApplication.instance() or QApplication([])
    with tempfile.TemporaryDirectory() as folder:
        os.environ[OVERRIDE] = folder  # for the recording
        load = in_batches(rate, is_together=is_together)
        shown, memory, told = listen(Path(folder), seconds, load, judged, has_golden=has_golden)
    table(
        f"{rate:,} spans/s, {'together' if is_together else 'in turn'}, for {seconds} s, "
        f"{told['requests']:.0f} requests, {told['answered']:.0f} answered with "
        f"200, {len(shown.latency_s):,} conversations shown, {shown.rows:,} rows, {shown.updates} updates, "
        f"{'all' if shown.is_complete else 'NOT all'} of the recording shown after {REST_S} s",
        [
            ("what", "p50", "p95", "p99", "longest"),
            ("sent → row", *figures_of(shown.latency_s)),
            (f"sent → list of turns, {len(judged.listed_s):,}", *figures_of([*judged.listed_s.values()])),
            *(
                [(f"sent → verdict at the row, {len(judged.marked_s):,}", *figures_of([*judged.marked_s.values()]))]
                if has_golden
                else []
            ),
            (f"lateness of a timer of {PROBE_MS} ms in the window", *figures_of(shown.late_s)),
            (f"memory of the window, MiB, every {MEMORY_EVERY_S} s", ", ".join(map(str, memory)), "", "", ""),
        ],
    )


class Judged(Struct):
    """Seconds from sending a conversation to its line in the list, and to the first verdict at its row."""

    listed_s: dict[str, float] = field(default_factory=dict)
    marked_s: dict[str, float] = field(default_factory=dict)


def listen(
    folder: Path, seconds: int, load: Load, judged: Judged, *, has_golden: bool
) -> tuple[Shown, list[int], dict[str, float]]:
    """Listen, and let another process send."""
    from PySide6.QtCore import QCoreApplication

    from tests.helpers.window import main_window
    from trace_inspector.models.runs.live_run import LiveState

    shown, memory = Shown(), list[int]()
    context = multiprocessing.get_context("spawn")
    told: SimpleQueue[dict[str, float]] = context.SimpleQueue()
    with main_window(folder / "window.ini") as window:
        while window.make_panel():  # as the program does, one in a turn
            QCoreApplication.processEvents()
        if has_golden:
            files = window.desk.workspace.files
            files.open([golden_file(folder)])
            while files.reading:
                QCoreApplication.processEvents()
        live = _listening(window)
        _watch(window, shown)
        _watch_verdicts(window, live, judged)
        sender = context.Process(target=send, args=(load, live.port, seconds, told))
        sender.start()
        note_lateness(window, shown.late_s)
        next_s, until_s = time.perf_counter(), time.perf_counter() + seconds + REST_S
        while time.perf_counter() < until_s:
            QCoreApplication.processEvents()
            time.sleep(0.0005)
            if time.perf_counter() > next_s:
                memory.append(resident_mib())
                next_s += MEMORY_EVERY_S
        sent = told.get()  # before the sender is waited for: a large answer waits for its reader
        sender.join()
        recorded = [file for file in window.desk.workspace.files if file.has_traces]
        shown.rows = sum(len(file.table) for file in recorded)
        shown.is_complete = all(file.size_bytes == file.path.stat().st_size for file in recorded)
        live.stop()
        while live.state is not LiveState.NONE:
            QCoreApplication.processEvents()
    return shown, memory, sent


def _listening(window: MainWindow) -> LiveRun:
    from PySide6.QtCore import QCoreApplication

    from tests.views.doing import trigger
    from trace_inspector.models.runs.live_run import LiveState
    from trace_inspector.views.live.dialog import ListenDialog

    trigger(window, "listen")
    dialog = window.findChild(ListenDialog)
    assert dialog is not None
    dialog.live.start(0)
    dialog.close()
    while dialog.live.state is not LiveState.LISTENING:
        QCoreApplication.processEvents()
    return dialog.live


def _watch(window: MainWindow, shown: Shown) -> None:
    """Note when conversations are shown: each is named by when it was sent. The first one is selected."""
    from trace_inspector.models.base.selection import Selection

    workspace, seen = window.desk.workspace, set[str]()

    def arrived(number: int, grown: list[int]) -> None:
        file, now_s = workspace.files.get(number), time.time()
        names = [file.table.name(top) for top in grown] if file is not None else []
        shown.latency_s.extend(now_s - int(name[:STAMP]) / 1e9 for name in names if name not in seen)
        seen.update(names)
        shown.updates += 1

    def select_first(number: int) -> None:
        file = workspace.files.get(number)
        if file is not None and file.table.tops and workspace.selection.row_in(number) is None:
            workspace.selection.select(Selection(number, file.table.tops[0]))

    workspace.growth.grew.connect(arrived)
    workspace.files.rows_arrived.connect(select_first)


def _watch_verdicts(window: MainWindow, live: LiveRun, judged: Judged) -> None:
    """Note when a conversation is listed, and when its row first has a verdict."""
    shown = window.desk.workspace.run
    seen = lines = 0  # cases of the run, and of the list

    def note(name: str, noted: dict[str, float]) -> None:
        if name not in noted:
            noted[name] = time.time() - int(name[:STAMP]) / 1e9

    def listed() -> None:
        nonlocal lines
        turns = live.turns.records
        for turn in turns[lines if lines <= len(turns) else 0 :]:
            note(turn.conversation, judged.listed_s)
        lines = len(turns)

    def marked() -> None:
        nonlocal seen
        cases = shown.value.cases if shown.value is not None else []
        for case in cases[seen if seen <= len(cases) else 0 :]:
            if case.status in (Status.PASSED, Status.FAILED) and case.trace_id:
                note(case.trace_id, judged.marked_s)
        seen = len(cases)

    live.changed.connect(listed)
    shown.changed.connect(marked)


if __name__ == "__main__":
    main()
