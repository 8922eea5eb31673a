"""SCRAPI's goldens, turn tests, simulations and tool tests: every member, and what is odd about them."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from tests.formats import scrapi_files as made
from tests.formats.span_files import codes, opened
from tests.helpers.campaigns import examples
from tests.helpers.tables import each
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.matcher import Match
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.expectation import Expects
from trace_inspector.core.trace.parts import Text, ToolCall, ToolResult, Transfer, Unknown
from trace_inspector.core.trace.trace import Steps, answer_text, calls_of, user_text
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats import recognise


def cases_of(value: Json) -> tuple[Sequence[Case], Contents]:
    contents = opened(value, "tests.yaml")
    assert contents.format == "scrapi"
    (suite,) = contents.suites
    assert suite.id == "tests"
    return suite.cases, contents


def only_turn(turn: JsonObject) -> tuple[Case, list[str]]:
    """A golden of one turn."""
    (case,), contents = cases_of({"conversations": [{"conversation": "c", "turns": [turn]}]})
    return case, codes(contents)


@each("kind", made.FILES)
def test_each_kind_is_recognised(kind: str) -> None:
    known = recognise(made.FILES[kind])
    assert known is not None
    assert known.name == "scrapi"


@each(
    "value",
    [
        {"conversations": [{"name": "c", "turns": [{"messages": []}]}]},
        {"conversations": [{"conversation": 1}]},
        {"evals": [{"name": "x"}]},
        {"tests": [{"tool": "x"}]},
        {"turns": [{"user": "x"}]},
        {"golden": {"turns": []}},
    ],
)
def test_what_only_looks_alike_is_not(value: Json) -> None:
    known = recognise(value)
    assert known is None or known.name != "scrapi"


def test_a_golden_conversation_says_everything() -> None:
    (case, _silence), contents = cases_of(made.goldens())
    assert (case.id, case.suite_id, case.tags) == ("seat", "tests", ("p0", "1"))
    assert case.session is not None
    assert case.session.state == {"account": "7", "tier": "blue"}
    assert [(one.text, one.reference) for one in case.expectations] == [
        ("Is polite", ""),
        ("Books seat 2", ""),
        ("", "projects/p/locations/l/apps/a/evaluationExpectations/kind"),
        ("Is the answer short?", "short"),
    ]
    assert {one.kind for one in case.expectations} == {Expects.CRITERION}
    assert codes(contents) == ["taken-as-welcome"]


def test_a_golden_turn_says_everything() -> None:
    (case, _silence), _contents = cases_of(made.goldens())
    greeting, booking = case.turns
    assert greeting.user == (Unknown("event", {"event": "hello"}, "/conversations/0/turns/0/user"),)
    assert (user_text(booking), answer_text(booking)) == ("Seat 2", "One moment.\nSeat 2 is yours.")
    (call,) = calls_of(booking)
    assert (call.name, call.args, call.agent) == ("book", {"seat": 2, "note": ""}, "desk")
    assert [(found.match, found.place) for found in case.matchers] == [
        (Match.IGNORE, "/conversations/0/turns/1/tool_calls/0/args/note")
    ]
    assert [type(part) for event in booking.events for part in event.parts] == [ToolCall, ToolResult, Transfer]
    assert [part.target for event in booking.events for part in event.parts if isinstance(part, Transfer)] == [
        "clerk"
    ]
    assert [one.kind for one in booking.expectations] == [
        Expects.CALL,
        Expects.RESULT,
        Expects.TRANSFER,
        Expects.MOCK,
        Expects.ANSWER,
    ]
    assert [(extra.name, extra.value) for extra in booking.extras] == [("aside", 1)]
    assert booking.steps is Steps.EVENTS


def test_silence_is_the_event_welcome_and_a_silent_agent_states_no_answer() -> None:
    (_seat, case), _contents = cases_of(made.goldens())
    silent, leaving = case.turns
    assert [part.raw for part in silent.user if isinstance(part, Unknown)] == [{"event": "welcome"}]
    assert [part.raw for part in leaving.user if isinstance(part, Unknown)] == [{"event": "bye"}]
    assert silent.final_response is None


@each(
    ("turn", "code"),
    [
        ({"user": "x", "agent": {"$matchType": "semantic", "value": "y"}}, "wrong-type"),
        ({"user": 5}, "wrong-type"),
        ({"user": "x", "tool_calls": [{"args": {}}]}, "missing-field"),
        ({"user": "x", "tool_calls": ["book"]}, "not-an-object"),
        ({"user": "x", "tool_calls": [{"action": "b", "args": {"n": {"$matchType": "odd"}}}]}, "match-type"),
    ],
)
def test_what_is_odd_about_a_turn_is_told(turn: JsonObject, code: str) -> None:
    case, found = only_turn(turn)
    assert code in found
    assert len(case.turns) == 1


def test_a_turn_test_has_an_expectation_for_each_type() -> None:
    (case, _none), contents = cases_of(made.turn_tests())
    (turn,) = case.turns
    assert [(one.kind, one.compared_by) for one in turn.expectations] == [
        (Expects.ANSWER, "CONTAINS"),
        (Expects.ANSWER, "EQUALS"),
        (Expects.TRANSFER, "AGENT_TRANSFER"),
        (Expects.CALL, "TOOL_CALLED"),
        (Expects.CALL, "TOOL_INPUT"),
        (Expects.RESULT, "TOOL_OUTPUT"),
        (Expects.CRITERION, "SMELLS_LIKE"),
    ]
    assert [(call.name, call.args) for call in calls_of(turn)] == [("book", {"seat": 2})]
    assert [(found.match, found.place) for found in case.matchers] == [
        (Match.SUBSET, "/conversations/0/expectations/4/value")
    ]
    assert answer_text(turn) == "Seat 2 is yours."
    assert codes(contents) == ["unknown-enum"]


def test_a_turn_test_may_follow_others_and_expect_no_call() -> None:
    (case, none), _contents = cases_of(made.turn_tests())
    assert [(event.author, event.parts[0]) for event in case.context] == [
        ("user", Text("Hi", "/conversations/0/historical_contexts/0/user")),
        ("desk", Text("Hello", "/conversations/0/historical_contexts/1/agent")),
    ]
    assert case.session is not None
    assert case.session.state == {"first": True}
    assert {extra.name for extra in case.extras} == {"historical_contexts", "turn_count"}
    (turn,) = none.turns
    assert [one.kind for one in turn.expectations] == [Expects.NO_CALLS]
    assert (turn.steps, calls_of(turn)) == (Steps.EVENTS, [])


def test_without_a_word_on_tools_nothing_is_expected_of_them() -> None:
    value: Json = {"conversations": [{"conversation": "c", "user": "x", "expectations": [{"type": "contains"}]}]}
    (case,), _contents = cases_of(value)
    assert case.turns[0].steps is Steps.ABSENT


def test_a_simulation_is_a_scenario_with_its_goals() -> None:
    (case,), contents = cases_of(made.simulations())
    assert case.scenario is not None
    assert (case.id, case.scenario.plan, case.scenario.max_turns) == ("two goals", "Get a seat\n\nLeave\nSay bye.", 6)
    assert case.scenario.variables == {"account": "7"}
    assert [one.text for one in case.expectations] == ["A seat is booked", "Is polite"]
    assert codes(contents) == []


def test_a_tool_test_calls_one_tool() -> None:
    (case,), _contents = cases_of(made.tool_tests())
    (turn,) = case.turns
    assert [(call.name, call.args) for call in calls_of(turn)] == [("book", {"seat": 2})]
    assert [(one.kind, one.note, one.compared_by, one.value) for one in turn.expectations] == [
        (Expects.RESULT, "$.result.ok", "equals", True),
        (Expects.RESULT, "$.result.seat", "is_not_null", None),
    ]


def test_a_reference_names_a_tool_and_an_answer() -> None:
    (case,), _contents = cases_of(made.reference())
    first, second = case.turns
    assert ([call.name for call in calls_of(first)], answer_text(first), first.id) == (
        ["look_up"],
        "Which seat?",
        "hello",
    )
    assert (user_text(second), calls_of(second)) == ("Seat 2", [])
    assert [extra.name for extra in case.extras] == ["quality_rules"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@examples(40, 1000)
@given(st.sampled_from(["user", "agent", "tool_calls", "mocks", "user_event"]), JSON)
def test_whatever_stands_in_a_turn_it_stays_a_turn(name: str, value: Json) -> None:
    case, _found = only_turn({"user": "x", "agent": "y", name: value})
    (turn,) = case.turns
    assert turn.place == "/conversations/0/turns/0"
    assert name == "user" or user_text(turn) == "x"
    assert name == "agent" or answer_text(turn) == "y"
