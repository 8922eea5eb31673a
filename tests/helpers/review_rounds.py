"""Answers questions in a real window, kills it at a random moment, and compares the store with what was shown.

`python -m tests.helpers.review_rounds ROUNDS SEED FOLDER` prints figures as JSON. All rounds share a
data folder: each window goes on where the one before was killed.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
import traceback
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import asdict
from PySide6.QtCore import QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.helpers.window import main_window
from tests.models.stories import TRACES, put, trace, turn
from tests.views.golden_doing import until
from trace_inspector.core.review.label import Answer
from trace_inspector.core.review.subjects import OVERALL
from trace_inspector.flows.review.stored_labels import kept
from trace_inspector.models.review.drawing import Drawing

ITEMS = 400
START_S = 90.0
LONGEST_S = 1.5  # from the first answer to the kill
RATER = "Ana"


class Figures(Struct):
    """What the rounds came to."""

    rounds: int = 0
    not_started: int = 0  # windows that a busy machine did not show in time
    answers: int = 0
    wrong: list[str] = field(default_factory=list)


def answering(folder: Path, report: int) -> None:
    """In the process of the window: answer and go on, and tell of each answer once the page shows it."""
    with main_window(folder / "state.ini") as window:
        window.activateWindow()
        assert until(window.isActiveWindow), "keys need that"
        workspace = window.desk.workspace
        put(workspace, TRACES, *(trace(f"case {number}", turn(0, f"Hello {number}?")) for number in range(ITEMS)))
        review = workspace.review

        def shown() -> None:
            if review.answer is not None:
                os.write(report, f"{review.label.subject}\n".encode())
                QTimer.singleShot(0, further)

        def further() -> None:
            QTest.keyClicks(window.focusWidget() or window, "n")
            if review.answer is None:
                QTest.keyClicks(window.focusWidget() or window, "1")

        def begun() -> None:
            os.write(report, f"index {review.index}\n".encode())
            QTest.keyClicks(window.focusWidget() or window, "1")

        review.changed.connect(shown)
        review.opened.connect(lambda: QTimer.singleShot(0, begun))
        if kept():
            review.go_on(RATER)
        else:
            review.begin(Drawing(count=ITEMS, question=OVERALL, rater=RATER))
        QApplication.exec()


def one_round(folder: Path, seed: int, figures: Figures) -> None:
    """A window, answers, a kill, and what the store holds."""
    chance = random.Random(seed)
    report = folder / f"report-{seed}"
    report.touch()
    before = len(kept())
    window = os.fork()
    if window == 0:
        code = 1
        try:
            answering(folder, os.open(report, os.O_WRONLY | os.O_APPEND))
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    try:
        until_s = time.monotonic() + START_S
        while len(report.read_text().splitlines()) < 2 and time.monotonic() < until_s:
            time.sleep(0.005)
        time.sleep(chance.uniform(0, LONGEST_S))
    finally:
        os.kill(window, signal.SIGKILL)
        os.waitpid(window, 0)
    lines = report.read_text().splitlines()
    if len(lines) < 2:
        figures.not_started += 1
        return
    figures.rounds += 1
    _compare(seed, before, lines, figures)


def _compare(seed: int, before: int, lines: list[str], figures: Figures) -> None:
    labels = kept()
    shown = [line for line in lines if not line.startswith("index ") and len(line) == 64]
    subjects = [label.subject for label in labels]
    figures.answers += len(shown)
    complaints = {
        "goes on elsewhere": lines[0] != f"index {before}",
        "an answer is lost": not set(shown) <= set(subjects),
        "an answer is there twice": len(set(subjects)) != len(subjects),
        "more than one that was not shown": len(subjects) - before - len(shown) not in (0, 1),
        "another answer": any(label.value is not Answer.PASS or label.rater != RATER for label in labels),
    }
    figures.wrong += [f"round {seed}: {complaint}" for complaint, is_so in complaints.items() if is_so]


def main() -> None:
    """The rounds, then the figures."""
    rounds, seed, folder = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    os.environ["TRACE_INSPECTOR_DATA"] = str(folder / "data")
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    figures = Figures()
    for number in range(rounds):
        one_round(folder, seed + number, figures)
    sys.stdout.write(json.dumps(asdict(figures)))


if __name__ == "__main__":
    main()
