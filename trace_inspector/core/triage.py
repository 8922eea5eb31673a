"""Why a case failed, in the buckets that people sort CES's failures into, tested in their order, for every format."""

from __future__ import annotations

import enum
import json
import re
from collections.abc import Callable, Iterable, Iterator

from trace_inspector.core.align import Match
from trace_inspector.core.verdict import CaseVerdict, ExpectationVerdict, MetricVerdict, Status

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
        "exact_match", "rouge_1", "rouge_l_sum",
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


def triage(verdict: CaseVerdict) -> Bucket | None:
    """The first bucket that a failure falls into; None for a case that neither failed nor broke."""
    if verdict.status not in _BROKEN:
        return None
    return next((bucket for bucket, falls_into in _TESTS if falls_into(verdict)), Bucket.UNKNOWN)


def triage_all(verdicts: Iterable[CaseVerdict]) -> dict[Bucket, int]:
    """How many failures fall into each bucket, in the order of the tests; empty buckets are left out."""
    found = [triage(verdict) for verdict in verdicts]
    return {bucket: count for bucket in Bucket if (count := found.count(bucket))}


def triage_note(verdicts: Iterable[CaseVerdict]) -> str:
    """How the failures of CES's cases are spread over the buckets, in a sentence; "" where none failed."""
    found = triage_all(
        verdict for verdict in verdicts if any(one.metric.startswith(_OF_CES) for one in _metrics(verdict))
    )
    told = ", ".join(f"{count} {bucket.name} ({bucket.value})" for bucket, count in found.items())
    return f"failures by kind: {told}" if told else ""


def fails_without_reason(verdict: CaseVerdict) -> bool:
    """Whether nothing in a verdict failed or broke: no metric, no expectation, no turn too many or too few.

    A score that nobody could decide on may be the reason; −1 is none.
    """
    turns = [turn for turn in verdict.turns if turn.status in _BROKEN]
    broken = [metric for metric in _metrics(verdict) if metric.status in _BROKEN or _undecided(metric)]
    parts = [one for one in _expectations(verdict) if one.status in _BROKEN]
    return not (turns or broken or parts or verdict.missing_turns or verdict.extra_turns)


def _undecided(metric: MetricVerdict) -> bool:
    return metric.status is Status.NOT_EVALUATED and metric.score is not None and metric.score >= 0


def _is_timeout(verdict: CaseVerdict) -> bool:
    told = [verdict.reason, *(turn.reason for turn in verdict.turns)]
    extras = [*verdict.extras, *(extra for turn in verdict.turns for extra in turn.extras)]
    told += [json.dumps(extra.value) for extra in extras if extra.name.lower().startswith("error")]
    return any(_TIMEOUT.search(text) for text in told)


def _misses_criterion(verdict: CaseVerdict) -> bool:
    return any(
        _is_about(one, CRITERIA_METRICS) or any(rubric.score == 0.0 for rubric in one.rubrics)
        for one in _failed(verdict)
    )


def _has_more(verdict: CaseVerdict) -> bool:
    """What nobody expected, unless it is allowed."""
    tolerated = (Status.INFORMATIONAL, Status.PASSED, Status.SKIPPED)
    return (
        bool(verdict.extra_turns)
        or any(one.extra and one.status not in tolerated for one in _expectations(verdict))
        or any({pair.match for pair in one.calls} - {Match.SAME} == {Match.EXTRA} for one in _failed(verdict))
    )


def _misses_tool(verdict: CaseVerdict) -> bool:
    return any(_is_about(one, TOOL_METRICS) for one in _failed(verdict)) or any(
        one.status is Status.FAILED and not one.extra and not one.place and one.what.startswith("call")
        for one in _expectations(verdict)
    )


def _says_otherwise(verdict: CaseVerdict) -> bool:
    return any(_is_about(one, TEXT_METRICS) for one in _failed(verdict)) or any(
        one.status is Status.FAILED and one.what.startswith("answer") for one in _expectations(verdict)
    )


_TESTS: tuple[tuple[Bucket, Callable[[CaseVerdict], bool]], ...] = (
    (Bucket.TIMEOUT, _is_timeout),
    (Bucket.EXPECTATION_FAIL, _misses_criterion),
    (Bucket.EXTRA_TURNS, _has_more),
    (Bucket.SCORES_PASS_BUT_FAIL, fails_without_reason),
    (Bucket.TOOL_MISSING, _misses_tool),
    (Bucket.TEXT_MISMATCH, _says_otherwise),
)


def _is_about(metric: MetricVerdict, names: frozenset[str]) -> bool:
    """A metric may stand several times in a run, each with a name of its own behind a colon."""
    return metric.metric.partition(":")[0] in names


def _failed(verdict: CaseVerdict) -> Iterator[MetricVerdict]:
    return (one for one in _metrics(verdict) if one.status is Status.FAILED)


def _metrics(verdict: CaseVerdict) -> Iterator[MetricVerdict]:
    yield from verdict.metrics
    for turn in verdict.turns:
        yield from turn.metrics


def _expectations(verdict: CaseVerdict) -> Iterator[ExpectationVerdict]:
    for metric in _metrics(verdict):
        yield from metric.expectations
