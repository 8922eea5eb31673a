"""Datasets of Vertex's SDK: cases, references, histories, and the responses that were recorded."""

from __future__ import annotations

import pytest

from tests.formats import vertex_files as made
from tests.formats.span_files import codes, opened
from tests.helpers.tables import each
from trace_inspector.core.golden.golden import Case, Scenario
from trace_inspector.core.trace.parts import Text, ToolCall
from trace_inspector.core.trace.trace import Steps, Trace, answer_text, calls_of, user_text
from trace_inspector.core.values.values import ABSENT, Json, JsonObject
from trace_inspector.formats import recognise


def only(**others: Json) -> tuple[Case, tuple[Trace, ...], list[str]]:
    """What a dataset of one case holds."""
    contents = opened(made.dataset(made.eval_case() | others), "seats.json")
    assert contents.format == "vertex-dataset"
    (suite,) = contents.suites
    return suite.cases[0], tuple(contents.traces), codes(contents)


def test_a_case_has_its_reference_and_a_response_is_a_trace() -> None:
    case, traces, found = only()
    (turn,) = case.turns
    assert (case.id, case.suite_id, case.place) == ("seat", "seats", "/eval_cases/0")
    assert (user_text(turn), answer_text(turn)) == ("Is seat 2 free?", "Yes, seat 2 is free.")
    (trace,) = traces
    assert (trace.id, trace.case_id, trace.suite_id) == ("seat", "seat", "seats")
    assert answer_text(trace.turns[0]) == "Seat 2 is free."
    assert found == []


def test_without_a_reference_no_answer_is_expected() -> None:
    case, _traces, found = only(reference=None)
    assert [(user_text(turn), turn.final_response, turn.steps) for turn in case.turns] == [
        ("Is seat 2 free?", None, Steps.ABSENT)
    ]
    assert found == []


def test_recorded_agent_data_is_the_conversation_of_the_first_response() -> None:
    case, traces, found = only(agent_data=made.agent_data())
    (trace,) = traces
    assert [call.name for call in calls_of(trace.turns[0])] == ["look_up"]
    assert trace.place == "/eval_cases/0/agent_data"
    assert [agent.name for agent in trace.agents] == ["desk", "clerk"]
    assert answer_text(case.turns[-1]) == "Yes, seat 2 is free."
    assert found == []


def test_a_response_that_differs_from_the_recorded_answer_is_named() -> None:
    _case, traces, found = only(agent_data=made.agent_data(), responses=[{"response": made.said("No.")}])
    assert [answer_text(trace.turns[-1]) for trace in traces] == ["Seat 2 is free."]
    assert found == ["sources-differ"]


def test_several_responses_are_kept_apart() -> None:
    answers: list[Json] = [{"response": made.said(word)} for word in ("Yes.", "No.")]
    _case, traces, _found = only(responses=answers)
    assert [(trace.id, answer_text(trace.turns[0]), trace.case_runs) for trace in traces] == [
        ("seat (1)", "Yes.", 2),
        ("seat (2)", "No.", 2),
    ]


@pytest.mark.parametrize("response", ["Yes.", made.said("Yes.")])
def test_a_response_may_stand_alone(response: Json) -> None:
    _case, (trace,), found = only(responses=None, response=response)
    assert (answer_text(trace.turns[0]), trace.place) == ("Yes.", "/eval_cases/0/response")
    assert found == []


def test_a_reference_may_be_a_text_and_a_trajectory() -> None:
    uses: list[Json] = [{"tool_name": "look_up", "tool_input": {"seat": 2}}]
    case, _traces, _found = only(reference="Yes.", reference_trajectory=uses)
    (turn,) = case.turns
    assert answer_text(turn) == "Yes."
    assert turn.steps is Steps.CALLS
    assert calls_of(turn) == [ToolCall("look_up", {"seat": 2}, place="/eval_cases/0/reference_trajectory/0")]


