"""How the window's space is divided for each task, and what a person chose otherwise, by task.

Sizes are logical pixels at a text size of 100 %: whoever applies them multiplies them by the text size.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from msgspec import Struct, field

from trace_inspector.views.widgets.panel import Task

VERSION = 2
CENTRE_LEAST_PX = 480  # beside panels of their usual sizes
CENTRE_LAST_PX = 360  # beside panels of sizes that a person chose
PANEL_LEAST_PX, PANEL_MOST_PX = 200, 4000
LOW_PX = 660  # the height below which the panels at the bottom are folded
LEFT, RIGHT, BOTTOM = "left", "right", "bottom"
SIDES = (LEFT, RIGHT, BOTTOM)
WORKSPACE, DETAILS = "workspace", "details"
_LONGEST = 40_000
_MOST_PANELS = 64


class Share(Struct, frozen=True):
    """A size that grows with the window, between bounds."""

    part: float
    least_px: int
    most_px: int

    def of(self, whole_px: float) -> int:
        """The size in a window of that size."""
        return round(min(max(self.part * whole_px, self.least_px), self.most_px))


class TaskLayout(Struct, frozen=True):
    """What a task needs: the width of Details, and of the centre before panels stay beside it."""

    details: Share
    centre_px: int
    most: float = 0.54  # of the window for Details, where the centre has less than it needs
    folds_bottom: bool = True
    centre_first: bool = False  # Details gives way to the centre, too, not only the workspace


LAYOUTS: Mapping[Task, TaskLayout] = {
    Task.READING: TaskLayout(Share(0.27, 340, 760), 600, most=0.42, folds_bottom=False),
    Task.JUDGING: TaskLayout(Share(0.27, 760, 1100), 720),
    Task.CURATING: TaskLayout(Share(0.27, 760, 1100), 720),
    Task.COMPARING: TaskLayout(Share(0.3, 340, 760), 2000, centre_first=True),
}
_LEFT = Share(0.16, 256, 400)
_BOTTOM = Share(0.226, 180, 420)


class Chosen(Struct):
    """What a person chose in one layout; everything else is as it comes."""

    shown: dict[str, bool] = field(default_factory=dict)  # by panel, what was chosen last at the end
    sizes_px: dict[str, int] = field(default_factory=dict)  # by side
    folded: bool | None = None
    places: str = ""  # where docks were moved to: Qt's own state of the window, in base64


class Division(Struct, frozen=True):
    """The window's space, divided. Panels that are not in `shown` are shown."""

    shown: Mapping[str, bool]
    sizes_px: Mapping[str, int]
    folded: bool


def divide(task: Task, width_px: float, height_px: float, chosen: Chosen) -> Division:
    """Divide a window of that size, at a text size of 100 %."""
    shape, sizes = LAYOUTS[task], chosen.sizes_px
    left = min(sizes.get(LEFT, _LEFT.of(width_px)), round(width_px * 0.4))
    usual = min(shape.details.of(width_px), round(max(width_px - CENTRE_LEAST_PX, shape.most * width_px)))
    rest = width_px - usual
    details = chosen.shown.get(DETAILS, not shape.centre_first or rest - left >= shape.centre_px)
    workspace = chosen.shown.get(WORKSPACE, rest - left >= shape.centre_px)
    if details and workspace and width_px - left - PANEL_LEAST_PX < CENTRE_LAST_PX:  # both have no room
        workspace = next((name for name in reversed(chosen.shown) if name in (WORKSPACE, DETAILS)), "") == WORKSPACE
        details = not workspace
    beside = left if workspace else 0
    if RIGHT in sizes:
        right = min(sizes[RIGHT], round(width_px - beside - CENTRE_LAST_PX))
    else:
        right = min(usual, round(width_px - beside - CENTRE_LEAST_PX)) if workspace else usual
    folded = shape.folds_bottom or height_px < LOW_PX
    return Division(
        {**chosen.shown, WORKSPACE: workspace, DETAILS: details},
        {
            LEFT: left,
            RIGHT: max(right, PANEL_LEAST_PX),
            BOTTOM: min(sizes.get(BOTTOM, _BOTTOM.of(height_px)), round(height_px * 0.6)),
        },
        folded if chosen.folded is None else chosen.folded,
    )


def written(chosen: Mapping[Task, Chosen], front: str) -> str:
    """As it is stored. `front` is the panel in front of those at the bottom."""
    layouts = {
        task.value: {"shown": one.shown, "sizes": one.sizes_px, "folded": one.folded, "places": one.places}
        for task, one in chosen.items()
    }
    return json.dumps({"version": VERSION, "front": front, "layouts": layouts})


def read(text: object) -> tuple[dict[Task, Chosen], str]:
    """What was stored; whatever is not understood is as it comes."""
    try:
        stored = json.loads(text) if isinstance(text, str) and len(text) <= _LONGEST else None
    except (ValueError, RecursionError):
        stored = None
    if not isinstance(stored, dict) or stored.get("version") != VERSION:
        stored = {}
    layouts = stored.get("layouts")
    front = stored.get("front")
    kept = layouts if isinstance(layouts, dict) else {}
    return {task: _chosen(kept.get(task.value)) for task in Task}, front if isinstance(front, str) else ""


def _chosen(stored: object) -> Chosen:
    if not isinstance(stored, dict):
        return Chosen()
    shown, sizes, folded, places = (stored.get(name) for name in ("shown", "sizes", "folded", "places"))
    return Chosen(
        {name: value for name, value in list(shown.items())[:_MOST_PANELS] if isinstance(value, bool)}
        if isinstance(shown, dict)
        else {},
        {
            side: min(max(px, PANEL_LEAST_PX if side != BOTTOM else 60), PANEL_MOST_PX)
            for side in SIDES
            if isinstance(sizes, dict) and isinstance(px := sizes.get(side), int)
        },
        folded if isinstance(folded, bool) else None,
        places if isinstance(places, str) and places.isascii() else "",
    )
