"""What Vertex AI's evaluation service is sent: the values that google-adk 2.13 sends, in the service's own form."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from trace_inspector.core.trace.parts import Part, Text, Thought, ToolCall, ToolResult
from trace_inspector.core.trace.trace import Agent, Steps, Turn
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.engine.judges.questions.turn_context import stated_call, stated_result


def single_turn(metric: str, prompt: str, response: str, reference: str | None) -> JsonObject:
    """One answer to one message, judged by a metric of the service."""
    instance: JsonObject = {"prompt": _spoken(prompt, "user"), "response": _spoken(response, "model")}
    if reference is not None:
        instance["reference"] = _spoken(reference, "model")
    return {"metrics": [_predefined(metric)], "instance": instance}


def pointwise(template: str, prompt: str, response: str) -> JsonObject:
    """One answer to one message, judged by the service with a prompt of ours."""
    instance: JsonObject = {"jsonInstance": json.dumps({"prompt": prompt, "response": response})}
    return {"pointwiseMetricInput": {"metricSpec": {"metricPromptTemplate": template}, "instance": instance}}


def conversation(metric: str, turns: Sequence[Turn], agents: Iterable[Agent]) -> JsonObject:
    """A whole conversation, judged by a metric of the service."""
    described: JsonObject = {
        agent.name: {"agentId": agent.name, "instruction": agent.instruction, "tools": list(agent.tools)}
        for agent in agents
    }
    listed: list[Json] = [_turn(index, turn) for index, turn in enumerate(turns)]
    return {
        "metrics": [_predefined(metric)],
        "instance": {"agentEvalData": {"agents": described, "turns": listed}},
    }


def _predefined(metric: str) -> JsonObject:
    return {"predefinedMetricSpec": {"metricSpecName": metric}}


def _spoken(text: str, role: str) -> JsonObject:
    return {"contents": {"contents": [{"role": role, "parts": [{"text": text}]}]}}


def _turn(index: int, turn: Turn) -> JsonObject:
    events: list[Json] = [_event("user", "user", turn.user)]
    if turn.steps is Steps.EVENTS:
        events += [
            _event(event.author, event.role or "model", event.parts)
            for number, event in enumerate(turn.events)
            if event.parts or number != turn.final_event
        ]
    events.append(_event("agent", "model", turn.final_response or ()))
    return {"turnIndex": index, **({"turnId": turn.id} if turn.id else {}), "events": events}


def _event(author: str, role: str, parts: Sequence[Part]) -> JsonObject:
    listed = [sent for part in parts if (sent := _part(part)) is not None]
    return {"author": author, "content": {"role": role, "parts": [*listed]}}


def _part(part: Part) -> JsonObject | None:
    """A part as the service knows it; pictures, sounds and code are not sent."""
    match part:
        case Text():
            return {"text": part.text}
        case Thought():
            return {"text": part.text, "thought": True}
        case ToolCall():
            return {"functionCall": stated_call(part)}
        case ToolResult():
            return {"functionResponse": stated_result(part)}
    return None
