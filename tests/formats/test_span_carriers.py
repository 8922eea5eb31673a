"""Spans as programs of today leave them: calls in events alone, runs without calls below, files with much between."""

from __future__ import annotations

import json

from msgspec.structs import replace

from tests.formats.span_dump_files import adot, javascript
from tests.formats.span_files import Made, codes, key_values, opened, otlp
from tests.formats.test_every_format import pointers_in, seen_through
from tests.formats.test_otlp_logs import logs
from tests.helpers.sound import assert_sound
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.parts import Thought
from trace_inspector.core.trace.tools import tool_names
from trace_inspector.core.trace.trace import Turn, answer_text, paired_calls, turn_usage, user_text
from trace_inspector.core.values import pointer
from trace_inspector.core.values.values import Json, JsonObject, present
from trace_inspector.formats import BY_NAME, recognise

_DETAILS = "gen_ai.client.inference.operation.details"
_ASKED: Json = [{"role": "user", "parts": [{"type": "text", "content": "Is it dry?"}]}]
_ANSWERED: Json = [{"role": "assistant", "parts": [{"type": "text", "content": "Yes."}], "finish_reason": "stop"}]


def _told(contents: Contents) -> list[tuple[str, str, int | None]]:
    """Question, answer and tokens of the prompt of each turn."""
    turns = [turn for trace in contents.traces for turn in trace.turns]
    return [(user_text(turn), answer_text(turn) or "", _prompt(turn)) for turn in turns]


def _prompt(turn: Turn) -> int | None:
    usage = turn_usage(turn)
    return usage.prompt if usage else None


def _hold_together(value: Json, contents: Contents) -> None:
    assert_sound(contents)
    places = {place for place in pointers_in(contents) if place}
    assert {place for place in places if not present(seen_through(value, pointer.split(place)))} == set()


def _details() -> JsonObject:
    return {
        "gen_ai.request.model": "m-1",
        "gen_ai.conversation.id": "c-1",
        "gen_ai.input.messages": _ASKED,
        "gen_ai.output.messages": _ANSWERED,
        "gen_ai.system_instructions": [{"type": "text", "content": "Be terse."}],
        "gen_ai.tool.definitions": [{"type": "function", "name": "look"}],
        "gen_ai.usage.input_tokens": 11,
        "gen_ai.usage.output_tokens": 3,
        "gen_ai.response.finish_reasons": ["stop"],
    }


def test_what_the_event_of_a_call_states_in_its_body_is_read() -> None:
    span = Made("m", "chat m-1", tags={"gen_ai.operation.name": "chat"})
    value = adot(span)
    assert isinstance(value, list)
    assert isinstance(value[0], dict)
    value[0]["span_events"] = [{"event_name": _DETAILS, "body": _details(), "attributes": {}}]
    contents = opened(value)
    (turn,) = contents.traces[0].turns
    assert _told(contents) == [("Is it dry?", "Yes.", 11)]
    assert [(event.model, event.finish_reason) for event in turn.events] == [("m-1", "stop")]
    assert (turn.agents[0].instruction, tool_names(turn.agents[0].tools)) == ("Be terse.", ("look",))
    _hold_together(value, contents)


def test_a_call_that_only_an_event_tells_of_is_a_call() -> None:
    record: JsonObject = {
        "timeUnixNano": "1770000000000000000",
        "traceId": "t9",
        "spanId": "s9",
        "eventName": _DETAILS,
        "attributes": key_values(_details()),
    }
    alone = opened(logs([record, {"body": {"stringValue": "something else"}}]))
    assert (_told(alone), codes(alone)) == (
        [("Is it dry?", "Yes.", 11)],
        ["call-without-span", "log-without-span", "guessed-borders"],
    )
    assert (alone.traces[0].session_id, alone.traces[0].turns[0].start_s) == ("c-1", 1_770_000_000.0)
    beside = otlp(Made("s9", "chat m-1", tags={"gen_ai.operation.name": "chat"}, trace="t9"))
    assert isinstance(beside, dict)
    with_span = opened({**beside, **logs([record])})
    assert (_told(with_span), codes(with_span)) == ([("Is it dry?", "Yes.", 11)], ["guessed-borders"])


def _vercel(inner: bool) -> list[Made]:
    around: JsonObject = {
        "ai.operationId": "ai.generateText",
        "ai.telemetry.metadata.sessionId": "c-2",
        "ai.model.id": "m-2",
        "ai.prompt": json.dumps({"system": "Be terse.", "prompt": "Is it dry?"}),
        "ai.response.text": "Yes.",
        "ai.response.reasoning": "The sky is blue.",
        "ai.response.finishReason": "stop",
        "ai.usage.inputTokens": 11,
        "ai.usage.outputTokens": 9,
        "ai.usage.reasoningTokens": 2,
        "ai.usage.cachedInputTokens": 4,
    }
    call: JsonObject = {
        "ai.operationId": "ai.generateText.doGenerate",
        "ai.prompt.messages": json.dumps([{"role": "user", "content": [{"type": "text", "text": "Is it dry?"}]}]),
        "ai.prompt.tools": [json.dumps({"type": "function", "name": "look"})],
        "ai.response.text": "Yes.",
        "ai.usage.promptTokens": 11,
        "ai.usage.completionTokens": 9,
    }
    spans = [Made("r", "ai.generateText", tags=around, lasts=500)]
    return [*spans, Made("m", "ai.generateText.doGenerate", "r", 1, tags=call)] if inner else spans


