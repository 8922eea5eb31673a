"""The pictures of Compare: a golden beside what was observed, and beside a baseline and a candidate."""

from __future__ import annotations

from pathlib import Path

from tests.helpers.stage import evaluate_samples, save, settle
from tests.helpers.window_places import compare

SIZE_PX = (1340, 1050)


def take_comparisons(images: Path, folder: Path) -> None:
    """Two sides and three in a window of their own, light and dark; panels leave their room to the columns."""
    from tests.helpers.window import main_window
    from trace_inspector.views.appearance.appearance import Scheme

    with main_window(folder / "compare.ini", *SIZE_PX) as window:
        evaluate_samples(window)
        for dock in window.desk.docks.values():
            dock.hide()
        centre = window.views
        for name, sides in (("compare", (0, 2)), ("compare-three", (0, 1, 2))):
            compare(window, sides)
            for scheme, end in ((Scheme.LIGHT, ""), (Scheme.DARK, "-dark")):
                window.desk.theme.choose(scheme)
                settle()
                save(centre, images / f"tour-{name}{end}.png")
