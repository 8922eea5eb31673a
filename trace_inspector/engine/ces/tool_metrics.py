"""CES's metrics of tool calls that need no judge: invocation, order, extra calls, no calls, transfers."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.expectation import Expects
from trace_inspector.core.trace.parts import Transfer
from trace_inspector.core.trace.summary import call_line, one_line
from trace_inspector.core.trace.trace import Turn
from trace_inspector.core.verdict.verdict import ExpectationVerdict, MetricVerdict, Status, against
from trace_inspector.engine.ces.assignment import best_pairs
from trace_inspector.engine.ces.call_policy import EXTRA_CALL_WORDS, extra_calls_status
from trace_inspector.engine.ces.calls import (
    PairedCalls,
    call_pairs,
    first_of,
    longest_in_order,
    pair_calls,
    states_calls,
    transfers_of,
)
from trace_inspector.engine.ces.identity import same_name
from trace_inspector.engine.ces.options import ExtraCallOptions, SwitchOptions
from trace_inspector.engine.ces.settings import EXTRA_CALLS, Settings, settings_of
from trace_inspector.engine.ces.turn_verdicts import MISSING_TURN, joined, of_golden_turns
from trace_inspector.engine.scoring.matching import matchers_of
from trace_inspector.engine.scoring.metric import Judged, Method, PairedTurn, Subject


class ObservedCalls(Struct, frozen=True):
    """One golden turn and the observed one, with the settings of the metric."""

    golden: Turn
    observed: Turn | None
    paired: PairedCalls
    settings: Settings

    @property
    def missing_turn(self) -> str:
        """The reason where the trace has no such turn."""
        return "" if self.observed else MISSING_TURN


def _invocation(seen: ObservedCalls) -> MetricVerdict | None:
    paired, metric = seen.paired, seen.settings.metric
    expected = len(paired.judged)
    if not expected:
        return None
    score = (expected - len(paired.missing)) / expected
    threshold = seen.settings.threshold
    missing = [one_line(paired.expectations[index].call.name, 60) for index in paired.missing]
    remark = f"not called: {', '.join(missing[:5])}" if missing else ""
    reason = joined(seen.missing_turn, remark, threshold.text)
    calls = call_pairs(seen.golden, seen.observed, paired)
    return MetricVerdict(metric, score, against(score, threshold.value), threshold.value, reason, calls=calls)


def _order(seen: ObservedCalls) -> MetricVerdict | None:
    expected = len(seen.paired.judged)
    if not expected:
        return None
    in_order = longest_in_order(seen.golden, seen.observed)
    reason = joined(
        seen.missing_turn, f"{in_order} of {expected} expected calls in the expected order" * (in_order < expected)
    )
    return MetricVerdict(seen.settings.metric, in_order / expected, Status.INFORMATIONAL, reason=reason)


def _extra(seen: ObservedCalls) -> MetricVerdict | None:
    if seen.observed is None:
        return None
    extra, made = seen.paired.extra, len(seen.paired.made)
    behaviour = seen.settings.word(EXTRA_CALL_WORDS, "extra_tool_call_behavior")
    status = extra_calls_status(seen.settings)
    if status is Status.FAILED and not extra:
        checked = made or seen.paired.judged  # where there is no call at all, nothing was
        status = Status.PASSED if checked else Status.INFORMATIONAL
    named = ", ".join(one_line(call.name, 60) for call in extra[:5])
    whose = f"{behaviour.word or 'FAIL'} {behaviour.source or 'by default'}"
    return MetricVerdict(
        seen.settings.metric,
        (made - len(extra)) / made if made else 1.0,
        status,
        reason=joined(f"not expected: {named}" if extra else "", whose, behaviour.problem),
        expectations=tuple(
            ExpectationVerdict(f"call {call_line(call)}", status, extra=True, place=call.place) for call in extra
        ),
        figures=(("extra calls", float(len(extra))),),
    )


def _no_calls(seen: ObservedCalls) -> MetricVerdict | None:
    stated = [expectation for expectation in seen.golden.expectations if expectation.kind is Expects.NO_CALLS]
    if not stated:
        return None
    metric = seen.settings.metric
    if all(expectation.skipped for expectation in stated):
        return MetricVerdict(metric, None, Status.SKIPPED, reason="the expectation is skipped")
    if seen.observed is None:
        return MetricVerdict(metric, 0.0, Status.FAILED, 1.0, MISSING_TURN)
    made = seen.paired.made
    reason = f"no tool call was expected; called: {', '.join(one_line(call.name, 60) for call in made[:5])}" * bool(
        made
    )
    return MetricVerdict(metric, 0.0 if made else 1.0, Status.FAILED if made else Status.PASSED, 1.0, reason)


def _transfers(seen: ObservedCalls) -> MetricVerdict | None:
    stated = [
        (expectation, target)
        for expectation in seen.golden.expectations
        if expectation.kind is Expects.TRANSFER and (target := first_of(expectation.parts, Transfer))
    ]
    if not stated:
        return None
    metric = seen.settings.metric
    expected = [target for expectation, target in stated if not expectation.skipped]
    if not expected:
        return MetricVerdict(metric, None, Status.SKIPPED, reason="the expectation is skipped")
    made = list(transfers_of(seen.observed)) if seen.observed else []
    pairs = best_pairs(
        len(expected),
        len(made),
        lambda index, made_index: 1.0 if _same_target(expected[index], made[made_index]) else None,
    )
    outcomes = tuple(
        ExpectationVerdict(
            f"transfer to {one_line(target.target, 60)}",
            Status.PASSED if index in pairs else Status.FAILED,
            place=made[pairs[index]].place if index in pairs else "",
            golden_place=target.place,
        )
        for index, target in enumerate(expected)
    )
    score = len(pairs) / len(expected)
    threshold = seen.settings.threshold
    missed = [one_line(target.target, 60) for index, target in enumerate(expected) if index not in pairs]
    reason = joined(
        seen.missing_turn, f"not transferred to {', '.join(missed[:5])}" if missed else "", threshold.text
    )
    status = against(score, threshold.value)
    return MetricVerdict(metric, score, status, threshold.value, reason, expectations=outcomes)


def _same_target(expected: Transfer, observed: Transfer) -> bool:
    return same_name(expected.target, observed.target)


class _OnEachTurn(Struct, frozen=True):
    """One rule over the calls of each golden turn; a value, so that it can be pickled."""

    say: Callable[[ObservedCalls], MetricVerdict | None]
    nothing: str

    def judge(self, subject: Subject, criterion: Criterion) -> Judged:
        """Turn by turn, where the golden says which calls it expects."""
        matchers = matchers_of(subject.case.matchers if subject.case else ())

        def say(golden: Turn, row: PairedTurn) -> MetricVerdict | None:
            settings = settings_of(criterion.metric, subject, criterion, golden)
            if not states_calls(golden):
                return None
            if settings.off:
                return MetricVerdict(criterion.metric, None, Status.SKIPPED, reason=settings.off)
            return self.say(ObservedCalls(golden, row.observed, pair_calls(golden, row.observed, matchers), settings))

        return of_golden_turns(subject, criterion, say, self.nothing)


_NO_CALLS_EXPECTED = "the golden expects no call"
_invoked = _OnEachTurn(_invocation, _NO_CALLS_EXPECTED)
_ordered = _OnEachTurn(_order, _NO_CALLS_EXPECTED)
_not_extra = _OnEachTurn(_extra, "the golden does not say which calls to expect")
_without_calls = _OnEachTurn(_no_calls, "no turn of the golden forbids tool calls")
_handed_over = _OnEachTurn(_transfers, "the golden expects no transfer")

METHODS = {
    "ces_tool_invocation": Method(_invoked.judge, parameters=SwitchOptions),
    "ces_tool_order": Method(_ordered.judge, parameters=SwitchOptions),
    EXTRA_CALLS: Method(_not_extra.judge, parameters=ExtraCallOptions),
    "ces_no_tool_calls": Method(_without_calls.judge, parameters=SwitchOptions),
    "ces_transfers": Method(_handed_over.judge, parameters=SwitchOptions),
}
