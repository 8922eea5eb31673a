"""The cases that a run judges: all, or some of an earlier run whose other verdicts are kept."""

from __future__ import annotations

import enum
from collections.abc import Sequence

from msgspec import Struct

from trace_inspector.core.verdict.case_key import CaseKey, key_of
from trace_inspector.core.verdict.verdict import CaseVerdict, Status


class Scope(enum.Enum):
    """The requested cases."""

    ALL = "all"
    REST = "rest"  # cases without verdicts
    FAILED = "failed"
    STALE = "stale"  # cases that wait for a judge
    GROWN = "grown"  # conversations that went on, or are new
    ONE = "one"
    CHOSEN = "chosen"  # some cases, in a run of their own: nothing of the earlier run is kept in it


class Share(Struct, frozen=True):
    """Verdicts that are kept, and the cases to judge; None are all others."""

    earlier: tuple[CaseVerdict, ...] = ()
    again: frozenset[CaseKey] | None = None

    @property
    def empty(self) -> bool:
        """Whether there is nothing to judge."""
        return self.again is not None and not self.again


def waits(verdict: CaseVerdict) -> bool:
    """Whether a verdict waits for a judge."""
    return verdict.status is Status.PENDING or any(metric.status is Status.PENDING for metric in verdict.metrics)


def failed(verdict: CaseVerdict) -> bool:
    """Whether a case failed, or had an error."""
    return verdict.status in (Status.FAILED, Status.ERROR)


def share_of(
    cases: Sequence[CaseVerdict],
    scope: Scope,
    case: CaseVerdict | None = None,
    chosen: frozenset[CaseKey] = frozenset(),
) -> Share:
    """Divide the cases of a run into those that are kept and those to judge."""
    if scope is Scope.ALL:
        return Share()
    if scope is Scope.CHOSEN:
        return Share((), chosen)
    if scope in (Scope.REST, Scope.GROWN):
        return Share(tuple(verdict for verdict in cases if not waits(verdict)))
    wanted = {
        Scope.FAILED: [verdict for verdict in cases if failed(verdict)],
        Scope.STALE: [verdict for verdict in cases if waits(verdict)],
        Scope.ONE: [case] if case is not None else [],
    }[scope]
    again = frozenset(map(key_of, wanted))
    return Share(tuple(verdict for verdict in cases if key_of(verdict) not in again), again)
