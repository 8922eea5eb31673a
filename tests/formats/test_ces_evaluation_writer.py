"""What is written as CES evaluations: of goldens, scenarios and recordings, and what CES has no place for."""

from __future__ import annotations

import json

import pytest

from tests.formats import ces_golden_files as made
from tests.formats.span_files import opened
from tests.helpers.tables import each
from trace_inspector.core.golden.golden import Case, Persona, Scenario, Session, Suite
from trace_inspector.core.golden.matcher import Match, Matcher
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.criteria import Criteria, Criterion
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.parts import Code, Media, Part, Text, Thought, ToolCall, ToolResult, Transfer, Unknown
from trace_inspector.core.trace.rubric import Rubric
from trace_inspector.core.trace.trace import Agent, Event, Steps, Trace, Turn, Usage
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.ces.common.thresholds import OF_EVALUATION, criteria_in
from trace_inspector.formats.ces.evaluation.evaluation_writer import write
from trace_inspector.formats.ces.evaluation.thresholds_writer import levels_json
from trace_inspector.formats.common.fields import Fields, Report

LOOK = ToolCall("look_up", {"seat": 2}, "c1", "/call")
ANSWERED = ToolResult("look_up", {"free": True}, "c1")


def written(*cases: Case, traces: tuple[Trace, ...] = ()) -> tuple[Json, list[str]]:
    """The value and the codes of the losses."""
    suite = (Suite("s", cases=cases),) if cases else ()
    result = write(Contents("adk-eval-set", suite, traces))
    value: Json = json.loads(result.text)
    return value, [loss.code for loss in result.losses]


def steps_of(*turns: Turn, matchers: tuple[Matcher, ...] = ()) -> tuple[list[Json], list[str]]:
    """The steps of the first turn, and the losses."""
    value, losses = written(Case("a", turns=turns, matchers=matchers))
    assert isinstance(value, dict)
    golden = value["golden"]
    assert isinstance(golden, dict)
    assert isinstance(golden["turns"], list)
    turn = golden["turns"][0]
    assert isinstance(turn, dict)
    assert isinstance(turn["steps"], list)
    return turn["steps"], losses


def test_a_script_of_another_system_is_expected_step_by_step() -> None:
    events = (
        Event("a", (Text("One moment."), LOOK)),
        Event("a", (ANSWERED,)),
        Event("a", state_delta={"seat": 2}),
        Event("a", (Transfer("clerk"),)),
    )
    turn = Turn(
        0, user=(Text("Is it"), Text("free?")), events=events, final_response=(Text("Yes."),), steps=Steps.EVENTS
    )
    steps, losses = steps_of(turn)
    assert steps == [
        made.says(text="Is it\nfree?"),
        made.expects(toolCall={"id": "c1", "tool": "look_up", "args": {"seat": 2}}),
        made.expects(agentResponse=made.message("One moment."), skipEvaluation=True),
        made.expects(toolResponse={"id": "c1", "tool": "look_up", "response": {"free": True}}, skipEvaluation=True),
        made.expects(updatedVariables={"seat": 2}),
        made.expects(agentTransfer={"targetAgent": "clerk"}),
        made.expects(agentResponse=made.message("Yes.")),
    ]
    assert losses == []


def test_the_answer_stands_where_it_was_given() -> None:
    events = (Event("a"), Event("a", (LOOK,)))
    steps, _ = steps_of(Turn(0, events=events, final_response=(Text("Yes."),), final_event=0, steps=Steps.EVENTS))
    assert steps == [
        made.expects(agentResponse=made.message("Yes.")),
        made.expects(toolCall={"id": "c1", "tool": "look_up", "args": {"seat": 2}}),
    ]


def test_adks_call_for_handing_over_is_a_transfer() -> None:
    call = ToolCall("transfer_to_agent", {"agent_name": "clerk"}, "t")
    events = (Event("a", (call,)), Event("a", (ToolResult("transfer_to_agent", {"result": None}, "t"),)))
    steps, losses = steps_of(Turn(0, events=events, steps=Steps.EVENTS))
    assert (steps, losses) == ([made.expects(agentTransfer={"targetAgent": "clerk"})], ["results-lost"])


