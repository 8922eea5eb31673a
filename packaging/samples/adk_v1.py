"""A recorded turn as spans of ADK's first telemetry schema, with the web server's spans around them."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from samples.agents import AGENTS, MODEL
from samples.names import line
from samples.recording import AgentRun, ModelCall, Recorded, Round, ToolRun, spoken_parts
from samples.spans import (
    ADK,
    Attributes,
    Place,
    Span,
    agent_attributes,
    merged_attributes,
    merged_response,
    tool_attributes,
    usage_attributes,
)
from samples.story import Json, JsonObject

_SERVER, _CLIENT, _QUEUE = (
    "opentelemetry.instrumentation.fastapi",
    "opentelemetry.instrumentation.httpx",
    "event-queue",
)
_HTTP_VERSION = "0.58b0"
_EMPTY: Attributes = {f"{ADK}.llm_request": "{}", f"{ADK}.llm_response": "{}"}


def turn_spans(recorded: Recorded) -> Iterator[Span]:
    """One trace: the request, the run below it, agents, model calls and tools below that."""
    first_us, last_us = recorded.start_us - 9_000, recorded.end_us + 6_000
    request = Place(recorded.trace_id).span(
        "POST /run_sse", "request", first_us, last_us, _request("POST", "/run_sse", 200)
    )
    yield replace(request, scope=_SERVER, scope_version=_HTTP_VERSION, kind="server")
    inside = Place(recorded.trace_id).below(request)
    yield from _transport(inside, first_us, last_us)
    run = inside.span("invocation", "invocation", recorded.start_us - 5_000, recorded.end_us + 3_000, {})
    yield run
    for at, agent_run in enumerate(recorded.agents):
        yield from _agent(inside.below(run), recorded, agent_run, f"agent/{at}")


def _transport(place: Place, first_us: int, last_us: int) -> Iterator[Span]:
    received = place.span("POST /run_sse http receive", "receive", first_us + 200, first_us + 212, {})
    yield replace(received, scope=_SERVER, scope_version=_HTTP_VERSION)
    waited = place.span("EventQueue.dequeue_event", "dequeue", first_us + 3_000, last_us - 2_000, {})
    yield replace(waited, scope=_QUEUE, scope_version="1.0.0", kind="consumer")
    sent = place.span("POST /run_sse http send", "send", last_us - 900, last_us - 860, {})
    yield replace(sent, scope=_SERVER, scope_version=_HTTP_VERSION)


def _agent(place: Place, recorded: Recorded, run: AgentRun, key: str) -> Iterator[Span]:
    start_us, end_us = run.rounds[0].model.start_us - 600, run.rounds[-1].end_us + 800
    agent = place.span(f"invoke_agent {run.agent}", key, start_us, end_us, agent_attributes(recorded, run.agent))
    yield agent
    for at, made in enumerate(run.rounds):
        yield from _model(place.below(agent), recorded, made.model, f"{key}/model/{at}")
        yield from _tools(place.below(agent), run.agent, made, f"{key}/tool/{at}")


def _model(place: Place, recorded: Recorded, model: ModelCall, key: str) -> Iterator[Span]:
    end_us = model.start_us + model.duration_us
    ids: Attributes = {
        f"{ADK}.invocation_id": recorded.invocation_id,
        f"{ADK}.event_id": model.event_id,
    }
    outcome: Attributes = {**usage_attributes(model.usage), "gen_ai.response.finish_reasons": ["stop"]}
    call = place.span(
        "call_llm",
        key,
        model.start_us,
        end_us,
        {
            "gen_ai.system": ADK,
            "gen_ai.request.model": MODEL,
            **ids,
            f"{ADK}.session_id": recorded.case_id,
            f"{ADK}.llm_request": line(_request_body(model)),
            f"{ADK}.llm_response": line(_response_body(model)),
            **outcome,
        },
    )
    yield call
    yield place.below(call).span(
        f"generate_content {MODEL}",
        f"{key}/generate",
        model.start_us + 700,
        end_us - 400,
        {
            "gen_ai.system": "gemini",
            "gen_ai.operation.name": "generate_content",
            "gen_ai.request.model": MODEL,
            "gen_ai.agent.name": model.step.agent,
            "gen_ai.conversation.id": recorded.case_id,
            **ids,
            **outcome,
        },
    )


def _request_body(model: ModelCall) -> JsonObject:
    agent = AGENTS[model.step.agent]
    declared: list[Json] = [
        {"description": tool.description, "name": tool.name, "parameters_json_schema": tool.schema()}
        for tool in agent.tools
    ]
    return {
        "model": MODEL,
        "config": {
            "system_instruction": agent.instruction,
            "tools": [{"function_declarations": declared}],
            "labels": {"adk_agent_name": agent.name},
        },
        "contents": model.contents,
    }


def _response_body(model: ModelCall) -> JsonObject:
    thought: list[Json] = [{"text": model.step.thought, "thought": True}] if model.step.thought else []
    usage = model.usage
    counted: JsonObject = {
        "cached_content_token_count": usage.cached,
        "candidates_token_count": usage.output,
        "prompt_token_count": usage.prompt,
        "thoughts_token_count": usage.thoughts,
        "total_token_count": usage.prompt + usage.output + usage.thoughts,
    }
    return {
        "model_version": MODEL,
        "content": {"parts": [*thought, *spoken_parts(model.step)], "role": "model"},
        "finish_reason": "STOP",
        "usage_metadata": {name: count for name, count in counted.items() if count},
    }


def _tools(place: Place, agent: str, made: Round, key: str) -> Iterator[Span]:
    for at, run in enumerate(made.tools):
        tool = place.span(
            f"execute_tool {run.call.tool}",
            f"{key}/{at}",
            run.start_us,
            run.start_us + run.duration_us,
            {
                **tool_attributes(agent, run),
                **_EMPTY,
                f"{ADK}.tool_call_args": line(run.call.args),
                f"{ADK}.tool_response": line(run.call.result),
            },
        )
        yield replace(tool, failed=run.call.failed)
        yield from _requests(place.below(tool), run)
    if len(made.tools) > 1:
        yield place.span(
            "execute_tool (merged)",
            f"{key}/merged",
            made.end_us,
            made.end_us + 300,
            {
                **merged_attributes(made),
                **_EMPTY,
                f"{ADK}.tool_call_args": "N/A",
                f"{ADK}.tool_response": merged_response(made.tools),
            },
        )


def _requests(place: Place, run: ToolRun) -> Iterator[Span]:
    for at, request in enumerate(run.call.requests):
        start_us = run.start_us + round(request.after_s * 1_000_000)
        span = place.span(
            "GET",
            f"{run.call_id}/{at}",
            start_us,
            start_us + round(request.duration_s * 1_000_000),
            _request("GET", request.path, request.status),
        )
        yield replace(span, scope=_CLIENT, scope_version=_HTTP_VERSION, kind="client", failed=request.status >= 400)


def _request(method: str, path: str, status: int) -> Attributes:
    return {
        "http.method": method,
        "http.url": f"http://retail.example{path}",
        "http.target": path,
        "http.status_code": status,
    }
