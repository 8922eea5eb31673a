"""A recorded turn as spans of ADK's second telemetry schema, with message content captured."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from samples.agents import AGENTS, MODEL
from samples.names import line
from samples.recording import AgentRun, ModelCall, Recorded, Round, spoken_parts
from samples.spans import (
    ADK,
    Attributes,
    Place,
    Span,
    agent_attributes,
    merged_attributes,
    tool_attributes,
    usage_attributes,
)
from samples.story import Json, JsonObject


def turn_spans(recorded: Recorded) -> Iterator[Span]:
    """One trace: the run, agents, model calls and tools."""
    first = recorded.agents[0].agent
    run = Place(recorded.trace_id).span(
        f"invoke_workflow {first}",
        "run",
        recorded.start_us - 5_000,
        recorded.end_us + 3_000,
        {
            "gen_ai.operation.name": "invoke_workflow",
            "gen_ai.conversation.id": recorded.case_id,
            "gen_ai.workflow.name": first,
        },
    )
    yield run
    for at, agent_run in enumerate(recorded.agents):
        yield from _agent(Place(recorded.trace_id).below(run), recorded, agent_run, f"agent/{at}")


def _agent(place: Place, recorded: Recorded, run: AgentRun, key: str) -> Iterator[Span]:
    start_us, end_us = run.rounds[0].model.start_us - 600, run.rounds[-1].end_us + 800
    agent = place.span(f"invoke_agent {run.agent}", key, start_us, end_us, agent_attributes(recorded, run.agent))
    yield agent
    for at, made in enumerate(run.rounds):
        yield _model(place.below(agent), recorded, made.model, f"{key}/model/{at}")
        yield from _tools(place.below(agent), run.agent, made, f"{key}/tool/{at}")


def _model(place: Place, recorded: Recorded, model: ModelCall, key: str) -> Span:
    agent = AGENTS[model.step.agent]
    definitions: list[Json] = [
        {"name": tool.name, "description": tool.description, "parameters": tool.schema(), "type": "function"}
        for tool in agent.tools
    ]
    answer: Json = {"role": "assistant", "parts": _parts(spoken_parts(model.step)), "finish_reason": "stop"}
    attributes: Attributes = {
        "gen_ai.operation.name": "generate_content",
        "gen_ai.request.model": MODEL,
        "gen_ai.agent.name": model.step.agent,
        "gen_ai.conversation.id": recorded.case_id,
        f"{ADK}.event_id": model.event_id,
        f"{ADK}.invocation_id": recorded.invocation_id,
        "gen_ai.provider.name": "gcp.gemini",
        "gen_ai.response.finish_reasons": ["stop"],
        **usage_attributes(model.usage),
        "gen_ai.input.messages": line([_message(content) for content in model.contents]),
        "gen_ai.system_instructions": line([{"content": agent.instruction, "type": "text"}]),
        "gen_ai.tool.definitions": line(definitions),
        "gen_ai.output.messages": line([answer]),
    }
    return place.span(
        f"generate_content {MODEL}", key, model.start_us, model.start_us + model.duration_us, attributes
    )


def _tools(place: Place, agent: str, made: Round, key: str) -> Iterator[Span]:
    for at, run in enumerate(made.tools):
        tool = place.span(
            f"execute_tool {run.call.tool}",
            f"{key}/{at}",
            run.start_us,
            run.start_us + run.duration_us,
            {
                **tool_attributes(agent, run),
                "gen_ai.tool.call.arguments": line(run.call.args),
                "gen_ai.tool.call.result": line(run.call.result),
            },
        )
        yield replace(tool, failed=run.call.failed)
    if len(made.tools) > 1:
        yield place.span(
            "execute_tool (merged)", f"{key}/merged", made.end_us, made.end_us + 300, merged_attributes(made)
        )


def _message(content: Json) -> Json:
    assert isinstance(content, dict)
    role, parts = content["role"], content["parts"]
    assert isinstance(parts, list)
    return {"role": "assistant" if role == "model" else role, "parts": _parts(parts)}


def _parts(parts: list[Json]) -> list[Json]:
    return [_part(part, at) for at, part in enumerate(parts)]


def _part(part: Json, at: int) -> JsonObject:
    match part:
        case {"function_call": {"name": str(name), "args": args}}:
            return {"id": f"{name}_{at}", "name": name, "arguments": args, "type": "tool_call"}
        case {"function_response": {"name": str(name), "response": response}}:
            return {"id": f"{name}_{at}", "response": response, "type": "tool_call_response"}
        case {"text": text}:
            return {"content": text, "type": "text"}
    message = f"no part of a message: {part}"
    raise ValueError(message)
