"""What a file of a list is about, without reading it to its end, and what a whole one holds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct


class Outline(Struct, frozen=True):
    """A file of a list. What its beginning does not tell is empty; `parent` is the session of a sub-agent."""

    path: Path
    size_bytes: int
    format: str = ""
    id: str = ""
    title: str = ""
    start_s: float | None = None
    model: str = ""
    parent: str = ""
    written_ns: int = 0  # when it was written last


class FullCounts(Struct, frozen=True):
    """What a file holds that its beginning does not tell. Turns that somebody went back from do not count.

    `format` is "" where the whole file is not recognised either.
    """

    format: str = ""
    turns: int = 0
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0


def below_their_sessions(outlines: Sequence[Outline]) -> list[Outline]:
    """The same in the order in which they began, each sub-agent behind the session that started it."""
    outlines = sorted(outlines, key=_by_start)
    sessions = {outline.id for outline in outlines if outline.id and not outline.parent}
    started: dict[str, list[Outline]] = {}
    for outline in outlines:
        if outline.parent in sessions:
            started.setdefault(outline.parent, []).append(outline)
    tops = (outline for outline in outlines if outline.parent not in sessions)
    return [each for top in tops for each in (top, *started.pop("" if top.parent else top.id, ()))]


def _by_start(outline: Outline) -> tuple[bool, float]:
    return outline.start_s is None, outline.start_s or 0.0
