"""The traps of ADK's spans: delegates, transfers, merged tools, providers' spans, calls without ids."""

from __future__ import annotations

from tests.formats.span_files import (
    Made,
    Write,
    agent,
    both,
    codes,
    model,
    opened,
    says,
    tool,
    user,
    wants,
)
from trace_inspector.core.trace.trace import answer_text, calls_of, paired_calls, turn_usage, user_text
from trace_inspector.core.values.values import Json

RUN = Made("run", "invocation", lasts=1000)


@both
def test_a_delegates_own_run_below_a_tool_is_no_part_of_the_turn(write: Write) -> None:
    spans = [
        RUN,
        agent("a", "run", "guide"),
        model("m1", "a", 10, asked=[user("q")], said=[wants("ask_expert")]),
        tool("x", "a", 20, "ask_expert", result={"result": "42"}),
        Made("run2", "invocation", "x", 21, 50),
        agent("b", "run2", "expert", 22),
        model("m2", "b", 25, asked=[user("inner")], said=[wants("look")], invocation="e-2"),
        tool("y", "b", 30, "look"),
        model("m3", "b", 35, said=says("inner words"), invocation="e-2"),
        model("m4", "a", 80, said=says("42")),
    ]
    (trace,) = opened(write(*spans)).traces
    (turn,) = trace.turns
    assert [call.name for call in calls_of(turn)] == ["ask_expert"]
    assert (user_text(turn), answer_text(turn), [each.name for each in trace.agents]) == ("q", "42", ["guide"])
    assert len(turn.spans) == len(spans)


@both
def test_an_agent_below_a_tool_works_for_itself(write: Write) -> None:
    spans = [
        agent("a", None, "guide"),
        model("m1", "a", 10, asked=[user("q")], said=[wants("ask_expert")]),
        tool("x", "a", 20, "ask_expert", result={"result": "42"}),
        agent("b", "x", "expert", 22),
        model("m2", "b", 25, asked=[user("inner")], said=says("inner words")),
        model("m4", "a", 80, said=says("42")),
    ]
    (turn,) = opened(write(*spans)).traces[0].turns
    assert ([event.span_id for event in turn.events], answer_text(turn)) == (["m1", "x", "m4"], "42")


@both
def test_a_remote_run_below_transport_works_for_itself(write: Write) -> None:
    spans = [
        RUN,
        agent("a", "run", "guide"),
        model("m1", "a", 10, asked=[user("q")], said=says("ok")),
        Made("http", "POST /remote", "a", 20),
        Made("run2", "invocation", "http", 21, 50),
        agent("b", "run2", "far", 22),
        model("m2", "b", 25, said=says("far words"), invocation="e-2"),
    ]
    (turn,) = opened(write(*spans)).traces[0].turns
    assert ([event.span_id for event in turn.events], answer_text(turn)) == (["m1"], "ok")


@both
def test_a_tool_that_ran_before_was_not_run_by_this_call(write: Write) -> None:
    spans = [
        RUN,
        agent("a", "run", "guide"),
        tool("x", "a", 5, "look", {"n": 0}, {"r": 0}),
        model("m1", "a", 10, asked=[user("q")], said=[wants("look", n=1)]),
    ]
    turn = opened(write(*spans)).traces[0].turns[0]
    assert [(each.call.args, each.result and each.result.value) for each in paired_calls(turn)] == [
        ({"n": 0}, {"r": 0}),
        ({"n": 1}, None),
    ]


@both
def test_agents_transferred_to_belong_to_the_turn(write: Write) -> None:
    spans = [
        RUN,
        agent("a", "run", "front", 1, lasts=50),
        model("m1", "a", 2, asked=[user("q")], said=[wants("transfer_to_agent", agent_name="back")]),
        tool("x", "a", 5, "transfer_to_agent", {"agent_name": "back"}, {"result": None}),
        agent("b", "run", "back", 60),
        model("m2", "b", 61, said=says("done")),
    ]
    (trace,) = opened(write(*spans)).traces
    assert [event.author for event in trace.turns[0].events] == ["front", "front", "back"]
    assert (trace.turns[0].final_author, [each.name for each in trace.agents]) == ("back", ["front", "back"])


@both
def test_the_oldest_shape_hangs_the_next_agent_below_the_model(write: Write) -> None:
    spans = [
        RUN,
        Made("a", "agent_run [front]", "run"),
        model("m1", "a", 2, asked=[user("q")], said=[wants("transfer_to_agent")]),
        tool("x", "m1", 5, "transfer_to_agent"),
        Made("b", "agent_run [back]", "m1", 6),
        model("m2", "b", 7, said=says("done")),
    ]
    (trace,) = opened(write(*spans)).traces
    (turn,) = trace.turns
    assert ([event.author for event in turn.events], answer_text(turn)) == (["front", "front", "back"], "done")