def test_history_and_intermediate_events_are_told() -> None:
    history: list[Json] = [
        {"turn_id": "0", "content": made.said("Hello", "user"), "author": "user"},
        made.said("Good day."),
    ]
    steps: list[Json] = [{"event_id": "e1", "author": "clerk", "content": made.said("One moment.")}]
    case, (trace,), _found = only(conversation_history=history, intermediate_events=steps, context="At noon.")
    assert [event.author for event in case.context] == ["user", "model", "context"]
    assert [(event.id, event.author) for event in trace.turns[0].events] == [("e1", "clerk")]
    assert trace.turns[0].steps is Steps.EVENTS


def test_times_of_history_and_intermediate_events_are_read() -> None:
    stamped: JsonObject = {
        "author": "clerk",
        "content": made.said("Hello"),
        "creationTimestamp": "1970-01-01T00:00:05Z",
    }
    odd: JsonObject = {"content": made.said("Hm."), "creation_timestamp": "soon"}
    case, (trace,), found = only(conversation_history=[stamped, odd], intermediate_events=[stamped])
    assert [event.time_s for event in case.context] == [5.0, None]
    assert [event.time_s for event in trace.turns[0].events] == [5.0]
    assert found == ["unknown-time"]


def test_instruction_rubrics_and_scenario_are_told() -> None:
    groups: JsonObject = {
        "tone": [made.rubric("a", "Is polite.")],
        "facts": {"rubrics": [made.rubric("b", "Is true.")]},
    }
    told: JsonObject = {"starting_prompt": "Hi", "conversation_plan": "Ask."}
    case, (trace,), found = only(
        prompt=None, user_scenario=told, rubric_groups=groups, system_instruction=made.said("Be brief.", "system")
    )
    assert case.scenario == Scenario("Hi", "Ask.", place="/eval_cases/0/user_scenario")
    assert [(rubric.id, rubric.group, rubric.place) for rubric in case.rubrics] == [
        ("a", "tone", "/eval_cases/0/rubric_groups/tone/0"),
        ("b", "facts", "/eval_cases/0/rubric_groups/facts/rubrics/0"),
    ]
    assert [(agent.name, agent.instruction) for agent in trace.agents] == [("model", "Be brief.")]
    assert found == []


def test_agents_without_a_recorded_conversation_leave_the_response() -> None:
    info: JsonObject = {"name": "team", "agents": {"desk": {"agent_id": "desk", "instruction": "Be kind."}}}
    _case, (trace,), found = only(agent_info=info, agent_data={"turns": [{"turn_index": 0}]})
    assert [(agent.name, agent.instruction) for agent in trace.agents] == [("desk", "Be kind.")]
    assert [(user_text(turn), answer_text(turn)) for turn in trace.turns] == [("Is seat 2 free?", "Seat 2 is free.")]
    assert found == []


def test_a_recorded_question_alone_leaves_the_response() -> None:
    """Also where the question changes the state, and where the user wrote twice; all the words are expected."""
    events: list[Json] = [
        {"author": "user", "content": made.said("Hello.", "user"), "state_delta": {"seat": 2}},
        {"author": "User", "content": made.said("Is it free?", "user"), "state_delta": {"seat": 3}},
    ]
    data: JsonObject = {"turns": [{"turn_index": 0, "events": events}]}
    case, (trace,), found = only(agent_data=data)
    assert [part.text for part in case.turns[0].user if isinstance(part, Text)] == ["Hello.", "Is it free?"]
    assert [(user_text(turn), answer_text(turn)) for turn in trace.turns] == [
        ("Hello.\nIs it free?", "Seat 2 is free.")
    ]
    assert found == []


def test_null_agents_and_contents_are_nothing() -> None:
    events: list[Json] = [{"author": "user", "content": made.said("Hi", "user")}, {"author": "flow", "content": None}]
    data: JsonObject = {"agents": None, "turns": [{"turn_id": "a", "events": events}]}
    _case, (trace,), found = only(agent_data=data, responses=None)
    assert [event.author for event in trace.turns[0].events] == ["flow"]
    assert found == ["no-turn-index"]


def test_what_is_odd_is_a_finding() -> None:
    assert only(prompt=None)[2] == ["empty-prompt"]
    assert only(prompt=5)[2] == ["wrong-type", "empty-prompt"]
    mixed = made.dataset(made.eval_case(), {"eval_id": "x", "conversation": []})
    assert [(one.code, one.pointer) for one in opened(mixed).findings][:1] == [("other-format", "/eval_cases/1")]
    stored = made.dataset(gcs_source={"uris": ["gs://b/o"]})
    assert [(one.code, one.pointer) for one in opened(stored).findings] == [("stored-elsewhere", "/gcs_source")]


