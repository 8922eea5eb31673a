"""One row of agent-eval as a recorded conversation: from its session, else its spans, else its extracted data."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.trace.parts import Part, Text, spoken_text
from trace_inspector.core.trace.synthetic_spans import are_synthetic
from trace_inspector.core.trace.trace import Agent, Trace, Turn, calls_of
from trace_inspector.formats.adk.session.session import trace_of
from trace_inspector.formats.agent_eval.cells import cell_list, cell_object, name_in
from trace_inspector.formats.agent_eval.extracted import extracted_turns, response_of
from trace_inspector.formats.agent_eval.row_extras import beside_extracted, beside_row
from trace_inspector.formats.agent_eval.spans import Timed, is_simulated, timed, trace_of_spans
from trace_inspector.formats.common.content import parts_of
from trace_inspector.formats.common.fields import Fields, Report, or_null
from trace_inspector.formats.common.format import Source
from trace_inspector.formats.common.span_attributes import from_text

_OF_A_CONTENT = frozenset({"role", "parts"})
_CAMEL = re.compile(r"[a-z0-9][A-Z]")


class RowConversation(Struct, frozen=True):
    """A row's conversation, what it was taken from, and which names of arguments look rewritten."""

    trace: Trace
    source: str
    is_made_up: bool = False
    renamed: tuple[str, ...] = ()


def conversation_of_row(row: Fields, head: Trace, source: Source, report: Report) -> RowConversation:
    """The conversation of a row."""
    session = cell_object(row, "final_session_state") or Fields({}, row.pointer("final_session_state"))
    extracted = cell_object(row, "extracted_data") or Fields({}, row.pointer("extracted_data"))
    state = session.mapping("state") or extracted.mapping("state_variables")
    head = replace(
        head,
        app=row.text("app_name") or session.text("app_name"),
        user=name_in(row, "ADK_USER_ID") or session.text("user_id"),
        final_state=state,
    )
    events = report.bounded(session, "events")
    if events:
        trace, turns = trace_of(head, events, source, report)
        with_times = timed(row, tuple(turns), report)
        conversation = RowConversation(_with_spans(trace, with_times), "session", with_times.is_made_up)
    else:
        conversation = _without_session(row, head, extracted, source, report)
    beside = (
        *beside_row(row, conversation.trace, conversation.source),
        *beside_extracted(extracted, conversation.source, state or {}),
    )
    trace = replace(conversation.trace, agents=_agents(row, extracted, conversation.trace), extras=beside)
    renamed = tuple(_renamed(trace.turns)) if is_simulated(row) else ()
    answer = final_of(row) or (() if conversation.source == "extracted" else response_of(row))
    return replace(conversation, trace=_answered(trace, answer), renamed=renamed)


def _with_spans(trace: Trace, with_times: Timed) -> Trace:
    return replace(trace, turns=with_times.turns, spans=with_times.outside, span_count=with_times.count)


def _without_session(row: Fields, head: Trace, extracted: Fields, source: Source, report: Report) -> RowConversation:
    by_spans = trace_of_spans(row, source, report)
    if by_spans is None:
        with_times = timed(row, extracted_turns(row, extracted, report), report)
        return RowConversation(_with_spans(head, with_times), "extracted", with_times.is_made_up)
    spans = [span for turn in by_spans.turns for span in turn.spans]
    trace = replace(
        head,
        turns=by_spans.turns,
        agents=by_spans.agents,
        spans=by_spans.spans,
        span_count=by_spans.span_count,
        guessed=by_spans.guessed,
    )
    return RowConversation(trace, "spans", are_synthetic(spans))


def _answered(trace: Trace, answer: tuple[Part, ...]) -> Trace:
    """The last turn with the answer that the row states, where its events have none."""
    if not answer or not trace.turns or spoken_text(trace.turns[-1].final_response or ()):
        return trace
    last = trace.turns[-1]
    answered = replace(last, final_response=(*(last.final_response or ()), *answer))
    return replace(trace, turns=(*trace.turns[:-1], answered))


def final_of(row: Fields) -> tuple[Part, ...]:
    """The final response that the row states: a text, a content, or an object as its JSON."""
    value, place = row.get("final_response"), row.pointer("final_response")
    content = from_text(or_null(value))
    parts = parts_of(content, place) if isinstance(content, dict) and content.keys() <= _OF_A_CONTENT else ()
    if isinstance(value, str) and not parts:
        return (Text(value, place),) if value else ()
    return parts or ((Text(json.dumps(value, ensure_ascii=False), place),) if isinstance(value, dict) else ())


def _agents(row: Fields, extracted: Fields, trace: Trace) -> tuple[Agent, ...]:
    """The agents, the first with the instruction and the tools of a live run; a simulated one has only stand-ins."""
    if is_simulated(row):
        return trace.agents
    instruction = extracted.text("system_instruction") or ""
    tools = tuple(cell_list(extracted, "tool_declarations"))
    if not instruction and not tools:
        return trace.agents
    first, *others = trace.agents or (Agent(trace.app or "agent"),)
    return replace(first, instruction=instruction, tools=tools, place=extracted.place), *others


def _renamed(turns: Sequence[Turn]) -> Iterator[str]:
    """Names of arguments in camelCase; none where some have another spelling, which the converter leaves nowhere."""
    named = [key for turn in turns for call in calls_of(turn) if isinstance(call.args, dict) for key in call.args]
    if not any("_" in key for key in named):
        yield from dict.fromkeys(key for key in named if _CAMEL.search(key))
