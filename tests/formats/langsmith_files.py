"""Runs of LangSmith: a batch of a client, an export of one run a line, one with the runs below inside."""

from __future__ import annotations

from trace_inspector.core.values.values import Json, JsonObject

_CALL: JsonObject = {"id": "c1", "name": "find", "args": {"what": "garage"}, "type": "tool_call"}


def _langchain(kind: str, **told: Json) -> JsonObject:
    return {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", kind], "kwargs": told}


def _run(identity: str, kind: str, name: str, above: str | None, at: int, **more: Json) -> JsonObject:
    times: JsonObject = {"start_time": f"2026-05-01T10:00:0{at}Z", "end_time": f"2026-05-01T10:00:0{at + 1}Z"}
    return {"id": identity, "run_type": kind, "name": name, "trace_id": "r1", "parent_run_id": above, **times, **more}


def runs() -> list[Json]:
    """A chain with two replies of a model and a tool between them that failed."""
    asked = [
        _langchain("SystemMessage", content="Be short."),
        _langchain("HumanMessage", content="Where may I park?"),
    ]
    calling = _langchain("AIMessage", content="", tool_calls=[_CALL])
    failed = _langchain("ToolMessage", content="no map", tool_call_id="c1")
    answer: JsonObject = {"message": _langchain("AIMessage", content="Nowhere."), "text": "Nowhere."}
    usage: JsonObject = {"prompt_tokens": 60, "completion_tokens": 3, "total_tokens": 63}
    return [
        _run("r1", "chain", "AgentExecutor", None, 0, inputs={"input": "Where may I park?"},
             outputs={"output": "Nowhere."}, extra={"metadata": {"session_id": "s1"}}),
        _run("r2", "llm", "ChatModel", "r1", 1, inputs={"messages": [[*asked]]},
             outputs={"generations": [[{"message": calling}]]}, prompt_tokens=40, completion_tokens=8,
             extra={"metadata": {"ls_model_name": "small"}}),
        _run("r3", "tool", "find", "r1", 2, inputs={"what": "garage"}, outputs={"output": "no map"}, error="no map"),
        _run("r4", "llm", "ChatModel", "r1", 3, inputs={"messages": [[*asked, calling, failed]]},
             outputs={"generations": [[answer]], "llm_output": {"token_usage": usage, "model_name": "small"}}),
        _run("r5", "parser", "Parser", "r4", 4),
    ]  # fmt: skip


def nested() -> JsonObject:
    """The same with the other runs inside the first."""
    whole, *others = runs()
    assert isinstance(whole, dict)
    for run in others:
        assert isinstance(run, dict)
        run["parent_run_id"] = None
    return {**whole, "child_runs": [*others]}


def batch() -> JsonObject:
    """A run that is created, and completed without its id."""
    order = "20260501T100000000000Zr1"
    message: JsonObject = {"role": "assistant", "content": "Hello."}
    usage: JsonObject = {
        "input_tokens": 9, "output_tokens": 7, "input_token_details": {"cache_read": 4},
        "output_token_details": {"reasoning": 2},
    }  # fmt: skip
    created: JsonObject = {
        "id": "r1", "name": "ChatOpenAI", "run_type": "llm", "start_time": 1_777_629_600_000, "outputs": {},
        "trace_id": "r1", "dotted_order": order, "inputs": {"messages": [{"role": "user", "content": "howdy"}]},
    }  # fmt: skip
    completed: JsonObject = {
        "trace_id": "r1", "dotted_order": order, "end_time": 1_777_629_601_500, "inputs": {},
        "outputs": {"choices": [{"message": message, "finish_reason": "stop"}], "model": "small-1",
                    "usage_metadata": usage},
    }  # fmt: skip
    return {"post": [created], "patch": [completed]}
