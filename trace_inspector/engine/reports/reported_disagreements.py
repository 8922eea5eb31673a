"""Where a file itself says something else than we do, or contradicts itself."""

from __future__ import annotations

from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, Status
from trace_inspector.engine.reports.report import score_text, turn_name, words

_SAID = (Status.PASSED, Status.FAILED, Status.ERROR)
_MOST_TURNS = 5
_MOST_ODD = 3


def contradicts(reported: CaseVerdict | MetricVerdict | None, own: CaseVerdict | MetricVerdict) -> bool:
    """Whether the file decided, and not as we did. That it decided nothing contradicts nobody."""
    return reported is not None and reported.status in _SAID and reported.status is not own.status


def contradictions(case: CaseVerdict, reported: CaseVerdict | None) -> list[str]:
    """In sentences, what the file says of a case and we do not, and where what it says contradicts itself."""
    if reported is None:
        return []
    sentences = [f"its file reports {words(reported.status)}"] if contradicts(reported, case) else []
    sentences += _metrics(case.metrics, reported.metrics, "")
    own = {turn.index: turn for turn in case.turns}
    turns = [
        line
        for turn in reported.turns
        if turn.index in own
        for line in _metrics(own[turn.index].metrics, turn.metrics, f"{turn_name(own[turn.index])}: ")
    ]
    more = [f"and {len(turns) - _MOST_TURNS} more turns have different verdicts"] if len(turns) > _MOST_TURNS else []
    return [*sentences, *turns[:_MOST_TURNS], *more, *_odd(reported)]


def _odd(reported: CaseVerdict) -> list[str]:
    """What the audit says of a file's own verdict."""
    from trace_inspector.engine.audit.audit import audit

    sentences = [f"in its file: {contradiction.sentence}" for contradiction in audit(reported)]
    remaining = len(sentences) - _MOST_ODD
    return [*sentences[:_MOST_ODD], f"its file has {remaining} more contradictions"] if remaining > 0 else sentences


def _metrics(own: tuple[MetricVerdict, ...], reported: tuple[MetricVerdict, ...], head: str) -> list[str]:
    by_name = {verdict.metric: verdict for verdict in reported}
    return [
        f"{head}{verdict.metric} {_verdict_text(by_name[verdict.metric])} by its file, {_verdict_text(verdict)} here"
        f"{_other_version(by_name[verdict.metric], verdict)}"
        for verdict in own
        if contradicts(by_name.get(verdict.metric), verdict)
    ]


def _other_version(reported: MetricVerdict, own: MetricVerdict) -> str:
    if reported.version == own.version:
        return ""
    return f"; versions {reported.version} and {own.version} of a metric are not comparable"


def _verdict_text(verdict: MetricVerdict) -> str:
    score = "" if verdict.score is None else f"{score_text(verdict)} "
    return f"{score}{words(verdict.status)}"
