"""Which names stay where all texts go: those that developers gave to tools and arguments, as a file shows them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct, field

from trace_inspector.core.rows.evidence import EvidencePack
from trace_inspector.core.trace.parts import Part, ToolCall, ToolResult, Transfer
from trace_inspector.core.trace.tools import declared_arguments
from trace_inspector.core.trace.trace import Agent, Turn

# What formats call who speaks, why a reply ended, what a picture is, how an answer is compared: no words of persons.
WORDS = frozenset((
    "user", "model", "assistant", "system", "tool", "agent", "developer", "function", "human", "ai", "root_agent",
    "stop", "STOP", "length", "MAX_TOKENS", "max_tokens", "tool_calls", "tool_use", "end_turn", "content_filter",
    "stop_sequence", "function_call", "SAFETY", "RECITATION", "MALFORMED_FUNCTION_CALL", "OTHER", "error",
    "image/png", "image/jpeg", "image/gif", "image/webp", "audio/wav", "audio/mpeg", "audio/ogg", "video/mp4",
    "application/pdf", "application/json", "application/octet-stream", "text/plain", "text/html", "text/csv",
    "python", "PYTHON", "bash", "javascript", "sql", "json",
    "EQUALS", "CONTAINS", "SEMANTIC_SIMILARITY", "EXACT",
))  # fmt: skip
# Keys that so many results and files have that they say nothing of one.
USUAL_KEYS = frozenset((
    "args", "arguments", "body", "code", "content", "contents", "count", "created", "data", "description",
    "details", "end", "error", "errors", "expected", "f1", "field", "fields", "figures", "file", "files",
    "function", "headers", "id", "ids", "index", "input", "inputs", "item", "items", "key", "kind", "label",
    "limit", "list", "matched", "mean", "mean_score", "message", "messages", "metadata", "method", "name",
    "names", "next", "offset", "ok", "options", "order", "output", "outputs", "page", "parameters", "params",
    "parts", "pass_rate", "path", "precision", "prompt", "properties", "query", "reason", "recall", "request",
    "response", "result", "results", "role", "rows", "score", "size", "start", "state", "status", "stderr",
    "stdev_score", "stdout", "success", "text", "threshold", "time", "title", "total", "type", "uri", "url",
    "usage", "user", "value", "values", "version", "weight",
))  # fmt: skip
# Metrics that libraries name in several words. Other names of that kind often quote: “equals: At Pier 4.”
_METRICS_IN_WORDS = frozenset((
    "Answer Relevancy", "Argument Correctness", "Contextual Precision", "Contextual Recall", "Contextual Relevancy",
    "Conversation Completeness", "Exact Match", "Json Correctness", "Knowledge Retention", "Plan Adherence",
    "Plan Quality", "Prompt Alignment", "Role Adherence", "Step Efficiency", "Task Completion", "Tool Correctness",
    "Turn Relevancy",
))  # fmt: skip
# Tools that frameworks bring along, which no file declares.
_OF_FRAMEWORKS = frozenset((
    "transfer_to_agent", "exit_loop", "google_search", "url_context", "load_memory", "load_artifacts",
    "set_model_response", "adk_request_credential", "code_execution",
))  # fmt: skip
_DEEPEST = 8
_TOOL = re.compile(r"[A-Za-z_$][\w$.:-]{0,63}(?:/[\w$.:-]{1,63})?", re.ASCII)  # no address and no path
_NUMBER = re.compile(r"[0-9]{5}")  # longer than a year: in a name that nothing declares it is data
_DECLARED = re.compile(r"[A-Za-z_$][\w$.-]{0,63}", re.ASCII)
_METRIC = re.compile(r"[A-Za-z_$][\w.$-]{0,63}", re.ASCII)
_ARGUMENT = re.compile(r"[A-Za-z_$][A-Za-z_$.-]{0,39}")  # a figure makes it look like data: {"hunter2": true}


class KeptNames(Struct, frozen=True):
    """Names that may stay, and the names of agents, which go wherever they stand."""

    tools: set[str] = field(default_factory=set)
    arguments: set[str] = field(default_factory=set)
    agents: set[str] = field(default_factory=set)


def names_kept(pack: EvidencePack) -> KeptNames:
    """A model writes names too: where a conversation declares its tools, others that it called stay only if another
    conversation or a golden knows them."""
    kept = KeptNames(tools=set(_OF_FRAMEWORKS), arguments={"agent_name"})
    for side in pack.sides:
        for suite in side.suites:
            _declare(kept, suite.agents)
            for case in suite.cases:
                _learn(kept, case.turns, ())
        for trace in side.traces:
            _learn(kept, trace.turns, trace.agents)
    kept.tools.difference_update(kept.agents)  # an agent that others call as a tool is called after a person as often
    return kept


def metric_stays(name: str) -> bool:
    """Whether it looks like a name in code, or is one that everybody knows."""
    return name in _METRICS_IN_WORDS or bool(_METRIC.fullmatch(name))


def _learn(kept: KeptNames, turns: Sequence[Turn], agents: Iterable[Agent]) -> None:
    declared = [_declare(kept, each) for each in (agents, *(turn.agents for turn in turns))]
    active = {name for turn in turns for event in turn.events for name in event.active_tools}
    kept.tools.update(filter(_TOOL.fullmatch, active))
    knows_its_tools = bool(active) or any(declared)
    for turn in turns:
        kept.agents.update({turn.final_author, *(event.author for event in turn.events)} - WORDS)
        for part in _parts(turn):
            if isinstance(part, Transfer):
                kept.agents.add(part.target)
            elif not knows_its_tools and isinstance(part, ToolCall | ToolResult) and _is_tool(part.name):
                kept.tools.add(part.name)
                args = part.args if isinstance(part, ToolCall) else None
                kept.arguments.update(filter(_ARGUMENT.fullmatch, args if isinstance(args, dict) else ()))


def _is_tool(name: str) -> bool:
    return bool(_TOOL.fullmatch(name)) and not _NUMBER.search(name)


def _declare(kept: KeptNames, agents: Iterable[Agent]) -> bool:
    """Learn what agents are declared to have; whether that is anything."""
    has_tools = False
    for agent in agents:
        kept.agents.update({agent.name, *agent.sub_agents} - WORDS)
        for name, schema in declared_arguments(agent.tools).items():
            if _TOOL.fullmatch(name):
                has_tools = True
                kept.tools.add(name)
                kept.arguments.update(filter(_DECLARED.fullmatch, _properties(schema)))
    return has_tools


def _properties(schema: object, depth: int = 0) -> Iterator[str]:
    """The names in a schema, those of objects inside too."""
    if depth > _DEEPEST or not isinstance(schema, Mapping):
        return
    inside = schema.get("properties")
    if isinstance(inside, Mapping):
        for name, each in inside.items():
            yield str(name)
            yield from _properties(each, depth + 1)
    yield from _properties(schema.get("items"), depth + 1)


def _parts(turn: Turn) -> Iterator[Part]:
    for event in turn.events:
        yield from event.parts
    for expectation in turn.expectations:
        yield from expectation.parts
