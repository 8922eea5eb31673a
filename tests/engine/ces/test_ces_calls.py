"""CES's metrics of calls. Each row names the section of the reference that it is about."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.engine.ces.ces_stories import (
    APP,
    call,
    calls,
    case_of,
    expects,
    golden,
    judged_by,
    observed,
    trace_of,
    verdict_of,
)
from tests.helpers.tables import each
from trace_inspector.core.alignment.max_matching import max_matching
from trace_inspector.core.alignment.turn_alignment import CallMatch
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.matcher import Match, Matcher
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.parts import ToolCall, Transfer
from trace_inspector.core.values.values import JsonObject
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.engine.ces.assignment import best_pairs
from trace_inspector.engine.ces.calls import longest_in_order, pair_calls
from trace_inspector.engine.ces.identity import same_tool
from trace_inspector.engine.scoring.matching import Matchers
from trace_inspector.engine.trace_diff.rule import comparison_named

find, book, pay = call("find"), call("book"), call("pay")


@each(
    ("section", "expected", "made", "overall", "ordered"),
    [
        ("A6 share of the expected tools that were invoked", (find, book), (find,), 0.5, 0.5),
        ("A6 extra calls do not enter the scores", (find,), (book, find, pay), 1.0, 1.0),
        ("A6 the order does not enter the overall score", (find, book), (book, find), 1.0, 0.5),
        ("A6 maximum matching: one call answers one expectation", (find, find), (find,), 0.5, 0.5),
        ("A6 longest common subsequence", (find, book, pay), (find, pay, book), 1.0, 2 / 3),
        ("A6 nothing was called", (find, book), (), 0.0, 0.0),
        ("A6 arguments do not enter the scores", (call("find", {"q": 1}),), (call("find", {"q": 2}),), 1.0, 1.0),
    ],
)
def test_tool_invocation_and_order(
    section: str, expected: Sequence[ToolCall], made: Sequence[ToolCall], overall: float, ordered: float
) -> None:
    case, trace = case_of(golden(*calls(*expected))), trace_of(observed(*made))
    invocation = verdict_of(case, trace, "ces_tool_invocation", 1.0)
    assert invocation.score == overall, section
    assert invocation.status is (Status.PASSED if overall == 1.0 else Status.FAILED)
    order = verdict_of(case, trace, "ces_tool_order")
    assert order.score == pytest.approx(ordered), section
    assert order.status is Status.INFORMATIONAL


@each(
    ("section", "left", "right", "same"),
    [
        ("A6 the same resource", f"{APP}/tools/find", f"{APP}/tools/find", True),
        ("A6 a short name and a whole one: the last part", "find", f"{APP}/tools/find", True),
        ("A6 two whole names must be equal", f"{APP}/tools/find", "projects/q/locations/l/apps/a/tools/find", False),
        ("A6 toolset and tool id", "desk/find", f"{APP}/toolsets/desk/find", True),
        ("A6 another toolset", "desk/find", f"{APP}/toolsets/bar/find", False),
        ("A8 short ids inside a bundle", "find", "find", True),
        ("A6 part of a name is another name", "find", "find_all", False),
        ("A6 the end of a name is another name", "find", f"{APP}/tools/refind", False),
    ],
)
def test_tool_identity(section: str, left: str, right: str, same: bool) -> None:
    one, other = ToolCall("x", resource=left), ToolCall("y", resource=right)
    assert same_tool(one, other) is same, section
    assert same_tool(other, one) is same, section


def test_a_display_name_finds_a_tool_whose_id_was_generated() -> None:
    generated = ToolCall("find", resource=f"{APP}/tools/0b1e7f4c-0000-4000-8000-000000000000")
    assert same_tool(ToolCall("find", resource="find"), generated)


GOAL: JsonObject = {"city": "Basel", "guests": 4}


@each(
    ("section", "expected", "given_args", "matcher", "score"),
    [
        ("A6 share of expected parameters", GOAL, {"city": "Basel", "guests": 5}, None, 0.5),
        ("A6 1.0 when no keys are expected", {}, {"city": "Basel"}, None, 1.0),
        ("A6 parameters beyond the expected ones are free", GOAL, {**GOAL, "late": True}, None, 1.0),
        ("A6 compared exactly without a directive", GOAL, {"city": "basel", "guests": 4}, None, 0.5),
        ("A9 all numbers are doubles on the server", GOAL, {"city": "Basel", "guests": 4.0}, None, 1.0),
        ("A9 a double that is nearest to a big id", {"n": 9007199254740993}, {"n": 9007199254740992.0}, None, 1.0),
        ("A6 a truth value is no number", {"n": 1}, {"n": True}, None, 0.0),
        ("A6 a text is no number", {"n": 1}, {"n": "1"}, None, 0.0),
        ("A6 a missing parameter", GOAL, {"guests": 4}, None, 0.5),
        ("A6 null is a value", {"n": None}, {}, None, 0.0),
        ("A6 nested values are compared whole", {"n": {"a": 1}}, {"n": {"a": 1, "b": 2}}, None, 0.0),
        ("A6 contains", {"n": "x"}, {"n": "a Basel b"}, Matcher("/call0/args/n", Match.CONTAINS, "Basel"), 1.0),
        ("A6 contains, not there", {"n": "x"}, {"n": "Bern"}, Matcher("/call0/args/n", Match.CONTAINS, "Basel"), 0.0),
        ("A6 regexp", {"n": "x"}, {"n": "R-2041"}, Matcher("/call0/args/n", Match.REGEXP, r"R-\d+"), 1.0),
        ("A6 ignore", GOAL, {"guests": 4}, Matcher("/call0/args/city", Match.IGNORE), 1.0),
        (
            "A6 a directive inside a value",
            {"n": {"a": "x"}},
            {"n": {"a": 7}},
            Matcher("/call0/args/n/a", Match.IGNORE),
            1.0,
        ),
        ("A6 exact", {"n": 4}, {"n": 4.0}, Matcher("/call0/args/n", Match.EXACT), 1.0),
        (
            "A6 what means the same is equal at least",
            {"n": "x"},
            {"n": "x"},
            Matcher("/call0/args/n", Match.SEMANTIC),
            1.0,
        ),
        ("A6 what is missing means nothing", {"n": "x"}, {}, Matcher("/call0/args/n", Match.SEMANTIC), 0.0),
    ],
)
def test_parameter_correctness(
    section: str, expected: JsonObject, given_args: JsonObject, matcher: Matcher | None, score: float
) -> None:
    case = case_of(golden(*calls(call("find", expected))), matchers=[matcher] if matcher else [])
    verdict = verdict_of(case, trace_of(observed(call("find", given_args))), "ces_parameter_correctness", 1.0)
    assert verdict.score == score, section
    assert verdict.status is (Status.PASSED if score == 1.0 else Status.FAILED)


def test_a_pattern_that_cannot_be_used_leaves_the_parameters_undecided_and_nothing_else() -> None:
    matcher = Matcher("/call0/args/n", Match.REGEXP, "(")
    case = case_of(golden(*calls(call("find", {"n": "x"}))), matchers=[matcher])
    trace = trace_of(observed(call("find", {"n": "a"})))
    verdict = judged_by(case, trace, *(Criterion(name, 1.0) for name in _OF_CALLS))
    assert [one.status for one in verdict.metrics] == [Status.PASSED, Status.NOT_EVALUATED, Status.PASSED]
    assert "/call0/args/n" in verdict.metrics[1].reason


_OF_CALLS = ("ces_tool_invocation", "ces_parameter_correctness", "ces_extra_calls")


def test_of_two_calls_of_one_tool_the_more_alike_belong_together() -> None:
    case = case_of(golden(*calls(call("find", {"q": "a"}), call("find", {"q": "b"}))))
    trace = trace_of(observed(call("find", {"q": "b"}), call("find", {"q": "a"})))
    assert verdict_of(case, trace, "ces_parameter_correctness", 1.0).score == 1.0


def test_a_call_that_was_not_made_has_no_parameters_to_be_judged() -> None:
    case, trace = case_of(golden(*calls(find, book))), trace_of(observed(find))
    verdict = judged_by(case, trace, Criterion("ces_parameter_correctness", 1.0)).turns[0].metrics[0]
    assert [(one.status, one.score) for one in verdict.expectations] == [
        (Status.PASSED, 1.0),
        (Status.NOT_EVALUATED, None),
    ]
    assert verdict.score == 1.0


@each(
    ("section", "behaviour", "expected", "made", "score", "status"),
    [
        ("A5 FAIL by default", None, (find,), (find, pay), 0.5, Status.FAILED),
        (
            "A2 UNSPECIFIED acts as FAIL",
            "EXTRA_TOOL_CALL_BEHAVIOR_UNSPECIFIED",
            (find,),
            (find, pay),
            0.5,
            Status.FAILED,
        ),
        ("A6 FAIL", "FAIL", (find,), (find, pay), 0.5, Status.FAILED),
        ("A6 ALLOW tolerates it", "ALLOW", (find,), (find, pay), 0.5, Status.INFORMATIONAL),
        ("A2 by number", 2, (find,), (find, pay), 0.5, Status.INFORMATIONAL),
        ("A2 by number", 1, (find,), (find, pay), 0.5, Status.FAILED),
        ("A9 an invalid word counts as not stated", "DENY", (find,), (find, pay), 0.5, Status.FAILED),
        ("A6 none", None, (find,), (find,), 1.0, Status.PASSED),
        ("A6 the second call of an expected tool", None, (find,), (find, find), 0.5, Status.FAILED),
        ("A7 where there is no call nothing was judged", None, (), (), 1.0, Status.INFORMATIONAL),
        ("A6 a turn without expected calls", None, (), (find,), 0.0, Status.FAILED),
    ],
)
def test_extra_calls(
    section: str,
    behaviour: str | int | None,
    expected: Sequence[ToolCall],
    made: Sequence[ToolCall],
    score: float,
    status: Status,
) -> None:
    options: JsonObject = {} if behaviour is None else {"extraToolCallBehavior": behaviour}
    turn = golden(*calls(*expected), expects(Expects.MOCK))
    verdict = verdict_of(case_of(turn), trace_of(observed(*made)), "ces_extra_calls", None, options)
    assert (verdict.score, verdict.status) == (score, status), section


def test_a_skipped_expectation_counts_nowhere_but_explains_its_call() -> None:
    skipped = replace(calls(pay)[0], skipped=True)
    case, trace = case_of(golden(*calls(find), skipped)), trace_of(observed(find, pay))
    assert verdict_of(case, trace, "ces_extra_calls").score == 1.0
    missing = trace_of(observed(find))
    assert verdict_of(case, missing, "ces_tool_invocation", 1.0).score == 1.0


def test_a_judged_expectation_has_its_call_before_a_skipped_one() -> None:
    skipped = replace(calls(find)[0], skipped=True)
    case, trace = case_of(golden(skipped, *calls(find))), trace_of(observed(find))
    assert verdict_of(case, trace, "ces_tool_invocation", 1.0).score == 1.0


@pytest.mark.parametrize(
    ("section", "made", "score", "status"),
    [
        ("A4 noToolCalls", (), 1.0, Status.PASSED),
        ("A4 noToolCalls", (find,), 0.0, Status.FAILED),
        ("A4 a transfer is no tool call", (Transfer("billing"),), 1.0, Status.PASSED),
        ("E1 transfer_to_agent hands over", (call("transfer_to_agent", {"agent_name": "x"}),), 1.0, Status.PASSED),
    ],
)
def test_no_tool_calls(section: str, made: Sequence[ToolCall | Transfer], score: float, status: Status) -> None:
    case = case_of(golden(expects(Expects.NO_CALLS, value=True)))
    verdict = verdict_of(case, trace_of(observed(*made)), "ces_no_tool_calls", 1.0)
    assert (verdict.score, verdict.status) == (score, status), section


@each(
    ("section", "wanted", "made", "score"),
    [
        ("A3 the agent that was handed over to", ("billing",), (Transfer("billing"),), 1.0),
        ("A3 another agent", ("billing",), (Transfer("desk"),), 0.0),
        ("A8 a short id and a whole name", ("billing",), (Transfer(f"{APP}/agents/billing"),), 1.0),
        ("E1 by a call", ("billing",), (call("transfer_to_agent", {"agent_name": "billing"}),), 1.0),
        ("A6 one of two", ("billing", "desk"), (Transfer("desk"),), 0.5),
        ("A6 one transfer answers one expectation", ("desk", "desk"), (Transfer("desk"),), 0.5),
    ],
)
def test_transfers(section: str, wanted: Sequence[str], made: Sequence[ToolCall | Transfer], score: float) -> None:
    case = case_of(golden(*(expects(Expects.TRANSFER, Transfer(one)) for one in wanted)))
    verdict = verdict_of(case, trace_of(observed(*made)), "ces_transfers", 1.0)
    assert verdict.score == score, section


@each(
    ("section", "wanted", "state", "score"),
    [
        ("A4 updatedVariables", {"guests": 4}, {"guests": 4.0}, 1.0),
        ("A4 another value", {"guests": 4}, {"guests": 5}, 0.0),
        ("A4 what else was updated is free", {"guests": 4}, {"guests": 4, "city": "Basel"}, 1.0),
        ("A4 inside an object value by value", {"sm": {"a": 1, "b": 2}}, {"sm": {"a": 1, "c": 9}}, 0.5),
        ("A4 a list is compared whole", {"n": [1]}, {"n": [1, 2]}, 0.0),
        ("A4 an empty object is an object", {"n": {}}, {"n": {"a": 1}}, 1.0),
    ],
)
def test_variables(section: str, wanted: JsonObject, state: JsonObject, score: float) -> None:
    case = case_of(golden(expects(Expects.VARIABLES, value=wanted)))
    assert verdict_of(case, trace_of(observed(state=state)), "ces_variables", 1.0).score == score, section


def test_variables_that_the_trace_does_not_record_are_not_missed() -> None:
    case = case_of(golden(expects(Expects.VARIABLES, value={"guests": 4})))
    verdict = verdict_of(case, trace_of(observed(find)), "ces_variables", 1.0)
    assert (verdict.score, verdict.status) == (None, Status.NOT_EVALUATED)
    assert "records no variables" in verdict.reason


@each(
    ("metric", "expectation", "status"),
    [
        ("ces_tool_invocation", calls(find)[0], Status.FAILED),
        ("ces_parameter_correctness", calls(find)[0], Status.NOT_EVALUATED),
        ("ces_extra_calls", calls(find)[0], Status.NOT_EVALUATED),
        ("ces_no_tool_calls", expects(Expects.NO_CALLS, value=True), Status.FAILED),
        ("ces_transfers", expects(Expects.TRANSFER, Transfer("desk")), Status.FAILED),
        ("ces_variables", expects(Expects.VARIABLES, value={"a": 1}), Status.FAILED),
    ],
)
def test_a_turn_that_the_trace_does_not_have(metric: str, expectation: Expectation, status: Status) -> None:
    """A7: what was expected there is not met; what could only be looked up there is not evaluated."""
    verdict = verdict_of(case_of(golden(expectation)), trace_of(), metric, 1.0)
    assert verdict.status is status


@pytest.mark.parametrize(
    "metric",
    ["ces_tool_invocation", "ces_tool_order", "ces_parameter_correctness", "ces_transfers", "ces_variables"],
)
def test_what_the_golden_does_not_expect_is_not_evaluated(metric: str) -> None:
    """A6: absent when there are none; absent is not zero."""
    verdict = verdict_of(case_of(golden(expects(Expects.MOCK))), trace_of(observed(find)), metric, 1.0)
    assert (verdict.score, verdict.status) == (None, Status.NOT_EVALUATED)
    assert verdict.reason.startswith("the golden expects no")


def test_the_calls_of_a_golden_of_another_system_are_expected_too() -> None:
    case = case_of(observed(find, call("book", {"n": 1})))
    trace = trace_of(observed(call("book", {"n": 2}), find))
    assert verdict_of(case, trace, "ces_tool_invocation", 1.0).score == 1.0
    assert verdict_of(case, trace, "ces_parameter_correctness", 1.0).score == 0.5


def test_the_pairs_of_calls_are_told_for_the_marks() -> None:
    one, other = replace(find, place="/call0"), replace(book, place="/call1")
    turn = replace(golden(*calls(one, other)), events=observed(one, other).events)
    verdict = judged_by(case_of(turn), trace_of(observed(pay, find)), Criterion("ces_tool_invocation", 1.0))
    pairs = verdict.turns[0].metrics[0].calls
    assert [(pair.match, pair.expected, pair.observed) for pair in pairs] == [
        (CallMatch.SAME, 0, 1),
        (CallMatch.MISSING, 1, None),
        (CallMatch.EXTRA, None, 0),
    ]


_NAMES = st.sampled_from(["find", "desk/find", f"{APP}/toolsets/desk/find", f"{APP}/tools/book", "book"])
_CALLS = st.lists(st.builds(lambda name, n: call(name, {"n": n}), _NAMES, st.integers(0, 2)), max_size=6)


@given(_CALLS, _CALLS)
def test_scores_are_shares_and_order_never_exceeds_all(expected: list[ToolCall], made: list[ToolCall]) -> None:
    turn, done = golden(*calls(*expected)), observed(*made)
    held = pair_calls(turn, done, Matchers())
    most = max_matching(len(expected), len(made), lambda at, to: same_tool(expected[at], made[to]))
    assert len(held.pairs) == len(most)
    assert len(set(held.pairs.values())) == len(held.pairs)
    assert 0 <= longest_in_order(turn, done) <= len(held.pairs)
    assert len(held.extra) == len(made) - len(held.pairs)
    assert all(0.0 <= (compared.score() or 0.0) <= 1.0 for compared in held.compared.values())


@given(
    st.integers(0, 4).flatmap(
        lambda lefts: st.lists(
            st.lists(st.none() | st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=4, max_size=4),
            min_size=lefts,
            max_size=lefts,
        )
    )
)
def test_the_best_pairing_is_that_of_brute_force(suits: list[list[float | None]]) -> None:
    def worth(places: Sequence[int]) -> tuple[int, float]:
        found = [suit for at, to in enumerate(places) if to < 4 and (suit := suits[at][to]) is not None]
        return len(found), sum(found)

    best = max(worth(places) for places in permutations(range(8), len(suits)))
    pairs = best_pairs(len(suits), 4, lambda at, to: suits[at][to])
    assert worth([pairs.get(at, 7) for at in range(len(suits))]) == pytest.approx(best)


def test_many_calls_are_held_in_bounded_time() -> None:
    many = [call("find", {"n": at}) for at in range(3000)]
    turn, done = golden(*calls(*many)), observed(*many)
    assert longest_in_order(turn, done) == 3000
    held = pair_calls(turn, done, Matchers())
    assert held.missing == []
    others = observed(*(call(f"tool{at}") for at in range(3000)))
    assert len(pair_calls(turn, others, Matchers()).missing) == 3000


@each(
    ("section", "expected", "made", "matcher", "same"),
    [
        ("A6 the same", call("find", {"q": 1}), call("find", {"q": 1.0}), None, True),
        ("A6 more arguments are free", call("find", {"q": 1}), call("find", {"q": 1, "n": 2}), None, True),
        ("A6 another value", call("find", {"q": 1}), call("find", {"q": 2}), None, False),
        ("A6 another tool", call("find"), call("pay"), None, False),
        ("A6 as the directive says", call("find", {"q": "x"}), call("find"), Match.IGNORE, True),
        ("A6 what it means is open", call("find", {"q": "x"}), call("find", {"q": "y"}), Match.SEMANTIC, False),
    ],
)
def test_a_call_is_the_same_for_differences(
    section: str, expected: ToolCall, made: ToolCall, matcher: Match | None, same: bool
) -> None:
    matchers = [Matcher("/call/args/q", matcher)] if matcher else []
    test = comparison_named("ces").test(Case("one", matchers=tuple(matchers)))
    assert test is not None, section
    assert (not test(replace(expected, place="/call"), made)) is same, section