@each(
    ("part", "given"),
    [
        (Unknown("variables", {"a": 1}), {"variables": {"a": 1}}),
        (Unknown("event", {"event": "welcome"}), {"event": {"event": "welcome"}}),
        (Unknown("dtmf", "1#"), {"dtmf": "1#"}),
        (
            ToolResult("look_up", "down", "c1", is_error=True),
            {"toolResponses": {"toolResponses": [{"id": "c1", "tool": "look_up", "response": {"error": "down"}}]}},
        ),
        (
            ToolResult("look_up", [1]),
            {"toolResponses": {"toolResponses": [{"tool": "look_up", "response": {"output": [1]}}]}},
        ),
    ],
)
def test_whatever_the_user_gives(part: Part, given: JsonObject) -> None:
    assert steps_of(Turn(0, user=(part,))) == ([{"userInput": given}], [])


@each(
    ("match", "text", "value", "directive"),
    [
        (Match.CONTAINS, "win", 2, {"$matchType": "contains", "$matchValue": "win", "$originalValue": 2}),
        (Match.REGEXP, "^2", "2", {"$matchType": "regexp", "$matchValue": "^2", "$originalValue": "2"}),
        (Match.SEMANTIC, "2", 2, {"$matchType": "semantic", "$matchValue": 2, "$originalValue": 2}),
        (Match.EXACT, "", 2, {"$matchType": "exact", "$matchValue": 2, "$originalValue": 2}),
        (Match.IGNORE, "", 2, {"$matchType": "ignore", "$originalValue": 2}),
        (Match.IGNORE, "", None, {"$matchType": "ignore"}),
    ],
)
def test_matchers_are_directives(match: Match, text: str, value: Json, directive: JsonObject) -> None:
    call = ToolCall("look_up", {"seat": value}, place="/call")
    matcher = Matcher("/call/args/seat", match, text)
    steps, losses = steps_of(Turn(0, events=(Event("a", (call,)),), steps=Steps.EVENTS), matchers=(matcher,))
    assert (steps, losses) == ([made.expects(toolCall={"tool": "look_up", "args": {"seat": directive}})], [])


@pytest.mark.parametrize(
    ("match", "args", "losses"),
    [
        (Match.IGNORE, None, []),
        (Match.SUBSET, {"seat": 2}, []),
        (Match.EXACT, {"seat": 2}, ["matchers-lost"]),
    ],
)
def test_matchers_of_all_arguments(match: Match, args: Json, losses: list[str]) -> None:
    turn = Turn(0, events=(Event("a", (LOOK,)),), steps=Steps.EVENTS)
    stated: JsonObject = {"id": "c1", "tool": "look_up"}
    if args is not None:
        stated["args"] = args
    assert steps_of(turn, matchers=(Matcher("/call/args", match),)) == ([made.expects(toolCall=stated)], losses)


@pytest.mark.parametrize("match", [Match.ANY, Match.TOLERANCE, Match.SUBSET])
def test_what_ces_cannot_compare_is_lost(match: Match) -> None:
    turn = Turn(0, events=(Event("a", (LOOK,)),), steps=Steps.EVENTS)
    steps, losses = steps_of(turn, matchers=(Matcher("/call/args/seat", match),))
    assert (steps, losses) == (
        [made.expects(toolCall={"id": "c1", "tool": "look_up", "args": {"seat": 2}})],
        ["matchers-lost"],
    )


