"""Why a case failed, in the buckets that people sort CES's failures into, tested in their order."""

from __future__ import annotations

import enum
import json
import re
from collections.abc import Callable, Iterable, Iterator

from trace_inspector.core.verdict import CaseVerdict, ExpectationVerdict, MetricVerdict, Status
from trace_inspector.engine.audit import fails_without_reason
from trace_inspector.engine.ces.conversation_metrics import LLM_CRITERIA
from trace_inspector.engine.ces.settings import SEMANTIC_SIMILARITY, TOOL_INVOCATION

_TIMEOUT = re.compile(r"time[ds]?[ -_]?out|deadline", re.IGNORECASE)
_OF_CES = "ces_"
_BROKEN = (Status.FAILED, Status.ERROR)


class Bucket(enum.Enum):
    """One kind of failure, in words."""

    TIMEOUT = "it took too long"
    EXPECTATION_FAIL = "a criterion in words is not met"
    EXTRA_TURNS = "the agent did or said more than was expected"
    SCORES_PASS_BUT_FAIL = "all that is shown passes, and the verdict is failed"
    TOOL_MISSING = "an expected tool was not called"
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


def _is_timeout(verdict: CaseVerdict) -> bool:
    told = [verdict.reason, *(turn.reason for turn in verdict.turns)]
    extras = [*verdict.extras, *(extra for turn in verdict.turns for extra in turn.extras)]
    told += [json.dumps(extra.value) for extra in extras if extra.name.lower().startswith("error")]
    return any(_TIMEOUT.search(text) for text in told)


def _misses_criterion(verdict: CaseVerdict) -> bool:
    return any(one.metric == LLM_CRITERIA and one.status is Status.FAILED for one in _metrics(verdict))


def _has_more(verdict: CaseVerdict) -> bool:
    """What nobody expected, unless it is allowed."""
    tolerated = (Status.INFORMATIONAL, Status.PASSED, Status.SKIPPED)
    return bool(verdict.extra_turns) or any(
        one.extra and one.status not in tolerated for one in _expectations(verdict)
    )


def _misses_tool(verdict: CaseVerdict) -> bool:
    missed = any(one.metric == TOOL_INVOCATION and one.status is Status.FAILED for one in _metrics(verdict))
    return missed or any(
        one.status is Status.FAILED and not one.extra and not one.place and one.what.startswith("call")
        for one in _expectations(verdict)
    )


def _says_otherwise(verdict: CaseVerdict) -> bool:
    differs = any(one.metric == SEMANTIC_SIMILARITY and one.status is Status.FAILED for one in _metrics(verdict))
    return differs or any(
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


def _metrics(verdict: CaseVerdict) -> Iterator[MetricVerdict]:
    yield from verdict.metrics
    for turn in verdict.turns:
        yield from turn.metrics


def _expectations(verdict: CaseVerdict) -> Iterator[ExpectationVerdict]:
    for metric in _metrics(verdict):
        yield from metric.expectations
