"""Verdicts on a golden that changed, or on a conversation that went on, since it was judged."""

from __future__ import annotations

from msgspec.structs import replace

from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, Status

STALE = "the golden changed after this was judged; evaluate again to ask the judge"


GREW = "the conversation went on after this was judged; evaluate again"


def stale_verdict(verdict: CaseVerdict, reason: str = STALE) -> CaseVerdict:
    """The verdict with everything pending until the case is evaluated again."""
    turns = tuple(
        replace(turn, status=Status.PENDING, metrics=tuple(_stale(each, reason) for each in turn.metrics))
        for turn in verdict.turns
    )
    metrics = tuple(_stale(each, reason) for each in verdict.metrics)
    return replace(verdict, status=Status.PENDING, metrics=metrics, turns=turns, reason=reason)


def _stale(verdict: MetricVerdict, reason: str) -> MetricVerdict:
    if verdict.status is Status.INFORMATIONAL:
        return verdict
    return MetricVerdict(verdict.metric, None, Status.PENDING, verdict.threshold, reason)
