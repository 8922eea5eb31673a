"""What a file itself says of its traces, as columns: the verdicts are opened one at a time when somebody looks."""

from __future__ import annotations

import pickle
from array import array
from collections.abc import Sequence

from msgspec import Struct, field

from trace_inspector.core.verdict.contradiction import Contradiction
from trace_inspector.core.verdict.triage import Bucket, triage
from trace_inspector.core.verdict.verdict import CaseVerdict, Status

STATUSES = tuple(Status)
BUCKETS: tuple[Bucket | None, ...] = (None, *Bucket)
MOST_ODD = 20  # contradictions of one verdict that are listed one by one
BAD = (Status.FAILED, Status.ERROR)
_NUMBERS = {status: number for number, status in enumerate(STATUSES)}
_NUMBERS_OF_BUCKETS = {bucket: number for number, bucket in enumerate(BUCKETS)}


class ReportedBatch(Struct):
    """Some verdicts: the row of the trace each is about, its status as a number into STATUSES, the pickled whole.

    Beside them what whoever reads the file found: the kind of failure as a number into BUCKETS, and contradictions.
    """

    rows: array[int] = field(default_factory=lambda: array("i"))
    statuses: bytearray = field(default_factory=bytearray)
    bodies: list[bytes] = field(default_factory=list)
    failing: list[tuple[int, ...]] = field(default_factory=list)  # the turns for which each failed, by index
    buckets: bytearray = field(default_factory=bytearray)
    odd: list[tuple[Contradiction, ...]] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.rows)

    def add(self, row: int, verdict: CaseVerdict, odd: Sequence[Contradiction] = ()) -> None:
        """One more, and where it contradicts itself."""
        self.rows.append(row)
        self.statuses.append(_NUMBERS[verdict.status])
        self.bodies.append(pickle.dumps(verdict, pickle.HIGHEST_PROTOCOL))
        bad = (turn.index for turn in verdict.turns if turn.status in BAD and turn.index is not None)
        self.failing.append(tuple(bad) if verdict.status in BAD else ())
        self.buckets.append(_NUMBERS_OF_BUCKETS[triage(verdict)])
        self.odd.append(_gravest(odd))

    def is_sound(self, row_count: int) -> bool:
        """Whether the numbers lead somewhere; a batch may have lain on a disk."""
        return (
            {len(self.rows)}
            == {len(column) for column in (self.statuses, self.bodies, self.failing, self.buckets, self.odd)}
            and all(0 <= row < row_count for row in self.rows)
            and all(status < len(STATUSES) for status in self.statuses)
            and all(bucket < len(BUCKETS) for bucket in self.buckets)
            and all(isinstance(odd, tuple) and all(map(_is_sound, odd)) for odd in self.odd)
            and all(isinstance(body, bytes) for body in self.bodies)
            and all(
                isinstance(turns, tuple) and all(isinstance(turn, int) for turn in turns) for turns in self.failing
            )
        )


def _gravest(odd: Sequence[Contradiction]) -> tuple[Contradiction, ...]:
    """The gravest; the last says how many more there are."""
    if len(odd) <= MOST_ODD:
        return tuple(odd)
    remaining = len(odd) - MOST_ODD + 1
    return (
        *odd[: MOST_ODD - 1],
        Contradiction("more", f"The verdict contradicts itself in {remaining} more places."),
    )


def _is_sound(value: object) -> bool:
    return (
        isinstance(value, Contradiction)
        and all(isinstance(text, str) for text in (value.code, value.sentence, value.metric, value.place))
        and (value.turn is None or isinstance(value.turn, int))
    )