@each(
    ("turn", "code"),
    [
        (Turn(0, events=(Event("a", (Thought("Hm."),)),)), "thoughts-lost"),
        (Turn(0, user=(Media("image/png"),)), "media-lost"),
        (Turn(0, final_response=(Code("1"),)), "parts-lost"),
        (Turn(0, id="t"), "turn-details-lost"),
        (Turn(0, duration_s=0.0), "turn-details-lost"),
        (Turn(0, rubrics=(Rubric("r", "Is kind."),)), "rubrics-lost"),
        (Turn(0, agents=(Agent("a"),)), "agents-lost"),
        (Turn(0, events=(Event("a", usage=Usage(1)),)), "event-details-lost"),
        (Turn(0, criteria=(Criterion("tool_trajectory_avg_score", 1.0),)), "criteria-lost"),
    ],
)
def test_what_a_turn_loses_is_named(turn: Turn, code: str) -> None:
    assert steps_of(turn)[1] == [code]


@each(
    ("case", "code"),
    [
        (Case("a", rubrics=(Rubric("r", "Is kind."),)), "rubrics-lost"),
        (Case("a", session=Session(app="x")), "sessions-lost"),
        (Case("a", context=(Event("user"),)), "earlier-messages-lost"),
        (Case("a", criteria=(Criterion("ces_semantic_similarity", 3.0, {"mine": 1}),)), "criteria-lost"),
        (Case("a", final_state={"seat": 2}), "expectations-lost"),
        (Case("a", expectations=(Expectation(Expects.ANSWER, (Text("x"),)),)), "expectations-lost"),
        (Case("a", expectations=(Expectation(Expects.CRITERION, text="Is it kind?"),)), "prompts-lost"),
        (Case("a", turns=(Turn(0),) * 101), "turns-beyond-the-hundredth-lost"),
        (Case("a", scenario=Scenario("", "x", Persona("p"))), "personas-lost"),
        (Case("a", scenario=Scenario("", "x"), rubrics=(Rubric("r", "Is kind.", type="TONE"),)), "rubrics-lost"),
    ],
)
def test_what_a_case_loses_is_named(case: Case, code: str) -> None:
    assert written(case)[1] == [code]


def test_what_stands_around_the_cases_is_named() -> None:
    suite = Suite("s", "Name", cases=(Case("a"),), agents=(Agent("a"),), personas=(Persona("p"),))
    result = write(Contents("x", (suite,), criteria=Criteria((Criterion("safety_v1"),))))
    assert [(loss.code, loss.message) for loss in result.losses] == [
        ("criteria-lost", "Not carried over (criteria: 1): CES has no threshold or switch of theirs there."),
        (
            "agents-lost",
            "Not carried over (agents: 1): their instructions and tools are part of an app, not of an evaluation.",
        ),
        (
            "personas-lost",
            "Not carried over (personas: 1): CES takes a persona when an evaluation is run, not in it.",
        ),
        ("suites-lost", "Not carried over (suites: 1): an evaluation has no suite around it."),
    ]


def test_states_before_and_after_have_their_places() -> None:
    turns = (Turn(0, user=(Text("Hi"),)), Turn(1, user=(Text("Bye"),)))
    value, losses = written(Case("a", turns=turns, session=Session(state={"tier": 1}), final_state={"seat": 2}))
    assert value == {
        "displayName": "a",
        "golden": {
            "turns": [
                made.turn(made.says(variables={"tier": 1}), made.says(text="Hi")),
                made.turn(made.says(text="Bye"), made.expects(updatedVariables={"seat": 2})),
            ]
        },
    }
    assert losses == []


def test_a_scenario_of_adk_begins_with_its_first_words() -> None:
    scenario = Scenario("Hello", "Book a seat.", max_turns=3)
    value, losses = written(Case("a", scenario=scenario, session=Session(state={"tier": 1}), tags=("x",)))
    assert value == {
        "displayName": "a",
        "tags": ["x"],
        "scenario": {
            "task": "Begin by saying: Hello\nBook a seat.",
            "maxTurns": 3,
            "variableOverrides": {"tier": 1},
        },
    }
    assert losses == ["first-words-in-task"]


