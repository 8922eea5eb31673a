"""Verdicts on a golden that changed since it was judged."""

from __future__ import annotations

from msgspec.structs import replace

from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, Status

STALE = "the golden changed after this was judged; evaluate again to ask the judge"


def stale_verdict(verdict: CaseVerdict) -> CaseVerdict:
    """The verdict with everything pending until the case is evaluated again."""
    turns = tuple(
        replace(turn, status=Status.PENDING, metrics=tuple(map(_stale, turn.metrics))) for turn in verdict.turns
    )
    metrics = tuple(map(_stale, verdict.metrics))
    return replace(verdict, status=Status.PENDING, metrics=metrics, turns=turns, reason=STALE)


def _stale(verdict: MetricVerdict) -> MetricVerdict:
    if verdict.status is Status.INFORMATIONAL:
        return verdict
    return MetricVerdict(verdict.metric, None, Status.PENDING, verdict.threshold, STALE)
