"""Opens the 76-MB Jaeger file in a real window, and how long the window was held while it loaded.

Each run is a fresh process. A timer of 5 ms repaints the tree and notes the longest time between two of its ticks.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import asdict

from benchmarks.make_big import Big, write
from benchmarks.measure import seconds, spread, table

RUNS = 3
TICK_MS = 5
LIMIT_S = 120


class Opened(Struct):
    """One run, in seconds since the file was asked for."""

    first_rows_s: float = 0.0
    complete_s: float = 0.0
    worst_gap_s: float = 0.0
    rows: int = 0
    gaps_over_100_ms: int = 0


def main(argv: Sequence[str] | None = None) -> None:
    """Without an argument the files are made; with `--once FILE` one run prints its figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--once", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args(argv)
    if options.once:
        print(json.dumps(asdict(open_once(options.once))))
        return
    with tempfile.TemporaryDirectory() as folder:
        for title, big in (("one trace of 1,000 turns", Big()), ("1,000 traces", Big(deep=False))):
            _compare(title, write(big, "jaeger", Path(folder, "big.json")), folder)


def _compare(title: str, path: Path, folder: str) -> None:
    runs = [fresh_process(path, tempfile.mkdtemp(dir=folder)) for _ in range(RUNS)]  # nothing is kept between them
    plain = [seconds(lambda: json.loads(path.read_bytes())) for _ in range(RUNS)]
    table(
        f"{path.stat().st_size / 1e6:.0f} MB, {title}, {runs[0].rows:,} rows: median of {RUNS}",
        [
            ("what", "time"),
            ("first rows in the tree", spread([run.first_rows_s for run in runs])),
            ("read to the end", spread([run.complete_s for run in runs])),
            ("longest the window was held", spread([run.worst_gap_s for run in runs], "ms")),
            ("times it was held over 100 ms", str(max(run.gaps_over_100_ms for run in runs))),
            ("for comparison: json.loads of the file", spread(plain)),
        ],
    )


def fresh_process(path: Path, folder: str) -> Opened:
    """One opening by a program that just started and keeps its data in that folder."""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "TRACE_INSPECTOR_DATA": folder}
    command = [sys.executable, "-m", "benchmarks.open_big", "--once", str(path)]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, timeout=LIMIT_S, check=True)
    return Opened(**json.loads(done.stdout))


def open_once(path: Path) -> Opened:
    """Open the file in a window of this process."""
    from PySide6.QtCore import QCoreApplication, QEventLoop, QTimer

    from tests.helpers.window import main_window
    from trace_inspector.documents.bundles import folders
    from trace_inspector.models.base.open_file import FileState
    from trace_inspector.views.details import panel

    del folders, panel  # the program imports them, too, before it opens a file

    opened, begun_s, last_s = Opened(), 0.0, 0.0
    with main_window(path.with_suffix(".ini")) as window:
        workspace, tree = window.desk.workspace, window.desk.page.tree
        while window.make_panel():  # as the program does, one in a turn
            QCoreApplication.processEvents()
        for _ in range(20):
            QCoreApplication.processEvents()

        def tick() -> None:
            nonlocal last_s
            now_s = time.perf_counter()
            gap_s = now_s - last_s
            opened.worst_gap_s = max(opened.worst_gap_s, gap_s)
            opened.gaps_over_100_ms += gap_s > 0.1
            last_s = now_s
            (file,) = workspace.files
            if len(file.table) and not opened.first_rows_s:
                opened.first_rows_s = now_s - begun_s
            tree.viewport().repaint()
            if file.state is not FileState.LOADING:
                opened.complete_s, opened.rows = now_s - begun_s, len(file.table)

        timer = QTimer()
        timer.timeout.connect(tick)
        begun_s = last_s = time.perf_counter()
        workspace.files.open([path])
        timer.start(TICK_MS)
        while not opened.complete_s:
            QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        timer.stop()
    return opened


if __name__ == "__main__":
    main()
