"""Takes the pictures of the README: the window on the evaluated samples, light and dark, in two sizes."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # the helpers of the tests, when this file is run as a script

if TYPE_CHECKING:
    from trace_inspector.views.main_window import MainWindow

IMAGES = ROOT / "docs" / "images"
SIZES_PX = ((1100, 700), (1600, 1000))
LIMIT_S = 60
FAILING = 3  # the one that shows most: a call that differs, one missing, one extra, an unsupported sentence


def main() -> None:
    """Without a display the pictures are taken offscreen."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory(prefix="trace-inspector-pictures-") as folder:
        os.environ["TRACE_INSPECTOR_DATA"] = folder
        take(Path(folder))


def take(folder: Path) -> None:
    """One window for each size: how it lays itself out depends on how much room it was given."""
    from tests.helpers.window import main_window
    from trace_inspector.views.look import Scheme

    IMAGES.mkdir(parents=True, exist_ok=True)
    for width, height in SIZES_PX:
        with main_window(folder / f"{width}.ini", width, height) as window:
            evaluate_samples(window)
            for scheme in (Scheme.LIGHT, Scheme.DARK):
                window.desk.look.choose(scheme)
                _settle()
                picture = IMAGES / f"window-{scheme.value}-{width}x{height}.png"
                if not window.grab().save(str(picture)):
                    sys.exit(f"{picture} could not be written.")
                print(picture.relative_to(ROOT))


def evaluate_samples(window: MainWindow) -> None:
    """Open and score them, and select the turn of the later run whose call differs."""
    from trace_inspector.models.open_file import FileState

    workspace = window.desk.workspace
    workspace.open_samples()
    _until(lambda: bool(workspace.files) and all(file.state is FileState.READY for file in workspace.files))
    workspace.evaluate()
    _until(lambda: workspace.run is not None and workspace.run.verdict is not None)
    for _ in range(FAILING):
        workspace.next_failing(1)


def _until(there: Callable[[], bool]) -> None:
    from PySide6.QtCore import QCoreApplication

    until_s = time.monotonic() + LIMIT_S
    while not there():
        if time.monotonic() > until_s:
            sys.exit("The window did not get ready in time.")
        QCoreApplication.processEvents()


def _settle() -> None:
    """Let deferred layout and the timers of views run."""
    until_s = time.monotonic() + 0.5
    _until(lambda: time.monotonic() > until_s)


if __name__ == "__main__":
    main()
