"""What a file itself says of its traces, as columns: the verdicts are opened one at a time when somebody looks."""

from __future__ import annotations

import pickle
from array import array
from dataclasses import dataclass, field

from trace_inspector.core.verdict import CaseVerdict, Status

STATUSES = tuple(Status)
_NUMBERS = {status: number for number, status in enumerate(STATUSES)}


@dataclass(slots=True)
class ReportedBatch:
    """Some verdicts: the row of the trace each is about, its status as a number into STATUSES, the pickled whole."""

    rows: array[int] = field(default_factory=lambda: array("i"))
    statuses: bytearray = field(default_factory=bytearray)
    bodies: list[bytes] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.rows)

    def add(self, row: int, verdict: CaseVerdict) -> None:
        """One more."""
        self.rows.append(row)
        self.statuses.append(_NUMBERS[verdict.status])
        self.bodies.append(pickle.dumps(verdict, pickle.HIGHEST_PROTOCOL))

    def is_sound(self, row_count: int) -> bool:
        """Whether the numbers lead somewhere; a batch may have lain on a disk."""
        return (
            len(self.rows) == len(self.statuses) == len(self.bodies)
            and all(0 <= row < row_count for row in self.rows)
            and all(status < len(STATUSES) for status in self.statuses)
            and all(isinstance(body, bytes) for body in self.bodies)
        )
