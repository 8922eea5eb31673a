"""Scores against thresholds, and the score of a case against those of its turns."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.verdict.contradiction import Contradiction
from trace_inspector.core.verdict.figures import is_summable
from trace_inspector.core.verdict.verdict import MetricVerdict, Status, TurnVerdict
from trace_inspector.engine.audit.audit_ces import threshold_of
from trace_inspector.engine.audit.audited import DECIDED, OF_CES, Audited, name_of, words
from trace_inspector.engine.ces.settings import PARAMETERS

_NEAR = 1e-6  # CES keeps scores in single precision
# Their thresholds are upper limits. Listed here, because loading all metrics would delay the first rows.
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


# The range of each score, listed here for the same reason.
RANGES: Mapping[str, tuple[float, float]] = {
    **dict.fromkeys(
        (
            "tool_trajectory_avg_score", "response_match_score", "final_response_match_v2", "safety_v1",
            "hallucinations_v1", "rubric_based_final_response_quality_v1", "rubric_based_tool_use_quality_v1",
            "rubric_based_multi_turn_trajectory_quality_v1", "per_turn_user_simulator_quality_v1",
            "multi_turn_task_success_v1", "multi_turn_trajectory_quality_v1", "multi_turn_tool_use_quality_v1",
            "ces_tool_invocation", "ces_tool_order", "ces_parameter_correctness",
        ),
        (0.0, 1.0),
    ),
    "response_evaluation_score": (1.0, 5.0),
    "ces_semantic_similarity": (0.0, 4.0),
    # −1 is nothing to assess
    "ces_hallucination": (-1.0, 1.0),
    "ces_user_goal": (-1.0, 1.0),
    **dict.fromkeys(LOWER_IS_BETTER, (0.0, math.inf)),
}  # fmt: skip


def out_of_range(audited: Audited) -> Iterator[Contradiction]:
    """A score outside the metric's range, or not a number."""
    for turn, metric in audited.metrics():
        about = turn.index if turn else None
        for score, place in _scores(metric):
            least, most = RANGES.get(metric.metric, (-math.inf, math.inf))
            if not is_summable(score) or not least - _NEAR <= score <= most + _NEAR:
                bounds = f"from {least:g} to {most:g}" if math.isfinite(most) else "no less than 0"
                bounds = bounds if metric.metric in RANGES else "a number"
                message = f"{name_of(turn, metric)} is {score:g}, and its scores are {bounds}."
                yield Contradiction("score-out-of-range", message, about, metric.metric, place)


def _scores(metric: MetricVerdict) -> Iterator[tuple[float, str]]:
    """The score of a metric, and those of its expectations, each with its own place."""
    own = [
        (expectation.score, expectation.place) for expectation in metric.expectations if expectation.score is not None
    ]
    if metric.score is not None and not any(metric.score is score or metric.score == score for score, _ in own):
        yield metric.score, ""
    yield from own


def undecided_scores(audited: Audited) -> Iterator[Contradiction]:
    """A score with a threshold but no decision, and a pass without a score. trpc-agent-go omits a score of 0."""
    for turn, metric in audited.metrics():
        about = turn.index if turn else None
        if metric.overruled or metric.metric.startswith(OF_CES) or metric.threshold is None or metric.reason:
            continue
        if metric.status is Status.NOT_EVALUATED and metric.score is not None:
            message = f"{name_of(turn, metric)} is not evaluated, and its score is {metric.score:g}."
            yield Contradiction("score-undecided", message, about, metric.metric)
        elif metric.status is Status.PASSED and metric.score is None and metric.metric in RANGES:
            message = f"{name_of(turn, metric)} is passed, but it has no score."
            yield Contradiction("no-score", message, about, metric.metric)


def thresholds_differ(audited: Audited) -> Iterator[Contradiction]:
    """A turn with another threshold than the case. For CES only turns have one."""
    whole = {
        metric.metric: metric.threshold
        for metric in audited.verdict.metrics
        if metric.threshold is not None and not metric.metric.startswith(OF_CES)
    }
    for turn in audited.verdict.turns:
        for metric in turn.metrics:
            threshold = whole.get(metric.metric, metric.threshold)
            if threshold is not None and metric.threshold is not None and metric.threshold != threshold:
                message = (
                    f"{name_of(turn, metric)} has the threshold {metric.threshold:g}, and the case {threshold:g}."
                )
                yield Contradiction("thresholds-differ", message, turn.index, metric.metric)


