"""A window to take pictures of: brought into a state, let come to rest, saved."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from trace_inspector.views.shell.main_window import MainWindow

LIMIT_S = 60
REST_S = 0.5
FAILING = 3  # the one that shows most: a call that differs, one missing, one extra, an unsupported sentence


def until(there: Callable[[], bool]) -> None:
    """Let the window work until something is so; a picture of anything else would mislead."""
    from PySide6.QtTest import QTest

    until_s = time.monotonic() + LIMIT_S
    while not there():
        if time.monotonic() > until_s:
            sys.exit("The window did not get ready in time.")
        QTest.qWait(5)


def settle() -> None:
    """Let deferred layout, the timers of views and their questions to children run."""
    until_s = time.monotonic() + REST_S
    until(lambda: time.monotonic() > until_s)


def do(window: MainWindow, name: str) -> None:
    """Run an action by its id."""
    from PySide6.QtGui import QAction

    action = window.findChild(QAction, name)
    if action is None:
        sys.exit(f"There is no action “{name}”.")
    action.trigger()


def open_samples(window: MainWindow) -> None:
    """Open them and wait until they are read."""
    from trace_inspector.models.base.open_file import FileState

    workspace = window.desk.workspace
    workspace.open_samples()
    until(lambda: bool(workspace.files) and all(file.state is FileState.READY for file in workspace.files))


def evaluate_samples(window: MainWindow) -> None:
    """Open and score them, and select the turn of the later run whose call differs."""
    workspace = window.desk.workspace
    open_samples(window)
    workspace.evaluation.ask_to_start()
    until(lambda: workspace.run.value is not None and workspace.run.value.verdict is not None)
    until(lambda: not window.desk.jobs.busy)
    for _ in range(FAILING):
        workspace.navigation.next_failing(1)
    window.activateWindow()  # under a bare X server nobody else does
    window.desk.take_focus()


def show_panel(window: MainWindow, name: str) -> None:
    """Bring a panel to the front."""
    dock = window.desk.docks[name]
    dock.show()
    dock.raise_()


def save(widget: QWidget, picture: Path) -> None:
    """Write a picture; where ImageMagick is at hand, in so few colours that a repository can hold it."""
    picture.parent.mkdir(parents=True, exist_ok=True)
    if not widget.grab().save(str(picture)):
        sys.exit(f"{picture} could not be written.")
    convert = shutil.which("convert")
    if convert:
        colours = ["-strip", "+dither", "-colors", "256", f"PNG8:{picture}"]
        # Only makes it smaller, where that program is ImageMagick's.
        subprocess.run([convert, str(picture), *colours], check=False, capture_output=True)


def following(window: MainWindow) -> None:
    """A recording that another program went on writing."""
    from tests.helpers.growing_files import otlp_lines
    from trace_inspector.models.base.selection import Selection
    from trace_inspector.settings import data_folder

    growing = data_folder() / "listened.jsonl"
    lines = otlp_lines([(turn, 20 * turn, f"session-{turn // 9}") for turn in range(1, 25)])
    growing.write_bytes(b"".join(lines[:-12]))
    files = window.desk.workspace.files
    files.open([growing])
    until(lambda: not files.reading)
    file = files.in_order[-1]
    window.desk.workspace.selection.select(Selection(file.number, file.table.turns(file.table.tops[0])[1]))
    with growing.open("ab") as appended:
        appended.write(b"".join(lines[-12:]))
    until(lambda: file.size_bytes == growing.stat().st_size)
