"""ADK's spans, in both of its schemas, read from Jaeger and from OTLP."""

from __future__ import annotations

import json

import pytest

from tests.formats.span_files import (
    START_US,
    Made,
    Write,
    agent,
    both,
    codes,
    jaeger,
    model,
    opened,
    otlp,
    says,
    tool,
    user,
    wants,
)
from trace_inspector.core.trace.parts import Text, Thought, ToolCall, ToolResult
from trace_inspector.core.trace.trace import (
    SpanKind,
    Usage,
    answer_text,
    calls_of,
    paired_calls,
    turn_usage,
    user_text,
)
from trace_inspector.core.values.values import ABSENT, Json, JsonObject

RUN = Made("run", "invocation", lasts=1000)


def _one_turn() -> list[Made]:
    history = [user("earlier"), user("yes"), user("Where is it?")]
    return [
        Made("http", "POST /run", lasts=1200, tags={"http.method": "POST"}),
        Made("run", "invocation", "http", 5, 1000),
        agent("a", "run", "guide", 6),
        model(
            "m1", "a", 10, asked=history, said=[wants("look", q="it")], system="Be brief.",
            usage={"prompt_token_count": 7, "candidates_token_count": 2, "thoughts_token_count": 1},
        ),
        Made("q", "queue.put", "m1", 12),
        tool("x", "m1", 15, "look", {"q": "it"}, {"found": "there"}, call_id="adk-1"),
        model(
            "m2", "a", 40, said=says("It is there."),
            usage={"prompt_token_count": 9, "candidates_token_count": 3, "cached_content_token_count": 4},
        ),
    ]  # fmt: skip


@both
def test_a_run_becomes_a_turn(write: Write) -> None:
    contents = opened(write(*_one_turn()))
    (trace,) = contents.traces
    (turn,) = trace.turns
    assert contents.findings == ()
    assert (trace.id, trace.span_count, [span.name for span in trace.spans]) == ("t1", 7, ["POST /run"])
    assert (turn.id, user_text(turn), answer_text(turn), turn.final_author) == (
        "e-1",
        "Where is it?",
        "It is there.",
        "guide",
    )
    assert turn.start_s == pytest.approx((START_US + 5000) / 1e6)
    assert (turn.duration_s, turn.model_duration_s, turn.tool_duration_s) == pytest.approx((1.0, 0.02, 0.01))
    assert turn_usage(turn) == Usage(prompt=16, candidates=5, thoughts=1, cached=4)
    assert [(each.name, each.instruction, len(each.tools)) for each in turn.agents] == [("guide", "Be brief.", 1)]
    assert [each.name for each in trace.agents] == ["guide"]


@both
def test_a_call_carries_the_id_and_the_result_of_its_tool_span(write: Write) -> None:
    (trace,) = opened(write(*_one_turn())).traces
    (paired,) = paired_calls(trace.turns[0])
    assert (paired.call.name, paired.call.args, paired.call.call_id) == ("look", {"q": "it"}, "adk-1")
    assert paired.result is not None
    assert (paired.result.value, paired.result.call_id, paired.result.is_error) == (
        {"found": "there"},
        "adk-1",
        False,
    )
    model_event, tool_event, last = trace.turns[0].events
    assert (model_event.span_id, tool_event.span_id, last.span_id, last.parts) == ("m1", "x", "m2", ())
    assert tool_event.time_s == pytest.approx((START_US + 15_000) / 1e6)


@both
def test_plumbing_inside_a_turn_stays_with_it(write: Write) -> None:
    (trace,) = opened(write(*_one_turn())).traces
    kinds = {span.id: span.kind for span in trace.turns[0].spans}
    assert kinds == {
        "run": SpanKind.RUN,
        "a": SpanKind.AGENT,
        "m1": SpanKind.MODEL,
        "q": SpanKind.PLUMBING,
        "x": SpanKind.TOOL,
        "m2": SpanKind.MODEL,
    }


