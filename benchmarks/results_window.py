"""A results folder of a million verdicts in a window: from opening, filtering, sorting or asking SQL to the rows.

`python -m benchmarks.results_window [--rows 1000000] [--rounds 9]`. Rows are there when they are painted.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEventLoop, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTreeView, QWidget

from benchmarks.measure import table
from benchmarks.processes import children, family_s, peak_mb, spent, watch
from benchmarks.results import write_folder
from tests.helpers.window import main_window
from trace_inspector import resources
from trace_inspector.models.base.open_file import FileState
from trace_inspector.models.runs.results_query import QueryState
from trace_inspector.models.tree.trace_tree import TraceTreeModel
from trace_inspector.views.query.dialog import QueryDialog
from trace_inspector.views.shell.main_window import MainWindow

LIMIT_S = 120
OPENINGS = 5
STILL_S = 0.05
LOOK_MS = 5
FIRST = "SQL, the first question"
WINDOW, ANSWERS = "memory of the window, MB", "memory of the process that answers, MB"
FILTERS = ("verdict:failed", "case:case-0012*", "text:shelves", "turn:3 verdict:failed", "xyzzy")
SQL = {
    "SQL, filter": "SELECT case_id, turn, criterion, score FROM verdicts WHERE status = 'FAILED' AND score < 0.1",
    "SQL, sort": "SELECT case_id, turn, criterion, score FROM verdicts ORDER BY score, case_id",
    "SQL, group": "SELECT criterion, status, count(*) AS n, avg(score) FROM verdicts GROUP BY ALL ORDER BY ALL",
    "SQL, chart of a group": "SELECT criterion, count(*) AS n FROM verdicts GROUP BY ALL ORDER BY ALL",
}
Times = dict[str, list[tuple[float, float]]]  # by the clock, and of the processor, whichever process took it


def main() -> None:
    """Write the folder, open it in fresh windows, and ask the last of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--openings", type=int, default=OPENINGS)
    parser.add_argument("--folder", type=Path, help="where the results lie, or are written to stay")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary, "results")
        if not folder.exists():
            write_folder(folder, options.rows)
        times: Times = {}
        peaks: list[float] = []
        for nth in range(options.openings):
            own = tempfile.mkdtemp(dir=temporary)
            environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "TRACE_INSPECTOR_DATA": own}
            rounds = options.rounds if nth == options.openings - 1 else 0
            # Not as -m: processes that it starts would import all of this module's windows as their main module.
            code = f"from benchmarks.results_window import in_window; in_window({str(folder)!r}, {rounds})"
            seen = watch([sys.executable, "-c", code], environment)
            peaks.append(seen.anonymous_mb)
            for name, values in json.loads(seen.output).items():
                times.setdefault(name, []).extend(values)
        memory = times.pop(WINDOW), times.pop(ANSWERS)
        heads = ("what", "by the clock, median", "p95", "processor time, median", "p95")
        rows = [heads, *((name, *_figures(values)) for name, values in times.items())]
        table(f"{options.rows:,} verdicts in a window", rows)
        print(f"memory: window {memory[0][-1][0]:.0f} MB, process that answers {memory[1][-1][0]:.0f} MB at most,")
        print(f"all processes together {max(peaks):.0f} MB at most, without pages of files")


def _figures(pairs: list[tuple[float, float]]) -> Iterator[str]:
    for values in zip(*pairs, strict=True):
        ordered = sorted(values)
        for share in (0.5, 0.95):
            yield f"{ordered[min(len(ordered) - 1, int(len(ordered) * share))] * 1000:.0f} ms"


def in_window(name: str, rounds: int) -> None:
    """Print the figures of one window, in seconds of the clock."""
    print(json.dumps(_measured(Path(name), rounds)))


