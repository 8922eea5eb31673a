"""Verdicts of metrics as CES's result messages; what decided nothing has no outcome, what has no score none."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct, field

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.matcher import Matcher
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.parts import Part, Text, ToolCall, ToolResult, Transfer
from trace_inspector.core.trace.trace import Trace
from trace_inspector.core.values.values import Absent, Json, JsonObject, strict
from trace_inspector.core.verdict.verdict import ExpectationVerdict, MetricVerdict, Status
from trace_inspector.engine.ces.calls import first_of, parts_of
from trace_inspector.engine.reports import ces_parts as parts

_OUTCOMES = {Status.PASSED: "PASS", Status.FAILED: "FAIL", Status.SKIPPED: "SKIPPED"}


class Known(Struct, frozen=True):
    """Expectations and observed parts by their places, as far as golden and trace are at hand."""

    expectations: Mapping[str, Expectation] = field(default_factory=dict)
    observed: Mapping[str, Part] = field(default_factory=dict)
    matchers: Mapping[str, Matcher] = field(default_factory=dict)


def known_of(case: Case | None, trace: Trace | None) -> Known:
    """What is at hand of a case and its trace."""
    stated = [expectation for turn in (case.turns if case else ()) for expectation in turn.expectations]
    stated += case.expectations if case else ()
    done = [part for turn in (trace.turns if trace else ()) for part in parts_of(turn)]
    return Known(
        {expectation.place: expectation for expectation in stated if expectation.place},
        {part.place: part for part in done if part.place},
        {matcher.place: matcher for matcher in (case.matchers if case else ())},
    )


def outcome(status: Status) -> JsonObject:
    """The outcome, left out where nothing was decided."""
    return {"outcome": _OUTCOMES[status]} if status in _OUTCOMES else {}


def score(name: str, value: float | None) -> JsonObject:
    """A score, left out where there is none."""
    return {name: value} if value is not None and math.isfinite(value) else {}


def whole_score(verdict: MetricVerdict) -> JsonObject:
    """A score that CES keeps as a whole number; −1 stands where there was nothing to assess."""
    stated = verdict.score if verdict.score is not None else dict(verdict.figures).get("score")
    written: JsonObject = {} if stated is None or not math.isfinite(stated) else {"score": int(stated)}
    return written | explained("explanation", verdict.reason)


def explained(name: str, reason: str) -> JsonObject:
    """A reason where there is one."""
    return {name: reason} if reason else {}


def golden_outcomes(
    expectations: MetricVerdict | None, arguments: MetricVerdict | None, facts: Known
) -> Iterator[JsonObject]:
    """The entries of a replayed turn; what nobody expected has no expectation."""
    by_place = {
        expectation.golden_place: expectation
        for expectation in (arguments.expectations if arguments else ())
        if expectation.golden_place
    }
    for expectation in expectations.expectations if expectations else ():
        written = _expected(facts.expectations.get(expectation.golden_place), facts) | outcome(expectation.status)
        argument_verdict = by_place.get(expectation.golden_place)
        if argument_verdict is not None and argument_verdict.score is not None:
            written["toolInvocationResult"] = {
                **score("parameterCorrectnessScore", argument_verdict.score),
                **outcome(argument_verdict.status),
                **explained("explanation", argument_verdict.reason),
            }
        yield written | _observed(facts.observed.get(expectation.place))


def scenario_outcomes(expectations: MetricVerdict | None, facts: Known) -> Iterator[JsonObject]:
    """The entries of a simulated conversation."""
    for expectation in expectations.expectations if expectations else ():
        stated = facts.expectations.get(expectation.golden_place)
        call = first_of(stated.parts if stated else (), ToolCall)
        written: JsonObject = {}
        if call is not None:
            written["expectation"] = {"toolExpectation": {"expectedToolCall": parts.tool_call(call, facts.matchers)}}
        elif stated is not None:
            written["expectation"] = {"agentResponse": parts.message(stated.parts)}
        made = facts.observed.get(expectation.place)
        if isinstance(made, ToolCall):
            written["observedToolCall"] = {"toolCall": parts.tool_call(made)}
        yield written | outcome(expectation.status)


def criteria_results(verdict: MetricVerdict | None, facts: Known) -> list[Json]:
    """The criteria in words."""
    return [_criterion(expectation, facts) for expectation in (verdict.expectations if verdict else ())]


def _criterion(verdict: ExpectationVerdict, facts: Known) -> JsonObject:
    stated = facts.expectations.get(verdict.golden_place)
    written = explained("evaluationExpectation", stated.reference if stated else "")
    written |= explained("prompt", stated.text if stated and stated.text else verdict.what)
    return written | outcome(verdict.status) | explained("explanation", verdict.reason)


def _expected(stated: Expectation | None, facts: Known) -> JsonObject:
    if stated is None or stated.kind not in _WRITTEN:
        return {}
    written = _WRITTEN[stated.kind](stated, facts)
    if stated.note:
        written["note"] = stated.note
    if stated.skipped:
        written["skipEvaluation"] = True
    return {"expectation": written}


def _call(stated: Expectation, facts: Known) -> JsonObject:
    call = first_of(stated.parts if stated else (), ToolCall)
    return {"toolCall": parts.tool_call(call, facts.matchers)} if call else {}


def _result(stated: Expectation, _facts: Known) -> JsonObject:
    result = first_of(stated.parts if stated else (), ToolResult)
    return {"toolResponse": parts.tool_response(result)} if result else {}


def _answer(stated: Expectation, _facts: Known) -> JsonObject:
    return {"agentResponse": parts.message(stated.parts), **explained("comparisonType", stated.compared_by)}


def _transfer(stated: Expectation, _facts: Known) -> JsonObject:
    transfer = first_of(stated.parts if stated else (), Transfer)
    return {"agentTransfer": parts.agent_transfer(transfer)} if transfer else {}


def _variables(stated: Expectation, _facts: Known) -> JsonObject:
    return {} if isinstance(stated.value, Absent) else {"updatedVariables": strict(stated.value)}


def _no_calls(_stated: Expectation, _facts: Known) -> JsonObject:
    return {"noToolCalls": True}


_WRITTEN: Mapping[Expects, Callable[[Expectation, Known], JsonObject]] = {
    Expects.CALL: _call,
    Expects.RESULT: _result,
    Expects.ANSWER: _answer,
    Expects.TRANSFER: _transfer,
    Expects.VARIABLES: _variables,
    Expects.NO_CALLS: _no_calls,
}


def _observed(part: Part | None) -> JsonObject:
    match part:
        case ToolCall():
            return {"observedToolCall": parts.tool_call(part)}
        case ToolResult():
            return {"observedToolResponse": parts.tool_response(part)}
        case Transfer():
            return {"observedAgentTransfer": parts.agent_transfer(part)}
        case Text():
            return {"observedAgentResponse": parts.message([part])}
    return {}
