"""What a file itself says of its traces, as columns: the verdicts are opened one at a time when somebody looks."""

from __future__ import annotations

import pickle
from array import array
from dataclasses import dataclass, field

from trace_inspector.core.verdict import CaseVerdict, Status

STATUSES = tuple(Status)
BAD = (Status.FAILED, Status.ERROR)
_NUMBERS = {status: number for number, status in enumerate(STATUSES)}


@dataclass(slots=True)
class ReportedBatch:
    """Some verdicts: the row of the trace each is about, its status as a number into STATUSES, the pickled whole."""

    rows: array[int] = field(default_factory=lambda: array("i"))
    statuses: bytearray = field(default_factory=bytearray)
    bodies: list[bytes] = field(default_factory=list)
    failing: list[tuple[int, ...]] = field(default_factory=list)  # the turns for which each failed, by index

    def __len__(self) -> int:
        return len(self.rows)

    def add(self, row: int, verdict: CaseVerdict) -> None:
        """One more."""
        self.rows.append(row)
        self.statuses.append(_NUMBERS[verdict.status])
        self.bodies.append(pickle.dumps(verdict, pickle.HIGHEST_PROTOCOL))
        bad = (turn.index for turn in verdict.turns if turn.status in BAD and turn.index is not None)
        self.failing.append(tuple(bad) if verdict.status in BAD else ())

    def is_sound(self, row_count: int) -> bool:
        """Whether the numbers lead somewhere; a batch may have lain on a disk."""
        return (
            len(self.rows) == len(self.statuses) == len(self.bodies) == len(self.failing)
            and all(0 <= row < row_count for row in self.rows)
            and all(status < len(STATUSES) for status in self.statuses)
            and all(isinstance(body, bytes) for body in self.bodies)
            and all(
                isinstance(turns, tuple) and all(isinstance(turn, int) for turn in turns) for turns in self.failing
            )
        )
