"""Spans as any tracer knows them, and what both of ADK's telemetry schemas have in common."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from msgspec import Struct

from samples.agents import AGENTS, tool_named
from samples.names import hex_id, line
from samples.recording import Recorded, Round, ToolRun, Usage
from samples.story import Json

# What an attribute may hold: OpenTelemetry knows no objects.
Attributes: TypeAlias = dict[str, str | int | bool | list[str]]

ADK = "gcp.vertex.agent"
ADK_VERSION = "2.13.0"


class Span(Struct, frozen=True):
    """A timed piece of work."""

    trace_id: str
    id: str
    parent_id: str | None
    name: str
    start_us: int
    duration_us: int
    attributes: Attributes
    scope: str = ADK
    scope_version: str = ADK_VERSION
    kind: str = "internal"
    failed: bool = False


class Place(Struct, frozen=True):
    """Where new spans hang: a trace and a parent."""

    trace_id: str
    parent_id: str | None = None

    def span(self, name: str, key: str, start_us: int, end_us: int, attributes: Attributes) -> Span:
        """A span at this place; `key` makes its id."""
        span_id = hex_id(self.trace_id, key, digits=16)
        return Span(self.trace_id, span_id, self.parent_id, name, start_us, end_us - start_us, attributes)

    def below(self, span: Span) -> Place:
        """The place under a span."""
        return Place(self.trace_id, span.id)


def agent_attributes(recorded: Recorded, agent: str) -> Attributes:
    """What an `invoke_agent` span says."""
    return {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.description": AGENTS[agent].description,
        "gen_ai.agent.name": agent,
        "gen_ai.conversation.id": recorded.case_id,
    }


def tool_attributes(agent: str, run: ToolRun) -> Attributes:
    """What an `execute_tool` span says about the tool, without what went in and out."""
    tool = tool_named(agent, run.call.tool)
    said: Attributes = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.description": tool.description,
        "gen_ai.tool.name": tool.name,
        "gen_ai.tool.type": tool.kind,
        "gen_ai.agent.name": agent,
        "gen_ai.tool.call.id": run.call_id,
        f"{ADK}.event_id": run.event_id,
    }
    return {**said, "error.type": "TOOL_ERROR"} if run.call.failed else said


def merged_attributes(made: Round) -> Attributes:
    """What the extra span says that ADK writes when several tools ran side by side."""
    return {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "(merged tools)",
        "gen_ai.tool.description": "(merged tools)",
        "gen_ai.tool.call.id": made.merged_id,
        f"{ADK}.event_id": made.merged_id,
    }


def merged_response(tools: Sequence[ToolRun]) -> str:
    """All answers of a round in one list."""
    answers: list[Json] = [{"id": run.call_id, "name": run.call.tool, "response": run.call.result} for run in tools]
    return line(answers)


def usage_attributes(usage: Usage) -> Attributes:
    """Tokens under the names of the GenAI conventions; kinds that are 0 are not reported."""
    reported: Attributes = {
        "gen_ai.usage.input_tokens": usage.prompt,
        "gen_ai.usage.output_tokens": usage.output + usage.thoughts,
    }
    if usage.cached:
        reported["gen_ai.usage.cache_read.input_tokens"] = usage.cached
    if usage.thoughts:
        reported["gen_ai.usage.reasoning.output_tokens"] = usage.thoughts
    return reported


def rounds_of(recorded: Recorded) -> Iterator[tuple[str, Round]]:
    """Every round of a turn with its agent."""
    for run in recorded.agents:
        for made in run.rounds:
            yield run.agent, made
