"""The sessions of a coding agent's folder as rows: what is known of each, and what each stands below."""

from __future__ import annotations

import enum
import math
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from pathlib import Path

from trace_inspector.core.trace.outline import FullCounts, Outline
from trace_inspector.core.translatable import N_

FIRST_ROW = 1 << 30  # rows have numbers of their own, above those of files


class Order(enum.Enum):
    """What sessions are sorted by: the newest, longest and largest first, words from A to Z."""

    START = N_("Start")
    TITLE = N_("Title")
    MODEL = N_("Model")
    SIZE = N_("Size")
    TURNS = N_("Turns")
    TOKENS = N_("Tokens")


OF_COUNTS = frozenset({Order.TURNS, Order.TOKENS})


@dataclass(slots=True, eq=False)
class SessionRow:
    """A session of a folder, or a sub-agent below the session that started it."""

    number: int
    folder: SessionFolder
    outline: Outline
    trouble: str = ""  # why its beginning could not be read
    counts: FullCounts | None = None  # once it was read to its end
    is_uncountable: bool = False  # that failed
    file: int = 0  # the open file, 0 where it is not open
    above: SessionRow | None = None
    below: list[SessionRow] = field(default_factory=list)
    place: int = 0  # among its neighbours

    @property
    def title(self) -> str:
        """What it is about; the name of its file where that is not known."""
        return self.outline.title or self.outline.path.name

    @property
    def tokens(self) -> int:
        """How many tokens went in and out."""
        return self.counts.input_tokens + self.counts.output_tokens if self.counts is not None else 0


@dataclass(slots=True, eq=False)
class SessionFolder:
    """A folder of sessions, as far as they are listed. Only `SessionFolders` changes it."""

    number: int
    path: Path
    real: Path  # without links: a folder inside another one is not listed twice
    tops: list[SessionRow] = field(default_factory=list)
    by_path: dict[Path, SessionRow] = field(default_factory=dict)
    others: int = 0  # files that its program keeps beside them
    total: int = 0
    listing: bool = True
    seen: set[Path] = field(default_factory=set)  # so far, while it is opened,
    seen_again: set[Path] = field(default_factory=set)  # and while it is listed again; both may go on
    foreign: set[Path] = field(default_factory=set)  # no sessions, so they were opened by themselves

    @property
    def name(self) -> str:
        """The folder's own name."""
        return self.path.name or str(self.path)

    @property
    def size_bytes(self) -> int:
        """How large its sessions are together."""
        return sum(row.outline.size_bytes for row in self.by_path.values())

    @property
    def agents(self) -> int:
        """How many are sub-agents, also of sessions that are gone, which stand among the sessions."""
        return sum(bool(row.outline.parent) for row in self.by_path.values())

    @property
    def open_files(self) -> list[int]:
        """The numbers of those that are open."""
        return [row.file for row in self.by_path.values() if row.file]

    def real_path_of(self, path: Path) -> Path:
        """That of a file in it."""
        return self.real / path.relative_to(self.path)

    def has(self, real: Path) -> bool:
        """Whether a file has a row here, by its real path."""
        return self.real in real.parents and self.path / real.relative_to(self.real) in self.by_path

    def arranged(self, order: Order, gone: AbstractSet[int] = frozenset()) -> dict[int, list[SessionRow]]:
        """What stands below the folder and below each row, sorted; what is gone stands behind all others.

        A sub-agent of which no session is known stands in the folder itself. Files may name each other in a circle:
        it is cut where it closes.
        """
        known: dict[str, SessionRow] = {}
        for each in self.by_path.values():
            if each.outline.id and each.number not in gone:
                known.setdefault(each.outline.id, each)
        settled: set[int] = set()
        below: dict[int, list[SessionRow]] = {self.number: []}
        for each in self.by_path.values():
            trail: set[int] = set()
            row: SessionRow | None = each
            while row is not None and row.number not in settled:
                settled.add(row.number)
                trail.add(row.number)
                above = known.get(row.outline.parent) if row.outline.parent and row.number not in gone else None
                above = None if above is not None and above.number in trail else above
                below.setdefault(self.number if above is None else above.number, []).append(row)
                row = above
        for rows in below.values():
            rows.sort(key=_KEYS[order])
        below[self.number].sort(key=lambda row: row.number in gone)
        return below

    def is_arranged(self, below: dict[int, list[SessionRow]]) -> bool:
        """Whether the rows stand like that already."""
        return self.tops == below[self.number] and all(
            row.below == below.get(row.number, []) for row in self.by_path.values()
        )

    def arrange(self, below: dict[int, list[SessionRow]]) -> None:
        """Put the rows there."""
        self.tops = below[self.number]
        for above in (None, *self.by_path.values()):
            rows = self.tops if above is None else below.get(above.number, [])
            if above is not None:
                above.below = rows
            for place, row in enumerate(rows):
                row.above, row.place = above, place


def by_start(row: SessionRow) -> tuple[float, str]:
    """The newest first."""
    start_s = row.outline.start_s
    return math.inf if start_s is None else -start_s, row.outline.path.name


_KEYS = {
    Order.START: by_start,
    Order.TITLE: lambda row: (row.title.casefold(), *by_start(row)),
    Order.MODEL: lambda row: (not row.outline.model, row.outline.model.casefold(), *by_start(row)),
    Order.SIZE: lambda row: (-row.outline.size_bytes, *by_start(row)),
    Order.TURNS: lambda row: (-(row.counts.turns if row.counts else 0), *by_start(row)),
    Order.TOKENS: lambda row: (-row.tokens, *by_start(row)),
}
