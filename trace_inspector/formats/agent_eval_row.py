"""One row of agent-eval as a recorded conversation: from its session, else its spans, else its extracted data."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, zip_longest

from trace_inspector.core.extra import Extra
from trace_inspector.core.made_up import made_up
from trace_inspector.core.parts import Part, Text, ToolCall, ToolResult, spoken_text
from trace_inspector.core.trace import Agent, Event, Steps, Trace, Turn, calls_of
from trace_inspector.core.values import ABSENT, JsonObject
from trace_inspector.formats.adk_session import trace_of
from trace_inspector.formats.agent_eval_cells import cell, cell_list, cell_object, extras_in, name_in
from trace_inspector.formats.agent_eval_golden import inputs_of
from trace_inspector.formats.agent_eval_spans import LIST as SPANS
from trace_inspector.formats.agent_eval_spans import timed, told_by_spans
from trace_inspector.formats.agent_eval_verdicts import SCORE
from trace_inspector.formats.content import is_failure, parts_of, role_of
from trace_inspector.formats.format import Source
from trace_inspector.formats.lenient import MOST_ITEMS, Fields, Report, known
from trace_inspector.formats.reserved_key import KEY

_SIMULATION = "simulation"
_OF_A_ROW = (
    "question_id", "session_id", "app_name", "ADK_USER_ID", "user_inputs", "reference_data", "final_session_state",
    SPANS, "latency_data", "trace_summary", "extracted_data", "request", "response", "final_response",
    "eval_results", KEY,
)  # fmt: skip
# What is extracted of the session again.
EXTRACTED = (
    "state_variables", "tool_interactions", "sub_agent_trace", "tool_declarations", "system_instruction",
    "thinking_trace", "grounding_chunks", "per_turn_tokens", "stop_reasons", "conversation_history",
)  # fmt: skip
_EXTRACTED_ALONE = ("state_variables", "tool_interactions", "tool_declarations", "system_instruction")
_CAMEL = re.compile(r"[a-z0-9][A-Z]")


@dataclass(frozen=True, slots=True)
class Told:
    """A row's conversation, what it was taken from, and which names of arguments look rewritten."""

    trace: Trace
    source: str
    is_made_up: bool = False
    renamed: tuple[str, ...] = ()


def told_of(row: Fields, head: Trace, source: Source, report: Report) -> Told:
    """The conversation of a row."""
    session = cell_object(row, "final_session_state") or Fields({}, row.at("final_session_state"))
    extracted = cell_object(row, "extracted_data") or Fields({}, row.at("extracted_data"))
    state = session.mapping("state") or extracted.mapping("state_variables")
    head = replace(
        head,
        app=row.text("app_name") or session.text("app_name"),
        user=name_in(row, "ADK_USER_ID") or session.text("user_id"),
        final_state=state,
    )
    events = report.bounded(session, "events")
    again = EXTRACTED if events else _EXTRACTED_ALONE
    head = replace(head, extras=(*_extras(row), *extras_in(extracted, (*again, *(state or {})))))
    if events:
        trace, turns = trace_of(head, events, source, report)
        told = timed(row, tuple(turns), report)
        trace = replace(trace, turns=told.turns, spans=told.outside, span_count=told.count)
        found = Told(trace, "session", told.is_made_up)
    else:
        found = _without_session(row, head, extracted, source, report)
    trace = replace(found.trace, agents=_agents(row, extracted, found.trace))
    renamed = tuple(_renamed(trace.turns)) if _is_simulated(row) else ()
    return replace(found, trace=_answered(row, trace), renamed=renamed)


def _is_simulated(row: Fields) -> bool:
    """Whether the row was made from an eval history, and not in a live run."""
    return row.text("base_url") == _SIMULATION