@both
def test_merged_tools_are_no_call(write: Write) -> None:
    spans = [
        RUN,
        agent("a", "run", "guide"),
        model("m1", "a", 2, asked=[user("q")], said=[wants("look", n=1), wants("look", n=2)]),
        tool("x2", "a", 6, "look", {"n": 2}, {"r": 2}, call_id="id-2"),
        tool("x1", "a", 7, "look", {"n": 1}, {"r": 1}, call_id="id-1"),
        tool("mm", "a", 8, "(merged tools)", result=[]),
        model("m2", "a", 20, said=says("done")),
    ]
    spans[5].name = "execute_tool (merged)"
    (trace,) = opened(write(*spans)).traces
    turn = trace.turns[0]
    paired = [(each.call.args, each.call.call_id, each.result and each.result.value) for each in paired_calls(turn)]
    assert paired == [({"n": 1}, "id-1", {"r": 1}), ({"n": 2}, "id-2", {"r": 2})]
    assert not turn.guessed  # the arguments tell the two apart


@both
def test_calls_told_apart_only_by_order_are_marked(write: Write) -> None:
    spans = [
        RUN,
        agent("a", "run", "guide"),
        model("m1", "a", 2, asked=[user("q")], said=[wants("look", n=1), wants("look", n=2)]),
        tool("x1", "a", 6, "look", {"other": 1}, {"r": 1}),
        tool("x2", "a", 7, "look", {"other": 2}, {"r": 2}),
    ]
    contents = opened(write(*spans))
    turn = contents.traces[0].turns[0]
    assert [each.result and each.result.value for each in paired_calls(turn)] == [{"r": 1}, {"r": 2}]
    assert turn.guessed == {"pairing"}
    assert codes(contents) == ["guessed-pairing"]


@both
def test_a_providers_span_below_the_model_counts_once(write: Write) -> None:
    provider: dict[str, Json] = {
        "llm.request.type": "chat",
        "gen_ai.usage.prompt_tokens": 100,
        "gen_ai.prompt.0.role": "user",
        "gen_ai.prompt.0.content": "from the provider",
        "gen_ai.completion.0.content": "provider's words",
    }
    spans = [
        RUN,
        agent("a", "run", "guide"),
        model("m1", "a", 2, asked=[user("q")], said=says("done"), usage={"prompt_token_count": 5}),
        Made("p", "openai.chat", "m1", 3, tags=provider),
    ]
    turn = opened(write(*spans)).traces[0].turns[0]
    assert (len(turn.events), turn_usage(turn).prompt, user_text(turn), answer_text(turn)) == (1, 5, "q", "done")


@both
def test_what_the_framework_hides_the_provider_may_tell(write: Write) -> None:
    provider: dict[str, Json] = {
        "llm.request.type": "chat",
        "gen_ai.prompt.0.role": "user",
        "gen_ai.prompt.0.content": "question",
        "gen_ai.completion.0.content": "answer",
        "gen_ai.usage.completion_tokens": 4,
    }
    spans = [RUN, agent("a", "run", "guide"), model("m1", "a", 2), Made("p", "openai.chat", "m1", 3, tags=provider)]
    turn = opened(write(*spans)).traces[0].turns[0]
    assert (user_text(turn), answer_text(turn), turn_usage(turn).candidates) == ("question", "answer", 4)


@both
def test_what_other_agents_said_is_not_the_user(write: Write) -> None:
    retold: Json = {"role": "user", "parts": [{"text": "For context:"}, {"text": "[front] said: hello"}]}
    spans = [RUN, agent("a", "run", "b"), model("m", "a", 2, asked=[user("real"), retold], said=says("ok"))]
    assert user_text(opened(write(*spans)).traces[0].turns[0]) == "real"


@both
def test_a_result_without_a_tool_span_comes_from_the_next_request(write: Write) -> None:
    answer: Json = {"role": "user", "parts": [{"function_response": {"name": "look", "response": {"r": 5}}}]}
    spans = [
        RUN,
        agent("a", "run", "guide"),
        model("m1", "a", 2, asked=[user("q")], said=[wants("look")]),
        model("m2", "a", 9, asked=[user("q"), {"role": "model", "parts": [wants("look")]}, answer], said=says("ok")),
    ]
    contents = opened(write(*spans))
    (paired,) = paired_calls(contents.traces[0].turns[0])
    assert paired.result is not None
    assert paired.result.value == {"r": 5}
    assert codes(contents) == ["filled-results"]
