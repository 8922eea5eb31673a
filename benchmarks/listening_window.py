"""How fast a window that listens shows what it is sent: spans in batches of 512, a conversation a turn.

How long it takes from sending a span to its row, how late the window comes to a timer, and how memory grows.
`python -m benchmarks.listening_window [SECONDS [SPANS_A_SECOND]] [--together]`: four connections send in turn, or all
at the same moment, so that 2,048 spans come at once.
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

from benchmarks.following import PROBE_MS, Shown, figures_of, note_lateness, resident_mib
from benchmarks.listening import STAMP, Load, in_batches, send
from benchmarks.measure import table
from trace_inspector.settings import OVERRIDE

if TYPE_CHECKING:
    from trace_inspector.models.runs.live_run import LiveRun
    from trace_inspector.views.shell.main_window import MainWindow

SECONDS, SPANS_A_SECOND = 60, 5_000
REST_S = 10
MEMORY_EVERY_S = 5


def main() -> None:
    """A whole window with the tree of the recording in front."""
    from PySide6.QtWidgets import QApplication

    is_together = "--together" in sys.argv
    given = [int(each) for each in sys.argv[1:] if each.isdigit()]
    seconds, rate = (*given, *(SECONDS, SPANS_A_SECOND)[len(given) :])
    QApplication.instance() or QApplication([])
    with tempfile.TemporaryDirectory() as folder:
        os.environ[OVERRIDE] = folder  # for the recording
        load = in_batches(rate, is_together=is_together)
        shown, memory, told = listen(Path(folder), seconds, load)
    table(
        f"{rate:,} spans/s, {'together' if is_together else 'in turn'}, for {seconds} s, "
        f"{told['requests']:.0f} requests, {told['answered']:.0f} answered with "
        f"200, {len(shown.latency_s):,} conversations shown, {shown.rows:,} rows, {shown.updates} updates, "
        f"{'all' if shown.is_complete else 'NOT all'} of the recording shown after {REST_S} s",
        [
            ("what", "p50", "p95", "p99", "longest"),
            ("sent → row", *figures_of(shown.latency_s)),
            (f"lateness of a timer of {PROBE_MS} ms in the window", *figures_of(shown.late_s)),
            (f"memory of the window, MiB, every {MEMORY_EVERY_S} s", ", ".join(map(str, memory)), "", "", ""),
        ],
    )


def listen(folder: Path, seconds: int, load: Load) -> tuple[Shown, list[int], dict[str, float]]:
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
        live = _listening(window)
        _watch(window, shown)
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
        files = [file for file in window.desk.workspace.files if file.has_traces]
        shown.rows = sum(len(file.table) for file in files)
        shown.is_complete = all(file.size_bytes == file.path.stat().st_size for file in files)
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


if __name__ == "__main__":
    main()
