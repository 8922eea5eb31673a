"""The pictures of the README and of docs/tour.md: what is in them, and how the window gets there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pictures.stage import do, evaluate_samples, save, settle, show_panel, until

if TYPE_CHECKING:
    from PySide6.QtWidgets import QDialog, QWidget

    from trace_inspector.views.shell.main_window import MainWindow

README_SIZES_PX = ((1100, 700), (1600, 1000))
TOUR_SIZE_PX = (1600, 1000)
DETAILS_PX, CURATING_PX = 432, 680  # of the panel at the right, as it comes and as somebody has it who curates
BOTTOM_PX = 320  # of the panels below, so that their pictures show more than their first rows

Widget = Callable[["MainWindow"], "QWidget"]


@dataclass(frozen=True, slots=True)
class Shot:
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
            _put_back(window)


def _put_back(window: MainWindow) -> None:
    from PySide6.QtWidgets import QDialog

    for dialog in window.findChildren(QDialog):
        dialog.reject()
    window.desk.palette.hide()
    window.desk.workspace.filtering.set_text("")
    _widen(window, DETAILS_PX)


def _widen(window: MainWindow, width_px: int) -> None:
    """The panel at the right."""
    from PySide6.QtCore import Qt

    window.resizeDocks([window.desk.docks["details"]], [width_px], Qt.Orientation.Horizontal)


def _dock(name: str) -> Widget:
    return lambda window: window.desk.docks[name]


def _view(name: str) -> Callable[[MainWindow], object]:
    return lambda window: do(window, f"view-{name}")


def _centre(window: MainWindow) -> QWidget:
    return window.views


def _dialog(window: MainWindow) -> QDialog:
    from PySide6.QtWidgets import QDialog

    return next(dialog for dialog in window.findChildren(QDialog) if dialog.isVisible())


def _whole(window: MainWindow) -> MainWindow:
    return window


def _raise(name: str) -> Callable[[MainWindow], object]:
    def prepare(window: MainWindow) -> None:
        from PySide6.QtCore import Qt

        show_panel(window, name)
        window.resizeDocks([window.desk.docks[name]], [BOTTOM_PX], Qt.Orientation.Vertical)

    return prepare


def _details_tab(name: str) -> Callable[[MainWindow], object]:
    def prepare(window: MainWindow) -> None:
        from PySide6.QtCore import Qt

        from trace_inspector.views.details.panel import DetailsPanel

        panel = window.desk.docks["details"].widget()
        assert isinstance(panel, DetailsPanel)
        names = [panel.tabs.tabText(tab) for tab in range(panel.tabs.count())]
        panel.tabs.setCurrentIndex(next(tab for tab, shown in enumerate(names) if shown.startswith(name)))
        window.resizeDocks([window.desk.docks["problems"]], [180], Qt.Orientation.Vertical)

    return prepare


def _state(window: MainWindow) -> None:
    """The samples keep no session state; this conversation does."""
    from tests.models.stories import put
    from trace_inspector.core.trace.parts import Text
    from trace_inspector.core.trace.trace import Event, Steps, Trace, Turn
    from trace_inspector.models.base.selection import Selection

    _raise("state")(window)
    events = (
        Event("IntakeAgent", state_delta={"city": "Seattle", "guests": 4}, time_s=1000.0),
        Event("IntakeAgent", state_delta={"city": "Tacoma", "user:language": "en"}, time_s=1001.0),
    )
    turn = Turn(0, user=(Text("For four, in Tacoma."),), events=events, steps=Steps.EVENTS, start_s=1000.0)
    file = put(window.desk.workspace, "run-0419.json", Trace("tacoma_table_001", (turn,), place="/0"))
    window.desk.workspace.selection.select(Selection(file.number, file.table.children(file.table.turns(0)[0])[-1]))


def _reported(name: str) -> Callable[[MainWindow], object]:
    """The last conversation of a sample of another system, with what its file reports of it."""

    def prepare(window: MainWindow) -> None:
        from trace_inspector.core.rows.rows import Kind
        from trace_inspector.models.base.selection import Selection

        workspace = window.desk.workspace
        file = next(file for file in workspace.files if file.name == name)
        trace = [row for row in file.table.tops if file.table.kind(row) is Kind.TRACE][-1]
        workspace.selection.select(Selection(file.number, file.table.turns(trace)[-1]))
        do(window, "view-tree")
        _details_tab("Verdicts")(window)

    return prepare


def _golden(window: MainWindow) -> None:
    """The golden of the failing turn, beside what was observed."""
    do(window, "view-tree")
    _widen(window, CURATING_PX)
    _details_tab("Golden")(window)
    done: list[bool] = []
    window.desk.workspace.goldens.settled(lambda: done.append(True))
    until(lambda: bool(done))
    settle()


def _find(window: MainWindow) -> None:
    from trace_inspector.views.find.panel import FindPanel

    _raise("find")(window)
    do(window, "find-everywhere")
    panel = window.desk.docks["find"].widget()
    assert isinstance(panel, FindPanel)
    panel.field.setText("parking")
    panel.look()
    settle()
    panel.step(1)


def _filter(window: MainWindow) -> None:
    do(window, "view-tree")
    assert window.desk.filter is not None
    window.desk.workspace.filtering.set_text("verdict:failed")
    settle()
    window.desk.filter.focus()


def _evaluate_with(window: MainWindow) -> None:
    from trace_inspector.views.evaluate.dialog import EvaluateDialog

    do(window, "evaluate-with")
    dialog = _dialog(window)
    assert isinstance(dialog, EvaluateDialog)
    until(dialog.pairs.isVisible)


def _command(window: MainWindow) -> None:
    from trace_inspector.views.command_run.dialog import CommandDialog

    do(window, "run-command")
    dialog = _dialog(window)
    assert isinstance(dialog, CommandDialog)
    dialog.line.setText("adk eval retail_agent retail.evalset.json")
    dialog.folder.setText("/home/ada/retail_agent")


def _two_runs(window: MainWindow) -> None:
    """The earlier conversations and the later ones, each judged by itself."""
    from PySide6.QtCore import Qt

    from tests.helpers.two_runs import keep_sample_runs
    from trace_inspector.work.runs.comparison_messages import RunSide

    base, new = keep_sample_runs()
    pair = window.desk.workspace.runs.pair
    pair.compare(
        RunSide(base, "run-0405", "10 cases · run-0405.json"), RunSide(new, "run-0412", "11 cases · run-0412.json")
    )
    do(window, "view-two-runs")
    window.resizeDocks([window.desk.docks["problems"]], [180], Qt.Orientation.Vertical)
    until(lambda: not pair.busy)


SHOTS = (
    Shot("tree", _view("tree"), _whole),
    Shot("conversation", _view("conversation"), _centre),
    Shot("timeline", _view("timeline"), _centre),
    Shot("filter", _filter, _whole),
    Shot("workspace", _view("tree"), _dock("workspace")),
    Shot("details", _details_tab("Content"), _dock("details")),
    Shot("golden", _golden, _dock("details")),
    Shot("verdicts", _details_tab("Verdicts"), _dock("details")),
    Shot("problems", _raise("problems"), _dock("problems")),
    Shot("runs", _raise("runs"), _dock("runs")),
    Shot("jobs", _raise("jobs"), _dock("jobs")),
    Shot("judge-calls", _raise("judge-calls"), _dock("judge-calls")),
    Shot("criteria", _raise("criteria"), _dock("criteria")),
    Shot("find", _find, _dock("find")),
    Shot("evaluate", _evaluate_with, _dialog),
    Shot("preferences", lambda window: do(window, "preferences"), _dialog),
    Shot("command", _command, _dialog),
    Shot("palette", lambda window: do(window, "palette"), lambda window: window.desk.palette),
    Shot("two-runs", _two_runs, _centre),
    Shot("keys", lambda window: do(window, "keys"), _dialog),
    Shot("ces", _reported("ces-result.json"), _whole),
    Shot("vertex", _reported("vertex-items.json"), _whole),
    Shot("state", _state, _dock("state")),  # last: it opens one more file
)