@each(
    "case",
    [
        {"conversationHistory": [{"content": made.said("Hello", "user")}]},
        {"intermediate_events": [{"content": made.said("One moment.")}]},
        {"reference": {"response": made.said("Yes.")}},
        {"rubricGroups": {"tone": {"rubrics": [made.rubric("a", "Is polite.")]}}},
        {"interactions_data_source": {"interaction": "projects/p/locations/l/interactions/i"}},
    ],
)
def test_a_case_may_begin_with_anything_that_only_this_sdk_has(case: JsonObject) -> None:
    known = recognise({"eval_cases": [case]})
    assert known is not None
    assert known.name == "vertex-dataset"


@each(
    "value",
    [
        {"eval_cases": []},
        {"eval_cases": [{"a": 1}, {"prompt": "p"}]},
        {"eval_cases": {}},
        {"eval_cases": [{"eval_id": "a", "prompt": "p"}]},
        [made.eval_case()],
    ],
)
def test_what_only_looks_alike_is_no_dataset(value: Json) -> None:
    known = recognise(value)
    assert known is None or known.name != "vertex-dataset"


_PART: JsonObject = {"text": "Hi"}


@each(
    "prompt",
    [
        [_PART],
        ["Hi"],
        {"text": "Hi"},
        {"value": "Hi"},
        {"parts": _PART},
        {"contents": [{"role": "user", "parts": [_PART]}]},
        {"messages": [{"role": "user", "content": "Hi"}]},
        [{"role": "user", "parts": [_PART]}],
        [{"role": "user", "content": "Hi"}],
    ],
)
def test_a_prompt_is_read_however_it_is_spelled(prompt: Json) -> None:
    case, _traces, found = only(prompt=prompt)
    assert [user_text(turn) for turn in case.turns] == ["Hi"]
    assert "empty-prompt" not in found
    assert all(part.place.startswith("/eval_cases/0/prompt") for part in case.turns[0].user)


@each("key", ["query", "question", "input", "user_input", "user_content", "messages", "contents"])
def test_what_stands_for_the_prompt_in_files_of_people(key: str) -> None:
    value: Json = [{"role": "user", "content": "Hi"}] if key in ("messages", "contents") else "Hi"
    case, _traces, _found = only(**{"prompt": None, key: value})
    assert [user_text(turn) for turn in case.turns] == ["Hi"]
    assert key not in [extra.name for extra in case.extras]
    beside, _traces, _found = only(**{key: value})
    assert [user_text(turn) for turn in beside.turns] == ["Is seat 2 free?"]
    assert key in [extra.name for extra in beside.extras]


def test_messages_before_the_last_of_the_user_are_the_history() -> None:
    messages: Json = [
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": "Hello to you"},
        {"role": "user", "content": "Is it free?"},
    ]
    case, _traces, _found = only(prompt=messages)
    assert [user_text(turn) for turn in case.turns] == ["Is it free?"]
    assert [event.role for event in case.context] == ["user", "assistant"]


@each(
    "listed",
    [
        [{"tool_name": "look_up", "tool_input": {"seat": 2}}],
        [{"tool": "look_up", "args": {"seat": 2}}],
        [{"step": 1, "action": "look_up", "params": {"seat": 2}}],
        ["look_up"],
    ],
)
def test_lists_of_expected_calls_in_tables(listed: list[Json]) -> None:
    value: Json = [{"query": "Is it free?", "expected_trajectory": listed, "predicted_trajectory": ["other"]}]
    contents = opened(value)
    (case,) = contents.suites[0].cases
    assert (contents.format, user_text(case.turns[0])) == ("vertex-dataset", "Is it free?")
    (call,) = calls_of(case.turns[0])
    assert call.name == "look_up"
    assert call.args in ({"seat": 2}, ABSENT)
    assert [call.name for call in calls_of(contents.traces[0].turns[0])] == ["other"]
