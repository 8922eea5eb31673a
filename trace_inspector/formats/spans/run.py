"""One run of an agent: its model calls and tool calls as steps, before it becomes a turn."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from msgspec import Struct, field

from trace_inspector.core.trace.trace import Agent, Span
from trace_inspector.core.values.values import ABSENT, Absent, Json
from trace_inspector.formats.common.span_attributes import Attributes
from trace_inspector.formats.spans.events import NOTED_ARGUMENTS, NOTED_RESULT, noted_value
from trace_inspector.formats.spans.messages import Request
from trace_inspector.formats.spans.spans import Recorded

# The names of the tool's own convention come before those of the framework around it.
_ARGUMENTS = (
    "gcp.vertex.agent.tool_call_args",
    "gen_ai.tool.call.arguments",
    "ai.toolCall.args",
    "ai.toolCall.input",
    "input.value",
    "traceloop.entity.input",
    "langfuse.observation.input",
)
_RESULT = (
    "gcp.vertex.agent.tool_response", "gen_ai.tool.call.result", "ai.toolCall.result", "ai.toolCall.output",
    "output.value", "traceloop.entity.output", "langfuse.observation.output",
)  # fmt: skip


class Step(Struct, eq=False):
    """A model call or tool call of a turn, with the spans below it that record the same call."""

    recorded: Recorded
    agent: str
    wrapped: list[Recorded] = field(default_factory=list)
    is_around: bool = False  # an agent's or run's span that stands for calls that were not recorded
    request: Request | None = None
    cached_arguments: tuple[Json | Absent, str] | None = None

    def start_s(self) -> float:
        """The start time; infinity without one, so that the step comes last."""
        start = self.recorded.span.start_s
        return math.inf if start is None else start

    def arguments(self) -> tuple[Json | Absent, str]:
        """The arguments of a tool call, and their place."""
        if self.cached_arguments is None:
            self.cached_arguments = _value(self, _ARGUMENTS, NOTED_ARGUMENTS)
        return self.cached_arguments

    def result(self) -> tuple[Json | Absent, str]:
        """The result of a tool call, and its place."""
        return _value(self, _RESULT, NOTED_RESULT)

    def attributes(self) -> Iterator[Attributes]:
        """Its own attributes, then those of the spans it wraps."""
        yield self.recorded.attributes
        for recorded in self.wrapped:
            yield recorded.attributes


class Run(Struct, eq=False):
    """The spans of one turn. `loose`: no run or agent span says where the turn begins."""

    roots: list[Recorded]
    loose: bool = False
    calls: list[Step] = field(default_factory=list)
    tools: list[Step] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    agents: dict[str, Agent] = field(default_factory=dict)

    def start_s(self) -> float:
        """The start time of the first root."""
        return min((root.span.start_s for root in self.roots if root.span.start_s is not None), default=math.inf)

    def conversation(self) -> str | None:
        """The conversation id in its own spans."""
        own = [*self.roots, *(step.recorded for step in self.calls), *(step.recorded for step in self.tools)]
        return next((conversation_id for recorded in own if (conversation_id := recorded.conversation())), None)

    def invocation_id(self) -> str | None:
        """ADK's invocation id, which only model spans carry."""
        for recorded in (*(step.recorded for step in self.calls), *self.roots):
            stated_id = recorded.attributes.text("gcp.vertex.agent.invocation_id")
            if stated_id:
                return stated_id
        return None

    def absorb(self, other: Run) -> None:
        """Take over another run of the same turn."""
        self.roots.extend(other.roots)
        self.calls.extend(other.calls)
        self.tools.extend(other.tools)
        self.spans.extend(other.spans)
        for name, agent in other.agents.items():
            self.agents.setdefault(name, agent)


class Branch(Struct, frozen=True):
    """The state on the way down a tree: the turn, the agent, whether a sub-agent works on its own."""

    run: Run
    agent: str = ""
    inner: bool = False
    model: Step | None = None
    stated: bool = False  # a span above stands for all calls of models


def _value(step: Step, names: tuple[str, ...], noted: Mapping[str, tuple[str, ...]]) -> tuple[Json | Absent, str]:
    value, place = step.recorded.attributes.parsed(*names)
    if value is ABSENT:
        value, place = noted_value(step.recorded.attributes, noted)
    return value, place if value is not ABSENT else step.recorded.span.place
