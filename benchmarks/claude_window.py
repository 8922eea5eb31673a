"""A project folder of Claude Code in a real window: when its list shows, and when a session that is chosen does.

Wanted: the list within 2 s, any session within 0.5 s. By the clock, each run in a fresh process that has kept
nothing; turns and tokens of the newest sessions are counted meanwhile, as they are for whoever waits for a list.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import asdict

from benchmarks.claude_folder import SESSION_BYTES, SESSIONS, write_project
from benchmarks.measure import spread, table

if TYPE_CHECKING:
    from trace_inspector.models.base.open_file import OpenFile

RUNS = 3
CHOSEN = 5  # sessions, spread over the list
LIMIT_S = 300


class Shown(Struct):
    """One run, in seconds since the folder was asked for or a session was chosen."""

    first_s: float = 0.0
    listed_s: float = 0.0
    first_turns_s: list[float] = []
    whole_s: list[float] = []


def main(argv: Sequence[str] | None = None) -> None:
    """Without an argument the folder is made; with `--once FOLDER` one run prints its figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=SESSIONS)
    parser.add_argument("--bytes", type=int, default=SESSION_BYTES, help="of a session")
    parser.add_argument("--once", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args(argv)
    if options.once:
        print(json.dumps(asdict(_show(options.once))))
        return
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made, "-srv-shop")
        folder.mkdir()
        write_project(folder, options.sessions, options.bytes)
        runs = [_fresh_process(folder, Path(made, f"data-{run}")) for run in range(RUNS)]
        size = sum(path.stat().st_size for path in folder.rglob("*.jsonl"))
    table(
        f"{options.sessions:,} sessions, {size / 1e9:.2f} GB, in the window: median of {RUNS}",
        [
            ("what", "time"),
            ("first sessions in the list", spread([run.first_s for run in runs])),
            ("all sessions listed, with title, start, model and size", spread([run.listed_s for run in runs])),
            ("a session chosen: its first turn", spread([one for run in runs for one in run.first_turns_s])),
            ("a session chosen: read to its end", spread([one for run in runs for one in run.whole_s])),
        ],
    )


def _fresh_process(folder: Path, data: Path) -> Shown:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "TRACE_INSPECTOR_DATA": str(data)}
    command = [sys.executable, "-m", "benchmarks.claude_window", "--once", str(folder)]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, timeout=LIMIT_S, check=True)
    return Shown(**json.loads(done.stdout))


def _show(folder: Path) -> Shown:
    """Open the folder in a window of this process, and choose some of its sessions one after the other."""
    from tests.helpers.window import main_window

    shown = Shown()
    with main_window(folder.with_suffix(".ini")) as window:
        workspace = window.desk.workspace
        folders = workspace.session_folders
        listed: list[int] = []
        folders.listed.connect(listed.append)
        begun_s = time.perf_counter()
        workspace.files.open([folder])
        _work_until(lambda: bool(folders.rows))
        shown.first_s = time.perf_counter() - begun_s
        _work_until(lambda: bool(listed))
        shown.listed_s = time.perf_counter() - begun_s
        tops = folders.by_number[listed[0]].tops
        for row in tops[:: max(1, len(tops) // CHOSEN)][:CHOSEN]:
            begun_s = time.perf_counter()
            folders.choose(row.number)
            file = workspace.files.by_path(row.outline.path)
            assert file is not None
            _work_until(partial(_has_turns, file))
            shown.first_turns_s.append(time.perf_counter() - begun_s)
            _work_until(partial(_is_read, file))
            shown.whole_s.append(time.perf_counter() - begun_s)
    return shown


def _has_turns(file: OpenFile) -> bool:
    return len(file.table) > 0


def _is_read(file: OpenFile) -> bool:
    from trace_inspector.models.base.open_file import FileState

    return file.state is FileState.READY


def _work_until(there: Callable[[], bool]) -> None:
    from PySide6.QtCore import QCoreApplication, QEventLoop, QTimer

    tick = QTimer()
    tick.start(5)
    while not there():
        QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)


if __name__ == "__main__":
    main()
