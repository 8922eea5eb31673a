"""What the window does to its main thread: how long each turn of its loop holds it, with the stack of the worst.

A timer of 5 ms ticks; what comes between two ticks was held. Time in which the machine ran other programs is not
counted, where the system tells it. Each way is a fresh process.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import asdict

from benchmarks.make_big import Big, write
from benchmarks.measure import table

if TYPE_CHECKING:
    from trace_inspector.models.workspace.workspace import Workspace
    from trace_inspector.views.shell.main_window import MainWindow

TICK_MS = 5
LOOK_S = 0.002
LIMIT_S = 300
FRAMES = 300
SELECTIONS = 100
TURNS_140_MB = 1_835


class Held(Struct):
    """What one way did: how long it took, what it noted on the way, and how long each tick came late."""

    took_s: float = 0.0
    marks_s: dict[str, float] = field(default_factory=dict)
    holds_ms: list[float] = field(default_factory=list)
    worst: str = ""


class Looker:
    """Ticks on the main thread; a thread beside it keeps the stack of the longest hold."""

    def __init__(self) -> None:
        from PySide6.QtCore import QTimer

        from trace_inspector.work.processes.watchdog import ThreadClock

        self.held = Held()
        self._clock = ThreadClock(threading.get_native_id())
        self._main = threading.get_ident()
        self._begun_s = self._ticked_s = self._clock.now_s()
        self._worst_s = 0.0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, name="looker", daemon=True)
        self._timer = QTimer(interval=TICK_MS)
        self._timer.timeout.connect(self._tick)

    @contextmanager
    def looking(self) -> Iterator[Held]:
        """Look for the time of a block."""
        self._begun_s = self._ticked_s = self._clock.now_s()
        self._timer.start()
        self._thread.start()
        try:
            yield self.held
        finally:
            self._tick()
            self.held.took_s = self._clock.now_s() - self._begun_s
            self._timer.stop()
            self._over.set()
            self._thread.join()

    def mark(self, name: str) -> None:
        """This happened now, for the first time."""
        self.held.marks_s.setdefault(name, self._clock.now_s() - self._begun_s)

    def _tick(self) -> None:
        now_s = self._clock.now_s()
        self.held.holds_ms.append(max(0.0, (now_s - self._ticked_s) * 1000 - TICK_MS))
        self._ticked_s = now_s

    def _look(self) -> None:
        while not self._over.wait(LOOK_S):
            stuck_s = self._clock.now_s() - self._ticked_s
            if stuck_s > max(self._worst_s, 0.02):
                self._worst_s = stuck_s
                frame = sys._current_frames().get(self._main)
                stack = traceback.extract_stack(frame) if frame else []
                ours = [one for one in stack if "trace_inspector" in one.filename]
                self.held.worst = " < ".join(
                    f"{Path(one.filename).stem}.{one.name}:{one.lineno}" for one in ours[:-4:-1]
                )


def main(argv: Sequence[str] | None = None) -> None:
    """Without an argument the files are made; with `--way NAME FILE` one way prints its figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--way", nargs=2, metavar=("NAME", "FILE"), help=argparse.SUPPRESS)
    parser.add_argument("--big", type=Path, help="a file that was made before, in place of 76 MB")
    options = parser.parse_args(argv)
    if options.way:
        print(json.dumps(asdict(_one(options.way[0], Path(options.way[1])))))
        return
    with tempfile.TemporaryDirectory() as folder:
        small = options.big or write(Big(), "jaeger", Path(folder, "big.json"))
        write(Big(), "golden", Path(folder, "golden.json")).replace(small.with_suffix(".golden"))
        large = write(Big(TURNS_140_MB), "jaeger", Path(folder, "large.json"))
        files = {"load": (small, large), "samples": (Path(),), "select in a long turn": (Path(),)}
        _show([(way, path, _fresh(way, path, folder)) for way in WAYS for path in files.get(way, (small,))])


def _show(runs: list[tuple[str, Path, Held]]) -> None:
    rows: list[Sequence[str]] = [("way", "took", "p50", "p95", "p99", "longest", "its stack")]
    for way, path, held in runs:
        size = f", {path.stat().st_size / 1e6:.0f} MB" if path.is_file() else ""
        rows.append((f"{way}{size}", f"{held.took_s:.2f} s", *_parts(held.holds_ms), held.worst[:120] or "–"))
    table("How long the main thread was held, one run each", rows)
    marks = [("what", "time")]
    marks += [(f"{way}: {name}", f"{at_s:.3f} s") for way, _path, held in runs for name, at_s in held.marks_s.items()]
    table("What happened when", marks)


def _parts(values: list[float]) -> tuple[str, ...]:
    ordered = sorted(values)
    return tuple(f"{ordered[min(len(ordered) - 1, len(ordered) * part // 100)]:.0f} ms" for part in (50, 95, 99, 100))


def _fresh(way: str, path: Path, folder: str) -> Held:
    environment = {
        **os.environ, "QT_QPA_PLATFORM": "offscreen", "TRACE_INSPECTOR_DATA": tempfile.mkdtemp(dir=folder),
    }  # fmt: skip
    command = [sys.executable, "-m", "benchmarks.window", "--way", way, str(path)]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, timeout=LIMIT_S, check=True)
    return Held(**json.loads(done.stdout))


