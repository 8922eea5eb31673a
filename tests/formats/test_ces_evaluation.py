"""CES's evaluations: every field of goldens and scenarios, envelopes, and what CES's rules make of them."""

from __future__ import annotations

import copy

import pytest

from tests.formats import ces_golden_files as made
from tests.formats.span_files import codes, opened
from tests.helpers.tables import each
from trace_inspector.core.golden.golden import Case, Scenario
from trace_inspector.core.golden.matcher import Match, Matcher
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.parts import Text, ToolCall, ToolResult, Transfer, Unknown
from trace_inspector.core.trace.rubric import Rubric
from trace_inspector.core.trace.trace import Steps, answer_text, calls_of, paired_calls, user_text
from trace_inspector.core.values.values import Json, JsonObject

FACTS = (("seat", "2"), ("row", "first"))


def only_case(value: Json, name: str = "seats.json") -> Case:
    """The one case of a file."""
    contents = opened(value, name)
    assert contents.format == "ces-evaluation"
    ((case,),) = [suite.cases for suite in contents.suites]
    return case


def findings_of(value: Json) -> list[tuple[str, str]]:
    """Codes and places of what is found in a file."""
    return [(finding.code, finding.pointer) for finding in opened(value, "seats.json").findings]


def test_a_golden_is_a_script() -> None:
    case = only_case(made.full_golden())
    assert (case.id, case.suite_id, case.place, case.tags) == ("seats", "seats", "", ("seats", "smoke"))
    first, second = case.turns
    assert (user_text(first), answer_text(first)) == ("Is seat 2 free?", "Seat 2 is free.\nIt is by the window.")
    assert (first.place, first.steps, first.final_event) == ("/golden/turns/0", Steps.EVENTS, 6)
    assert [event.author for event in first.events] == ["agent", *["clerk"] * 6]
    assert (user_text(second), second.final_response) == ("", None)


def test_a_step_is_an_event_of_the_script() -> None:
    first, second = only_case(made.full_golden()).turns
    call = ToolCall(
        "look_up", {"seat": 2, "words": "by the window"}, "c1", f"{STEPS}/4/expectation/toolCall", made.TOOL
    )
    assert [event.parts for event in first.events] == [
        (Transfer("clerk", f"{STEPS}/3/agentTransfer"),),
        (call,),
        (ToolResult("look_up", {"output": {"free": True}}, "c1", place=f"{STEPS}/5/expectation/mockToolResponse"),),
        (ToolResult("look_up", {"output": {"free": True}}, "c1", place=f"{STEPS}/6/expectation/toolResponse"),),
        (),
        (Text("One moment.", f"{STEPS}/8/expectation/agentResponse/chunks/0/text"),),
        (),
    ]
    assert [event.state_delta for event in first.events] == [None, None, None, None, {"seat": 2}, None, None]
    assert [paired.result is not None for paired in paired_calls(first)] == [True]
    assert second.user == (Unknown("dtmf", "1#", "/golden/turns/1/steps/0/userInput/dtmf"),)
    assert second.events[0].parts == (Transfer("desk", "/golden/turns/1/steps/2/expectation/agentTransfer"),)


STEPS = "/golden/turns/0/steps"


def test_expectations_stand_in_the_order_of_the_file() -> None:
    first, second = only_case(made.full_golden()).turns
    told = [(one.kind, one.note, one.compared_by, one.skipped, one.place) for one in first.expectations]
    assert told == [
        (Expects.CALL, "Looks it up", "", False, f"{STEPS}/4/expectation"),
        (Expects.MOCK, "", "", False, f"{STEPS}/5/expectation"),
        (Expects.RESULT, "", "", True, f"{STEPS}/6/expectation"),
        (Expects.VARIABLES, "", "", False, f"{STEPS}/7/expectation"),
        (Expects.ANSWER, "", "", False, f"{STEPS}/8/expectation"),
        (Expects.ANSWER, "", "CONTAINS", False, f"{STEPS}/9/expectation"),
    ]
    assert first.expectations[0].parts == (calls_of(first)[0],)
    assert first.expectations[3].value == {"seat": 2}
    assert [one.kind for one in second.expectations] == [Expects.NO_CALLS, Expects.TRANSFER]
    assert second.expectations[0].value is True


