"""Takes the pictures of the README: the window on the evaluated samples, light and dark, in two sizes."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"
SIZES_PX = ((1100, 700), (1600, 1000))
LIMIT_S = 60


def main() -> None:
    """Without a display the pictures are taken offscreen."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory(prefix="trace-inspector-pictures-") as folder:
        os.environ["TRACE_INSPECTOR_DATA"] = folder
        take(Path(folder))


def take(folder: Path) -> None:
    """One window for each size: how it lays itself out depends on how much room it was given."""
    from PySide6.QtCore import QSettings
    from PySide6.QtWidgets import QApplication

    from trace_inspector.models.workspace import Workspace
    from trace_inspector.views.look import Look, Scheme
    from trace_inspector.views.main_window import MainWindow
    from trace_inspector.work.jobs import Jobs

    app = QApplication([])
    app.setStyle("Fusion")
    look = Look(app)
    IMAGES.mkdir(parents=True, exist_ok=True)

    def take_at(width: int, height: int) -> None:
        jobs = Jobs()
        workspace = Workspace(jobs)
        settings = QSettings(str(folder / f"{width}.ini"), QSettings.Format.IniFormat)
        window = MainWindow(look, workspace, jobs, settings)
        window.resize(width, height)
        window.show()
        workspace.open_samples()
        _until(lambda: not jobs.busy)
        workspace.evaluate()
        _until(lambda: workspace.run is not None and workspace.run.verdict is not None)
        workspace.next_failing(1)
        for scheme in (Scheme.LIGHT, Scheme.DARK):
            look.choose(scheme)
            _settle()
            picture = IMAGES / f"window-{scheme.value}-{width}x{height}.png"
            if not window.grab().save(str(picture)):
                sys.exit(f"{picture} could not be written.")
            print(picture.relative_to(ROOT))
        window.close()
        jobs.stop_all()

    for width, height in SIZES_PX:
        take_at(width, height)


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
