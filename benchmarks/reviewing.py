"""From a key of the review to what it brings: an answer that is on the disk and shown, the next item painted.

`python -m benchmarks.reviewing [FILE [ITEMS]]`: without a file one of 1,000 turns and its golden is made. Wanted:
50 ms from N to the next item at p99.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.make_big import Big, write
from benchmarks.measure import table

LIMIT_S = 300.0
PARTS = (50, 95, 99, 100)


def main() -> None:
    """Review, and print how long each key took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("items", nargs="?", type=int, default=200)
    options = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TRACE_INSPECTOR_DATA"] = str(Path(folder, "data"))
        files = [options.file] if options.file else _made(Path(folder))
        taken = _review(files, Path(folder, "window.ini"), options.items)
    rows: list[tuple[str, ...]] = [("key", *(f"p{part}" for part in PARTS))]
    for name, times_s in taken.items():
        ordered = sorted(times_s)
        at = (ordered[min(len(ordered) - 1, len(ordered) * part // 100)] for part in PARTS)
        rows.append((f"{name}, {len(times_s)} times", *(f"{1000 * each:.1f} ms" for each in at)))
    table("How long a key of the review takes, on the clock", rows)


def _made(folder: Path) -> list[Path]:
    return [write(Big(), kind, folder / f"{kind}.json") for kind in ("jaeger", "golden")]


def _review(files: list[Path], state: Path, items: int) -> dict[str, list[float]]:
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest

    from tests.helpers.window import main_window
    from trace_inspector.core.review.subjects import OVERALL
    from trace_inspector.models.base.open_file import FileState
    from trace_inspector.models.review.drawing import Drawing
    from trace_inspector.views.review.page import ReviewPage

    with main_window(state) as window:
        workspace = window.desk.workspace
        review = workspace.review
        workspace.files.open(files)
        _until(lambda: all(file.state is not FileState.LOADING for file in workspace.files))
        if len(files) > 1:
            workspace.evaluation.ask_to_start()
            _until(lambda: workspace.run.value is not None and workspace.run.value.verdict is not None)
        review.begin(Drawing(count=items, question=OVERALL, rater="somebody"))
        _until(lambda: review.is_open)
        window.activateWindow()
        _until(window.isActiveWindow)
        page = window.findChild(ReviewPage)
        assert isinstance(page, ReviewPage)
        page.take_focus()
        taken: dict[str, list[float]] = {"2, until it is on the disk and shown": [], "N, until it is painted": []}
        for index in range(len(review.queue) - 1):
            begun_s = time.perf_counter()
            QTest.keyClick(page, Qt.Key.Key_2)
            _until(lambda: review.answer is not None)
            _paint()
            taken["2, until it is on the disk and shown"].append(time.perf_counter() - begun_s)
            begun_s = time.perf_counter()
            QTest.keyClick(page, Qt.Key.Key_N)
            _until(lambda index=index: review.index == index + 1)  # type: ignore[misc]
            _paint()
            taken["N, until it is painted"].append(time.perf_counter() - begun_s)
        return taken


def _paint() -> None:
    from PySide6.QtCore import QCoreApplication

    for _step in range(2):  # what is laid out in the first is painted in the second
        QCoreApplication.processEvents()


def _until(there: Callable[[], bool]) -> None:
    from PySide6.QtCore import QCoreApplication

    until_s = time.monotonic() + LIMIT_S
    while not there():
        assert time.monotonic() < until_s, "it takes too long"
        QCoreApplication.processEvents()


if __name__ == "__main__":
    main()