def _measured(folder: Path, rounds: int) -> Times:
    times: Times = {}
    with main_window(Path(os.environ["TRACE_INSPECTOR_DATA"], "window.ini")) as window:
        files, tree = window.desk.workspace.files, window.desk.page.tree
        while window.make_panel():  # as the program does, one in a turn
            QCoreApplication.processEvents()
        for _ in range(20):
            QCoreApplication.processEvents()
        small = resources.folder("samples") / "run-0412.json"
        files.open([small])  # as in a window that somebody has worked in: what is forked from is there
        _until(lambda: [file.state for file in files] == [FileState.READY])
        _until(lambda: False, 2)
        files.close(next(iter(files)).number)
        begun = _now()
        files.open([folder])
        _until(lambda: any(len(file.table) for file in files))
        tree.viewport().repaint()
        times["open, to the first rows"] = [_since(begun)]
        _until(lambda: all(file.state is not FileState.LOADING for file in files))
        tree.viewport().repaint()
        times["open, to all rows"] = [_since(begun)]
        _until(lambda: False, 0.5)
        if rounds:
            _ask(window, rounds, times)
        times[WINDOW] = [(spent(os.getpid())[1], 0.0)]
        times.setdefault(ANSWERS, [(0.0, 0.0)])
    return times


def _ask(window: MainWindow, rounds: int, times: Times) -> None:
    workspace, page = window.desk.workspace, window.desk.page
    filtering, (file,) = workspace.filtering, workspace.files

    def filtered() -> bool:
        told = filtering.showing(file.number)
        return told is not None and not told.searching

    for text in FILTERS:
        for _round in range(rounds):
            _timed(times, f"filter `{text}`", partial(filtering.set_text, text), filtered, page.tree.viewport())
            filtering.set_text("")
            _until(lambda: False, 0.05)
    _sort(page.tree, rounds, times)
    window.commands.actions["query-results"].trigger()
    dialog = window.findChild(QueryDialog)
    assert dialog is not None
    for name, sql in SQL.items():
        for _round in range(rounds):
            row = name if FIRST in times else FIRST
            dialog.sql.setPlainText(sql)
            shown = dialog.chart if "chart" in name else dialog.answer.viewport()
            begun = _now()
            QTest.keyClick(dialog.sql, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
            _until(lambda: dialog.query.state is not QueryState.RUNNING)
            assert dialog.query.state is QueryState.DONE, dialog.sentence.text()
            if "chart" in name and dialog.answer.isVisible():
                dialog.as_chart.click()
            shown.repaint()
            times.setdefault(row, []).append(_since(begun))
    times[ANSWERS] = [(max(peak_mb(child) for child in children(os.getpid())), 0.0)]


def _sort(tree: QTreeView, rounds: int, times: Times) -> None:
    """By clicks on headers. A large file is sorted in steps: it is done when nothing moves any more."""
    model, header = tree.model(), tree.header()
    assert isinstance(model, TraceTreeModel)
    moved: list[tuple[float, float]] = []
    begun = _now()
    model.layoutChanged.connect(lambda: moved.append(_since(begun)))
    shown = [column for column in range(model.columnCount()) if not tree.isColumnHidden(column)]
    for column in shown:
        name = f"sort by “{model.headerData(column, Qt.Orientation.Horizontal)}”"
        for _round in range(rounds):
            moved.clear()
            begun = _now()
            header.sectionClicked.emit(column)
            tree.viewport().repaint()
            _until(partial(_is_still, moved, begun))
            painting = _now()
            tree.viewport().repaint()
            (wall_s, cpu_s), (painted_s, painted_cpu_s) = moved[-1], _since(painting)
            times.setdefault(name, []).append((wall_s + painted_s, cpu_s + painted_cpu_s))
            while model.sorting is not None:
                header.sectionClicked.emit(column)
            _until(lambda: False, STILL_S)


def _is_still(moved: list[tuple[float, float]], begun: tuple[float, float]) -> bool:
    return _since(begun)[0] - moved[-1][0] > STILL_S


def _timed(times: Times, name: str, do: Callable[[], object], there: Callable[[], bool], shown: QWidget) -> None:
    begun = _now()
    do()
    _until(there)
    shown.repaint()
    times.setdefault(name, []).append(_since(begun))


def _now() -> tuple[float, float]:
    return time.perf_counter(), family_s(os.getpid())


def _since(begun: tuple[float, float]) -> tuple[float, float]:
    wall_s, cpu_s = _now()
    return wall_s - begun[0], cpu_s - begun[1]


def _until(there: Callable[[], bool], limit_s: float = LIMIT_S) -> None:
    until_s = time.monotonic() + limit_s
    timer = QTimer()  # waiting takes nothing of the processor
    timer.start(LOOK_MS)
    while not there() and time.monotonic() < until_s:
        QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
    timer.stop()
    assert limit_s < LIMIT_S or there(), "It took too long."


if __name__ == "__main__":
    main()
