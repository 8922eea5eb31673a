"""Expectation by expectation: each kind with its outcome, in the order of the file (reference A3, A4)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.engine.ces.ces_stories import (
    APP,
    ONE,
    answer,
    call,
    calls,
    case_of,
    expects,
    golden,
    judged_by,
    observed,
    says,
    trace_of,
    verdict_of,
)
from tests.helpers.tables import each
from trace_inspector.core.golden.matcher import Match, Matcher
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.parts import Text, Thought, ToolResult, Transfer
from trace_inspector.core.trace.trace import Event, Turn
from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.engine.metrics import METRICS

P, F, N, S = Status.PASSED, Status.FAILED, Status.NOT_EVALUATED, Status.SKIPPED


def gave(name: str, value: Json) -> Turn:
    """A turn in which a tool answered."""
    made = observed(call(name))
    return replace(made, events=(*made.events, Event("agent", (ToolResult(name, value),))))


@each(
    ("section", "expectation", "turn", "status"),
    [
        ("A4 toolCall", calls(call("find"))[0], observed(call("find")), P),
        ("A4 toolCall, not made", calls(call("find"))[0], observed(), F),
        ("A4 toolCall, other arguments", calls(call("find", {"q": 1}))[0], observed(call("find", {"q": 2})), F),
        ("A4 toolResponse", expects(Expects.RESULT, ToolResult("find", {"a": 1})), gave("find", {"a": 1.0}), P),
        ("A4 another response", expects(Expects.RESULT, ToolResult("find", {"a": 1})), gave("find", {"a": 2}), F),
        ("A4 no response", expects(Expects.RESULT, ToolResult("find", {"a": 1})), observed(), F),
        ("A4 agentTransfer", expects(Expects.TRANSFER, Transfer("x")), observed(Transfer(f"{APP}/agents/x")), P),
        ("A4 another agent", expects(Expects.TRANSFER, Transfer("x")), observed(Transfer("y")), F),
        ("A4 updatedVariables", expects(Expects.VARIABLES, value={"a": 1}), observed(state={"a": 1, "b": 2}), P),
        ("A4 other variables", expects(Expects.VARIABLES, value={"a": 1}), observed(state={"a": 2}), F),
        ("A4 noToolCalls", expects(Expects.NO_CALLS, value=True), observed(says="x"), P),
        ("A4 noToolCalls, one made", expects(Expects.NO_CALLS, value=True), observed(call("find")), F),
        ("A2 EQUALS", answer("Done.", "EQUALS"), observed(says="Done."), P),
        ("A2 EQUALS, more was said", answer("Done.", "EQUALS"), observed(says="Done. Bye."), F),
        ("A2 CONTAINS: expected is a substring of actual", answer("Done", "CONTAINS"), observed(says="All Done."), P),
        ("A2 CONTAINS, the other way round", answer("All done.", "CONTAINS"), observed(says="done"), F),
        ("A2 SEMANTIC_SIMILARITY by default", answer("Done."), observed(says="Done."), N),
        ("A2 by name", answer("Done.", "SEMANTIC_SIMILARITY"), observed(says="Done."), N),
        ("E4 4 an unknown way is no failure", answer("Done.", "SOUNDS_LIKE"), observed(says="Done."), N),
    ],
)
def test_every_kind_of_expectation(section: str, expectation: Expectation, turn: Turn, status: Status) -> None:
    verdict = judged_by(case_of(golden(expectation)), trace_of(turn), Criterion("ces_expectations", 1.0))
    (said,) = (one for one in verdict.turns[0].metrics[0].expectations if not one.extra)
    assert said.status is status, section
    assert said.golden_place == expectation.place
    skipped = case_of(golden(replace(expectation, skipped=True)))
    (held,) = judged_by(skipped, trace_of(turn), Criterion("ces_expectations", 1.0)).turns[0].metrics
    assert [one.status for one in held.expectations if not one.extra] == [S], section


def test_the_order_of_the_file_then_what_nobody_expected() -> None:
    """A3: an entry without an expectation is an extra call."""
    turn = golden(answer("Hi", "CONTAINS"), *calls(call("find")), expects(Expects.MOCK))
    verdict = judged_by(
        case_of(turn), trace_of(observed(call("pay"), call("find"), says="Hi")), Criterion("ces_expectations", 1.0)
    )
    said = verdict.turns[0].metrics[0].expectations
    assert [(one.what, one.extra, one.status) for one in said] == [
        ("answer “Hi”", False, P),
        ("call find()", False, P),
        ("call pay()", True, F),
    ]
    assert verdict.metrics[0].status is F
    assert verdict.metrics[0].score == pytest.approx(2 / 3)


def test_extra_calls_that_are_allowed_fail_no_expectation() -> None:
    allowed = Criterion("ces_extra_calls", 1.0, {"extraToolCallBehavior": "ALLOW"})
    verdict = judged_by(
        case_of(golden(*calls(call("find")))),
        trace_of(observed(call("pay"), call("find"))),
        Criterion("ces_expectations", 1.0),
        allowed,
    )
    assert verdict.metrics[0].status is P
    assert [one.status for one in verdict.turns[0].metrics[0].expectations] == [P, Status.INFORMATIONAL]


def test_what_a_judge_decided_elsewhere_stands_in_the_list() -> None:
    turn = golden(answer("Done."), *calls(call("find", {"q": "a"})))
    criteria = [
        Criterion(name, None, {**ONE})
        for name in ("ces_expectations", "ces_semantic_similarity", "ces_parameter_correctness")
    ]
    case = case_of(turn, matchers=[Matcher("/call0/args/q", Match.SEMANTIC)])
    trace = trace_of(observed(call("find", {"q": "b"}), says="Finished."))
    verdict = judged_by(case, trace, *criteria, judge=says(4, "no"))
    assert [one.metric for one in verdict.metrics] == [one.metric for one in criteria]
    said = verdict.turns[0].metrics[0].expectations
    assert [(one.status, one.score) for one in said] == [(P, 4.0), (F, 0.0)]


def test_a_pass_says_what_it_leaves_undecided() -> None:
    turn = golden(answer("Done."), *calls(call("find")))
    verdict = judged_by(
        case_of(turn), trace_of(observed(call("find"), says="Finished.")), Criterion("ces_expectations", 1.0)
    )
    assert verdict.status is P
    (hidden,) = verdict.hides
    assert hidden.startswith("ces_expectations: 1 of 2 expectations undecided; answer “Done.”")


def test_thoughts_and_the_users_words_are_not_what_the_agent_said() -> None:
    turn = observed(says="Done.")
    noisy = replace(turn, events=(Event("user", (Text("secret"),)), Event("agent", (Thought("secret"),))))
    case = case_of(golden(answer("secret", "CONTAINS")))
    assert verdict_of(case, trace_of(noisy), "ces_expectations", 1.0).status is F


def test_the_metrics_of_ces_are_in_the_list_of_all() -> None:
    names = [metric.name for metric in METRICS if metric.family == "ces"]
    assert len(names) == len(set(names)) == 14
    assert all(name.startswith("ces_") for name in names)
