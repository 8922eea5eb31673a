"""Verdicts on a golden that changed, or on a conversation that went on, since it was judged."""

from __future__ import annotations

from msgspec.structs import replace

from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, Status, TurnVerdict

STALE = "the golden changed after this was judged; evaluate again to ask the judge"

GREW = "the conversation went on after this was judged; evaluate again"
UNTOLD = "whether its turns have ended was not known yet when this was judged; evaluate again"
OPEN = "a turn has not ended yet; what is missing may still come"


def stale_verdict(verdict: CaseVerdict, reason: str = STALE) -> CaseVerdict:
    """The verdict with everything pending until the case is evaluated again."""
    turns = tuple(_pending(turn, reason) for turn in verdict.turns)
    metrics = tuple(_stale(each, reason) for each in verdict.metrics)
    return replace(verdict, status=Status.PENDING, metrics=metrics, turns=turns, reason=reason)


def open_verdict(verdict: CaseVerdict, open_turns: frozenset[int]) -> CaseVerdict:
    """The verdict on a conversation while some of its turns have not ended: what is missing may come yet."""
    ended = [turn for turn in verdict.turns if turn.index is not None and turn.index not in open_turns]
    turns = tuple(turn if turn in ended else _pending(turn, OPEN) for turn in verdict.turns)
    has_failed = any(turn.status in (Status.FAILED, Status.ERROR) for turn in ended)
    return replace(
        verdict,
        status=Status.FAILED if has_failed else Status.PENDING,
        metrics=tuple(_stale(each, OPEN) for each in verdict.metrics),
        turns=turns,
        missing_turns=(),
        reason=OPEN,
    )


def _pending(turn: TurnVerdict, reason: str) -> TurnVerdict:
    return replace(turn, status=Status.PENDING, metrics=tuple(_stale(each, reason) for each in turn.metrics))


def _stale(verdict: MetricVerdict, reason: str) -> MetricVerdict:
    if verdict.status is Status.INFORMATIONAL:
        return verdict
    return MetricVerdict(verdict.metric, None, Status.PENDING, verdict.threshold, reason)