def _one(way: str, path: Path) -> Held:
    from tests.helpers.window import main_window

    with tempfile.TemporaryDirectory() as folder, main_window(Path(folder, "window.ini")) as window:
        while window.make_panel():
            _turn()
        for _ in range(20):
            _turn()
        looker = Looker()
        WAYS[way](window, looker, path)
        return looker.held


def _turn() -> None:
    from PySide6.QtCore import QCoreApplication

    QCoreApplication.processEvents()


def _until(there: Callable[[], bool]) -> None:
    from PySide6.QtCore import QCoreApplication, QEventLoop

    until_s = time.monotonic() + LIMIT_S
    while not there() and time.monotonic() < until_s:
        QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)


def _all_read(workspace: Workspace) -> bool:
    from trace_inspector.models.base.open_file import FileState

    return bool(workspace.files) and all(file.state is not FileState.LOADING for file in workspace.files)


def _opened(window: MainWindow, *paths: Path) -> None:
    window.desk.workspace.files.open(list(paths))
    _until(lambda: _all_read(window.desk.workspace))


def load(window: MainWindow, looker: Looker, path: Path) -> None:
    """Open a file and paint its tree all the time."""
    workspace, tree = window.desk.workspace, window.desk.page.tree

    def there() -> bool:
        tree.viewport().repaint()
        if workspace.files.in_order and len(workspace.files.in_order[0].table):
            looker.mark("first rows")
        return _all_read(workspace)

    with looker.looking():
        workspace.files.open([path])
        _until(there)


def reopen(window: MainWindow, looker: Looker, path: Path) -> None:
    """The same file again, from the index."""
    _opened(window, path)
    window.desk.workspace.files.close(window.desk.workspace.files.in_order[0].number)
    load(window, looker, path)


def samples(window: MainWindow, looker: Looker, _path: Path) -> None:
    """Open the samples and judge them with the recorded replies."""
    workspace = window.desk.workspace

    def judged() -> bool:
        run = workspace.run.value
        if run is not None and run.cases:
            looker.mark("first verdicts")
        return run is not None and run.verdict is not None

    with looker.looking():
        workspace.open_samples()
        _until(lambda: _all_read(workspace))
        looker.mark("samples read")
        workspace.evaluation.ask_to_start()
        _until(judged)


def evaluate(window: MainWindow, looker: Looker, path: Path) -> None:
    """Judge the 1,000 turns of the file against its golden."""
    golden = path.with_name("golden.json")
    golden.write_bytes(path.with_suffix(".golden").read_bytes())
    _opened(window, path, golden)
    workspace = window.desk.workspace
    with looker.looking():
        workspace.evaluation.ask_to_start()
        _until(lambda: workspace.run.value is not None and workspace.run.value.verdict is not None)


def filtering(window: MainWindow, looker: Looker, path: Path) -> None:
    """Type words into the filter, a letter at a time."""
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication, QLineEdit

    _opened(window, path)
    window.activateWindow()
    _turn()
    window.commands.actions["filter"].trigger()
    field = QApplication.focusWidget()
    if not isinstance(field, QLineEdit):
        sys.exit("The filter does not take the keyboard.")
    with looker.looking():
        for words in ("stock", "verdict:failed", "latency>1s tool:get", 'text:"price"', "-x"):
            field.setText("")
            for letter in words:
                QTest.keyClicks(field, letter)
                _turn()
            for _ in range(40):
                _turn()
                time.sleep(TICK_MS / 1000)


def scrolling(window: MainWindow, looker: Looker, path: Path) -> None:
    """The tree of 98,000 rows, all open, from top to bottom: the holds are the frames."""
    _opened(window, path)
    page = window.desk.page
    page.hide_plumbing(hidden=False)
    page.expand_all()
    for _ in range(5):
        _turn()
    bar = page.tree.verticalScrollBar()
    looker.held.holds_ms.clear()
    for frame in range(FRAMES):
        begun_s = time.thread_time()
        bar.setValue(bar.maximum() * frame // FRAMES)
        page.tree.viewport().repaint()
        looker.held.holds_ms.append((time.thread_time() - begun_s) * 1000)
        looker.held.took_s += looker.held.holds_ms[-1] / 1000


def selecting(window: MainWindow, looker: Looker, path: Path) -> None:
    """From a selection to Details painted: the holds are the times."""
    _opened(window, path)
    _select_some(window, looker)


def selecting_in_long_turn(window: MainWindow, looker: Looker, _path: Path) -> None:
    """The same in a turn of 100,000 events."""
    from benchmarks.conversation import made, opened

    opened(window.desk.workspace, made(1))
    for _ in range(20):
        _turn()
    _select_some(window, looker)


def _select_some(window: MainWindow, looker: Looker) -> None:
    from trace_inspector.models.base.selection import Selection

    workspace = window.desk.workspace
    (file,) = workspace.files
    details = window.desk.docks["details"]
    count = len(file.table)
    for at in range(SELECTIONS):
        begun_s = time.thread_time()
        workspace.selection.select(Selection(file.number, at * 971 % count))
        _turn()
        _turn()
        details.repaint()
        looker.held.holds_ms.append((time.thread_time() - begun_s) * 1000)
        looker.held.took_s += looker.held.holds_ms[-1] / 1000


WAYS: dict[str, Callable[[MainWindow, Looker, Path], None]] = {
    "load": load,
    "reopen": reopen,
    "samples": samples,
    "evaluate": evaluate,
    "filter": filtering,
    "scroll": scrolling,
    "select": selecting,
    "select in a long turn": selecting_in_long_turn,
}

if __name__ == "__main__":
    main()