def against_rubrics(audited: Audited) -> Iterator[Contradiction]:
    """Score 1 though a rubric is not met, or 0 though all are: the score is the share of those met."""
    for turn, metric in audited.metrics():
        decided = [rubric for rubric in metric.rubrics if rubric.score is not None]
        failed = next((rubric for rubric in decided if rubric.score is not None and rubric.score < 1), None)
        about = turn.index if turn else None
        if metric.overruled or not decided or metric.score is None:
            continue
        if metric.score >= 1 and failed is not None and metric.score <= 1 + _NEAR:
            named = failed.text or failed.rubric_id or "one"
            message = (
                f"{name_of(turn, metric)} is {metric.score:g}, and the rubric “{one_line(named, 80)}” does not hold."
            )
            yield Contradiction("rubrics-against-score", message, about, metric.metric)
        elif metric.score == 0 and failed is None:
            message = f"{name_of(turn, metric)} is 0, and all of its {len(decided)} rubrics hold."
            yield Contradiction("rubrics-against-score", message, about, metric.metric)


def against_threshold(audited: Audited) -> Iterator[Contradiction]:
    """A status that contradicts score and threshold. For CES only turns have one: a case is not their mean."""
    for turn, metric in audited.metrics():
        per_turn = metric.metric.startswith(OF_CES) and (turn is None or metric.metric == PARAMETERS)
        if metric.overruled or metric.status not in DECIDED:
            continue
        if turn is not None and metric.metric == PARAMETERS:
            yield from _against_their_threshold(audited, turn, metric)
        threshold = threshold_of(audited, turn, metric)
        if per_turn or _agrees(metric.metric, metric.score, threshold.value, metric.status):
            continue
        message = f"{name_of(turn, metric)} is {words(metric.status)} with {metric.score:g}, and {threshold.text}."
        yield Contradiction("score-against-threshold", message, turn.index if turn else None, metric.metric)


def _against_their_threshold(audited: Audited, turn: TurnVerdict, metric: MetricVerdict) -> Iterator[Contradiction]:
    """For parameters each call has its own score and outcome."""
    for expectation in metric.expectations:
        threshold = threshold_of(audited, turn, metric, expectation)
        if expectation.status in DECIDED and not _agrees(
            metric.metric, expectation.score, threshold.value, expectation.status
        ):
            message = (
                f"{name_of(turn, metric)}, “{expectation.what}”, is {words(expectation.status)} "
                f"with {expectation.score:g}, and {threshold.text}."
            )
            yield Contradiction("score-against-threshold", message, turn.index, metric.metric, expectation.place)


def _agrees(name: str, score: float | None, threshold: float | None, status: Status) -> bool:
    """Whether a score agrees with the status; true where score or threshold is unknown."""
    if score is None or threshold is None:
        return True
    beyond = score - threshold
    if name in LOWER_IS_BETTER:
        beyond = -beyond
    return beyond >= -_NEAR if status is Status.PASSED else beyond < 0


def not_the_mean(audited: Audited) -> Iterator[Contradiction]:
    """A score of the case that is not the mean of its turns' scores."""
    for metric in audited.verdict.metrics:
        if metric.metric not in MEANS or metric.overruled or metric.score is None:
            continue
        verdicts = [verdict for _turn, verdict in audited.of_turns(metric.metric)]
        scores = [verdict.score for verdict in verdicts if is_summable(verdict.score)]
        if not scores or any(verdict.status in DECIDED and verdict.score is None for verdict in verdicts):
            continue
        mean = sum(score / len(scores) for score in scores)  # a plain sum may overflow
        if not math.isclose(mean, metric.score, rel_tol=_NEAR, abs_tol=_NEAR):
            turns = f"the mean of its {len(scores)} turns is" if len(scores) > 1 else "its only turn has"
            message = f"{metric.metric} is {metric.score:g}, and {turns} {mean:g}."
            yield Contradiction("score-not-mean", message, metric=metric.metric)
