"""Audit checks for CES alone: thresholds at several levels, extra calls, incomplete executions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.verdict.contradiction import Contradiction
from trace_inspector.core.verdict.verdict import ExpectationVerdict, MetricVerdict, Status, TurnVerdict
from trace_inspector.engine.audit.audited import OF_CES, Audited, name_of, of_turn
from trace_inspector.engine.ces.settings import DEFAULT_THRESHOLDS, EXTRA_CALLS, HALLUCINATION

_BEHAVIOR = "extraToolCallBehavior"
_OUTCOMES = ("evaluationStatus", "evaluation_status")
_OWN_THRESHOLD = "threshold"  # the figure of an expectation with its own threshold


class AuditedThreshold(Struct, frozen=True):
    """A threshold, if there is one, and a phrase that names its source."""

    value: float | None
    text: str = ""


def threshold_of(
    audited: Audited, turn: TurnVerdict | None, metric: MetricVerdict, expectation: ExpectationVerdict | None = None
) -> AuditedThreshold:
    """The effective threshold: the most specific one that is stated, else the default of CES."""
    own = dict(expectation.figures).get(_OWN_THRESHOLD) if expectation is not None else None
    if own is not None:
        return AuditedThreshold(own, f"the threshold of its expectation is {own:g}")
    if metric.metric.startswith(OF_CES) and audited.case is not None:
        for whose, stated in _levels(audited, turn):
            value = next((criterion.threshold for criterion in stated if criterion.metric == metric.metric), None)
            if value is not None:
                return AuditedThreshold(value, f"the threshold of its {whose} is {value:g}")
    if metric.threshold is not None:
        return AuditedThreshold(metric.threshold, f"its threshold is {metric.threshold:g}")
    default = DEFAULT_THRESHOLDS.get(metric.metric) if metric.metric != HALLUCINATION else None
    return AuditedThreshold(default, "" if default is None else f"the default threshold is {default:g}")


def _levels(audited: Audited, turn: TurnVerdict | None) -> Iterator[tuple[str, Sequence[Criterion]]]:
    case, index = audited.case, turn.golden_index if turn else None
    if case is not None:
        if index is not None and index < len(case.turns):
            yield "turn", case.turns[index].criteria
        yield "evaluation", case.criteria


def extra_calls_against_setting(audited: Audited) -> Iterator[Contradiction]:
    """An extra call that passed though the setting makes it fail, or failed though it is allowed."""
    stated = [
        options[_BEHAVIOR]
        for metric, _threshold, options in audited.verdict.criteria
        if metric == EXTRA_CALLS and _BEHAVIOR in options
    ]
    is_allowed = stated[:1] == ["ALLOW"]
    setting = "extra calls are allowed" if is_allowed else "extra calls fail" + ("" if stated else " by default")
    wrong = Status.FAILED if is_allowed else Status.PASSED
    for turn, metric in audited.metrics():
        for expectation in metric.expectations if metric.metric == EXTRA_CALLS and not metric.overruled else ():
            if expectation.status is wrong:
                message = f"“{expectation.what}” in {of_turn(turn) if turn else 'the conversation'} is extra and "
                message += f"{'failed' if is_allowed else 'passed'}, and {setting}."
                about = turn.index if turn else None
                yield Contradiction("extra-call-against-setting", message, about, metric.metric, expectation.place)


def outcome_without_completion(audited: Audited) -> Iterator[Contradiction]:
    """An outcome of an execution that broke, was cancelled or is still running."""
    for extra in audited.verdict.extras:
        if extra.name in _OUTCOMES:
            state = audited.verdict.native
            message = f"The outcome is {extra.value}, and the execution did not complete ({state})."
            yield Contradiction("outcome-without-completion", message, place=extra.place)


def failed_with_all_met(audited: Audited) -> Iterator[Contradiction]:
    """“All expectations satisfied” is false, and each listed one is met."""
    for turn, metric in audited.metrics():
        listed = [expectation.status for expectation in metric.expectations]
        is_stated = isinstance(metric.native, bool) and metric.status is Status.FAILED
        if is_stated and listed and all(status is Status.PASSED for status in listed) and not metric.overruled:
            message = f"{name_of(turn, metric)} is failed, and each of its {len(listed)} expectations is met."
            yield Contradiction("metric-against-parts", message, turn.index if turn else None, metric.metric)
