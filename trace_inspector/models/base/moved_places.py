"""Where the goldens of a table of rows stand by now, while its rows still show where they stood.

Edits come first, and the rows that show them a moment later: whoever acts on a row in between means what it shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from trace_inspector.core.values.value_edits import Put, ValueStep, inverse_steps, pointers_after


class RowsBehind:
    """Grows with each edit; rows that are told anew begin with another, in which this one goes on."""

    def __init__(self) -> None:
        self._edits: list[tuple[ValueStep, ...]] = []
        self._newer: RowsBehind | None = None
        self._now: dict[str, str | None] = {}
        self._was: dict[str, str | None] = {}

    def note(self, steps: Sequence[ValueStep]) -> None:
        """An edit that the rows do not show."""
        moving = tuple(step for step in steps if not isinstance(step, Put))
        if moving:
            self._edits.append(moving)
            self._now.clear()
            self._was.clear()

    def go_on_in(self, newer: RowsBehind) -> None:
        """The rows of another table show all these edits: what comes from now on is noted there."""
        self._newer = newer

    def now(self, place: str) -> str | None:
        """Where what stands there in the rows is by now; None when it is gone."""
        moved = _through(place, self._edits, self._now)
        return self._newer.now(moved) if self._newer is not None and moved is not None else moved

    def was(self, place: str) -> str | None:
        """Where in the rows what is there by now stands; None when they do not have it yet."""
        return _through(place, [inverse_steps(steps) for steps in reversed(self._edits)], self._was)


def _through(place: str, edits: Sequence[Sequence[ValueStep]], cache: dict[str, str | None]) -> str | None:
    if place not in cache:
        moved: str | None = place
        for steps in edits:
            moved = all_after([moved], steps)[moved] if moved is not None else None
        cache[place] = moved
    return cache[place]


def all_after(places: Iterable[str], steps: Sequence[ValueStep]) -> dict[str, str | None]:
    """Where cases stand after some steps; one that is the whole document stays."""
    return {place: now if place else place for place, now in pointers_after(places, steps).items()}