def test_the_outer_span_of_vercels_sdk_alone_is_a_turn() -> None:
    contents = opened(javascript(*_vercel(inner=False)))
    (turn,) = contents.traces[0].turns
    usage = turn_usage(turn)
    assert _told(contents) == [("Is it dry?", "Yes.", 11)]
    assert usage
    assert (usage.candidates, usage.thoughts, usage.cached) == (7, 2, 4)
    assert turn.agents[0].instruction == "Be terse."
    assert [part.text for part in turn.final_response or () if isinstance(part, Thought)] == ["The sky is blue."]
    assert contents.traces[0].session_id == "c-2"
    assert [(event.model, event.finish_reason, event.duration_s) for event in turn.events] == [("m-2", "stop", 0.5)]


def test_tokens_of_a_run_and_of_its_call_count_once() -> None:
    contents = opened(javascript(*_vercel(inner=True)))
    (turn,) = contents.traces[0].turns
    assert _told(contents) == [("Is it dry?", "Yes.", 11)]
    assert len(turn.events) == 1
    assert tool_names(turn.agents[0].tools) == ("look",)


def test_vercels_first_spans_are_known_by_name_and_steps_of_an_agent_are_its_own() -> None:
    agent = Made("a", "invoke_agent guide", tags={"gen_ai.operation.name": "invoke_agent"}, lasts=900)
    step, call = _vercel(inner=True)
    step.parent = "a"
    for span in (step, call):
        del span.tags["ai.operationId"]
    contents = opened(otlp(agent, step, call))
    assert _told(contents) == [("Is it dry?", "Yes.", 11)]
    second = [replace(step, id="r2", at=600), replace(call, id="m2", parent="r2", at=601)]
    contents = opened(otlp(agent, step, call, *second))
    assert _told(contents) == [("Is it dry?", "Yes.", 22)]
    assert len(contents.traces[0].turns[0].events) == 2


def _by_model(span_id: str, parent: str | None, at: int, tokens: int) -> Made:
    tags: JsonObject = {
        "gen_ai.request.model": "m-3",
        "gen_ai.usage.input_tokens": tokens,
        "gen_ai.input.messages": json.dumps(_ASKED),
        "gen_ai.output.messages": json.dumps(_ANSWERED),
    }
    return Made(span_id, "ask", parent, at, tags=tags)


def test_a_span_with_a_model_and_no_operation_is_a_call_unless_it_is_around_calls() -> None:
    alone = opened(otlp(_by_model("m", None, 0, 11)))
    assert _told(alone) == [("Is it dry?", "Yes.", 11)]
    around = opened(otlp(_by_model("o", None, 0, 30), _by_model("m1", "o", 1, 10), _by_model("m2", "o", 20, 20)))
    assert _told(around) == [("Is it dry?", "Yes.", 30)]
    assert len(around.traces[0].turns[0].events) == 2
    wrapped = opened(otlp(_by_model("o", None, 0, 11), _by_model("m", "o", 1, 11)))
    assert (_told(wrapped), len(wrapped.traces[0].turns[0].events)) == ([("Is it dry?", "Yes.", 11)], 1)


def test_what_an_agent_states_counts_where_no_call_was_recorded() -> None:
    tags: JsonObject = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": "guide",
        "gen_ai.usage.input_tokens": 40,
        "gen_ai.input.messages": json.dumps(_ASKED),
        "gen_ai.output.messages": json.dumps(_ANSWERED),
    }
    agent = Made("a", "invoke_agent guide", tags=tags, lasts=900)
    below = Made("b", "invoke_agent helper", "a", 2, tags={**tags, "gen_ai.usage.input_tokens": 15}, lasts=90)
    tool = Made("x", "look", "a", 5, tags={"gen_ai.tool.name": "look", "gen_ai.tool.call.result": "blue"})
    contents = opened(otlp(agent, below, tool))
    (turn,) = contents.traces[0].turns
    assert _told(contents) == [("Is it dry?", "Yes.", 40)]
    assert [(paired.call.name, paired.result and paired.result.value) for paired in paired_calls(turn)] == [
        ("look", "blue")
    ]
    assert (turn.model_duration_s, turn.tool_duration_s, turn.final_author) == (None, 0.01, "guide")


