"""The pictures of Compare: a golden beside what was observed, and beside a baseline and a candidate."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pictures.stage import do, evaluate_samples, save, settle, until

if TYPE_CHECKING:
    from trace_inspector.models.compare.sides import SideRef
    from trace_inspector.views.compare.page import ComparePage
    from trace_inspector.views.shell.main_window import MainWindow

CASE = "seattle_coffee_001"
SIDES = ("retail.evalset.json", "run-0405.json", "run-0412.json")  # golden, baseline, candidate
SIZE_PX = (1340, 1050)


def take_comparisons(images: Path, folder: Path) -> None:
    """Two sides and three in a window of their own, light and dark; panels leave their room to the columns."""
    from tests.helpers.window import main_window
    from trace_inspector.views.appearance.appearance import Scheme

    with main_window(folder / "compare.ini", *SIZE_PX) as window:
        evaluate_samples(window)
        for dock in window.desk.docks.values():
            dock.hide()
        page, centre = _page(window), window.views
        for name, sides in (("compare", (0, 2)), ("compare-three", (0, 1, 2))):
            _compare(window, page, tuple(_side(window, SIDES[at]) for at in sides))
            for scheme, end in ((Scheme.LIGHT, ""), (Scheme.DARK, "-dark")):
                window.desk.theme.choose(scheme)
                settle()
                save(centre, images / f"tour-{name}{end}.png")


def _page(window: MainWindow) -> ComparePage:
    from trace_inspector.views.compare.page import ComparePage

    do(window, "view-compare")
    page = window.findChild(ComparePage)
    assert page is not None
    return page


def _side(window: MainWindow, name: str) -> SideRef:
    from trace_inspector.models.compare.sides import ref_of

    file = next(file for file in window.desk.workspace.files if file.name == name)
    return ref_of(file, next(top for top in file.table.tops if file.table.name(top) == CASE))


def _compare(window: MainWindow, page: ComparePage, sides: tuple[SideRef, ...]) -> None:
    """Side by side, at the first divergence."""
    page.compare.choose_sides(sides)
    until(lambda: page.compare.rows is not None and not page.compare.busy)
    page.compare.go(page.compare.first_divergence)
    page.take_focus()
    until(lambda: not window.desk.jobs.busy)
