"""Every view and panel in every state, light and dark, in two sizes and at three scales: to be looked at."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pictures.stage import do, evaluate_samples, open_samples, save, settle, show_panel, until

if TYPE_CHECKING:
    from trace_inspector.views.shell.main_window import MainWindow

SIZES_PX = ((1100, 700), (1600, 1000))
SCALES = ("1", "1.5", "2")


@dataclass(frozen=True, slots=True)
class State:
    """A state of the window, and how it gets there from a window with nothing open."""

    name: str
    prepare: Callable[[MainWindow, Path], object]


def take_all(pictures: Path, script: Path) -> None:
    """A process for each size and scale: Qt reads the scale once, when it starts."""
    for scale in SCALES:
        for width, height in SIZES_PX:
            folder = pictures / f"{width}x{height}-{scale}"
            command = [sys.executable, str(script), "--all", str(folder), "--size", f"{width}x{height}"]
            subprocess.run(command, check=True, env=os.environ | {"QT_SCALE_FACTOR": scale})


def take_states(pictures: Path, folder: Path, size_px: tuple[int, int]) -> None:
    """All states at the scale of this process, each in a window of its own."""
    for state in STATES:
        with _window(folder / f"{state.name}.ini", size_px) as window:
            state.prepare(window, folder)
            settle()
            for picture in _shown(window):
                for scheme in _schemes(window):
                    save(window, pictures / f"{state.name}-{picture}-{scheme}.png")


@contextmanager
def _window(settings: Path, size_px: tuple[int, int]) -> Iterator[MainWindow]:
    from tests.helpers.window import main_window

    with main_window(settings, *size_px) as window:
        yield window


def _shown(window: MainWindow) -> Iterator[str]:
    """Each view, then each panel, brought to the front one after the other."""
    from trace_inspector.views.layout.centre_views import VIEWS
    from trace_inspector.views.layout.panels import PANELS

    if not window.desk.workspace.files.in_order:
        window.show_welcome()
        settle()
        yield "welcome"
        return
    for view in VIEWS:
        do(window, f"view-{view.id}")
        settle()
        yield view.id
    do(window, "view-tree")
    for panel in PANELS:
        before = window.desk.docks[panel.id].isVisible()
        show_panel(window, panel.id)
        settle()
        yield panel.id
        window.desk.docks[panel.id].setVisible(before)


def _schemes(window: MainWindow) -> Iterator[str]:
    from trace_inspector.views.appearance.appearance import Scheme

    for scheme in (Scheme.DARK, Scheme.LIGHT):
        window.desk.theme.choose(scheme)
        settle()  # Details builds its page anew, in steps
        yield scheme.value


def _loading(window: MainWindow, _folder: Path) -> None:
    """A file that was announced, and of which nothing came yet."""
    window.desk.workspace.files.add(Path("run-0413.json"))


def _failed(window: MainWindow, folder: Path) -> None:
    from trace_inspector.models.base.open_file import FileState

    broken = folder / "broken.json"
    broken.write_text('{"spans": [', encoding="utf-8")
    window.desk.workspace.files.open([broken])
    until(lambda: all(file.state is FileState.FAILED for file in window.desk.workspace.files))


def _filtered(window: MainWindow, _folder: Path) -> None:
    evaluate_samples(window)
    window.desk.workspace.filtering.set_text("tool:unheard_of")


def _judging(window: MainWindow, _folder: Path) -> None:
    """A run that is planned, and has no verdict yet."""
    from tests.models.stories import begin

    open_samples(window)
    begin(window.desk.workspace)
    window.desk.workspace.run.changed.emit()


STATES = (
    State("empty", lambda _window, _folder: None),
    State("loading", _loading),
    State("failed", _failed),
    State("not-evaluated", lambda window, _folder: open_samples(window)),
    State("judging", _judging),
    State("loaded", lambda window, _folder: evaluate_samples(window)),
    State("filtered", _filtered),
)