def test_places_lead_through_the_json_inside_strings() -> None:
    (trace,) = opened(jaeger(*_one_turn())).traces
    turn = trace.turns[0]
    assert turn.place == "/data/0/spans/1"
    assert turn.user[0].place == "/data/0/spans/3/tags/1/value/contents/2/parts/0/text"
    assert calls_of(turn)[0].place == "/data/0/spans/3/tags/2/value/content/parts/0/function_call"
    (traced,) = opened(otlp(*_one_turn())).traces
    assert traced.turns[0].user[0].place == (
        "/resourceSpans/0/scopeSpans/0/spans/3/attributes/1/value/stringValue/contents/2/parts/0/text"
    )


@both
def test_the_conversation_may_stand_on_the_transport_alone(write: Write) -> None:
    spans = [Made("http", "POST /run", tags={"session.id": "s9"}), agent("a", "http", "guide"), model("m", "a", 1)]
    (trace,) = opened(write(*spans)).traces
    assert (trace.id, trace.session_id) == ("s9", "s9")


@both
def test_turns_of_one_conversation_stand_in_start_order(write: Write) -> None:
    talk: dict[str, Json] = {"gen_ai.conversation.id": "c1"}
    spans = []
    for trace, at, words in (("t2", 5000, "second"), ("t1", 0, "first")):
        spans += [
            Made(f"run{trace}", "invocation", None, at, tags=talk, trace=trace),
            agent(f"a{trace}", f"run{trace}", "guide", at, trace=trace),
            model(
                f"m{trace}", f"a{trace}", at + 1, asked=[user(words)], said=says("ok"), invocation=trace, trace=trace
            ),
            Made(f"p{trace}", "GET /health", None, at, trace=trace),
        ]
    (trace_read,) = opened(write(*spans)).traces
    assert (trace_read.id, trace_read.session_id, trace_read.span_count) == ("c1", "c1", 8)
    assert [(turn.index, user_text(turn)) for turn in trace_read.turns] == [(0, "first"), (1, "second")]


@both
def test_one_invocation_without_its_run_span_is_one_turn(write: Write) -> None:
    spans = [
        agent("a", "gone", "front", 1, lasts=50),
        model("m1", "a", 2, asked=[user("q")], said=[wants("transfer_to_agent")]),
        agent("b", "gone", "back", 60, lasts=40),
        model("m2", "b", 61, said=says("done")),
    ]
    contents = opened(write(*spans))
    (turn,) = contents.traces[0].turns
    assert answer_text(turn) == "done"
    assert turn.duration_s == pytest.approx(0.099)
    assert codes(contents) == ["parent-missing"]


@both
def test_content_switched_off_leaves_names_and_times(write: Write) -> None:
    spans = [RUN, agent("a", "run", "guide"), model("m1", "a", 2), tool("x", "a", 5, "look"), model("m2", "a", 9)]
    contents = opened(write(*spans))
    turn = contents.traces[0].turns[0]
    (paired,) = paired_calls(turn)
    assert (paired.call.name, paired.call.args) == ("look", ABSENT)
    assert paired.result is not None
    assert paired.result.value is ABSENT
    assert (turn.user, turn.final_response) == ((), None)
    assert codes(contents) == ["content-off"]


