"""A document as flat columns: what the tree shows, cheap enough for a million rows.

A row is a number. Rows of one file are numbered from 0 in the order in which they arrive; `parent` is -1
for top rows. Bodies are pickled turns, opened one at a time when somebody looks at a row.
"""

from __future__ import annotations

import enum
import math
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import NamedTuple

from msgspec import Struct, field


class Kind(enum.IntEnum):
    """What a row stands for."""

    SUITE = 0
    CASE = 1
    TRACE = 2
    TURN = 3
    USER = 4
    TEXT = 5
    THOUGHT = 6
    CALL = 7
    RESULT = 8
    TRANSFER = 9
    MEDIA = 10
    CODE = 11
    STATE = 12
    UNKNOWN = 13
    ANSWER = 14
    SPAN = 15
    MISSING_CALL = 16  # a golden's call that was not made; added when verdicts arrive
    MISSING_TURN = 17  # a golden's turn that the trace never reached
    EVENT = 18  # one that has several parts, which stand below it
    RUNS = 19  # a case that was run several times; the traces stand below it
    AGENTS = 20  # those that a case or trace describes
    AGENT = 21


class Flag(enum.IntFlag):
    """What is special about a row."""

    ERROR = 1
    PLUMBING = 2
    GUESSED = 4
    TIMES_GUESSED = 8
    TRANSFER = 16  # a call that hands the conversation over
    LONG = 32  # a turn that is kept in several bodies


NOT_TIMED = math.nan
NO_TOKENS = -1


class TextColumn:
    """Many short texts as one run of bytes: a million cost no objects and cross between processes at once."""

    __slots__ = ("_data", "_ends")

    def __init__(self, texts: Iterable[str] = ()) -> None:
        written = [text.encode("utf-8", "surrogatepass") for text in texts]
        self._data = bytearray(b"".join(written))
        self._ends = array("q", accumulate(map(len, written)))

    def append(self, text: str) -> None:
        """One more text; half a surrogate pair is kept as it is."""
        self._data += text.encode("utf-8", "surrogatepass")
        self._ends.append(len(self._data))

    def extend(self, other: TextColumn) -> None:
        """All texts of another column, after these."""
        before = len(self._data)
        self._data += other._data
        self._ends.extend(array("q", map(before.__add__, other._ends)) if before else other._ends)

    def slice(self, start: int, end: int) -> TextColumn:
        """Some of the texts as a column of their own."""
        ends = self._ends[start:end]
        first = self._ends[start - 1] if start else 0
        part = TextColumn()
        part._data = self._data[first : ends[-1] if ends else first]
        part._ends = array("q", (offset - first for offset in ends)) if first else ends
        return part

    def cut(self, count: int) -> None:
        """Keep the first texts alone."""
        del self._ends[count:]
        del self._data[self._ends[-1] if self._ends else 0 :]

    def find(self, text: str) -> int:
        """The first row with exactly that text, which is not empty; -1 when there is none."""
        needle = text.encode("utf-8", "surrogatepass")
        offset = self._data.find(needle)
        while offset >= 0:
            row = bisect_left(self._ends, offset + len(needle))
            if row < len(self) and self._ends[row] == offset + len(needle) and self[row] == text:
                return row
            offset = self._data.find(needle, offset + 1)
        return -1

    def containing(self, text: str) -> Iterator[int]:
        """The rows with that text in them, in small letters, capitals or as it stands."""
        data, ends = bytes(self._data).lower(), self._ends
        forms = {text, text.lower(), text.upper(), text.capitalize(), text.title()}
        for needle in {form.encode("utf-8", "surrogatepass").lower() for form in forms if form}:
            offset = data.find(needle)
            while offset >= 0:
                row = bisect_right(ends, offset)
                if offset + len(needle) <= ends[row]:
                    yield row
                    offset = data.find(needle, ends[row])
                else:  # it runs from one text into the next
                    offset = data.find(needle, offset + 1)

    @classmethod
    def of(cls, data: bytes, ends: array[int]) -> TextColumn:
        """The column that these bytes are, with where each text ends."""
        made = cls()
        made._data, made._ends = bytearray(data), ends
        return made

    def parts(self) -> tuple[bytearray, array[int]]:
        """What `of` is given: not a copy, to be read only."""
        return self._data, self._ends

    def __getitem__(self, row: int) -> str:
        start = self._ends[row - 1] if row else 0
        return self._data[start : self._ends[row]].decode("utf-8", "surrogatepass")

    def __len__(self) -> int:
        return len(self._ends)

    def __iter__(self) -> Iterator[str]:
        return (self[row] for row in range(len(self)))


class RowDetails(NamedTuple):
    """What is known of a case or trace beyond its line. `id` is set where the line is a title; runs count from 1."""

    row: int = -1
    id: str = ""
    candidate: str = ""
    persona: str = ""
    run: int = 0  # of its case, where the file holds several


class RowBatch(Struct):
    """Some rows, column by column, with the bodies they look into. Appended to a table as they come."""

    kind: bytearray = field(default_factory=bytearray)
    flag: bytearray = field(default_factory=bytearray)
    parent: array[int] = field(default_factory=lambda: array("i"))
    label: TextColumn = field(default_factory=TextColumn)
    place: TextColumn = field(default_factory=TextColumn)
    author: array[int] = field(default_factory=lambda: array("i"))  # a number into all authors so far
    authors: list[str] = field(default_factory=list)  # those that are new in this batch
    start_s: array[float] = field(default_factory=lambda: array("d"))
    duration_s: array[float] = field(default_factory=lambda: array("d"))
    tokens: array[int] = field(default_factory=lambda: array("q"))
    body: array[int] = field(default_factory=lambda: array("i"))  # which body the row looks into, -1 none
    event: array[int] = field(default_factory=lambda: array("i"))  # the event in that turn, -1 none
    part: array[int] = field(default_factory=lambda: array("i"))  # the part in that event, the span or the agent
    call: array[int] = field(default_factory=lambda: array("i"))  # index of the call in its turn, -1 none
    details: list[RowDetails] = field(default_factory=list)  # of the few rows that have it
    bodies: list[bytes] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.kind)

    def split(self, size: int) -> Iterator[RowBatch]:
        """The same rows in batches of at most that many; the first one carries all that is no column."""
        if len(self) <= size:
            yield self
            return
        for start in range(0, len(self), size):
            part = self.some(start, start + size)
            if not start:
                part.authors, part.bodies, part.details = self.authors, self.bodies, self.details
            yield part

    def cut(self, rows: int) -> None:
        """Keep the first rows alone; what is no column stays."""
        self.label.cut(rows)
        self.place.cut(rows)
        for name in PLAIN_COLUMNS:
            del getattr(self, name)[rows:]

    def extend(self, more: RowBatch) -> None:
        """Add the rows of another batch, and all that it has beside columns."""
        self.label.extend(more.label)
        self.place.extend(more.place)
        for name in PLAIN_COLUMNS:
            getattr(self, name).extend(getattr(more, name))
        self.authors.extend(more.authors)
        self.details.extend(more.details)
        self.bodies.extend(more.bodies)

    def some(self, start: int, end: int) -> RowBatch:
        """Some of the rows, columns alone."""
        part = RowBatch(label=self.label.slice(start, end), place=self.place.slice(start, end))
        for name in PLAIN_COLUMNS:
            setattr(part, name, getattr(self, name)[start:end])
        return part


# Those that hold one number a row.
PLAIN_COLUMNS = (
    "kind",
    "flag",
    "parent",
    "author",
    "start_s",
    "duration_s",
    "tokens",
    "body",
    "event",
    "part",
    "call",
)
