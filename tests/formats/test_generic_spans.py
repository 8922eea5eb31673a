"""Spans of other frameworks, and damaged recordings."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.formats.span_files import (
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
from tests.helpers.campaigns import examples
from tests.helpers.sound import assert_sound
from trace_inspector.core.rows.contents import collect
from trace_inspector.core.trace.trace import (
    SpanKind,
    Trace,
    Turn,
    Usage,
    answer_text,
    calls_of,
    paired_calls,
    turn_usage,
    user_text,
)
from trace_inspector.core.values.values import Json
from trace_inspector.formats import BY_NAME, recognise
from trace_inspector.formats.common.format import Source

TURN = [agent("a", None, "guide"), model("m", "a", 1, asked=[user("q")], said=says("ok"))]


def chat(span_id: str, parent: str | None, at: int, asked: Json, said: Json, trace: str = "t1") -> Made:
    """A model call by the GenAI conventions."""
    tags: dict[str, Json] = {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "m",
        "gen_ai.input.messages": json.dumps(asked),
        "gen_ai.output.messages": json.dumps(said),
    }
    return Made(span_id, "chat m", parent, at, tags=tags, trace=trace)


@both
def test_messages_in_the_manner_of_chat_completions(write: Write) -> None:
    asked: Json = [{"role": "system", "content": "Be terse."}, {"role": "user", "content": "What is up?"}]
    call: Json = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"up": true}'}}
    answered: Json = [
        *(asked if isinstance(asked, list) else []),
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": '{"sky": "blue"}'},
    ]
    spans = [
        agent("a", None, "guide"),
        chat("m1", "a", 1, asked, [{"role": "assistant", "content": None, "tool_calls": [call]}]),
        chat("m2", "a", 5, answered, [{"role": "assistant", "content": "The sky."}]),
    ]
    turn = opened(write(*spans)).traces[0].turns[0]
    (paired,) = paired_calls(turn)
    assert (paired.call.args, paired.result and paired.result.value) == ({"up": True}, {"sky": "blue"})
    assert (user_text(turn), answer_text(turn), turn.agents[0].instruction) == (
        "What is up?",
        "The sky.",
        "Be terse.",
    )


@both
def test_flattened_messages(write: Write) -> None:
    tags: dict[str, Json] = {
        "openinference.span.kind": "LLM",
        "llm.model_name": "m",
        "llm.input_messages.0.message.role": "system",
        "llm.input_messages.0.message.content": "Be kind.",
        "llm.input_messages.10.message.role": "user",
        "llm.input_messages.10.message.contents.0.message_content.type": "text",
        "llm.input_messages.10.message.contents.0.message_content.text": "last",
        "llm.input_messages.2.message.role": "user",
        "llm.input_messages.2.message.content": "first",
        "llm.output_messages.0.message.role": "assistant",
        "llm.output_messages.0.message.tool_calls.0.tool_call.id": "c1",
        "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "look",
        "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": '{"n": 1}',
        "llm.token_count.prompt": 11,
        "llm.token_count.completion": 7,
    }
    turn = opened(write(agent("a", None, "g"), Made("m", "ChatCompletion", "a", tags=tags))).traces[0].turns[0]
    assert (user_text(turn), turn.agents[0].instruction) == ("last", "Be kind.")
    assert [(call.name, call.args, call.call_id) for call in calls_of(turn)] == [("look", {"n": 1}, "c1")]
    assert (turn_usage(turn).prompt, turn_usage(turn).candidates) == (11, 7)


@both
def test_a_model_without_an_agent_makes_a_turn_with_guessed_borders(write: Write) -> None:
    spans = [
        Made("main", "main"),
        chat("m", "main", 3, [{"role": "user", "content": "q"}], []),
        chat("m2", "main", 50, [{"role": "user", "content": "q"}], [{"role": "assistant", "content": "a"}]),
    ]
    contents = opened(write(*spans))
    (trace,) = contents.traces
    (turn,) = trace.turns
    assert turn.guessed == trace.guessed == {"borders"}
    assert ([span.name for span in trace.spans], codes(contents)) == (["main"], ["guessed-borders"])
    assert turn.duration_s == pytest.approx(0.057)
    assert turn.model_duration_s == pytest.approx(0.02)


@both
def test_bare_model_calls_that_go_on_after_a_tool_are_one_turn(write: Write) -> None:
    talk: dict[str, Json] = {"gen_ai.conversation.id": "c"}
    asked: list[Json] = [{"role": "user", "content": "q"}]
    call: Json = {"role": "assistant", "tool_calls": [{"id": "1", "name": "look", "arguments": {}}]}
    result: Json = {"role": "tool", "tool_call_id": "1", "content": "found"}
    done: Json = {"role": "assistant", "content": "done"}
    again: list[Json] = [*asked, call, result, done, {"role": "user", "content": "more"}]
    spans = [
        chat("m1", None, 0, asked, [call], "t1"),
        chat("m2", None, 50, [*asked, call, result], [done], "t2"),
        chat("m3", None, 90, again, [{"role": "assistant", "content": "bye"}], "t3"),
    ]
    for made in spans:
        made.tags.update(talk)
    (trace,) = opened(write(*spans)).traces
    assert [(user_text(turn), answer_text(turn)) for turn in trace.turns] == [("q", "done"), ("more", "bye")]
    (paired,) = paired_calls(trace.turns[0])
    assert paired.result is not None
    assert (paired.result.name, paired.result.value) == ("look", "found")


@both
def test_a_span_that_names_a_model_as_openinference_does_is_a_call_of_it(write: Write) -> None:
    tags: dict[str, Json] = {
        "llm.model_name": "m", "input.value": "List them.", "output.value": "One and two.",
        "llm.token_count.prompt": 280, "llm.token_count.completion": 298,
    }  # fmt: skip
    (trace,) = opened(write(Made("m", "llm.completion", None, 0, tags=tags))).traces
    (turn,) = trace.turns
    assert (user_text(turn), answer_text(turn)) == ("List them.", "One and two.")
    assert turn_usage(turn) == Usage(prompt=280, candidates=298)


@both
def test_a_file_without_agents_still_opens(write: Write) -> None:
    contents = opened(write(Made("s", "GET /"), Made("q", "SELECT", "s")))
    (trace,) = contents.traces
    assert (trace.turns, trace.span_count, len(trace.spans)) == ((), 2, 2)
    assert all(span.kind is SpanKind.PLUMBING for span in trace.spans)
    assert codes(contents) == ["no-agent-spans"]


@both
def test_an_agent_that_only_carries_another_is_no_turn(write: Write) -> None:
    spans = [
        agent("gate", None, "gateway"),
        Made("run", "invocation", "gate", 5),
        agent("a", "run", "guide", 6),
        model("m", "a", 7, asked=[user("q")], said=says("ok")),
        agent("idle", None, "idle"),
    ]
    (trace,) = opened(write(*spans)).traces
    assert [turn.spans[0].id for turn in trace.turns] == ["run"]
    assert {span.id for span in trace.spans} == {"gate", "idle"}


@both
def test_tools_that_no_model_called_are_no_turn(write: Write) -> None:
    contents = opened(write(tool("x", None, 1, "look"), Made("h", "GET /", "x")))
    assert (contents.traces[0].turns, len(contents.traces[0].spans)) == ((), 2)


@both
def test_parents_in_a_ring_and_missing_parents(write: Write) -> None:
    ring = [Made("r1", "GET /", "r3"), Made("r2", "GET /", "r1"), Made("r3", "GET /", "r2"), Made("leaf", "x", "r2")]
    contents = opened(write(*TURN, *ring, Made("orphan", "GET /", "nowhere"), Made("self", "GET /", "self")))
    (trace,) = contents.traces
    assert (trace.span_count, len(trace.spans), len(trace.turns)) == (8, 6, 1)
    assert codes(contents) == ["parent-missing", "span-cycle"]


@both
def test_a_repeated_id_loses_no_span(write: Write) -> None:
    contents = opened(write(*TURN, Made("a", "GET /", "m"), Made("x", "GET /", "a")))
    assert contents.traces[0].span_count == 4
    assert codes(contents) == ["repeated-span"]


@both
def test_a_chain_deeper_than_pythons_stack(write: Write) -> None:
    chain = [agent(f"s{at}", f"s{at - 1}" if at else None, "g") for at in range(3000)]
    (trace,) = opened(write(*chain, model("m", "s2999", 1, asked=[user("q")], said=says("ok")))).traces
    assert (trace.span_count, len(trace.turns), answer_text(trace.turns[0])) == (3001, 1, "ok")


@both
def test_spans_without_times_keep_the_files_order(write: Write) -> None:
    spans = [
        agent("a", None, "g"),
        model("m1", "a", 1, asked=[user("q")], said=[wants("look")]),
        tool("x", "a", 2, "look", result={"r": 1}),
        model("m2", "a", 3, said=says("ok")),
    ]
    for made in spans:
        made.at = None
    contents = opened(write(*spans))
    turn = contents.traces[0].turns[0]
    assert (turn.start_s, answer_text(turn)) == (None, "ok")
    assert turn.guessed == {"order"}
    assert codes(contents) == ["guessed-order"]


def test_damaged_spans_are_counted_and_the_rest_is_read() -> None:
    value = jaeger(*TURN)
    assert isinstance(value, dict)
    data = value["data"]
    assert isinstance(data, list)
    assert isinstance(data[0], dict)
    spans = data[0]["spans"]
    assert isinstance(spans, list)
    spans[1:1] = ["no span", {"operationName": "no id"}]
    contents = opened(value)
    assert len(contents.traces[0].turns) == 1
    assert [(finding.code, finding.pointer) for finding in contents.findings] == [("damaged-span", "/data/0/spans/1")]


def test_structured_messages_need_no_json_in_strings() -> None:
    spans = [agent("a", None, "g"), chat("m", "a", 1, [], [])]
    spans[1].tags["gen_ai.input.messages"] = [{"role": "user", "parts": [{"type": "text", "content": "q"}]}]
    spans[1].tags["gen_ai.output.messages"] = [{"role": "assistant", "parts": [{"type": "text", "content": "a"}]}]
    turn = opened(otlp(*spans)).traces[0].turns[0]
    assert (user_text(turn), answer_text(turn)) == ("q", "a")


@both
def test_negative_tokens_are_not_reported(write: Write) -> None:
    spans = [agent("a", None, "g"), chat("m", "a", 1, [], [{"role": "assistant", "content": "x"}])]
    spans[1].tags.update({"gen_ai.usage.input_tokens": -5, "gen_ai.usage.output_tokens": 3})
    usage = turn_usage(opened(write(*spans)).traces[0].turns[0])
    assert (usage.prompt, usage.candidates) == (None, 3)


def test_a_trace_comes_before_its_turns_and_each_turn_alone() -> None:
    spans = [made for at in range(3) for made in _conversation(at)]
    items = list(BY_NAME["jaeger"].read(Source(jaeger(*spans))))
    assert [type(item) for item in items] == [Trace, Turn, Trace, Turn, Trace, Turn]
    assert all(item.turns == () for item in items if isinstance(item, Trace))


def test_reading_can_be_stopped() -> None:
    class _Enough(Exception):
        pass

    calls = 0

    def tick() -> None:
        nonlocal calls
        calls += 1
        if calls > 3:
            raise _Enough

    spans = [Made(f"s{at}", "GET /", f"s{at - 1}" if at else None) for at in range(20_000)]
    for known, value in ((BY_NAME["jaeger"], jaeger(*spans)), (BY_NAME["otlp"], otlp(*spans))):
        calls = 0
        with pytest.raises(_Enough):
            collect(known.name, known.read(Source(value, tick=tick)))


def test_progress_is_told_while_spans_are_sorted_out() -> None:
    ticks: list[int] = []
    spans = [Made(f"s{at}", "GET /", f"s{at - 1}" if at else None) for at in range(20_000)]
    known = BY_NAME["jaeger"]
    collect(known.name, known.read(Source(jaeger(*spans), tick=lambda: ticks.append(0))))
    assert len(ticks) == 10 + 4  # one for each 2,048 that are read, and for each 4,096 that are sorted out


def _conversation(at: int) -> list[Made]:
    trace = f"t{at}"
    return [
        agent(f"a{at}", None, "g", trace=trace),
        model(f"m{at}", f"a{at}", 1, asked=[user("q")], said=says("ok"), invocation=f"e{at}", trace=trace),
    ]


_scalar = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
_anything = st.recursive(
    _scalar,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
_KEYS = (
    "data", "spans", "traceID", "spanID", "operationName", "references", "tags", "key", "value", "startTime",
    "duration", "resourceSpans", "scopeSpans", "traceId", "spanId", "name", "attributes", "status", "code",
    "startTimeUnixNano", "endTimeUnixNano", "parentSpanId", "stringValue", "batches", "trace",
)  # fmt: skip


@examples(40, 1000)
@given(st.data())
def test_no_damage_breaks_the_readers(data: st.DataObject) -> None:
    value = data.draw(st.sampled_from([jaeger(*TURN), otlp(*TURN)]))
    text = json.loads(json.dumps(value))
    key = data.draw(st.sampled_from(_KEYS))
    damaged = _damage(text, key, data.draw(_anything))
    known = recognise(damaged)
    if known is not None:
        assert_sound(collect(known.name, known.read(Source(damaged))))
    assert known is None or known.recognise(damaged) > 0


def _damage(value: Json, key: str, junk: Json) -> Json:
    if isinstance(value, dict):
        return {name: junk if name == key else _damage(item, key, junk) for name, item in value.items()}
    return [_damage(item, key, junk) for item in value] if isinstance(value, list) else value


@examples(40, 1000)
@given(_anything)
def test_no_junk_in_an_adk_request_breaks_a_turn(junk: Json) -> None:
    spans = [agent("a", None, "g"), model("m", "a", 1, said=says("ok")), tool("x", "a", 2, "look")]
    spans[1].tags["gcp.vertex.agent.llm_request"] = json.dumps({"contents": [junk], "config": junk})
    spans[1].tags["gcp.vertex.agent.llm_response"] = json.dumps(
        {"content": {"parts": [junk]}, "usage_metadata": junk}
    )
    spans[2].tags["gcp.vertex.agent.tool_call_args"] = junk
    assert len(opened(jaeger(*spans)).traces[0].turns) == 1