def test_names_are_kept_apart_and_recordings_go_along() -> None:
    value, losses = written(
        Case("a"), Case("a"), traces=(Trace("t", (Turn(0, user=(Text("Hi"),)),)), Trace("u", case_id="a"))
    )
    assert isinstance(value, dict)
    assert isinstance(value["evaluations"], list)
    assert [one["displayName"] for one in value["evaluations"] if isinstance(one, dict)] == ["a", "a (2)", "t"]
    assert losses == ["recordings-lost", "renamed-case"]


@pytest.mark.parametrize("kind", ["golden", "scenario"])
def test_a_file_of_ces_is_written_as_it_was(kind: str) -> None:
    """But for what only raw values hold, which a conversion keeps beside."""
    contents = opened(made.EVALUATIONS[kind], "x.json")
    result = json.loads(write(contents).text)
    again = opened(result, "x.json")
    assert [loss.code for loss in write(contents).losses] == (
        ["prompts-lost", "other-fields-lost"] if kind == "golden" else ["other-fields-lost"]
    )
    ((before,), (after,)) = (contents.suites[0].cases, again.suites[0].cases)
    assert (after.tags, after.rubrics, after.scenario) == (before.tags, before.rubrics, before.scenario)
    assert [[one.kind for one in turn.expectations] for turn in after.turns] == [
        [one.kind for one in turn.expectations] for turn in before.turns
    ]
    assert [turn.user for turn in after.turns] == [turn.user for turn in before.turns]
    assert (after.criteria, after.matchers) == (before.criteria, before.matchers)


def test_another_systems_field_of_the_same_name_is_taken_only_when_ces_could_read_it() -> None:
    extras = (Extra("description", "Seats.", "/description"), Extra("createdBy", 3, "/createdBy"))
    value, losses = written(Case("a", extras=extras))
    assert value == {"displayName": "a", "description": "Seats.", "golden": {"turns": []}}
    assert losses == ["other-fields-lost"]


def test_steps_stand_in_their_order_also_transfers_that_nobody_expects() -> None:
    move: JsonObject = {"agentTransfer": {"targetAgent": "x"}}
    call = made.expects(toolCall={"tool": "a"})
    value = made.golden(made.turn(made.says(text="Hi"), call, move, made.expects(noToolCalls=True), call, move))
    written_again = json.loads(write(opened(value, "x.json")).text)
    steps = written_again["golden"]["turns"][0]["steps"]
    assert steps == [made.says(text="Hi"), call, made.expects(noToolCalls=True), move, call, move]


def test_thresholds_and_switches_are_written_back() -> None:
    value: JsonObject = {
        "evaluationMetricsThresholdOverride": made.THRESHOLDS,
        "evaluationMetricsConfigOverride": made.CONFIG,
    }
    criteria = criteria_in(Fields(value, ""), OF_EVALUATION, Report())
    found, unsaid = levels_json(criteria, OF_EVALUATION)
    switched = found["evaluationMetricsConfigOverride"]
    assert found["evaluationMetricsThresholdOverride"] == made.THRESHOLDS
    assert isinstance(switched, dict)
    assert switched["scenarioMetricsConfig"] == made.CONFIG["scenarioMetricsConfig"]
    assert switched["goldenMetricsConfig"] == {
        "semanticSimilarityMetricsConfig": {"enableSemanticSimilarityMetrics": True},
        "toolCorrectnessMetricsConfig": {"enableToolCorrectnessMetrics": False},
        "stepToolCorrectnessMetricsConfig": {"enableToolCorrectnessMetrics": False},
    }
    assert unsaid == ()


def test_what_a_level_cannot_hold_is_named() -> None:
    criteria = (
        Criterion("ces_user_goal", 0.5),
        Criterion("ces_hallucination"),
        Criterion("ces_extra_calls", None, {"x": 1}),
    )
    assert levels_json(criteria, OF_EVALUATION) == ({}, ("ces_user_goal", "ces_hallucination", "ces_extra_calls"))