@both
def test_the_second_schema(write: Write) -> None:
    talk: dict[str, Json] = {"gen_ai.conversation.id": "s1"}
    question: Json = [{"role": "user", "parts": [{"type": "text", "content": "Where?"}]}]
    call: Json = [
        {
            "role": "assistant",
            "parts": [
                {"type": "reasoning", "content": "hm"},
                {"type": "tool_call", "id": "look_1", "name": "look", "arguments": {"q": 1}},
            ],
            "finish_reason": "tool_call",
        }
    ]
    answered: Json = [
        *(question if isinstance(question, list) else []),
        {"role": "user", "parts": [{"type": "tool_call_response", "id": "look_1", "response": {"r": 1}}]},
    ]
    told: Json = [{"role": "assistant", "parts": [{"type": "text", "content": "There."}], "finish_reason": "stop"}]

    def generate(span_id: str, at: int, asked: Json, said: Json) -> Made:
        tags: dict[str, Json] = {
            **talk,
            "gen_ai.operation.name": "generate_content",
            "gen_ai.agent.name": "guide",
            "gcp.vertex.agent.invocation_id": "e-9",
            "gen_ai.usage.input_tokens": 10,
            "gen_ai.usage.output_tokens": 8,
            "gen_ai.usage.reasoning.output_tokens": 3,
            "gen_ai.system_instructions": json.dumps([{"type": "text", "content": "Be kind."}]),
            "gen_ai.tool.definitions": json.dumps([{"type": "function", "name": "look"}]),
            "gen_ai.input.messages": json.dumps(asked),
            "gen_ai.output.messages": json.dumps(said),
        }
        return Made(span_id, "generate_content m", "a", at, tags=tags)

    spans = [
        Made("run", "invoke_workflow shop", tags={**talk, "gen_ai.operation.name": "invoke_workflow"}),
        Made("n", "invoke_workflow part", "run", tags={**talk, "gen_ai.workflow.nested": True}),
        agent("a", "n", "guide"),
        generate("m1", 2, question, call),
        Made(
            "x", "execute_tool look", "a", 5,
            tags={
                "gen_ai.tool.name": "look", "gen_ai.tool.call.id": "adk-7",
                "gen_ai.tool.call.arguments": '{"q": 1}', "gen_ai.tool.call.result": '{"r": 1}',
            },
        ),
        generate("m2", 9, answered, told),
    ]  # fmt: skip
    contents = opened(write(*spans))
    (trace,) = contents.traces
    (turn,) = trace.turns
    assert (trace.id, turn.id, user_text(turn), answer_text(turn)) == ("s1", "e-9", "Where?", "There.")
    (paired,) = paired_calls(turn)
    assert (paired.call.args, paired.call.call_id, paired.result and paired.result.value) == (
        {"q": 1},
        "adk-7",
        {"r": 1},
    )
    assert turn_usage(turn) == Usage(prompt=20, candidates=10, thoughts=6)
    assert [type(part) for part in turn.events[0].parts] == [Thought, ToolCall]
    assert [event.finish_reason for event in turn.events] == ["tool_call", None, "stop"]
    assert [(each.name, each.instruction, len(each.tools)) for each in turn.agents] == [("guide", "Be kind.", 1)]
    assert contents.findings == ()


@both
def test_errors_are_shown_where_they_happened(write: Write) -> None:
    failing = tool("x", "a", 5, "look")
    failing.failed = "no network"
    broken = model("m2", "a", 9)
    broken.failed = "quota"
    spans = [RUN, agent("a", "run", "guide"), model("m1", "a", 2, asked=[user("q")], said=[wants("look")])]
    turn = opened(write(*spans, failing, broken)).traces[0].turns[0]
    (paired,) = paired_calls(turn)
    assert paired.result is not None
    assert paired.result.is_error
    assert [event.error for event in turn.events] == [None, "no network", "quota"]
    assert turn.final_response is None


def test_a_tools_own_error_marks_the_result() -> None:
    spans = [RUN, agent("a", "run", "g"), model("m", "a", 1, said=[wants("look")])]
    answers: list[JsonObject] = [{"error": "none"}, {"isError": True, "content": []}]
    for answer in answers:
        turn = opened(jaeger(*spans, tool("x", "a", 5, "look", result=answer))).traces[0].turns[0]
        assert [part.is_error for event in turn.events for part in event.parts if isinstance(part, ToolResult)] == [
            True
        ]


def test_words_beside_a_call_stay_in_the_event() -> None:
    spans = [
        RUN,
        agent("a", "run", "g"),
        model("m", "a", 1, said=[{"text": "Let me see."}, wants("look")]),
        tool("x", "a", 5, "look"),
        model("m2", "a", 9, said=[{"text": "thinking", "thought": True}, {"text": "Here."}]),
    ]
    turn = opened(jaeger(*spans)).traces[0].turns[0]
    assert [type(part) for part in turn.events[0].parts] == [Text, ToolCall]
    assert answer_text(turn) == "Here."
    assert turn.final_response is not None
    assert len(turn.final_response) == 2
