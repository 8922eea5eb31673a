"""Scores against thresholds, and the score of a case against those of its turns."""

from __future__ import annotations

import math
from collections.abc import Iterator

from trace_inspector.core.contradiction import Contradiction
from trace_inspector.core.figure import is_figure
from trace_inspector.core.verdict import MetricVerdict, Status
from trace_inspector.engine.audited import DECIDED, OF_CES, Audited, name_of, words
from trace_inspector.engine.ces.settings import PARAMETERS

_NEAR = 1e-6  # CES keeps scores in single precision
# Their thresholds are the most that passes. Named here, since to load all metrics would hold up the first rows.
LOWER_IS_BETTER = frozenset(
    {
        "tool_call_count_v1", "inference_call_count_v1", "token_usage_v1", "invocation_duration_v1",
        "agent_eval_token_usage", "agent_eval_token_usage_corrected", "agent_eval_latency_metrics",
        "agent_eval_latency_metrics_corrected", "agent_eval_context_saturation",
        "agent_eval_context_saturation_corrected",
    }
)  # fmt: skip
# Of these google-adk makes the score of a case as the plain mean over the turns that have one.
MEANS = frozenset(
    {
        "tool_trajectory_avg_score", "response_match_score", "final_response_match_v2", "response_evaluation_score",
        "safety_v1", "hallucinations_v1",
    }
)  # fmt: skip


def against_threshold(audited: Audited) -> Iterator[Contradiction]:
    """A score on the other side of its own threshold. Of CES's only turns have one: a case is not their mean."""
    for turn, metric in audited.metrics():
        per_turn = metric.metric.startswith(OF_CES) and (turn is None or metric.metric == PARAMETERS)
        if per_turn or metric.overruled or metric.status not in DECIDED or _agrees(metric):
            continue
        said = (
            f"{name_of(turn, metric)} is {words(metric.status)} with {metric.score:g}, "
            f"and its threshold is {metric.threshold:g}."
        )
        yield Contradiction("score-against-threshold", said, turn.index if turn else None, metric.metric)


def _agrees(metric: MetricVerdict) -> bool:
    """Whether a score lies where the status says; also where one of the two is not known."""
    if metric.score is None or metric.threshold is None:
        return True
    beyond = metric.score - metric.threshold
    if metric.metric in LOWER_IS_BETTER:
        beyond = -beyond
    return beyond >= -_NEAR if metric.status is Status.PASSED else beyond < 0


def not_the_mean(audited: Audited) -> Iterator[Contradiction]:
    """A score of the case that is not the mean of those of its turns."""
    for metric in audited.verdict.metrics:
        if metric.metric not in MEANS or metric.overruled or metric.score is None:
            continue
        told = [one for _turn, one in audited.of_turns(metric.metric)]
        scores = [one.score for one in told if is_figure(one.score)]
        if not scores or any(one.status in DECIDED and one.score is None for one in told):
            continue
        mean = sum(score / len(scores) for score in scores)  # a sum may be beyond all measure
        if not math.isclose(mean, metric.score, rel_tol=_NEAR, abs_tol=_NEAR):
            turns = f"the mean of its {len(scores)} turns is" if len(scores) > 1 else "its only turn has"
            said = f"{metric.metric} is {metric.score:g}, and {turns} {mean:g}."
            yield Contradiction("score-not-mean", said, metric=metric.metric)