def test_spans_without_an_id_are_shown_and_counted() -> None:
    made: list[Made] = [_by_model("", None, 0, 11), _by_model("", None, 20, 12)]
    dumped: list[Json] = [{"name": span.name, "attributes": {**span.tags}} for span in made]
    values: list[Json] = [otlp(*made), dumped]
    for value in values:
        contents = opened(value)
        (finding,) = [finding for finding in contents.findings if finding.code == "span-without-id"]
        assert "2 spans have no id" in finding.message
        assert sorted(_told(contents), key=str) == [("Is it dry?", "Yes.", 11), ("Is it dry?", "Yes.", 12)]
        assert sum(trace.span_count for trace in contents.traces) == 2
        assert "repeated-span" not in codes(contents)
        _hold_together(value, contents)


def _in_body(span_id: str, at: int, asked: Json, answered: Json) -> JsonObject:
    """A span as ADOT makes it of LangChain's records: all that it knows is a text in the body of an event."""
    body: JsonObject = {
        "input": {"messages": [{"role": "user", "content": asked}]},
        "output": {"messages": [{"role": "assistant", "content": json.dumps(answered)}]},
    }
    return {
        "trace_id": "t1",
        "span_id": span_id,
        "name": "made",
        "start_time": 1_770_000_000_000_000_000 + at,
        "attributes": {},
        "span_events": [{"event_name": "made", "attributes": {}, "body": body}],
    }


def test_bodies_of_events_tell_calls_results_and_answers() -> None:
    call: Json = {"name": "look", "args": {"at": "sky"}, "id": "c1"}
    value: list[Json] = [
        _in_body("m", 0, "Is it dry?", {"generations": [[{"text": "", "message": {"tool_calls": [call]}}]]}),
        _in_body("x", 1000, '{"at": "sky"}', {"name": "look", "content": "blue", "tool_call_id": "c1"}),
        _in_body("r", 2000, "Is it dry?", {"messages": [{"type": "human", "content": "Is it dry?"}]}),
    ]
    contents = opened(value)
    (turn,) = contents.traces[0].turns
    (paired,) = paired_calls(turn)
    assert user_text(turn) == "Is it dry?"
    assert (paired.call.args, paired.result and paired.result.value) == ({"at": "sky"}, "blue")
    answer = opened([_in_body("m", 0, "Is it dry?", {"generations": [[{"text": "Yes."}]]})])
    assert _told(answer) == [("Is it dry?", "Yes.", None)]
    _hold_together(value, contents)


def test_spans_by_the_name_of_what_they_do() -> None:
    spans = javascript(*_vercel(inner=True))
    assert isinstance(spans, list)
    value: JsonObject = {"ai.generateText": [spans[0]], "doGenerate": spans[1]}
    contents = opened(value)
    assert (contents.format, _told(contents)) == ("spans", [("Is it dry?", "Yes.", 11)])
    _hold_together(value, contents)
    assert recognise({"ai.generateText": [spans[0]], "other": [{"no": "span"}]}) is None


def test_lines_of_copilot_with_spans_log_records_and_metrics() -> None:
    tags: JsonObject = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": "GitHub Copilot Chat",
        "copilot_chat.chat_session_id": "c-4",
        "copilot_chat.user_request": "Is it dry?",
        "gen_ai.usage.input_tokens": 100,
    }
    asked: Json = [{"role": "user", "parts": [{"type": "text", "content": "<context>…</context> Is it dry?"}]}]
    chat: JsonObject = {
        "gen_ai.operation.name": "chat",
        "gen_ai.input.messages": json.dumps(asked),
        "gen_ai.output.messages": json.dumps(_ANSWERED),
        "gen_ai.usage.input_tokens": 60,
        "copilot_chat.reasoning_content": "The sky is blue.",
    }
    spans = javascript(Made("a", "invoke_agent", tags=tags, lasts=90), Made("m", "chat m", "a", 1, tags=chat))
    assert isinstance(spans, list)
    log: JsonObject = {
        "hrTime": [1_770_000_000, 0],
        "spanContext": {"traceId": "t1", "spanId": "m"},
        "_body": "GenAI inference: m",
        "attributes": {"event.name": _DETAILS, "gen_ai.usage.input_tokens": 60, "gen_ai.response.model": "m-4"},
    }
    metrics: list[Json] = [{"type": "metric", "name": "gen_ai.client.token.usage"}, {"scopeMetrics": []}]
    value: list[Json] = [*metrics, log, *spans]
    contents = opened(value)
    (turn,) = contents.traces[0].turns
    assert (contents.format, contents.traces[0].session_id, contents.holds) == ("spans", "c-4", {"metrics": 2})
    assert (_told(contents), codes(contents)) == ([("Is it dry?", "Yes.", 60)], [])
    assert [event.model for event in turn.events] == ["m-4"]
    assert [part.text for part in turn.final_response or () if isinstance(part, Thought)] == ["The sky is blue."]
    assert BY_NAME["spans"].recognise([log]) > 0
    assert BY_NAME["spans"].recognise(metrics) == 0
