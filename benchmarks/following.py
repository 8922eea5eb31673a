"""Follows a file to which another process appends 2,000 spans a second, flushed inside of lines.

How long it takes from a line to its row, how late the window comes to a timer meanwhile, and how memory grows.
`python -m benchmarks.following [SECONDS] [SPANS_A_SECOND]`.
"""

from __future__ import annotations

import json
import math
import multiprocessing
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field

from benchmarks.measure import table

if TYPE_CHECKING:
    from trace_inspector.models.base.open_file import OpenFile
    from trace_inspector.views.shell.main_window import MainWindow

SECONDS, SPANS_A_SECOND = 30, 2_000
SPANS_A_TURN = 8
PROBE_MS = 5
REST_S = 10


class Shown(Struct):
    """Seconds from a span to its row, how late a timer of the window was, and mebibytes before and after."""

    latency_s: list[float] = field(default_factory=list)
    late_s: list[float] = field(default_factory=list)
    updates: int = 0
    rows: int = 0
    window_mib: tuple[int, int] = (0, 0)
    file_mib: float = 0.0
    is_complete: bool = False


def main() -> None:
    """One file that grows in a whole window with its tree in front."""
    from PySide6.QtWidgets import QApplication

    given = [int(each) for each in sys.argv[1:]]
    seconds, rate = (*given, *(SECONDS, SPANS_A_SECOND)[len(given) :])
    QApplication.instance() or QApplication([])
    with tempfile.TemporaryDirectory() as folder:
        shown = follow(Path(folder), seconds, rate)
    table(
        f"{rate:,} lines/s for {seconds} s, one span each, {shown.file_mib:.0f} MiB, {shown.rows:,} rows at the end, "
        f"{shown.updates} updates, {'all' if shown.is_complete else 'NOT all'} rows there after {REST_S} s",
        [
            ("what", "p50", "p95", "p99", "longest"),
            ("line → row", *figures_of(shown.latency_s)),
            (f"lateness of a timer of {PROBE_MS} ms in the window", *figures_of(shown.late_s)),
            ("memory of the window, MiB, before and after", *map(str, shown.window_mib), "", ""),
        ],
    )


def write(path: str, seconds: int, rate: int) -> None:
    """In a process of its own: a line a span, each beginning when it is written, and flushed at odd places."""
    begun_s, number = time.time(), 0
    with Path(path).open("ab", buffering=0) as file:
        kept = b""
        while (passed_s := time.time() - begun_s) < seconds:
            while number < passed_s * rate:
                kept += _line(number)
                number += 1
            cut = max(0, len(kept) - 37)
            file.write(kept[:cut])
            kept = kept[cut:]
            time.sleep(0.004)
        file.write(kept)


def _line(number: int) -> bytes:
    turn, index = divmod(number, SPANS_A_TURN)
    kind = "invoke_agent" if index == SPANS_A_TURN - 1 else ("chat", "execute_tool")[index % 2]
    said = [{"role": "assistant", "parts": [{"type": "text", "content": f"Answer {number}."}]}]
    values = {
        "gen_ai.operation.name": kind,
        "gen_ai.tool.name": "look_up",
        "gen_ai.conversation.id": f"conversation-{turn // 20}",
        "gen_ai.output.messages": json.dumps(said),
    }
    span = {
        "traceId": f"{turn:032x}",
        "spanId": f"{number:016x}",
        "parentSpanId": f"{turn * SPANS_A_TURN + SPANS_A_TURN - 1:016x}" if kind != "invoke_agent" else "",
        "name": kind,
        "startTimeUnixNano": str(time.time_ns()),
        "endTimeUnixNano": str(time.time_ns() + 1_000_000),
        "attributes": [{"key": key, "value": {"stringValue": value}} for key, value in values.items()],
    }
    return json.dumps({"resourceSpans": [{"resource": {}, "scopeSpans": [{"spans": [span]}]}]}).encode() + b"\n"


def follow(folder: Path, seconds: int, rate: int) -> Shown:
    """Open the beginning, and follow what comes."""
    from PySide6.QtCore import QCoreApplication

    from tests.helpers.window import main_window

    path = folder / "spans.jsonl"
    path.write_bytes(b"".join(_line(number) for number in range(4 * SPANS_A_TURN)))
    path.write_bytes(path.read_bytes())
    shown = Shown()
    with main_window(folder / "window.ini") as window:
        file = _opened(window, path)
        newest_s = time.time()
        before_mib = resident_mib()

        def arrived(_number: int, _grown: object) -> None:
            nonlocal newest_s
            now_s, latest_s = time.time(), newest_s
            starts = [start for start in file.table.columns.start_s[-4 * rate :] if not math.isnan(start)]
            shown.latency_s += [now_s - start for start in starts if newest_s < start]
            newest_s = max([latest_s, *starts])
            shown.updates += 1

        window.desk.workspace.growth.grew.connect(arrived)
        note_lateness(window, shown.late_s)
        writer = multiprocessing.get_context("spawn").Process(target=write, args=(str(path), seconds, rate))
        writer.start()
        until_s = time.perf_counter() + seconds + REST_S
        while time.perf_counter() < until_s:
            QCoreApplication.processEvents()
            time.sleep(0.0005)
        writer.join()
        shown.rows, shown.file_mib = len(file.table), path.stat().st_size / (1 << 20)
        shown.is_complete = file.size_bytes == path.stat().st_size
        shown.window_mib = before_mib, resident_mib()
    return shown


def note_lateness(window: MainWindow, late_s: list[float]) -> None:
    """How late a timer of the window is, each time."""
    from PySide6.QtCore import QTimer

    due_s = time.perf_counter() + PROBE_MS / 1000

    def probe() -> None:
        nonlocal due_s
        now_s = time.perf_counter()
        late_s.append(max(0.0, now_s - due_s))
        due_s = now_s + PROBE_MS / 1000

    timer = QTimer(window, interval=PROBE_MS)
    timer.timeout.connect(probe)
    timer.start()


def _opened(window: MainWindow, path: Path) -> OpenFile:
    from PySide6.QtCore import QCoreApplication

    from trace_inspector.models.base.open_file import FileState
    from trace_inspector.models.base.selection import Selection

    files = window.desk.workspace.files
    files.open([path])
    while not files.in_order or files.in_order[0].state is not FileState.READY:
        QCoreApplication.processEvents()
    file = files.in_order[0]
    window.desk.workspace.selection.select(Selection(file.number, file.table.turns(file.table.tops[0])[0]))
    return file


def resident_mib() -> int:
    """The memory of this process."""
    pages = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") >> 20


def figures_of(values_s: list[float]) -> tuple[str, str, str, str]:
    """Median, p95, p99 and the longest of some times."""
    ordered = sorted(values_s) or [math.nan]
    at = (len(ordered) // 2, len(ordered) * 95 // 100, len(ordered) * 99 // 100, len(ordered) - 1)
    middle, high, higher, longest = (f"{ordered[index] * 1000:.0f} ms" for index in at)
    return middle, high, higher, longest


if __name__ == "__main__":
    main()
