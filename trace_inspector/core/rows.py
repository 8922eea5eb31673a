"""A document as flat columns: what the tree shows, cheap enough for a million rows.

A row is a number. Rows of one file are numbered from 0 in the order in which they arrive; `parent` is -1
for top rows. Bodies are pickled turns, opened one at a time when somebody looks at a row.
"""

from __future__ import annotations

import enum
import math
from array import array
from dataclasses import dataclass, field


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


class Flag(enum.IntFlag):
    """What is special about a row."""

    ERROR = 1
    PLUMBING = 2
    GUESSED = 4


NOT_TIMED = math.nan
NO_TOKENS = -1


@dataclass(slots=True)
class RowBatch:
    """Some rows, column by column, with the bodies they look into. Appended to a table as they come."""

    kind: bytearray = field(default_factory=bytearray)
    flag: bytearray = field(default_factory=bytearray)
    parent: array[int] = field(default_factory=lambda: array("i"))
    label: list[str] = field(default_factory=list)
    author: list[str] = field(default_factory=list)
    place: list[str] = field(default_factory=list)
    start_s: array[float] = field(default_factory=lambda: array("d"))
    duration_s: array[float] = field(default_factory=lambda: array("d"))
    tokens: array[int] = field(default_factory=lambda: array("q"))
    body: array[int] = field(default_factory=lambda: array("i"))  # which body the row looks into, -1 none
    event: array[int] = field(default_factory=lambda: array("i"))  # the event in that turn, -1 none
    part: array[int] = field(default_factory=lambda: array("i"))  # the part in that event, or the span, -1 none
    call: array[int] = field(default_factory=lambda: array("i"))  # the how-manieth call of the turn, -1 none
    bodies: list[bytes] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.kind)