def test_overrides_stand_at_their_level() -> None:
    case = only_case(made.full_golden())
    first, second = case.turns
    assert [one.metric for one in case.criteria] == [
        "ces_semantic_similarity",
        "ces_tool_invocation",
        "ces_parameter_correctness",
        "ces_extra_calls",
        "ces_hallucination",
        "ces_user_goal",
        "ces_expectations",
    ]
    turn_place = "/golden/turns/0/turnLevelMetricsThresholdsOverride/semanticSimilaritySuccessThreshold"
    assert first.criteria == (
        Criterion("ces_semantic_similarity", 4.0, {}, turn_place),
        Criterion(
            "ces_hallucination",
            None,
            {"hallucinationMetricBehavior": "ENABLED"},
            "/golden/turns/0/hallucinationMetricBehaviorOverride",
        ),
    )
    assert [(one.metric, one.threshold, one.options) for one in first.expectations[0].criteria] == [
        ("ces_parameter_correctness", 0.75, {})
    ]
    assert [(one.metric, one.options) for one in first.expectations[5].criteria] == [
        ("ces_semantic_similarity", {"enabled": True}),
        ("ces_hallucination", {"enabled": False}),
    ]
    assert second.criteria == ()


def test_directives_are_matchers_of_the_case() -> None:
    place = f"{STEPS}/4/expectation/toolCall/args/words"
    assert only_case(made.full_golden()).matchers == (Matcher(place, Match.CONTAINS, "win"),)


def test_criteria_come_by_name_by_short_id_and_written_out() -> None:
    place = "/golden/evaluationExpectations"
    assert only_case(made.full_golden()).expectations == (
        Expectation(Expects.CRITERION, reference=f"{made.APP}/evaluationExpectations/polite", place=f"{place}/0"),
        Expectation(Expects.CRITERION, reference="brief", place=f"{place}/1"),
        Expectation(Expects.CRITERION, text="Is the agent kind?", reference="Kind", place=f"{place}/2"),
    )


def test_every_other_field_is_shown_under_its_own_name() -> None:
    case = only_case(made.full_golden())
    assert [extra.name for extra in case.extras] == ["description", *made.SERVER_ONLY]
    assert {extra.name: extra.value for extra in case.extras}["lastTenResults"] == made.SERVER_ONLY["lastTenResults"]
    assert [(extra.name, extra.place) for extra in case.turns[0].extras] == [
        ("rootSpan", "/golden/turns/0/rootSpan"),
        ("willContinue", f"{STEPS}/2/userInput/willContinue"),
    ]
    assert [(extra.name, extra.value) for event in case.turns[0].events for extra in event.extras] == [
        ("displayName", "Clerk"),
        ("displayName", "Look up"),
    ]
    assert findings_of(made.full_golden()) == []


def test_what_the_caller_sets_first_is_the_state_of_the_session() -> None:
    session = only_case(made.full_golden()).session
    assert session is not None
    assert (session.state, session.place) == ({"tier": "gold"}, f"{STEPS}/0/userInput/variables")
    late = made.golden(made.turn(made.says(text="Hi"), made.says(variables={"tier": "gold"})))
    assert only_case(late).session is None


def test_a_scenario_has_every_field() -> None:
    case = only_case(made.scenario())
    assert case.scenario == Scenario(
        starting_prompt="",
        plan="Book seat 2.",
        max_turns=8,
        facts=FACTS,
        goal="USER_GOAL_REJECTED",
        variables={"tier": "gold"},
        place="/scenario",
    )
    assert case.rubrics == (
        Rubric("rubric 1", "Is brief.", place="/scenario/rubrics/0"),
        Rubric("rubric 2", "Is kind.", place="/scenario/rubrics/1"),
    )
    told = [(one.kind, one.place) for one in case.expectations]
    place = "/scenario/scenarioExpectations"
    assert told == [
        (Expects.CALL, f"{place}/0"),
        (Expects.MOCK, f"{place}/0/toolExpectation/mockToolResponse"),
        (Expects.ANSWER, f"{place}/1"),
        (Expects.CRITERION, "/scenario/evaluationExpectations/0"),
    ]
    assert case.matchers == (
        Matcher(f"{place}/0/toolExpectation/expectedToolCall/args/words", Match.CONTAINS, "win"),
    )
    assert [(extra.name, extra.value) for extra in case.extras] == [
        ("scenarioExecutionMode", "SPEED_OPTIMIZED"),
        ("displayName", "Look up"),
    ]
    assert (case.turns, findings_of(made.scenario())) == ((), [])


@pytest.mark.parametrize("value", [made.full_golden(), made.scenario()])
def test_both_spellings_say_the_same(value: JsonObject) -> None:
    camel, snake = only_case(value), only_case(made.snake(value))
    assert (camel.id, camel.tags) == (snake.id, snake.tags)
    assert [rubric.text for rubric in camel.rubrics] == [rubric.text for rubric in snake.rubrics]
    assert [one.facts for one in (camel.scenario, snake.scenario) if one] in ([], [FACTS, FACTS])
    assert [(one.metric, one.threshold, one.options) for one in camel.criteria] == [
        (one.metric, one.threshold, one.options) for one in snake.criteria
    ]
    assert [answer_text(turn) for turn in camel.turns] == [answer_text(turn) for turn in snake.turns]
    assert [[one.kind for one in turn.expectations] for turn in camel.turns] == [
        [one.kind for one in turn.expectations] for turn in snake.turns
    ]
    assert [one.match for one in camel.matchers] == [one.match for one in snake.matchers]
    assert findings_of(made.snake(value)) == []


