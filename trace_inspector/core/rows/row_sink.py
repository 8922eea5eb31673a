"""Where rows and bodies are put one by one: they are numbered through the whole file, and taken in batches."""

from __future__ import annotations

import pickle
from array import array
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from trace_inspector.core.rows.rows import NO_TOKENS, NOT_TIMED, Flag, Kind, RowBatch, RowDetails, TextColumn

_COLUMNS: Mapping[str, Callable[[Any], object]] = {
    "kind": bytearray,
    "flag": bytearray,
    "parent": partial(array, "i"),
    "label": TextColumn,
    "place": TextColumn,
    "author": partial(array, "i"),
    "start_s": partial(array, "d"),
    "duration_s": partial(array, "d"),
    "tokens": partial(array, "q"),
    "body": partial(array, "i"),
    "event": partial(array, "i"),
    "part": partial(array, "i"),
    "call": partial(array, "i"),
}
MOST_TOKENS = 1 << 40  # more is a mistake, and the sum over a file must stay a number of 64 bits


class RowSink:
    """The rows that are being collected. Columns are made of all of them at once, when they are taken."""

    def __init__(self) -> None:
        self._waiting: list[tuple[int | float | str, ...]] = []  # in the order of _COLUMNS
        self._details: list[RowDetails] = []
        self._bodies: list[bytes] = []
        self._new_authors: list[str] = []
        self._row = 0
        self._body = 0
        self._authors: dict[str, int] = {}

    @property
    def counts(self) -> tuple[int, int, int]:
        """How many rows, bodies and authors there are so far, also of batches that were taken."""
        return self._row, self._body, len(self._authors)

    @property
    def untaken(self) -> int:
        """How many rows wait to be taken."""
        return len(self._waiting)

    def cut(self, rows: int, bodies: int, authors: int) -> None:
        """Number on from there, when everything was taken."""
        self._row, self._body = rows, bodies
        self._authors = {name: number for name, number in self._authors.items() if number < authors}

    def take(self) -> RowBatch:
        """The rows since the last call."""
        batch = RowBatch(authors=self._new_authors, details=self._details, bodies=self._bodies)
        for (name, column), values in zip(_COLUMNS.items(), zip(*self._waiting, strict=True), strict=False):
            setattr(batch, name, column(values))
        self._waiting, self._new_authors, self._details, self._bodies = [], [], [], []
        return batch

    def pickled(self, value: object) -> int:
        """One more body; its number."""
        return self.keep(pickle.dumps(value, pickle.HIGHEST_PROTOCOL))

    def keep(self, body: bytes) -> int:
        """One more body that was pickled before; its number."""
        self._bodies.append(body)
        self._body += 1
        return self._body - 1

    def add(
        self,
        kind: Kind,
        parent: int,
        label: str,
        *,
        author: str = "",
        place: str = "",
        start: float | None = None,
        duration: float | None = None,
        tokens: int | None = None,
        body: int = -1,
        event: int = -1,
        part: int = -1,
        call: int = -1,
        flag: Flag | int = 0,
    ) -> int:
        """One more row; its number."""
        self._waiting.append(
            (
                kind,
                flag,
                parent,
                label,
                place,
                self._author_number(author),
                NOT_TIMED if start is None else start,
                NOT_TIMED if duration is None else duration,
                NO_TOKENS if tokens is None else min(max(tokens, 0), MOST_TOKENS),
                body,
                event,
                part,
                call,
            )
        )
        self._row += 1
        return self._row - 1

    def add_details(self, details: RowDetails) -> None:
        """What is known of a row beyond its columns, if anything is."""
        if any(details[1:]):
            self._details.append(details)

    def _author_number(self, name: str) -> int:
        number = self._authors.get(name)
        if number is None:
            number = self._authors[name] = len(self._authors)
            self._new_authors.append(name)
        return number
