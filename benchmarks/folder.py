"""A folder of 1,500 small traces in a real window: when the first of them shows, and when all do.

Wanted: the first within 1 s.
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

from benchmarks.make_big import Big, write
from benchmarks.measure import spread, table

RUNS = 3
FILES = 1_500


def main(argv: Sequence[str] | None = None) -> None:
    """Without an argument the folder is made; with `--once FOLDER` one run prints its two times as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--once", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args(argv)
    if options.once:
        print(json.dumps(open_once(options.once)))
        return
    with tempfile.TemporaryDirectory() as data, tempfile.TemporaryDirectory() as folder:
        text = write(Big(1), "jaeger", Path(folder, "0000.json")).read_bytes()
        for number in range(1, FILES):
            Path(folder, f"{number:04d}.json").write_bytes(text)
        runs = [_fresh_process(folder, str(Path(data, str(run)))) for run in range(RUNS)]
    first, every = zip(*runs, strict=True)
    table(
        f"{FILES:,} files of {len(text) // 1000} KB: median of {RUNS}",
        [("what", "time"), ("first rows in the tree", spread(first)), ("all files read", spread(every))],
    )


def _fresh_process(folder: str, data: str) -> tuple[float, float]:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "TRACE_INSPECTOR_DATA": data}
    command = [sys.executable, "-m", "benchmarks.folder", "--once", folder]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
    first_s, all_s = json.loads(done.stdout)
    return first_s, all_s


def open_once(folder: Path) -> tuple[float, float]:
    """Open the folder in a window of this process."""
    from PySide6.QtCore import QCoreApplication, QEventLoop, QTimer

    from tests.helpers.window import main_window
    from trace_inspector.models.base.open_file import FileState

    first_s = all_s = 0.0
    with main_window(folder.with_suffix(".ini")) as shown:
        workspace = shown.desk.workspace
        begun_s = time.perf_counter()

        def look() -> None:
            nonlocal first_s, all_s
            now_s = time.perf_counter() - begun_s
            files = workspace.files.in_order
            first_s = first_s or (now_s if any(len(file.table) for file in files) else 0.0)
            if len(files) == FILES and all(file.state is not FileState.LOADING for file in files):
                all_s = now_s

        timer = QTimer()
        timer.timeout.connect(look)
        workspace.files.open([folder])
        timer.start(20)
        while not all_s:
            QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        timer.stop()
    return first_s, all_s


if __name__ == "__main__":
    main()
