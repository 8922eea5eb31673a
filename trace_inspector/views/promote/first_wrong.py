"""Goldens of turns that expect the calls before the first wrong one: exact checks of a failure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from trace_inspector.models.base.selection import Selection
from trace_inspector.models.base.translation import tr
from trace_inspector.models.files.multi_selection import Picked, picked
from trace_inspector.models.golden.promotion import Promotion
from trace_inspector.views.promote.dialog import TARGET_SETTING, show_promote
from trace_inspector.views.window_context.desk import Desk


def promotion_of(desk: Desk, places: Iterable[Selection]) -> Promotion | None:
    """A promotion of turns; None where their files are not open any more, which is said."""
    workspace = desk.workspace
    by_file: dict[int, list[int]] = {}
    for place in places:
        by_file.setdefault(place.file, []).append(place.row)
    some: list[Picked] = []
    for number, rows in by_file.items():
        file = workspace.files.get(number)
        if file is not None:
            some += picked(file, rows)
    if not some:
        desk.say(tr("Open the files of the examples first."))
        return None
    last = str(desk.settings.value(TARGET_SETTING) or "")
    return Promotion(workspace.files, workspace.selection, workspace.verdicts, workspace.goldens, some, last)


def check_first_wrong(desk: Desk, faults: Mapping[tuple[int, int], int]) -> None:
    """Make goldens of turns, by file and row, that expect the calls before the wrong one, given by its number."""
    chosen = promotion_of(desk, (Selection(*place) for place in faults))
    if chosen is not None:
        chosen.expect_right_calls(faults)
        show_promote(desk, chosen)
