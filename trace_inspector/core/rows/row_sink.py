"""Where rows and bodies are put one by one: they are numbered through the whole file, and taken in batches."""

from __future__ import annotations

import pickle

from trace_inspector.core.rows.rows import NO_TOKENS, NOT_TIMED, Flag, Kind, RowBatch, RowDetails

MOST_TOKENS = 1 << 40  # more is a mistake, and the sum over a file must stay a number of 64 bits


class RowSink:
    """The batch that is being filled."""

    def __init__(self) -> None:
        self.batch = RowBatch()
        self._row = 0
        self._body = 0
        self._authors: dict[str, int] = {}

    @property
    def counts(self) -> tuple[int, int, int]:
        """How many rows, bodies and authors there are so far, also of batches that were taken."""
        return self._row, self._body, len(self._authors)

    def cut(self, rows: int, bodies: int, authors: int) -> None:
        """Number on from there, when everything was taken."""
        self._row, self._body = rows, bodies
        self._authors = {name: number for name, number in self._authors.items() if number < authors}

    def take(self) -> RowBatch:
        """The rows since the last call."""
        batch, self.batch = self.batch, RowBatch()
        return batch

    def pickled(self, value: object) -> int:
        """One more body; its number."""
        return self.keep(pickle.dumps(value, pickle.HIGHEST_PROTOCOL))

    def keep(self, body: bytes) -> int:
        """One more body that was pickled before; its number."""
        self.batch.bodies.append(body)
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
        batch = self.batch
        batch.kind.append(kind)
        batch.flag.append(flag)
        batch.parent.append(parent)
        batch.label.append(label)
        batch.author.append(self._author_number(author))
        batch.place.append(place)
        batch.start_s.append(NOT_TIMED if start is None else start)
        batch.duration_s.append(NOT_TIMED if duration is None else duration)
        batch.tokens.append(NO_TOKENS if tokens is None else min(max(tokens, 0), MOST_TOKENS))
        batch.body.append(body)
        batch.event.append(event)
        batch.part.append(part)
        batch.call.append(call)
        self._row += 1
        return self._row - 1

    def add_details(self, details: RowDetails) -> None:
        """What is known of a row beyond its columns, if anything is."""
        if any(details[1:]):
            self.batch.details.append(details)

    def _author_number(self, name: str) -> int:
        number = self._authors.get(name)
        if number is None:
            number = self._authors[name] = len(self._authors)
            self.batch.authors.append(name)
        return number
