"""The exit code of a run."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, RunVerdict, Status
from trace_inspector.engine.scoring.metric_names import TOOL_TRAJECTORY, TRAJECTORY_MATCH

PASSED, FAILED, UNDECIDED = 0, 1, 3

_DECIDED = (Status.PASSED, Status.FAILED)
# Where a golden carries matchers the first decides for the second, which then only informs.
_IN_STEAD = {TRAJECTORY_MATCH: TOOL_TRAJECTORY}


def exit_code(run: RunVerdict, fail_on: str = "not-evaluated") -> int:
    """1 when anything failed, 3 when something asked for was not decided, else 0. `fail_on` softens both."""
    if any(case.status is Status.FAILED for case in run.cases):
        code = FAILED
    else:
        code = UNDECIDED if undecided(run) else PASSED
    forgiven = {"failed": (UNDECIDED,), "never": (FAILED, UNDECIDED)}.get(fail_on, ())
    return PASSED if code in forgiven else code


def undecided(run: RunVerdict) -> tuple[str, ...]:
    """The reasons why a run is undecided, in sentences; none when it is decided."""
    reasons = [] if any(case.status in _DECIDED for case in run.cases) else ["nothing was decided"]
    for case in run.cases:
        name = case.case_id or case.trace_id or "a case"
        if case.trace_id is None:
            reasons.append(f"{name}: no trace was recorded for this case")
        if case.status is Status.ERROR or any(verdict.status is Status.ERROR for verdict in _verdicts(case)):
            reasons.append(f"{name}: a metric or the judge failed with an error")
        if case.status is Status.PENDING:
            reasons.append(f"{name}: not judged yet")
        reasons += [
            f"{name}: {verdict.metric} was asked for but gave no verdict: {verdict.reason}"
            for verdict in case.metrics
            if {verdict.metric, _IN_STEAD.get(verdict.metric, "")} & run.asked_for
            and case.trace_id is not None
            and case.status is not Status.PENDING
            and not _decided(verdict.metric, case)
        ]
    return tuple(reasons)


def _verdicts(case: CaseVerdict) -> Iterator[MetricVerdict]:
    yield from case.metrics
    for turn in case.turns:
        yield from turn.metrics


def _decided(metric: str, case: CaseVerdict) -> bool:
    """Also what only informs: it did all it can."""
    return any(
        verdict.metric == metric and verdict.status in (*_DECIDED, Status.INFORMATIONAL)
        for verdict in _verdicts(case)
    )