def _without_session(row: Fields, head: Trace, extracted: Fields, source: Source, report: Report) -> Told:
    by_spans = told_by_spans(row, source, report)
    if by_spans is None:
        return Told(replace(head, turns=_extracted(row, extracted, report)), "extracted")
    spans = [span for turn in by_spans.turns for span in turn.spans]
    trace = replace(
        head,
        turns=by_spans.turns,
        agents=by_spans.agents,
        spans=by_spans.spans,
        span_count=by_spans.span_count,
        guessed=by_spans.guessed,
    )
    return Told(trace, "spans", made_up(spans))


def _extracted(row: Fields, extracted: Fields, report: Report) -> tuple[Turn, ...]:
    """Turns from inputs and answers that are paired by number, with every call in the last."""
    asked = list(islice(inputs_of(row), MOST_ITEMS)) or [("", row.place)]
    answers = list(_answers(row))
    guessed = frozenset({"pairing"}) if len(asked) > 1 else frozenset[str]()
    turns = [
        Turn(
            at,
            user=(Text(words, place),) if words else (),
            final_response=said or None,
            guessed=guessed,
            place=place,
        )
        for at, ((words, place), said) in enumerate(zip(asked, _fitted(answers, len(asked)), strict=True))
    ]
    events = tuple(_interactions(extracted, report))
    borders = {"borders"} if len(asked) > 1 and events else set[str]()
    turns[-1] = replace(turns[-1], events=events, steps=Steps.EVENTS, guessed=guessed | borders)
    return tuple(turns)


def _fitted(answers: list[tuple[Part, ...]], count: int) -> Iterator[tuple[Part, ...]]:
    """One for each input; there may be more or fewer."""
    yield from (said for said, _at in zip_longest(answers[:count], range(count), fillvalue=()))


def _answers(row: Fields) -> Iterator[tuple[Part, ...]]:
    """What the model said, as the request and the response have it."""
    request = cell_object(row, "request") or Fields({}, "")
    for content in request.objects("contents"):
        if role_of(content.value) == "model":
            yield parts_of(content.value, content.place)
    response = cell_object(row, "response") or Fields({}, "")
    for candidate in response.objects("candidates")[:1]:
        yield parts_of(known(candidate.get("content")), candidate.at("content"))


def _interactions(extracted: Fields, report: Report) -> Iterator[Event]:
    listed = cell_list(extracted, "tool_interactions")
    for one in report.bounded_list(listed, extracted.at("tool_interactions")):
        name, call_id = one.text("tool_name") or "", one.text("call_id")
        args = ABSENT if one.key("input_arguments") is None else cell(one, "input_arguments")
        yield Event("", (ToolCall(name, args, call_id, one.place),), place=one.place)
        if one.text("status") != "no_response" and one.key("output_result") is not None:
            value = cell(one, "output_result")
            place = one.at("output_result")
            yield Event("", (ToolResult(name, value, call_id, is_failure(value), place),), place=place)


def _answered(row: Fields, trace: Trace) -> Trace:
    """The last turn with the answer that the row states, where its events tell none."""
    said = _final(row)
    if not said or not trace.turns or spoken_text(trace.turns[-1].final_response or ()):
        return trace
    return replace(trace, turns=(*trace.turns[:-1], replace(trace.turns[-1], final_response=said)))


def _final(row: Fields) -> tuple[Part, ...]:
    value, place = cell(row, "final_response"), row.at("final_response")
    if isinstance(value, str):
        return (Text(value, place),) if value else ()
    if isinstance(value, dict):
        return parts_of(value, place) or (Text(json.dumps(value, ensure_ascii=False), place),)
    return ()


def _agents(row: Fields, extracted: Fields, trace: Trace) -> tuple[Agent, ...]:
    """The agents, the first with the instruction and the tools of a live run; a simulated one has only stand-ins."""
    if _is_simulated(row):
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


def _extras(row: Fields) -> Iterator[Extra]:
    """What a row says beside; scores are verdicts."""
    plain: JsonObject = {key: value for key, value in row.value.items() if not key.startswith(SCORE)}
    return extras_in(Fields(plain, row.place), _OF_A_ROW)
