"""An ADK Invocation as a turn: both forms of intermediate data, and what other tools write in their place."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.finding import error, info
from trace_inspector.core.trace.parts import Part, Text, Thought, ToolCall, ToolResult
from trace_inspector.core.trace.trace import Event, Steps, Turn
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import ABSENT, Absent, Json
from trace_inspector.formats.adk.common import schemas
from trace_inspector.formats.adk.common.content import (
    agents_of,
    checked_call,
    checked_content,
    checked_parts,
    checked_result,
    rubrics_of,
    usage_of,
)
from trace_inspector.formats.common.content import role_of
from trace_inspector.formats.common.fields import Fields, Report, or_null
from trace_inspector.formats.common.schema import check


class _Middle(Struct, frozen=True):
    steps: Steps
    events: tuple[Event, ...] = ()
    guessed: frozenset[str] = frozenset()


def turn_of(fields: Fields, index: int, report: Report) -> Turn:
    """One invocation."""
    check(fields, schemas.INVOCATION, report)
    user = checked_content(fields.get("user_content"), fields.pointer("user_content"), report)
    final = fields.get("final_response")
    answer = None if final in (ABSENT, None) else checked_content(final, fields.pointer("final_response"), report)
    middle = _middle(fields, report)
    spoken = _agent_content(fields, report)
    if spoken:
        answer, middle = _with_agent_content(spoken, answer, middle, fields)
    started = fields.number("creation_timestamp")
    return Turn(
        index=index,
        id=fields.text("invocation_id") or None,
        user=user,
        events=middle.events,
        final_response=answer,
        final_event=_final_event(middle) if answer is not None else None,
        steps=middle.steps,
        start_s=started or None,  # ADK's default is 0.0 and means "not recorded"
        duration_s=fields.number("duration"),
        model_duration_s=fields.number("model_duration"),
        tool_duration_s=fields.number("tool_duration"),
        rubrics=rubrics_of(fields, report),
        agents=agents_of(fields, report),
        guessed=middle.guessed,
        place=fields.place,
    )


def _final_event(middle: _Middle) -> int | None:
    """The event that gave the answer: google-adk leaves its slot in place, without content."""
    if middle.steps is not Steps.EVENTS:
        return None
    return next((index for index in reversed(range(len(middle.events))) if not middle.events[index].parts), None)


def _middle(fields: Fields, report: Report) -> _Middle:
    data = fields.object("intermediate_data")
    if data is None:
        tools = fields.objects("tools")
        return _tools(tools) if tools else _Middle(Steps.ABSENT)
    has_events = data.key("invocation_events") is not None
    if has_events and any(data.key(name) for name in schemas.INTERMEDIATE_DATA.fields):
        message = "This turn has both forms of intermediate data, which google-adk 2.13 rejects. The events are used."
        report.add(error("two-forms", message, data.place))
    if has_events:
        return _event_form(data, report)
    if data.key("parts") is not None:
        check(data, schemas.INTERMEDIATE_DATA, report)
        parts = checked_parts(or_null(data.get("parts")), data.pointer("parts"), report)
        return _Middle(Steps.EVENTS, (Event(data.text("role") or "", parts, place=data.place),))
    return _call_form(data, report)


def _event_form(data: Fields, report: Report) -> _Middle:
    check(data, schemas.INVOCATION_EVENTS, report)
    return _Middle(Steps.EVENTS, tuple(_event(fields, report) for fields in data.objects("invocation_events")))


def _event(fields: Fields, report: Report) -> Event:
    check(fields, schemas.INVOCATION_EVENT, report)
    content = fields.get("content")
    usage = fields.object("usage_metadata")
    return Event(
        author=fields.text("author") or "",
        parts=checked_content(content, fields.pointer("content"), report),
        role=None if content is ABSENT else role_of(content),
        usage=usage_of(usage),
        model=fields.text("model_version"),
        grounding=fields.get("grounding_metadata"),
        adk_keeps=True,
        place=fields.place,
    )


def _call_form(data: Fields, report: Report) -> _Middle:
    check(data, schemas.INTERMEDIATE_DATA, report)
    calls = [checked_call(fields, report) for fields in data.objects("tool_uses")]
    calls += [_function(fields) for fields in data.objects("tool_calls")]
    results = [_answered(fields, checked_result(fields, report)) for fields in data.objects("tool_responses")]
    texts = _intermediate_responses(data, report)
    events = [
        *(Event("", (call,), place=call.place) for call in calls),
        *(Event("", (result,), place=result.place) for result in results),
        *texts,
    ]
    # The three lists have no common order; calls before texts is our choice.
    guessed = frozenset({"order"}) if calls and texts else frozenset[str]()
    return _Middle(Steps.CALLS, tuple(events), guessed)


def _function(fields: Fields) -> ToolCall:
    """A call as model APIs other than google-genai write it, and trpc-agent-go after them."""
    function = fields.object("function") or Fields({}, fields.place)
    name = function.text("name")
    return ToolCall(name or "", function.get("arguments"), fields.text("id"), fields.place, nameless=name is None)


def _answered(fields: Fields, result: ToolResult) -> ToolResult:
    """A result under trpc-agent-go's keys, where google-adk's are missing."""
    if fields.key("tool_name") is None:
        return result
    value = fields.get("content") if result.value is ABSENT else result.value
    name, call_id = fields.text("tool_name"), fields.text("tool_id")
    return replace(
        result,
        name=result.name or name or "",
        nameless=result.nameless and name is None,
        value=value,
        call_id=result.call_id or call_id,
    )


def _intermediate_responses(data: Fields, report: Report) -> list[Event]:
    listed = data.get("intermediate_responses")
    events = []
    for index, raw in enumerate(listed if isinstance(listed, list) else []):
        place = join(data.pointer("intermediate_responses"), index)
        if isinstance(raw, list) and len(raw) == 2 and isinstance(raw[0], str):
            events.append(Event(raw[0], checked_parts(raw[1], join(place, 1), report), place=place))
        else:
            report.add(error("wrong-type", "An intermediate response should be a pair of author and parts.", place))
    return events


def _tools(tools: list[Fields]) -> _Middle:
    """A list of calls with their results in one object, as trpc-agent-go writes it."""
    events: list[Event] = []
    for fields in tools:
        name, call_id = fields.text("name") or "", fields.text("id")
        call = ToolCall(name, fields.get("arguments"), call_id, fields.place)
        events.append(Event("", (call,), place=fields.place))
        if fields.key("result") is not None:
            result = ToolResult(name, fields.get("result"), call_id, place=fields.pointer("result"))
            events.append(Event("", (result,), place=result.place))
    return _Middle(Steps.CALLS, tuple(events))


def _agent_content(fields: Fields, report: Report) -> tuple[Part, ...]:
    value: Json | Absent = fields.get("agent_content")
    return checked_content(value, fields.pointer("agent_content"), report)


def _with_agent_content(
    spoken: tuple[Part, ...], answer: tuple[Part, ...] | None, middle: _Middle, fields: Fields
) -> tuple[tuple[Part, ...] | None, _Middle]:
    """Words in `agent_content` are the answer, calls in it the trajectory, each unless stated elsewhere."""
    words = tuple(part for part in spoken if isinstance(part, Text | Thought))
    if answer is None and words:
        answer = words
    if middle.steps is Steps.ABSENT:
        rest = tuple(part for part in spoken if part not in words)
        if rest:
            event = Event(
                "", rest, role_of(or_null(fields.get("agent_content"))), place=fields.pointer("agent_content")
            )
            middle = _Middle(Steps.EVENTS, (event,))
    return answer, middle


def report_guesses(turns: int, report: Report) -> None:
    """One line for all turns whose order is ours."""
    if turns:
        message = (
            f"{turns} {'turn states' if turns == 1 else 'turns state'} calls and intermediate texts in separate "
            "lists, so their order is not recorded; calls are shown first."
        )
        report.add(info("guessed-order", message))
