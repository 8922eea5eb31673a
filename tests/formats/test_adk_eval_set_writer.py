"""Writing eval sets: what goes in comes out, snake_case, nothing unset, and every loss named."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.formats.span_files import agent, jaeger, model, opened, says, tool, user, wants
from tests.helpers.campaigns import examples
from trace_inspector.core.finding import Severity
from trace_inspector.core.golden.golden import Case, Persona, Scenario, Session, Suite
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.criteria import Criteria
from trace_inspector.core.trace.parts import Code, Media, Part, Text, Thought, ToolCall, ToolResult, Transfer, Unknown
from trace_inspector.core.trace.rubric import Rubric
from trace_inspector.core.trace.trace import Agent, Event, Steps, Trace, Turn, Usage
from trace_inspector.core.values.values import ABSENT, Json, JsonObject
from trace_inspector.formats.adk.eval_set.eval_set_writer import write

TURN = Turn(
    0,
    "i1",
    (Text("hello"),),
    (
        Event("guide", (ToolCall("look", {"q": 1}, "7"),), usage=Usage(prompt=3, candidates=2), model="m"),
        Event("guide", (ToolResult("look", {"r": None}, "7"),), "user"),
    ),
    (Thought("hm"), Text("bye")),
    steps=Steps.EVENTS,
    duration_s=2.5,
    rubrics=(Rubric("r", "Polite.", "T"),),
    agents=(Agent("guide", "Be kind.", tools=({"name": "look"},)),),
)


def written(contents: Contents) -> JsonObject:
    value: JsonObject = json.loads(write(contents).text)
    return value


def of_cases(*cases: Case, origin: str = "adk-eval-set") -> Contents:
    return Contents(origin, (Suite("shop", "The shop", cases=cases),))


def test_the_whole_form() -> None:
    only = Case("c1", turns=(TURN,), session=Session("shop", "u", "s", {"k": None}), final_state={"done": True})
    assert written(of_cases(only)) == {
        "eval_set_id": "shop",
        "name": "The shop",
        "eval_cases": [
            {
                "eval_id": "c1",
                "conversation": [
                    {
                        "invocation_id": "i1",
                        "user_content": {"parts": [{"text": "hello"}], "role": "user"},
                        "final_response": {
                            "parts": [{"thought": True, "text": "hm"}, {"text": "bye"}],
                            "role": "model",
                        },
                        "intermediate_data": {
                            "invocation_events": [
                                {
                                    "author": "guide",
                                    "content": {
                                        "parts": [{"function_call": {"id": "7", "args": {"q": 1}, "name": "look"}}],
                                        "role": "model",
                                    },
                                    "usage_metadata": {
                                        "prompt_token_count": 3,
                                        "candidates_token_count": 2,
                                    },
                                    "model_version": "m",
                                },
                                {
                                    "author": "guide",
                                    "content": {
                                        "parts": [
                                            {
                                                "function_response": {
                                                    "id": "7",
                                                    "name": "look",
                                                    "response": {"r": None},
                                                }
                                            }
                                        ],
                                        "role": "user",
                                    },
                                },
                            ]
                        },
                        "duration": 2.5,
                        "rubrics": [{"rubric_id": "r", "rubric_content": {"text_property": "Polite."}, "type": "T"}],
                        "app_details": {
                            "agent_details": {
                                "guide": {
                                    "name": "guide",
                                    "instructions": "Be kind.",
                                    "tool_declarations": [{"name": "look"}],
                                }
                            }
                        },
                    }
                ],
                "session_input": {"app_name": "shop", "user_id": "u", "session_id": "s", "state": {"k": None}},
                "final_session_state": {"done": True},
            }
        ],
    }


def _bare(turn: Turn) -> Turn:
    """A turn without places and without what a reader guesses, to compare what was written with what is read back."""

    def parts(given: tuple[Part, ...]) -> tuple[Part, ...]:
        return tuple(replace(part, place="") for part in given)

    return replace(
        turn,
        user=parts(turn.user),
        final_response=None if turn.final_response is None else parts(turn.final_response),
        events=tuple(replace(event, parts=parts(event.parts), role=None, place="") for event in turn.events),
        rubrics=tuple(replace(rubric, place="") for rubric in turn.rubrics),
        agents=tuple(replace(agent, place="") for agent in turn.agents),
        final_event=None,
        place="",
    )


_json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=5), inner, max_size=2),
    max_leaves=4,
)
_words = st.text(max_size=8)
_args = st.one_of(st.just(ABSENT), st.none(), st.dictionaries(_words, _json, max_size=2))
_part = st.one_of(
    st.builds(Text, _words),
    st.builds(Thought, _words),
    st.builds(ToolCall, _words, _args, st.none() | _words),
    st.builds(ToolResult, _words, _args, st.none() | _words),
    st.builds(Code, _words, st.just("PYTHON")),
).map(lambda part: replace(part, is_error=True) if isinstance(part, ToolResult) and _fails(part.value) else part)
_parts = st.lists(_part, max_size=3).map(tuple)
_usage = st.none() | st.builds(Usage, *[st.none() | st.integers(0, 9)] * 5)
_event = st.builds(
    Event,
    st.text(min_size=1, max_size=5),
    _parts,
    usage=_usage,
    model=st.none() | _words,
    adk_keeps=st.just(value=True),  # as every event of an invocation
)
_turn = st.builds(
    Turn,
    st.just(0),
    st.none() | st.text(min_size=1, max_size=5),
    _parts,
    st.lists(_event, max_size=3).map(tuple),
    st.none() | _parts,
    steps=st.just(Steps.EVENTS),
)


def _fails(value: object) -> bool:
    return isinstance(value, dict) and bool(value.get("error"))


@examples(40, 1000)
@given(_turn)
def test_what_is_written_reads_the_same(turn: Turn) -> None:
    (suite,) = opened(written(of_cases(Case("c", turns=(turn,))))).suites
    assert _bare(suite.cases[0].turns[0]) == _bare(turn)


@pytest.mark.parametrize("steps", [Steps.ABSENT, Steps.CALLS, Steps.EVENTS])
def test_what_a_golden_does_not_state_is_not_written(steps: Steps) -> None:
    (suite,) = opened(written(of_cases(Case("c", turns=(Turn(0, user=(Text("q"),), steps=steps),))))).suites
    (turn,) = suite.cases[0].turns
    assert (turn.steps, turn.final_response, turn.events) == (steps, None, ())


def test_the_old_form_stays_the_old_form() -> None:
    old = Turn(
        0,
        user=(Text("q"),),
        events=(
            Event("", (ToolCall("a", {}),)),
            Event("", (ToolResult("a", {"r": 1}),)),
            Event("guide", (Text("wait"),)),
        ),
        steps=Steps.CALLS,
    )
    value = written(of_cases(Case("c", turns=(old,))))
    assert '"tool_uses": [{"args": {}, "name": "a"}]' in json.dumps(value)
    assert '"intermediate_responses": [["guide", [{"text": "wait"}]]]' in json.dumps(value)
    (suite,) = opened(value).suites
    assert [event.parts for event in _bare(suite.cases[0].turns[0]).events] == [event.parts for event in old.events]


def test_a_scenario() -> None:
    value = written(of_cases(Case("s", scenario=Scenario("Hi", "Ask.", Persona("NOVICE")))))
    assert value["eval_cases"] == [
        {
            "eval_id": "s",
            "conversation_scenario": {"starting_prompt": "Hi", "conversation_plan": "Ask.", "user_persona": "NOVICE"},
        }
    ]


def test_a_trace_becomes_a_case() -> None:
    spans = [
        agent("a", None, "guide"),
        model("m1", "a", 1, asked=[user("q")], said=[wants("look", n=1)], usage={"prompt_token_count": 4}),
        tool("x", "a", 5, "look", {"n": 1}, {"r": 2}, call_id="7"),
        model("m2", "a", 20, said=says("ok")),
    ]
    result = write(opened(jaeger(*spans)))
    (case,) = json.loads(result.text)["eval_cases"]
    (turn,) = case["conversation"]
    events = turn["intermediate_data"]["invocation_events"]
    assert (case["eval_id"], turn["invocation_id"], turn["user_content"]["parts"]) == ("t1", "e-1", [{"text": "q"}])
    assert [list(event) for event in events] == [
        ["author", "content", "usage_metadata", "model_version"],
        ["author", "content"],
        ["author", "model_version"],
    ]
    beside = case["traceInspector"]
    assert (beside["version"], beside["origin"]) == (1, {"format": "jaeger"})
    kept = beside["leftovers"]["/conversation/0/intermediate_data/invocation_events/1"]
    assert kept == {"time_s": pytest.approx(1_770_000_000.005), "duration_s": 0.01, "span_id": "x"}
    assert [(loss.severity, loss.code) for loss in result.losses] == [
        (Severity.ERROR, "spans-lost"),
        (Severity.INFO, "kept-beside"),
    ]
    assert opened(json.loads(result.text)).findings == ()


def test_what_has_no_place_is_kept_or_named() -> None:
    parts: tuple[Part, ...] = (
        Media("image/png", 3, place="/m"),
        Transfer("back"),
        Unknown("odd", {"k": 1}),
        Text("x"),
    )
    turn = Turn(
        0, user=parts, steps=Steps.EVENTS, events=(Event("", (ToolCall("a", [1], place="/a"),), error="broken"),)
    )
    contents = replace(of_cases(Case("c", turns=(turn,)), origin="jaeger"), criteria=Criteria())
    result = write(contents)
    (case,) = json.loads(result.text)["eval_cases"]
    assert case["conversation"][0]["user_content"]["parts"] == [{"text": "x"}]
    assert case["traceInspector"]["leftovers"] == {
        "/conversation/0/user_content/parts": [
            {"at": 1, "transfer": "back"},
            {"at": 2, "kind": "odd", "value": {"k": 1}},
        ],
        "/conversation/0/intermediate_data/invocation_events/0": {"error": "broken"},
    }
    assert [(loss.severity.value, loss.code, loss.pointer) for loss in result.losses] == [
        ("error", "media-lost", "/m"),
        ("warning", "args-wrapped", "/a"),
        ("info", "kept-beside", ""),
        ("error", "criteria-lost", ""),
    ]


def test_ids_stay_apart() -> None:
    one, two = Case("c", turns=(TURN,)), Case("c", scenario=Scenario("a", "b"), place="/two")
    result = write(of_cases(one, two))
    assert [case["eval_id"] for case in json.loads(result.text)["eval_cases"]] == ["c", "c (2)"]
    assert [(loss.code, loss.pointer) for loss in result.losses] == [("renamed-case", "/two")]


def test_a_script_and_its_recording_have_one_place() -> None:
    contents = replace(of_cases(Case("c", turns=(TURN,))), traces=(Trace("c", (TURN,), case_id="c", place="/t"),))
    result = write(contents)
    assert len(json.loads(result.text)["eval_cases"]) == 1
    assert [(loss.code, loss.pointer) for loss in result.losses] == [("recording-lost", "/t")]


@pytest.mark.parametrize("words", ["Grüße, 東京 👍", "cut \ud83d emoji"])
def test_any_text_can_be_written(words: str) -> None:
    text = write(of_cases(Case("c", turns=(Turn(0, user=(Text(words),)),)))).text
    assert json.loads(text.encode("utf-8"))["eval_cases"][0]["conversation"][0]["user_content"]["parts"] == [
        {"text": words}
    ]


def test_a_set_of_traces_alone_gets_an_id_that_adk_could_have_made() -> None:
    value: Json = written(Contents("otlp", traces=(Trace("a-b/c", (TURN,)),)))
    assert isinstance(value, dict)
    assert value["eval_set_id"] == "a_b_c"
