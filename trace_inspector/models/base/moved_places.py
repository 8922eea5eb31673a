"""Where the goldens of a table are now, while its rows still show where they were.

Rows follow an edit a moment later: who acts on a row in between means the golden that the row shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from trace_inspector.core.values.value_edits import Put, ValueStep, inverse_steps, pointers_after


class UnshownEdits:
    """The edits that the rows do not show yet. A table read anew has one of its own, in which this one continues."""

    def __init__(self) -> None:
        self._edits: list[tuple[ValueStep, ...]] = []
        self._newer: UnshownEdits | None = None
        self._now: dict[str, str | None] = {}
        self._was: dict[str, str | None] = {}

    def note(self, steps: Sequence[ValueStep]) -> None:
        """Add an edit that the rows do not show."""
        moving = tuple(step for step in steps if not isinstance(step, Put))
        if moving:
            self._edits.append(moving)
            self._now.clear()
            self._was.clear()

    def continue_in(self, newer: UnshownEdits) -> None:
        """Continue in another table, whose rows show all these edits."""
        self._newer = newer

    def now(self, place: str) -> str | None:
        """The place now of what the rows show at a place; None when it was deleted."""
        moved = _through(place, self._edits, self._now)
        return self._newer.now(moved) if self._newer is not None and moved is not None else moved

    def was(self, place: str) -> str | None:
        """The place in the rows of what is at a place now; None when the rows do not have it yet."""
        return _through(place, [inverse_steps(steps) for steps in reversed(self._edits)], self._was)


def _through(place: str, edits: Sequence[Sequence[ValueStep]], cache: dict[str, str | None]) -> str | None:
    if place not in cache:
        moved: str | None = place
        for steps in edits:
            moved = all_after([moved], steps)[moved] if moved is not None else None
        cache[place] = moved
    return cache[place]


def all_after(places: Iterable[str], steps: Sequence[ValueStep]) -> dict[str, str | None]:
    """The places of cases after some steps; a case that is the whole document keeps its place."""
    return {place: now if place else place for place, now in pointers_after(places, steps).items()}
