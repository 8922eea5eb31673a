"""A recorded conversation as a row of agent-eval: nothing invented, counted twice or renamed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal

from trace_inspector.core.finding import Finding, error, info
from trace_inspector.core.trace.parts import Thought, spoken_text
from trace_inspector.core.trace.trace import (
    Agent,
    Event,
    Span,
    SpanKind,
    Trace,
    Turn,
    answer_text,
    calls_of,
    paired_calls,
    stated_duration_s,
    user_text,
)
from trace_inspector.core.values.values import Json, JsonObject, present
from trace_inspector.formats.adk.session.invocation_writer import usage_json
from trace_inspector.formats.adk.session.session_writer import session_as_recorded
from trace_inspector.formats.agent_eval.row_extras import EXTRACTED

# What the session's writer cannot hold, and a row can.
_HELD = frozenset({"spans-lost", "durations-lost", "agents-lost", "no-owner"})
_TYPES = {
    SpanKind.MODEL: "llm",
    SpanKind.TOOL: "tool",
    SpanKind.AGENT: "agent",
    SpanKind.RUN: "invocation",
}
_CHUNKS = ("grounding_chunks", "groundingChunks")
_NANOS = 1_000_000_000


def row_json(trace: Trace, origin: str) -> tuple[JsonObject, tuple[Finding, ...]]:
    """One row of a trace from a file of the format `origin`, and what it cannot hold.

    `reference_data` and scores are for the caller to add.
    """
    session, lost = session_as_recorded(trace, origin)
    losses = [loss for loss in lost if loss.code not in _HELD]
    spans = _spans(trace)
    if spans:
        message = f"The attributes of {len(spans)} spans are not carried over; names, ids and times are."
        losses.append(error("span-attributes-lost", message, trace.place))
    described = [agent.name for agent in _agents(trace) if agent.instruction or agent.description]
    if len(described) > 1:
        message = f"Of {len(described)} agents only the first one's instruction has a place in a row."
        losses.append(error("agents-lost", message, trace.place))
    inputs: list[Json] = [user_text(turn) for turn in trace.turns]
    answer = next((answer_text(turn) for turn in reversed(trace.turns) if turn.final_response is not None), "")
    extracted, shadowed = _extracted(trace)
    if shadowed:
        message = f"Of the state {', '.join(f'“{name}”' for name in shadowed)} stands only under “state_variables”."
        losses.append(info("state-not-copied", message, trace.place))
    row: JsonObject = {
        "question_id": trace.case_id or trace.id,
        "session_id": trace.session_id or trace.id,
        "run_id": trace.session_id or trace.id,
        "app_name": trace.app or "",
        "ADK_USER_ID": trace.user or "",
        "base_url": "",
        "status": {"boolean": "success"},
        "agents_evaluated": [trace.app] if trace.app else [agent.name for agent in trace.agents[:1]],
        "user_inputs": inputs,
        "question_metadata": {},
        "missing_information": {"boolean": False},
        "request": {"contents": _spoken(trace)},
        "response": {"candidates": [{"content": {"role": "model", "parts": [{"text": answer}]}}]},
        "final_session_state": session,
        "session_trace": [_span_json(span, trace) for span in spans],
        "latency_data": [*_latencies(trace)],
        "trace_summary": [*_summary(trace)],
        "extracted_data": extracted,
        "final_response": answer,
    }
    started = trace.turns[0].start_s if trace.turns else None
    if started is not None and 0 <= started < 2**36:
        row["interaction_datetime"] = datetime.fromtimestamp(started, UTC).isoformat()
    return row, tuple(losses)


def _spoken(trace: Trace) -> list[Json]:
    """The conversation up to the last answer, turn by turn."""
    spoken: list[Json] = []
    for turn in trace.turns:
        spoken.append({"role": "user", "parts": [{"text": user_text(turn)}]})
        if turn is not trace.turns[-1] and turn.final_response is not None:
            spoken.append({"role": "model", "parts": [{"text": answer_text(turn)}]})
    return spoken


def _spans(trace: Trace) -> list[Span]:
    return [*trace.spans, *(span for turn in trace.turns for span in turn.spans)]


def _span_json(span: Span, trace: Trace) -> JsonObject:
    """A span with its own times, or without."""
    written: JsonObject = {"name": span.name, "span_id": span.id, "trace_id": trace.id}
    written["parent_span_id"] = span.parent_id
    if span.start_s is not None:
        start = _nanos(span.start_s)
        written["start_time"] = start
        if span.duration_s is not None:
            written["end_time"] = start + _nanos(span.duration_s)
    written["attributes"] = {"error.message": span.error} if span.error else {}
    return written


def _nanos(seconds: float) -> int:
    """As many nanoseconds as the seconds say: times of today have more digits than a product of floats keeps."""
    return round(Decimal(repr(seconds)) * _NANOS)


def _latencies(trace: Trace) -> Iterator[JsonObject]:
    """The tree of durations of each turn: of its spans, else as the turn states them; what is not measured is not."""
    for turn in trace.turns:
        took = stated_duration_s(turn)
        children = (("llm", "call_llm", turn.model_duration_s), ("tool", "execute_tool", turn.tool_duration_s))
        latency: JsonObject = {"name": "invocation", "type": "invocation", "duration_seconds": took}
        inner: list[Json] = [
            {"name": name, "type": kind, "duration_seconds": duration}
            for kind, name, duration in children
            if duration is not None
        ]
        below = [*_timed_below(turn)] or inner
        if below:
            latency["children"] = below
        yield latency


def _timed_below(turn: Turn) -> Iterator[Json]:
    """The spans of the turn below its outermost, flat and in their order."""
    for span in turn.spans:
        if span.kind in _TYPES and span.kind is not SpanKind.RUN and span.duration_s is not None:
            yield {"name": span.name, "type": _TYPES[span.kind], "duration_seconds": span.duration_s}


def _summary(trace: Trace) -> Iterator[str]:
    """Who acted and which tools were called, each when it first came."""
    seen: dict[str, None] = {}
    first = ""
    for turn in trace.turns:
        for event in turn.events:
            if event.author and event.author.lower() != "user":
                first = first or event.author
                seen[f"{'agent' if event.author == first else 'sub-agent'}:{event.author}"] = None
            seen.update({f"tool:{call.name}": None for call in calls_of(Turn(0, events=(event,)))})
        if turn.final_author:
            first = first or turn.final_author
            seen[f"{'agent' if turn.final_author == first else 'sub-agent'}:{turn.final_author}"] = None
    yield from seen


def _extracted(trace: Trace) -> tuple[JsonObject, list[str]]:
    """The data of the session by kind; and the parts of the state whose names clash with these."""
    events = [event for turn in trace.turns for event in turn.events]
    state = trace.final_state or {}
    extracted: JsonObject = {
        "state_variables": state,
        "tool_interactions": [entry for turn in trace.turns for entry in _interactions(turn)],
        "sub_agent_trace": [entry for turn in trace.turns for entry in _agent_responses(turn)],
        "tool_declarations": _declarations(trace),
        "system_instruction": next((agent.instruction for agent in _agents(trace)), ""),
        "thinking_trace": [part.text for event in events for part in event.parts if isinstance(part, Thought)],
        "grounding_chunks": [chunk for event in events for chunk in _chunks(event)],
        "per_turn_tokens": [{**usage_json(event.usage)} for event in events if event.usage],
        "stop_reasons": [event.finish_reason for event in events if event.finish_reason],
        "conversation_history": _spoken(trace),
    }
    shadowed = [name for name in state if name in EXTRACTED]
    return {**state, **extracted}, shadowed


def _interactions(turn: Turn) -> Iterator[JsonObject]:
    """Every call once, with or without an id; a result that is 0, empty or false is one."""
    for pair in paired_calls(turn):
        interaction: JsonObject = {"tool_name": pair.call.name, "call_id": pair.call.call_id}
        if present(pair.call.args):
            interaction["input_arguments"] = pair.call.args
        if pair.result is None:
            interaction["status"] = "no_response"
        else:
            interaction["output_result"] = pair.result.value if present(pair.result.value) else None
        yield interaction


def _agent_responses(turn: Turn) -> Iterator[JsonObject]:
    for event in turn.events:
        words = spoken_text(event.parts)
        if words and event.author.lower() != "user":
            yield _agent_response(event.author, words, event.time_s)
    if turn.final_response is not None:
        event_of = turn.events[turn.final_event] if turn.final_event is not None else None
        yield _agent_response(turn.final_author, answer_text(turn), event_of.time_s if event_of else None)


def _agent_response(author: str, words: str, time_s: float | None) -> JsonObject:
    response: JsonObject = {"agent_name": author, "text_response": words}
    return response if time_s is None else {**response, "timestamp": time_s}


def _agents(trace: Trace) -> list[Agent]:
    """Every agent once, those that are described first."""
    named: dict[str, Agent] = {}
    for agent in (*trace.agents, *(agent for turn in trace.turns for agent in turn.agents)):
        first = named.get(agent.name)
        if first is None or not (first.instruction or first.tools):
            named[agent.name] = agent
    return sorted(named.values(), key=lambda agent: not (agent.instruction or agent.tools))


def _declarations(trace: Trace) -> list[Json]:
    """The tools as they are declared; where none are declared, those that were called, by name alone."""
    declared: list[Json] = [tool for agent in _agents(trace) for tool in agent.tools]
    if declared:
        return declared
    called = dict.fromkeys(call.name for turn in trace.turns for call in calls_of(turn))
    return [{"function_declarations": [{"name": name} for name in called]}] if called else []


def _chunks(event: Event) -> list[Json]:
    grounding = event.grounding if isinstance(event.grounding, dict) else {}
    chunks = next((grounding[name] for name in _CHUNKS if name in grounding), None)
    return chunks if isinstance(chunks, list) else []
