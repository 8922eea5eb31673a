"""Our own verdicts by CES's rules never contradict themselves, whatever was expected and observed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.engine.ces.ces_stories import answer, call, calls, case_of, expects, golden, judged_by, observed, trace_of
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.parts import ToolCall, Transfer
from trace_inspector.core.trace.trace import Turn
from trace_inspector.core.values.values import JsonObject
from trace_inspector.core.verdict.triage import triage
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, Provenance, Status
from trace_inspector.engine.audit.audit import audit
from trace_inspector.engine.ces.metrics import CES_METRICS

_CALLS = st.builds(lambda name, n: call(name, {"n": n}), st.sampled_from(["find", "pay"]), st.integers(0, 1))
_WORDS = st.sampled_from(["", "Done.", "Done. Bye."])
_STATES = st.none() | st.fixed_dictionaries({"a": st.integers(0, 1)})
_EXPECTED = st.one_of(
    st.builds(lambda made: calls(made)[0], _CALLS),
    st.builds(answer, _WORDS, st.sampled_from(["", "EQUALS", "CONTAINS"])),
    st.builds(lambda target: expects(Expects.TRANSFER, Transfer(target)), st.sampled_from("xy")),
    st.builds(lambda n: expects(Expects.VARIABLES, value={"a": n}), st.integers(0, 1)),
    st.just(expects(Expects.NO_CALLS, value=True)),
)
_LEVEL = st.sampled_from([0.0, 0.5, 1.0])


def _golden(listed: list[Expectation], threshold: float) -> Turn:
    return golden(*listed, criteria=[Criterion("ces_tool_invocation", threshold)])


def _observed(made: list[ToolCall], target: str, says: str, state: JsonObject | None) -> Turn:
    return observed(*made, *([Transfer(target)] if target else []), says=says, state=state)


_GOLDENS = st.lists(st.builds(_golden, st.lists(_EXPECTED, max_size=3), _LEVEL), min_size=1, max_size=3)
_TRACES = st.lists(
    st.builds(_observed, st.lists(_CALLS, max_size=3), st.sampled_from(["", "x"]), _WORDS, _STATES), max_size=3
)


def _from_a_result_of_adk(verdict: CaseVerdict) -> CaseVerdict:
    """What is read of it there, which has no place for expectations."""
    turns = tuple(replace(turn, metrics=tuple(map(_without_parts, turn.metrics))) for turn in verdict.turns)
    metrics = tuple(map(_without_parts, verdict.metrics))
    return replace(verdict, metrics=metrics, turns=turns, provenance=Provenance.REPORTED)


def _without_parts(metric: MetricVerdict) -> MetricVerdict:
    return replace(metric, expectations=(), provenance=Provenance.REPORTED)


@given(_GOLDENS, _TRACES, st.sampled_from(["FAIL", "ALLOW"]))
def test_our_own_verdicts_hide_nothing(script: list[Turn], done: list[Turn], behaviour: str) -> None:
    criteria = [
        Criterion(metric.name, metric.default_threshold, {"extraToolCallBehavior": behaviour})
        for metric in CES_METRICS
        if not metric.needs & {"judge", "scenario"}
    ]
    verdict = judged_by(case_of(*script), trace_of(*done), *criteria)
    for told in (verdict, _from_a_result_of_adk(verdict)):
        assert {one.code for one in audit(told)} <= {"turns-unchecked"}
    assert all(one.status is not Status.ERROR for one in verdict.metrics)
    assert (triage(verdict) is not None) is (verdict.status is Status.FAILED)
    for turn in verdict.turns:
        for metric in turn.metrics:
            assert metric.score is None or 0.0 <= metric.score <= 1.0
