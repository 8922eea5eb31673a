"""Why a case failed, in the buckets that people sort CES's failures into, tested in their order, for every format."""

from __future__ import annotations

import enum
import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from trace_inspector.core.alignment.turn_alignment import CallMatch
from trace_inspector.core.verdict.verdict import CaseVerdict, ExpectationVerdict, MetricVerdict, Status

_TIMEOUT = re.compile(r"time[ds]?[ -_]?out|deadline", re.IGNORECASE)
_OF_CES = "ces_"
_BROKEN = (Status.FAILED, Status.ERROR)
# What fails where an expected call is missing or is another one; of a few metrics only the name tells it.
TOOL_METRICS = frozenset(
    {
        "ces_tool_invocation", "tool_trajectory_avg_score", "trajectory_match", "trajectory_precision",
        "trajectory_recall", "trajectory_f1", "argument_share", "trajectory_exact_match", "trajectory_in_order_match",
        "trajectory_any_order_match", "trajectory_single_tool_use", "tool_name_match", "tool_parameter_key_match",
        "tool_parameter_kv_match",
    }
)  # fmt: skip
TEXT_METRICS = frozenset(
    {
        "ces_semantic_similarity", "response_match_score", "final_response_match_v2", "response_evaluation_score",
        "exact_match", "rouge_1", "rouge_l_sum", "bleu", "answer_check",
    }
)  # fmt: skip
CRITERIA_METRICS = frozenset({"ces_llm_criteria", "judge_prompt"})


class Bucket(enum.Enum):
    """One kind of failure, in words."""

    TIMEOUT = "it took too long"
    EXPECTATION_FAIL = "a criterion in words is not met"
    EXTRA_TURNS = "the agent did or said more than was expected"
    SCORES_PASS_BUT_FAIL = "all that is shown passes, and the verdict is failed"
    TOOL_MISSING = "an expected call was not made, or not as expected"
    TEXT_MISMATCH = "the agent said something else"
    UNKNOWN = "something else"


class _Failure(NamedTuple):
    """A verdict with its parts in one row: they are looked through several times."""

    verdict: CaseVerdict
    failed: Sequence[MetricVerdict]
    parts: Sequence[ExpectationVerdict]


def triage(verdict: CaseVerdict) -> Bucket | None:
    """The first bucket that a failure falls into; None for a case that neither failed nor broke."""
    if verdict.status not in _BROKEN:
        return None
    metrics = _metrics(verdict)
    failed = [metric for metric in metrics if metric.status is Status.FAILED]
    failure = _Failure(
        verdict, failed, [part for metric in metrics if metric.expectations for part in metric.expectations]
    )
    return next((bucket for bucket, falls_into in _TESTS if falls_into(failure)), Bucket.UNKNOWN)


def triage_of_ces(verdict: CaseVerdict) -> Bucket | None:
    """The bucket of a case that CES's metrics are about; None for all others."""
    of_ces = any(metric.metric.startswith(_OF_CES) for metric in _metrics(verdict))
    return triage(verdict) if of_ces else None


def triage_note(counts: Mapping[Bucket, int]) -> str:
    """How failures are spread over the buckets, in a sentence, in the order of the tests; "" where none failed."""
    text = ", ".join(f"{counts[bucket]} {bucket.name} ({bucket.value})" for bucket in Bucket if counts.get(bucket))
    return f"failures by kind: {text}" if text else ""


def fails_without_reason(verdict: CaseVerdict) -> bool:
    """Whether nothing in a verdict failed or broke: no metric, no expectation, no turn too many or too few.

    A score that nobody could decide on may be the reason; −1 is none.
    """
    if verdict.missing_turns or verdict.extra_turns or any(turn.status in _BROKEN for turn in verdict.turns):
        return False
    metrics = _metrics(verdict)
    if any(metric.status in _BROKEN or _undecided(metric) for metric in metrics):
        return False
    return not any(part.status in _BROKEN for metric in metrics for part in metric.expectations)


def _undecided(metric: MetricVerdict) -> bool:
    return metric.status is Status.NOT_EVALUATED and metric.score is not None and metric.score >= 0


def _is_timeout(failure: _Failure) -> bool:
    verdict = failure.verdict
    texts = {verdict.reason, *(turn.reason for turn in verdict.turns)}
    extras = [*verdict.extras, *(extra for turn in verdict.turns for extra in turn.extras)]
    texts |= {json.dumps(extra.value) for extra in extras if extra.name.lower().startswith("error")}
    return any(_TIMEOUT.search(text) for text in texts if text)


def _misses_criterion(failure: _Failure) -> bool:
    return _is_about(failure, CRITERIA_METRICS) or any(
        rubric.score == 0.0 for metric in failure.failed for rubric in metric.rubrics
    )


def _has_more(failure: _Failure) -> bool:
    """What nobody expected, unless it is allowed."""
    tolerated = (Status.INFORMATIONAL, Status.PASSED, Status.SKIPPED)
    return (
        bool(failure.verdict.extra_turns)
        or any(part.extra and part.status not in tolerated for part in failure.parts)
        or any(
            {pair.match for pair in metric.calls} - {CallMatch.SAME} == {CallMatch.EXTRA}
            for metric in failure.failed
            if metric.calls
        )
    )


def _hides_why(failure: _Failure) -> bool:
    return not failure.failed and fails_without_reason(failure.verdict)


def _misses_tool(failure: _Failure) -> bool:
    return _is_about(failure, TOOL_METRICS) or any(
        part.status is Status.FAILED and not part.extra and not part.place and part.what.startswith("call")
        for part in failure.parts
    )


def _says_otherwise(failure: _Failure) -> bool:
    return _is_about(failure, TEXT_METRICS) or any(
        part.status is Status.FAILED and part.what.startswith("answer") for part in failure.parts
    )


_TESTS: tuple[tuple[Bucket, Callable[[_Failure], bool]], ...] = (
    (Bucket.TIMEOUT, _is_timeout),
    (Bucket.EXPECTATION_FAIL, _misses_criterion),
    (Bucket.EXTRA_TURNS, _has_more),
    (Bucket.SCORES_PASS_BUT_FAIL, _hides_why),
    (Bucket.TOOL_MISSING, _misses_tool),
    (Bucket.TEXT_MISMATCH, _says_otherwise),
)


def _is_about(failure: _Failure, names: frozenset[str]) -> bool:
    """Whether one of these failed. One that stands several times in a run has a name of its own after a colon."""
    return any(name.partition(":")[0] in names for name in {metric.metric for metric in failure.failed})


def _metrics(verdict: CaseVerdict) -> Sequence[MetricVerdict]:
    return [*verdict.metrics, *(metric for turn in verdict.turns for metric in turn.metrics)]
