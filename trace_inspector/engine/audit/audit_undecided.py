"""Audit checks for undecided parts of a verdict: turns, criteria, failed judges, broken metrics."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.verdict.contradiction import Contradiction
from trace_inspector.core.verdict.verdict import MetricVerdict, Status, TurnVerdict
from trace_inspector.engine.audit.audited import DECIDED, OF_CES, Audited, many, name_of, words
from trace_inspector.engine.scoring.cannot_judge import JUDGE_CALL_FAILED

_WHOLE_CONVERSATION = "multi_turn_"  # in the names of metrics that judge the whole conversation
# Metrics that compare with a golden decide every turn that has one; others may skip turns.
COMPARING = frozenset(
    {"tool_trajectory_avg_score", "response_match_score", "final_response_match_v2", "response_evaluation_score"}
)


def nothing_checked(audited: Audited) -> Iterator[Contradiction]:
    """Passed although nothing was decided."""
    if audited.verdict.status is Status.PASSED and not any(
        metric.status in DECIDED for _turn, metric in audited.metrics()
    ):
        yield Contradiction("nothing-checked", "The verdict is passed, but nothing was checked.")


def turns_unchecked(audited: Audited) -> Iterator[Contradiction]:
    """Fewer turns checked than exist, not counting those whose metrics give a reason for no decision."""
    verdict = audited.verdict
    if verdict.status is not Status.PASSED or _is_judged_as_one(audited):
        return
    checked = {turn.index for turn in verdict.turns if any(metric.status in DECIDED for metric in turn.metrics)}
    spared = {*verdict.extra_turns, *(turn.index for turn in verdict.turns if _says_why(turn))} - checked
    golden = len(audited.case.turns) if audited.case else 0
    reported = max(len(verdict.turns), audited.observed) + verdict.unjudged_turns
    turn_count = max(reported, golden) - len(spared)
    if checked and len(checked) < turn_count:
        message = f"The verdict is passed, and {len(checked)} of {turn_count} turns were checked."
        yield Contradiction("turns-unchecked", message)


def _is_judged_as_one(audited: Audited) -> bool:
    return any(
        _WHOLE_CONVERSATION in metric.metric and metric.status in DECIDED for metric in audited.verdict.metrics
    )


def _says_why(turn: TurnVerdict) -> bool:
    silent = [metric for metric in turn.metrics if metric.status is Status.NOT_EVALUATED]
    return bool(silent) and all(metric.reason and not _judge_failed(metric) for metric in silent)


def crash_hidden(audited: Audited) -> Iterator[Contradiction]:
    """A broken metric that the verdict does not mention, and a failed judge under a passed verdict."""
    verdict = audited.verdict
    is_green = verdict.status is Status.PASSED
    if not is_green and (verdict.status is not Status.NOT_EVALUATED or verdict.hides):
        return
    for turn, metric in audited.metrics():
        about = turn.index if turn else None
        if metric.crashed or metric.status is Status.ERROR:
            message = f"The verdict is {words(verdict.status)}, and {name_of(turn, metric)} broke."
            yield Contradiction("crash-hidden", message, about, metric.metric)
        elif is_green and _judge_failed(metric):
            message = f"The verdict is passed, and the judge failed at {name_of(turn, metric)}."
            yield Contradiction("judge-failed", message, about, metric.metric)


def _judge_failed(metric: MetricVerdict) -> bool:
    return metric.status is Status.NOT_EVALUATED and JUDGE_CALL_FAILED in metric.reason


def decided_nothing(audited: Audited) -> Iterator[Contradiction]:
    """Passed although a criterion with a threshold has no score and no reason, as after crashes in google-adk.

    CES gives a reason for everything that it skips, so this never concerns it.
    """
    if audited.verdict.status is not Status.PASSED:
        return
    for metric in audited.verdict.metrics:
        if metric.metric.startswith(OF_CES):
            continue
        if _is_silent(metric):
            message = (
                f"The verdict is passed, and {metric.metric} decided nothing: "
                "it has a threshold and no score, and no reason is given."
            )
            yield Contradiction("decided-nothing", message, metric=metric.metric)
        elif metric.status in DECIDED and metric.metric in COMPARING:
            yield from _silent_turns(audited, metric)


def _silent_turns(audited: Audited, metric: MetricVerdict) -> Iterator[Contradiction]:
    """Turns that other metrics decided, and this one did not, though it checks all with a golden."""
    reported = audited.of_turns(metric.metric)
    silent = [
        turn
        for turn, verdict in reported
        if _is_silent(verdict)
        and turn.golden_index is not None
        and any(other.status in DECIDED for other in turn.metrics)
    ]
    if silent:
        message = (
            f"The verdict is passed, and {metric.metric} decided nothing in {many(len(silent), len(reported))}: "
            "no reason is given."
        )
        yield Contradiction("decided-nothing", message, silent[0].index, metric.metric)


def _is_silent(metric: MetricVerdict) -> bool:
    is_bare = metric.score is None and not metric.reason and not metric.crashed
    return metric.status is Status.NOT_EVALUATED and metric.threshold is not None and is_bare
