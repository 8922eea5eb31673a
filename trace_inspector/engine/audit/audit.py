"""Audits a verdict: where it contradicts its own parts, or hides what would change it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.verdict.contradiction import Contradiction
from trace_inspector.core.verdict.triage import fails_without_reason
from trace_inspector.core.verdict.verdict import CaseVerdict, Provenance, Status, compose
from trace_inspector.engine.audit.audit_ces import (
    extra_calls_against_setting,
    failed_with_all_met,
    outcome_without_completion,
)
from trace_inspector.engine.audit.audit_scores import (
    against_rubrics,
    against_threshold,
    not_the_mean,
    out_of_range,
    thresholds_differ,
    undecided_scores,
)
from trace_inspector.engine.audit.audit_undecided import (
    crash_hidden,
    decided_nothing,
    nothing_checked,
    turns_unchecked,
)
from trace_inspector.engine.audit.audited import DECIDED, OF_CES, Audited, name_of, of_turn
from trace_inspector.engine.ces.derived_verdict import derived
from trace_inspector.engine.ces.settings import HALLUCINATION, TASK_COMPLETED, USER_GOAL

_BROKEN = (Status.FAILED, Status.ERROR)
_ERRORS = frozenset({"errorInfo", "error_info", "error"})


def audit(verdict: CaseVerdict, case: Case | None = None, turns: int = 0) -> tuple[Contradiction, ...]:
    """All contradictions, the gravest first. A verdict that hides nothing has none. `turns`: those of the trace."""
    audited = Audited(verdict, case, turns)
    checks = _CHECKS if verdict.overruled is None else _OF_PARTS  # a verdict by a person needs no parts
    return tuple(contradiction for check in checks for contradiction in check(audited))


def _passes_with_failure(audited: Audited) -> Iterator[Contradiction]:
    """Passed although a part failed. A turn may fail where the metric has a decisive score of the whole case.

    Not so for CES, where each turn decides.
    """
    if audited.verdict.status is not Status.PASSED:
        return
    whole = {
        metric.metric
        for metric in audited.verdict.metrics
        if metric.status in DECIDED and metric.score is not None and not metric.metric.startswith(OF_CES)
    }
    for turn, metric in audited.metrics():
        if metric.status is Status.FAILED and (turn is None or metric.metric not in whole):
            message = f"The verdict is passed, and {name_of(turn, metric)} failed."
            yield Contradiction("passed-with-failure", message, turn.index if turn else None, metric.metric)
    for turn in audited.verdict.turns:
        if turn.status is Status.FAILED and not any(metric.status is Status.FAILED for metric in turn.metrics):
            yield Contradiction(
                "passed-with-failure", f"The verdict is passed, and {of_turn(turn)} failed.", turn.index
            )


def _fails_without_failure(audited: Audited) -> Iterator[Contradiction]:
    """Failed although all shown parts passed."""
    verdict = audited.verdict
    if verdict.status is not Status.FAILED or not fails_without_reason(verdict):
        return
    passed = sum(metric.status is Status.PASSED for _turn, metric in audited.metrics())
    hidden = [
        metric
        for _turn, metric in audited.metrics()
        if metric.metric == HALLUCINATION and metric.score in (0.0, -1.0)
    ]
    remark = "; the hallucination scoredoes not count, but CES is known to fail cases by it" if hidden else ""
    message = f"The verdict is failed, and none of its parts failed ({passed} passed){remark}."
    yield Contradiction("scores-pass-but-fail", message)


def _error_hidden(audited: Audited) -> Iterator[Contradiction]:
    """Passed although an error is stated."""
    verdict = audited.verdict
    for turn in verdict.turns if verdict.status is Status.PASSED else ():
        if turn.status is Status.ERROR and not any(metric.status is Status.ERROR for metric in turn.metrics):
            reason = f" ({one_line(turn.reason, 80)})" if turn.reason else ""
            message = f"The verdict is passed, and {of_turn(turn)} ended in an error{reason}."
            yield Contradiction("error-hidden", message, turn.index)
    if verdict.status is Status.PASSED and any(extra.name in _ERRORS and extra.value for extra in verdict.extras):
        yield Contradiction("error-hidden", "The verdict is passed, but the file states an error.")
    for turn in verdict.turns:
        if turn.status is Status.PASSED and any(extra.name in _ERRORS and extra.value for extra in turn.extras):
            yield Contradiction(
                "error-hidden",
                f"{of_turn(turn).capitalize()} is passed, but the file states an error for it.",
                turn.index,
            )


def _against_parts(audited: Audited) -> Iterator[Contradiction]:
    """A metric that contradicts its expectations."""
    for turn, metric in audited.metrics():
        failed = [
            expectation.what
            for expectation in metric.expectations
            if expectation.status is Status.FAILED and not expectation.extra
        ]
        if metric.status is Status.PASSED and failed and metric.overruled is None:
            message = f"{name_of(turn, metric)} is passed, and “{failed[0]}” is not met."
            yield Contradiction("metric-against-parts", message, turn.index if turn else None, metric.metric)


def _nothing_to_assess(audited: Audited) -> Iterator[Contradiction]:
    """−1 means no claim to assess, or an undecidable goal: neither can fail."""
    for turn, metric in audited.metrics():
        if metric.metric in (HALLUCINATION, USER_GOAL) and metric.score == -1 and metric.status is Status.FAILED:
            message = f"{name_of(turn, metric)} is failed with −1, although −1 means that there is nothing to assess."
            yield Contradiction("nothing-to-assess", message, turn.index if turn else None, metric.metric)


def _completed(audited: Audited) -> Iterator[Contradiction]:
    """A completed task with a term that is not met, or one that is not completed though all are."""
    metrics = {metric.metric: metric for metric in audited.verdict.metrics}
    task = metrics.get(TASK_COMPLETED)
    if task is None or task.provenance is not Provenance.REPORTED or task.status not in DECIDED:
        return
    terms = derived(audited.verdict, audited.case).status
    if terms in DECIDED and terms is not task.status:
        outcome = "completed" if task.status is Status.PASSED else "not completed"
        yield Contradiction(
            "task-against-terms",
            f"The task is {outcome}, and expectations, hallucination and goal come to {terms.value.lower()}.",
            metric=TASK_COMPLETED,
        )


def _undecided_whole(audited: Audited) -> Iterator[Contradiction]:
    """A case of ADK that is not evaluated, though its metrics are."""
    verdict = audited.verdict
    parts = compose(metric.status for metric in verdict.metrics)
    is_stated = verdict.provenance is Provenance.REPORTED and verdict.status is Status.NOT_EVALUATED
    if is_stated and parts in DECIDED and not any(metric.metric.startswith(OF_CES) for metric in verdict.metrics):
        message = f"The file says not evaluated, but its metrics amount to {parts.value.lower()}."
        yield Contradiction("derived-differs", message)


def _turn_against_parts(audited: Audited) -> Iterator[Contradiction]:
    """A turn that contradicts its metrics; a missing or extra turn has its own reason."""
    for turn in audited.verdict.turns:
        parts = compose(metric.status for metric in turn.metrics)
        if turn.overruled is not None:
            continue
        if turn.status is Status.PASSED and parts in _BROKEN:
            message = f"{of_turn(turn).capitalize()} is passed, but its metrics amount to {parts.value.lower()}."
            yield Contradiction("turn-against-parts", message, turn.index)
        elif turn.status is Status.FAILED and parts is Status.PASSED and not turn.reason:
            message = f"{of_turn(turn).capitalize()} is failed, but its metrics amount to passed."
            yield Contradiction("turn-against-parts", message, turn.index)


def _derived_differs(audited: Audited) -> Iterator[Contradiction]:
    """A reported CES verdict that differs from the one derived from its parts, unless another check reports that."""
    verdict = audited.verdict
    if any(_passes_with_failure(audited)) or any(_fails_without_failure(audited)):
        return
    if verdict.missing_turns or verdict.extra_turns:
        return  # our own rule, in a file of ours: CES has no verdict on these
    if verdict.provenance is not Provenance.REPORTED or verdict.status not in DECIDED:
        return
    if not any(metric.metric.startswith(OF_CES) for _turn, metric in audited.metrics()):
        return
    ours = derived(verdict, audited.case).status
    if ours in DECIDED and ours is not verdict.status:
        message = f"The file says {verdict.status.value.lower()}, but its parts amount to {ours.value.lower()}."
        yield Contradiction("derived-differs", message)


_OF_PARTS: tuple[Callable[[Audited], Iterator[Contradiction]], ...] = (
    against_threshold,
    out_of_range,
    undecided_scores,
    thresholds_differ,
    not_the_mean,
    against_rubrics,
    _against_parts,
    failed_with_all_met,
    extra_calls_against_setting,
    _turn_against_parts,
    _nothing_to_assess,
    _completed,
)
_CHECKS = (
    _passes_with_failure,
    _fails_without_failure,
    _derived_differs,
    _undecided_whole,
    outcome_without_completion,
    nothing_checked,
    turns_unchecked,
    crash_hidden,
    decided_nothing,
    _error_hidden,
    *_OF_PARTS,
)
