"""The values about a turn in prompts, in ADK's order and form; the wording around them is our own."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence

from trace_inspector.core.trace.parts import ToolCall, ToolResult, text_of
from trace_inspector.core.trace.rubric import Rubric
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.trace.trace import Agent, Event, PairedCall, Steps, Turn, calls_of, paired_calls
from trace_inspector.core.values.values import ABSENT, Json, JsonObject
from trace_inspector.engine.scoring.metric import CannotJudge
from trace_inspector.extras import JUDGES, missing


def pretty(value: Json) -> str:
    """JSON with an indent of 2; numbers that JSON cannot hold are null, as in ADK."""
    try:
        return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)
    except ValueError:
        return json.dumps(_finite(value), indent=2, ensure_ascii=False)


def grounding_metadata(value: Json) -> Json:
    """Grounding metadata under the names and in the order of google-genai; what it does not know stays as it is."""
    from pydantic import ValidationError

    try:
        from google.genai.types import GroundingMetadata
    except ImportError as problem:
        raise CannotJudge(f"the prompt cannot be written as google-adk does: {missing(JUDGES)}") from problem

    try:
        metadata = GroundingMetadata.model_validate(value)
    except ValidationError:
        return value
    written: Json = metadata.model_dump(mode="json", exclude_none=True)
    return written


def _finite(value: Json) -> Json:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {name: _finite(item) for name, item in value.items()}
    return [_finite(item) for item in value] if isinstance(value, list) else value


NO_TOOLS = "Nothing is known about the agents and their tools."
NO_STEPS = "There were no tool calls."
NO_GROUNDING = "There is no grounding metadata."


def instructions(turn: Turn, agents: Sequence[Agent], rules: str) -> str:
    """Of the agent that acted first, else of the first agent that is known."""
    if not agents:
        return ""
    stranger = undescribed(turn, agents)
    if stranger and rules == "adk":
        raise CannotJudge(stranger)
    name = turn.events[0].author if turn.steps is Steps.EVENTS and turn.events else agents[0].name
    if not name and rules == "adk":  # without an author google-adk gives no instructions
        return ""
    return next((agent.instruction for agent in agents if agent.name == name), agents[0].instruction)


def undescribed(turn: Turn, agents: Sequence[Agent]) -> str:
    """Why google-adk rejects a turn whose first agent is not described; "" where it is."""
    if not agents or turn.steps is not Steps.EVENTS or not turn.events:
        return ""
    author = turn.events[0].author
    if not author or any(agent.name == author for agent in agents):
        return ""
    return f"the agent “{one_line(author, 60)}” is not described; google-adk does not judge such a turn"


def tool_declarations(agents: Sequence[Agent]) -> str:
    """What each agent could call."""
    if not agents:
        return NO_TOOLS
    return pretty({"tool_declarations": {agent.name: list(agent.tools) for agent in agents}})


def steps(turn: Turn, rules: str) -> str:
    """Every call with its result."""
    paired = _adk_pairs(turn) if rules == "adk" else paired_calls(turn)
    if not paired:
        return NO_STEPS
    listed: list[Json] = [
        {
            "step": index,
            "tool_call": stated_call(pair.call),
            "tool_response": stated_result(pair.result) if pair.result else "None",
        }
        for index, pair in enumerate(paired)
    ]
    return pretty({"tool_calls_and_response": listed})


def grounding(events: Sequence[Event]) -> str:
    """What searches the model's provider made, by event."""
    listed: list[Json] = [
        {"step": index, "author": event.author, "grounding_metadata": grounding_metadata(event.grounding)}
        for index, event in enumerate(events)
        if event.grounding is not ABSENT and event.grounding is not None
    ]
    return pretty({"grounding_metadata": listed}) if listed else NO_GROUNDING


def answer(turn: Turn, *, with_intermediate: bool) -> str:
    """The final answer, with intermediate texts before it if asked for."""
    final = text_of(turn.final_response or ())
    intermediate = [text_of(event.parts) for event in turn.events] if with_intermediate else []
    return "\n".join(text for text in (*intermediate, final) if text)


def rubric_lines(rubrics: Iterable[Rubric]) -> str:
    """One line a rubric."""
    return "\n".join(f"*  [id: {rubric.id}] {rubric.text}" for rubric in rubrics)


def _block(title: str, values: Sequence[Json]) -> str:
    return f"{title}:\n{json.dumps(values, indent=2)}"


def whole(turn: Turn, agents: Sequence[Agent], events: Sequence[Event], grounded: Sequence[Event]) -> str:
    """All that an answer may rest on: instructions, the user's words, tools, searches, and what happened before."""
    agent_texts = "\n\n".join(f"{agent.name}:\n{agent.instruction}" for agent in agents if agent.instruction)
    blocks = [
        f"Developer instructions:\n{agent_texts}",
        f"User prompt:\n{text_of(turn.user)}",
        f"Tool definitions:\n{tool_declarations(agents)}",
        f"Grounding metadata:\n{grounding(grounded)}",
    ]
    for event in events:
        words = text_of(event.parts)
        calls = [stated_call(part) for part in event.parts if isinstance(part, ToolCall)]
        results = [stated_result(part) for part in event.parts if isinstance(part, ToolResult)]
        blocks.extend([words] if words else [])
        blocks.extend([_block("tool_calls", calls)] if calls else [])
        blocks.extend([_block("tool_outputs", results)] if results else [])
    return "\n\n".join(blocks) + "\n"


def pairs_otherwise(turn: Turn) -> bool:
    """Whether google-adk pairs calls with other results than we do."""
    ours, theirs = paired_calls(turn), _adk_pairs(turn)
    return [pair.result for pair in ours] != [pair.result for pair in theirs]


def _adk_pairs(turn: Turn) -> list[PairedCall]:
    """ADK pairs by id alone, so results without id end up with every call that has none."""
    results = {part.call_id: part for event in turn.events for part in event.parts if isinstance(part, ToolResult)}
    return [PairedCall(call, 0, results.get(call.call_id)) for call in calls_of(turn)]


def stated_call(call: ToolCall) -> JsonObject:
    """A call without what it does not state."""
    stated: JsonObject = {} if call.call_id is None else {"id": call.call_id}
    if call.args is not ABSENT and call.args is not None:
        stated["args"] = call.args
    return stated if call.nameless else {**stated, "name": call.name}


def stated_result(result: ToolResult) -> JsonObject:
    """A result without what it does not state."""
    stated: JsonObject = {} if result.call_id is None else {"id": result.call_id}
    if not result.nameless:
        stated["name"] = result.name
    if result.value is not ABSENT and result.value is not None:
        stated["response"] = result.value
    return stated