@pytest.mark.parametrize(
    "value",
    [
        [made.full_golden(), made.scenario()],
        {"evaluations": [made.full_golden(), made.scenario()]},
    ],
)
def test_several_evaluations_are_one_suite(value: Json) -> None:
    contents = opened(value, "exported.json")
    (suite,) = contents.suites
    assert (contents.format, suite.id, [case.id for case in suite.cases]) == (
        "ces-evaluation",
        "exported",
        ["seats", "talk"],
    )
    assert codes(contents) == []


def test_a_page_says_that_there_are_more() -> None:
    value: JsonObject = {"evaluations": [made.scenario()], "nextPageToken": "more", "others": [1]}
    assert findings_of(value) == [("more-pages", "/nextPageToken"), ("not-recognised", "/others")]


def test_what_is_no_evaluation_is_left_out_of_a_list() -> None:
    value: Json = [made.scenario(), *[made.scenario() for _ in range(19)], {"name": "odd"}]
    contents = opened(value, "x.json")
    assert len(contents.suites[0].cases) == 20
    assert ("not-recognised", "/20") in [(found.code, found.pointer) for found in contents.findings]


def test_an_evaluation_without_a_name_is_called_by_its_display_name_or_its_file() -> None:
    value = made.golden(made.turn(made.says(text="Hi")))
    del value["name"]
    assert only_case(value).id == "Seats"
    del value["displayName"]
    assert only_case(value, "mine.json").id == "mine"
    ids = [case.id for case in opened([value, value], "mine.json").suites[0].cases]
    assert ids == ["mine", "mine 2"]


STEP = "/golden/turns/0/steps"
_BOTH: JsonObject = {"tool": "a", "toolsetTool": {"toolset": "s", "toolId": "b"}}
_LIKE: JsonObject = {"tool": "a", "args": {"b": {"$matchType": "like", "value": 1}}}
_HI = made.says(text="Hi")
ODD: list[tuple[JsonObject, str, str]] = [
    (made.turn({"userInput": {"text": "Hi"}, "agentTransfer": {}}), "several-of-a-union", f"{STEP}/0/agentTransfer"),
    (made.turn({}), "empty-step", f"{STEP}/0"),
    (made.turn(_HI, {"hologram": 1}), "unknown-key", f"{STEP}/1/hologram"),
    (made.turn(made.says(text="Hi", dtmf="1")), "several-of-a-union", f"{STEP}/0/userInput/dtmf"),
    (made.turn(made.says(text="Hi", smell="x")), "unknown-key", f"{STEP}/0/userInput/smell"),
    (made.turn(_HI, made.expects(note="n")), "empty-expectation", f"{STEP}/1/expectation"),
    (made.turn(_HI, made.expects(note=3, noToolCalls=True)), "wrong-type", f"{STEP}/1/expectation/note"),
    (
        made.turn(_HI, made.expects(noToolCalls=True, agentTransfer={"targetAgent": "a"})),
        "several-of-a-union",
        f"{STEP}/1/expectation/noToolCalls",
    ),
    (
        made.turn(_HI, made.expects(toolCall=_BOTH)),
        "several-of-a-union",
        f"{STEP}/1/expectation/toolCall/toolsetTool",
    ),
    (made.turn(_HI, made.expects(toolCall={})), "no-tool", f"{STEP}/1/expectation/toolCall"),
    (
        made.turn(_HI, made.expects(toolCall=_LIKE)),
        "match-type",
        f"{STEP}/1/expectation/toolCall/args/b/$matchType",
    ),
    (
        made.turn(_HI, made.expects(agentResponse="Hi", comparisonType="SOUNDS_LIKE")),
        "unknown-enum",
        f"{STEP}/1/expectation/comparisonType",
    ),
    (made.turn(made.expects(noToolCalls=True)), "no-user-input", "/golden/turns/0"),
    (
        made.turn(_HI, made.expects(noToolCalls=True), made.expects(toolCall={"tool": "a"})),
        "contradiction",
        "/golden/turns/0",
    ),
    ({"steps": "Hi"}, "wrong-type", STEP),
]


@each(("turn", "code", "place"), ODD)
def test_an_odd_turn_is_named_at_its_place(turn: JsonObject, code: str, place: str) -> None:
    found = findings_of(made.golden(turn))
    assert (code, place) in found
    assert {other for other, _ in found} <= {code, "empty-step"}


