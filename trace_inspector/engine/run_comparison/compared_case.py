"""One case in two runs, each with all its repeats, and what became of it."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct

from trace_inspector.core.verdict.verdict import CaseVerdict, Status
from trace_inspector.engine.repeats.repeats import DECIDED, Key, name_of
from trace_inspector.engine.repeats.significance import fisher_test

BASELINE, CANDIDATE = "baseline", "candidate"  # what people call the two runs


class Change(enum.Enum):
    """What became of a case."""

    REGRESSED = "regressed"
    IMPROVED = "improved"
    UNCHANGED = "unchanged"
    NEW = "new"
    GONE = "gone"
    NOT_COMPARABLE = "not comparable"


class ComparedCase(Struct, frozen=True):
    """One case in both runs, each with all its repeats. `why` says what kept it from being compared.

    `has_scores`: its scores may be held against each other, also where nobody says from which on they pass.
    """

    key: Key
    change: Change
    base: tuple[CaseVerdict, ...] = ()
    new: tuple[CaseVerdict, ...] = ()
    why: str = ""
    has_scores: bool = False

    @property
    def name(self) -> str:
        """What people call it."""
        return name_of(self.key)

    @property
    def has_repeats(self) -> bool:
        """Whether a run has the case more than once."""
        return max(len(self.base), len(self.new)) > 1

    @property
    def chance(self) -> Fraction | None:
        """How likely so uneven shares of repeats are by chance; None without repeats, or where a run decided none."""
        sides = [(passes(side), decided(side)) for side in (self.base, self.new)]
        if not self.has_repeats or not all(of for _passed, of in sides):
            return None
        return fisher_test(*sides[0], *sides[1])


def decided(verdicts: Sequence[CaseVerdict]) -> int:
    """How many repeats passed or failed."""
    return sum(verdict.status in DECIDED for verdict in verdicts)


def passes(verdicts: Sequence[CaseVerdict]) -> int:
    """How many repeats passed."""
    return sum(verdict.status is Status.PASSED for verdict in verdicts)


def pass_share(verdicts: Sequence[CaseVerdict]) -> float | None:
    """The share of repeats that passed, of those that passed or failed; None where there are none."""
    count = decided(verdicts)
    return passes(verdicts) / count if count else None


def decisive(verdicts: Sequence[CaseVerdict]) -> dict[str, float | None]:
    """The criteria that decided something, with their thresholds."""
    return {
        metric.metric: metric.threshold
        for verdict in verdicts
        for metric in verdict.metrics
        if metric.status in DECIDED
    }
