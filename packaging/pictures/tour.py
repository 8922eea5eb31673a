"""The pictures of the README and of docs/tour.md: what is in them, and how the window gets there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from tests.helpers.stage import do, evaluate_samples, save, settle
from tests.helpers.window_places import (
    Step,
    calibration,
    causes,
    command,
    dialog,
    evaluate_with,
    failure_modes,
    filter_failed,
    find,
    in_details,
    panel_of,
    put_back,
    rebased,
    reported,
    state,
    two_runs,
    view_of,
)
from trace_inspector.views.failure_modes.panel import EXAMPLES

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from trace_inspector.views.shell.main_window import MainWindow

README_SIZES_PX = ((1100, 700), (1600, 1000))
TOUR_SIZE_PX = (1600, 1000)
DETAILS_PX, CURATING_PX = 432, 680  # of the panel at the right, as it comes and as somebody has it who curates
BOTTOM_PX = 320  # of the panels below, so that their pictures show more than their first rows

Widget = Callable[["MainWindow"], "QWidget"]


class Shot(Struct, frozen=True):
    """A picture of the tour: its name, the steps before it, and what of the window is in it."""

    name: str
    prepare: Callable[[MainWindow], object]
    taken: Widget


def take_readme(images: Path, folder: Path) -> None:
    """One window for each size: how it lays itself out depends on how much room it was given."""
    from tests.helpers.window import main_window
    from trace_inspector.views.appearance.appearance import Scheme

    for width, height in README_SIZES_PX:
        with main_window(folder / f"{width}.ini", width, height) as window:
            evaluate_samples(window)
            for scheme in (Scheme.LIGHT, Scheme.DARK):
                window.desk.theme.choose(scheme)
                settle()
                save(window, images / f"window-{scheme.value}-{width}x{height}.png")


def take_tour(images: Path, folder: Path) -> None:
    """All of the tour in one light window."""
    from tests.helpers.window import main_window

    with main_window(folder / "tour.ini", *TOUR_SIZE_PX) as window:
        window.show_welcome()
        settle()
        save(window, images / "tour-welcome.png")
        evaluate_samples(window)
        for shot in SHOTS:
            shot.prepare(window)
            settle()
            save(shot.taken(window), images / f"tour-{shot.name}.png")
            put_back(window)
            _widen(window, DETAILS_PX)


def _widen(window: MainWindow, width_px: int) -> None:
    """The panel at the right."""
    from PySide6.QtCore import Qt

    window.resizeDocks([window.desk.docks["details"]], [width_px], Qt.Orientation.Horizontal)


def _dock(name: str) -> Widget:
    return lambda window: window.desk.docks[name]


def _centre(window: MainWindow) -> QWidget:
    return window.views


def _whole(window: MainWindow) -> MainWindow:
    return window


def _details(go: Step) -> Step:
    """Something in Details, while the panels below leave their room to it."""

    def prepare(window: MainWindow) -> None:
        from PySide6.QtCore import Qt

        go(window)
        window.resizeDocks([window.desk.docks["problems"]], [180], Qt.Orientation.Vertical)

    return prepare


def _golden(window: MainWindow) -> None:
    """The golden of the failing turn, beside what was observed."""
    _widen(window, CURATING_PX)
    _details(in_details("Golden"))(window)
    settle()


def _below(name: str, go: Step) -> Step:
    """Something in a panel below, which is given more room than it comes with."""

    def prepare(window: MainWindow) -> None:
        from PySide6.QtCore import Qt

        go(window)
        window.resizeDocks([window.desk.docks[name]], [BOTTOM_PX], Qt.Orientation.Vertical)

    return prepare


SHOTS = (
    Shot("tree", view_of("tree"), _whole),
    Shot("conversation", view_of("conversation"), _centre),
    Shot("timeline", view_of("timeline"), _centre),
    Shot("filter", filter_failed, _whole),
    Shot("workspace", view_of("tree"), _dock("workspace")),
    Shot("details", _details(in_details("Content")), _dock("details")),
    Shot("golden", _golden, _dock("details")),
    Shot("verdicts", _details(in_details("Verdicts")), _dock("details")),
    Shot("problems", _below("problems", panel_of("problems")), _dock("problems")),
    Shot("runs", _below("runs", panel_of("runs")), _dock("runs")),
    Shot("jobs", _below("jobs", panel_of("jobs")), _dock("jobs")),
    Shot("judge-calls", _below("judge-calls", panel_of("judge-calls")), _dock("judge-calls")),
    Shot("criteria", _below("criteria", panel_of("criteria")), _dock("criteria")),
    Shot("find", _below("find", find), _dock("find")),
    Shot("failure-modes", _below("failure-modes", failure_modes(EXAMPLES)), _dock("failure-modes")),
    Shot("evaluate", evaluate_with, dialog),
    Shot("preferences", lambda window: do(window, "preferences"), dialog),
    Shot("command", command, dialog),
    Shot("palette", lambda window: do(window, "palette"), lambda window: window.desk.palette),
    Shot("two-runs", _details(two_runs), _centre),
    Shot("calibration", calibration, _centre),
    Shot("causes", causes, _centre),
    Shot("rebase", rebased, dialog),
    Shot("keys", lambda window: do(window, "keys"), dialog),
    Shot("ces", _details(reported("ces-result.json")), _whole),
    Shot("vertex", _details(reported("vertex-items.json")), _whole),
    Shot("state", _below("state", state), _dock("state")),  # last: it opens one more file
)