_OF_SCENARIOS: list[tuple[JsonObject, list[tuple[str, str]]]] = [
    ({"task": ""}, [("no-task", "/scenario")]),
    ({"maxTurns": 101}, [("too-many-turns", "/scenario/maxTurns")]),
    ({"maxTurns": 2.5}, [("too-many-turns", "/scenario/maxTurns")]),
    ({"maxTurns": 0}, []),
    ({"userGoalBehavior": "USER_GOAL_SHRUGGED"}, [("unknown-enum", "/scenario/userGoalBehavior")]),
    ({"taskCompletionBehavior": "TASK_SATISFIED"}, [("deprecated", "/scenario/taskCompletionBehavior")]),
    ({"userFacts": [{"name": "seat", "value": 2}]}, [("wrong-type", "/scenario/userFacts/0")]),
    ({"rubrics": ["Is brief.", {"text": "x"}]}, [("wrong-type", "/scenario/rubrics/1")]),
    ({"scenarioExpectations": [{}]}, [("empty-expectation", "/scenario/scenarioExpectations/0")]),
    (
        {"scenarioExpectations": [{"toolExpectation": {"expectedToolCall": {"tool": "a"}}, "agentResponse": "Hi"}]},
        [("several-of-a-union", "/scenario/scenarioExpectations/0/agentResponse")],
    ),
    ({"evaluationExpectations": [7]}, [("wrong-type", "/scenario/evaluationExpectations/0")]),
    ({"newField": 1}, [("unknown-key", "/scenario/newField")]),
]


@each(("others", "expected"), _OF_SCENARIOS)
def test_an_odd_scenario_is_named_at_its_place(others: JsonObject, expected: list[tuple[str, str]]) -> None:
    assert findings_of(made.scenario(**others)) == expected


_OF_WHOLE: list[tuple[JsonObject, list[tuple[str, str]]]] = [
    ({"scenario": {"task": "x"}}, [("several-of-a-union", "/scenario")]),
    ({"golden": None}, [("script-or-scenario", "")]),
    ({"displayName": ""}, [("no-display-name", "")]),
    ({"invalid": True}, [("invalid-evaluation", "/invalid")]),
    ({"invalid": False}, []),
    ({"tags": ["a", 1]}, [("wrong-type", "/tags/1")]),
    ({"newField": {"a": 1}}, [("unknown-key", "/newField")]),
]


@each(("others", "expected"), _OF_WHOLE)
def test_an_odd_evaluation_is_named_at_its_place(others: JsonObject, expected: list[tuple[str, str]]) -> None:
    assert findings_of(made.golden(made.turn(made.says(text="Hi"))) | others) == expected


def test_more_than_a_hundred_turns_are_too_many_for_ces() -> None:
    turn = made.turn(made.says(text="Hi"))
    assert findings_of(made.golden(*[turn] * 100)) == []
    assert findings_of(made.golden(*[turn] * 101)) == [("too-many-turns", "/golden/turns")]


def test_two_of_one_name_are_named() -> None:
    assert findings_of([made.scenario(), made.scenario()]) == [("duplicate-id", "/1")]


def test_a_turn_that_expects_nothing_states_no_steps() -> None:
    (turn,) = only_case(made.golden(made.turn(made.says(text="Hi")))).turns
    assert (turn.steps, turn.events, turn.final_response) == (Steps.ABSENT, (), None)


def test_false_asks_for_nothing() -> None:
    value = made.golden(made.turn(made.says(text="Hi"), made.expects(noToolCalls=False)))
    (expectation,) = only_case(value).turns[0].expectations
    assert (expectation.kind, expectation.skipped) == (Expects.NO_CALLS, True)


def test_structs_in_arguments_and_variables_are_seen_through() -> None:
    wrapped: JsonObject = {"fields": {"seat": {"numberValue": 2}}}
    steps = (made.expects(toolCall={"tool": "a", "args": wrapped}), made.expects(updatedVariables=wrapped))
    (turn,) = only_case(made.golden(made.turn(made.says(variables=wrapped), *steps))).turns
    assert calls_of(turn)[0].args == turn.expectations[1].value == turn.events[1].state_delta == {"seat": 2}
    assert isinstance(turn.user[0], Unknown)
    assert turn.user[0].raw == {"seat": 2}


def test_unknown_keys_anywhere_change_nothing_else() -> None:
    plain = made.full_golden()
    odd = copy.deepcopy(plain)
    for holder in (odd, odd["golden"]):
        assert isinstance(holder, dict)
        holder["newField"] = [1]
    told, wanted = only_case(odd), only_case(plain)
    assert (told.turns, told.criteria, told.expectations) == (wanted.turns, wanted.criteria, wanted.expectations)
    assert [extra.place for extra in told.extras if extra.name == "newField"] == ["/newField", "/golden/newField"]
