"""Parts, times and thresholds as CES's JSON has them."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence

from trace_inspector.core.golden.matcher import Match, Matcher
from trace_inspector.core.trace.parts import Part, Text, ToolCall, ToolResult, Transfer
from trace_inspector.core.trace.trace import Span, SpanKind
from trace_inspector.core.values import pointer as pointers
from trace_inspector.core.values.values import Absent, Json, JsonObject, strict

_TOOLS = "/tools/"
_DIRECTIVES = {
    Match.SEMANTIC: "semantic",
    Match.CONTAINS: "contains",
    Match.REGEXP: "regexp",
    Match.IGNORE: "ignore",
}
_LATEST_S = 253_402_300_799  # the end of the year 9999, beyond which CES has no times
_TYPES = {SpanKind.TOOL: "TOOL", SpanKind.MODEL: "LLM"}
_WORDS = (("guardrail", "GUARDRAIL"), ("callback", "USER_CALLBACK"))


def message(parts: Iterable[Part]) -> JsonObject:
    """What the agent said."""
    chunks: list[Json] = [{"text": part.text} for part in parts if isinstance(part, Text)]
    return {"role": "agent", "chunks": chunks}


def tool_call(call: ToolCall, matchers: Mapping[str, Matcher] | None = None) -> JsonObject:
    """A call; what is expected of arguments stands in them, as CES has it."""
    written: JsonObject = _tool(call.resource or call.name, call.name)
    if call.call_id:
        written["id"] = call.call_id
    if isinstance(call.args, dict):
        written["args"] = strict(_directed(call.args, f"{call.place}/args", matchers or {}))
    if call.agent:
        written["agentName"] = call.agent
    if call.parent_id:
        written["parentToolCallId"] = call.parent_id
    return written


def tool_response(result: ToolResult) -> JsonObject:
    """What a tool answered; CES keeps objects alone, and calls everything else the output."""
    written: JsonObject = _tool(result.name, result.name)
    if result.call_id:
        written["id"] = result.call_id
    if not isinstance(result.value, Absent):
        value = strict(result.value)
        written["response"] = value if isinstance(value, dict) else {"output": value}
    return written


def agent_transfer(transfer: Transfer) -> JsonObject:
    """A handing over."""
    return {"targetAgent": transfer.target}


def latencies(spans: Sequence[Span]) -> list[Json]:
    """Timed work that CES has a type for."""
    return [_latency(span, kind) for span in spans if (kind := _type(span)) and span.duration_s is not None]


def duration(seconds: float) -> str:
    """Seconds as CES writes them, to the nanosecond."""
    return f"{f'{seconds:.9f}'.rstrip('0').rstrip('.')}s"


def timestamp(epoch_s: float) -> str | None:
    """A time as CES writes it, to the microsecond; None beyond the years that it has."""
    if not 0 <= epoch_s <= _LATEST_S:
        return None
    return datetime.datetime.fromtimestamp(epoch_s, datetime.UTC).isoformat().replace("+00:00", "Z")


def _tool(resource: str, name: str) -> JsonObject:
    toolset, slash, tool = resource.rpartition("/")
    if slash and _TOOLS not in resource:
        return {"toolsetTool": {"toolset": toolset, "toolId": tool}}
    return {"tool": resource} if resource == name or not name else {"tool": resource, "displayName": name}


def _directed(value: Json, place: str, matchers: Mapping[str, Matcher]) -> Json:
    matcher = matchers.get(place)
    directive = _DIRECTIVES.get(matcher.match) if matcher else None
    if matcher is not None and directive:
        return {"$matchType": directive, "value": matcher.text or value}
    if isinstance(value, dict):
        return {name: _directed(item, pointers.join(place, name), matchers) for name, item in value.items()}
    if isinstance(value, list):
        return [_directed(item, pointers.join(place, index), matchers) for index, item in enumerate(value)]
    return value


def _type(span: Span) -> str:
    named = span.name.lower()
    return _TYPES.get(span.kind, "") or next((word for start, word in _WORDS if named.startswith(start)), "")


def _latency(span: Span, kind: str) -> JsonObject:
    written: JsonObject = {"type": kind, "displayName": span.name}
    if span.duration_s is not None:
        written["executionLatency"] = duration(span.duration_s)
        ends = (
            ("startTime", span.start_s),
            ("endTime", None if span.start_s is None else span.start_s + span.duration_s),
        )
        written |= {name: text for name, at_s in ends if at_s is not None and (text := timestamp(at_s))}
    return written
