"""Reported and recomputed verdicts of a criterion side by side, and why they disagree."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from msgspec import Struct

from trace_inspector.core.verdict.rubric_pairs import rubric_pairs
from trace_inspector.core.verdict.verdict import MetricVerdict, Status
from trace_inspector.models.base.figures import score_text

_OURS = ("judge_prompt:", "answer_check:")  # before the name that another system gives its metric
_NEAR = 0.005  # scores that are shown as the same text do not count as different


class VerdictPair(Struct, frozen=True):
    """One criterion with at least one verdict; `conflict` is a sentence with the cause, "" where they agree."""

    metric: str
    reported: MetricVerdict | None
    recomputed: MetricVerdict | None
    conflict: str = ""

    @property
    def shown(self) -> MetricVerdict:
        """The recomputed side, where there is one: the row's own mark and bar."""
        verdict = self.recomputed or self.reported
        if verdict is None:
            raise ValueError("a pair without a verdict")
        return verdict


def pairs_of(reported: Iterable[MetricVerdict], recomputed: Sequence[MetricVerdict]) -> list[VerdictPair]:
    """In the order of the recomputed verdicts, then those that only the file has. Equal names are paired in order.

    What we ask or compute for another system is `judge_prompt:NAME` or `answer_check:NAME`, and NAME in its results.
    """
    remaining: dict[str, list[MetricVerdict]] = {}
    for verdict in reported:
        remaining.setdefault(verdict.metric, []).append(verdict)
    pairs = []
    for verdict in recomputed:
        theirs = next((verdict.metric.removeprefix(ours) for ours in _OURS if verdict.metric.startswith(ours)), "")
        queue = remaining.get(verdict.metric) or remaining.get(theirs)
        other = queue.pop(0) if queue else None
        pairs.append(VerdictPair(verdict.metric, other, verdict, conflict(other, verdict) if other else ""))
    return [
        *pairs,
        *(VerdictPair(verdict.metric, verdict, None) for queue in remaining.values() for verdict in queue),
    ]


def conflict(reported: MetricVerdict, recomputed: MetricVerdict) -> str:
    """What differs and the likeliest cause, in sentences; "" when both say the same."""
    same_status = reported.status is recomputed.status
    if Status.INFORMATIONAL in (reported.status, recomputed.status):
        return ""
    if same_status and _alike(reported.score, recomputed.score):
        return ""
    return f"Reported {_outcome(reported)}, recomputed {_outcome(recomputed)}. {_cause(reported, recomputed)}"


def _outcome(verdict: MetricVerdict) -> str:
    status = verdict.status.value.lower().replace("_", " ")
    return status if verdict.score is None else f"{score_text(verdict.score)} ({status})"


def _cause(reported: MetricVerdict, recomputed: MetricVerdict) -> str:
    if recomputed.score is None:
        return f"It could not be recomputed here: {recomputed.reason or 'no reason was given'}."
    if reported.score is None:
        return "The file holds no score for it: it was not run, or its judge failed, when the file was written."
    if not _alike(reported.score, recomputed.score):
        return _of_scores(reported, recomputed)
    if not _alike(reported.threshold, recomputed.threshold):
        needs = [score_text(verdict.threshold) for verdict in (reported, recomputed)]
        return f"The scores agree; the file needed {needs[0]}, this run needs {needs[1]}."
    if recomputed.overruled is not None:
        return "The scores agree; a person overruled the verdict."
    return "Scores and thresholds agree, so the file's own status does not follow from its figures."


def _of_scores(reported: MetricVerdict, recomputed: MetricVerdict) -> str:
    theirs, ours = reported.rubrics, recomputed.rubrics
    if theirs and ours and any(None in pair for pair in rubric_pairs(theirs, ours)):
        others = ", not the same ones" if len(theirs) == len(ours) else ""
        return f"The file was scored with {_counted(len(theirs))}, this run with {_counted(len(ours))}{others}."
    if recomputed.votes or recomputed.rubrics:
        return "A judge decides this; asked again, it may vote differently."
    if recomputed.reason:
        return f"This run says: {recomputed.reason.rstrip('.')}."
    return "The file does not say how its score was computed; perhaps with another golden or other options."


def _alike(score: float | None, other_score: float | None) -> bool:
    if score is None or other_score is None:
        return score is other_score
    return score == other_score or (math.isfinite(score - other_score) and abs(score - other_score) < _NEAR)


def _counted(count: int) -> str:
    return "1 rubric" if count == 1 else f"{count} rubrics"
