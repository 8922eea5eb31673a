"""A whole conversation in lines, as ADK shows it to a judge, and what is known of the agents in it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from trace_inspector.core.trace.parts import Part, Text, Thought, ToolCall, ToolResult
from trace_inspector.core.trace.trace import Agent, Event, Steps, Turn
from trace_inspector.core.values.values import ABSENT, Json


def dialogue(turns: Sequence[Turn]) -> str:
    """Words, calls and results, turn by turn; without calls in ADK's old form, as in ADK."""
    return "\n".join(line for number, turn in enumerate(turns, 1) for line in _turn_lines(turn, number))


def _turn_lines(turn: Turn, number: int) -> Iterator[str]:
    words = _spoken_words(turn.user)
    if words:
        yield f"USER TURN {number}: {words}"
    events = turn.events if turn.steps is Steps.EVENTS else ()
    for event in events:
        yield from _event_lines(event, number)
    answer = _spoken_words(turn.final_response or ())
    if answer:
        yield f"AGENT ({events[0].author if events else 'agent'}) TURN {number}: {answer}"


def _event_lines(event: Event, number: int) -> Iterator[str]:
    who = f"USER TURN {number}" if event.author.lower() == "user" else f"AGENT ({event.author}) TURN {number}"
    words = _spoken_words(event.parts)
    if words:
        yield f"{who}: {words}"
    for part in event.parts:
        if isinstance(part, ToolCall):
            yield f"{who} (tool call): {part.stated_name}({_json(part.args)})"
        elif isinstance(part, ToolResult):
            yield f"{who} (tool output): {None if part.nameless else part.name} -> {_json(part.value)}"


def _spoken_words(parts: Sequence[Part]) -> str:
    return " ".join(part.text for part in parts if isinstance(part, Text | Thought) and part.text)


def _json(value: object) -> str:
    return json.dumps({} if value is ABSENT or value is None else value)


def agent_instructions(agents: Sequence[Agent]) -> str:
    """The instructions of every agent, once each, also where it has none: ADK lists it all the same."""
    paragraphs = dict.fromkeys(f"Agent {agent.name} Instructions:\n{agent.instruction}" for agent in agents)
    return "\n\n".join(paragraphs)


def agent_tools(agents: Sequence[Agent]) -> str:
    """Each agent and a line for each tool it could call, once each."""
    lines: dict[str, None] = {}
    for agent in agents:
        lines[f"Agent: {agent.name}"] = None
        for tool in agent.tools:
            lines.update(dict.fromkeys(_declared(tool)))
    return "\n".join(lines)


def _declared(tool: Json) -> Iterator[str]:
    if not isinstance(tool, dict):
        return
    listed = tool.get("function_declarations", tool.get("functionDeclarations"))
    for declared in listed if isinstance(listed, list) else ():
        if isinstance(declared, dict):
            yield f"- {declared.get('name')}: {declared.get('description')}"
