"""ADK's conformance tests: `adk-conformance`, what a user is to say (`spec.yaml`) and what was recorded of it."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.finding import error, info
from trace_inspector.core.golden.golden import Case, Session, Suite
from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.parts import Part, Text, ToolResult
from trace_inspector.core.trace.trace import Agent, Event, Trace, Turn
from trace_inspector.core.values.extra import Extra
from trace_inspector.formats.adk.common.content import usage_of
from trace_inspector.formats.common.content import call_of, is_failure, parts_of
from trace_inspector.formats.common.extras import stated_extras
from trace_inspector.formats.common.fields import Fields, Report, count_of, fields_of, or_null
from trace_inspector.formats.common.format import Implementation, Source
from trace_inspector.formats.common.turn_flow import TurnFlow

_OF_A_RECORDING = ("user_message_index", "agent_name", "llm_recording", "tool_recording")


def read(source: Source) -> Iterator[Item]:
    """A test as a case, or what was recorded of one as a conversation."""
    fields = fields_of(source.value, source.place)
    report = Report()
    if fields.key("recordings") is not None:
        yield from _recorded(fields, source, report)
    else:
        yield _test(fields, source, report)
    yield from report.drain()


def _test(fields: Fields, source: Source, report: Report) -> Suite:
    name = source.stem or "spec"
    turns = []
    for index, message in enumerate(report.bounded(fields, "user_messages")):
        source.tick()
        change = message.mapping("state_delta")
        changed = (Extra("state_delta", change, message.pointer("state_delta")),) if change else ()
        turns.append(Turn(index, user=_parts(message), extras=changed, place=message.place))
    session = Session(fields.text("agent"), state=fields.mapping("initial_state"), place=fields.place)
    extras = stated_extras(fields, "description", "agent", "initial_state", "user_messages")
    case = Case(name, name, tuple(turns), session=session, extras=extras, place=fields.place)
    return Suite(name, description=fields.text("description") or "", cases=(case,), place=fields.place)


def _parts(message: Fields) -> tuple[Part, ...]:
    words = message.text("text")
    if words is not None:
        return (Text(words, message.pointer("text")),)
    content = message.get("content")
    return parts_of(content, message.pointer("content")) if isinstance(content, dict | str) else ()


def _recorded(fields: Fields, source: Source, report: Report) -> Iterator[Item]:
    """Calls of models and tools in their order; the index of the user's message says to which turn each belongs."""
    recordings = report.bounded(fields, "recordings")
    agents: dict[str, Agent] = {}
    for recording in recordings:
        name = recording.text("agent_name") or ""
        if (asked := _request(recording)) is not None and name not in agents:
            agents[name] = _agent(name, asked)
    yield Trace(source.stem or "recordings", agents=tuple(agents.values()), place=fields.place)
    flow, current = TurnFlow(), -1
    for recording in recordings:
        source.tick()
        index = count_of(recording.get("user_message_index"))
        if index is None:
            message = (
                "This recording does not say to which message of the user it belongs; it stands with the one before."
            )
            report.add(info("no-index", message, recording.place))
        elif index != current:
            yield from flow.finish()
            current = index
            yield from flow.ask(_question(recording), place=recording.place)
        for event in _events(recording, report):
            flow.happen(event)
    yield from flow.finish()


def _request(recording: Fields) -> Fields | None:
    model = recording.object("llm_recording")
    return model.object("llm_request") if model is not None else None


def _agent(name: str, asked: Fields) -> Agent:
    config = asked.object("config") or Fields({}, asked.place)
    instruction, tools = config.get("system_instruction"), config.get("tools")
    parts = parts_of(instruction, "") if isinstance(instruction, dict | str) else ()
    words = "\n".join(part.text for part in parts if isinstance(part, Text))
    return Agent(name, words, tools=tuple(tools) if isinstance(tools, list) else (), place=asked.place)


def _question(recording: Fields) -> tuple[Part, ...]:
    """The user's message: the last words of a user in the first request of the turn."""
    asked = _request(recording)
    for content in reversed(asked.objects("contents") if asked is not None else []):
        parts = parts_of(content.value, content.place) if content.text("role") in ("user", None) else ()
        if parts and not any(isinstance(part, ToolResult) for part in parts):
            return parts
    return ()


def _events(recording: Fields, report: Report) -> Iterator[Event]:
    author = recording.text("agent_name") or ""
    extras = stated_extras(recording, *_OF_A_RECORDING)
    model, tool = recording.object("llm_recording"), recording.object("tool_recording")
    if model is None and tool is None:
        message = "A recording is one of a model or of a tool; this one is neither and is left out."
        report.add(error("not-a-recording", message, recording.place))
    for response in report.bounded(model, "llm_responses") if model is not None else ():
        if response.get("partial") is True:
            continue  # a piece of a stream; the whole response follows
        content = response.get("content")
        yield Event(
            author,
            parts_of(content, response.pointer("content")) if isinstance(content, dict) else (),
            "model",
            usage=usage_of(response.object("usage_metadata")),
            model=response.text("model_version") or (asked.text("model") if (asked := _request(recording)) else None),
            finish_reason=response.text("finish_reason"),
            error=response.text("error_message") or response.text("error_code"),
            extras=extras,
            place=response.place,
        )
    if tool is not None:
        yield _tool_event(author, tool, extras)


def _tool_event(author: str, tool: Fields, extras: tuple[Extra, ...]) -> Event:
    """The result of a call that a model made; it stands with that call."""
    called = tool.object("tool_call")
    call = call_of(called) if called is not None else None
    response = tool.object("tool_response") or Fields({}, tool.place)
    value = or_null(response.get("response"))
    name = response.text("name") or (call.name if call is not None else "")
    call_id = response.text("id") or (call.call_id if call is not None else None)
    result = ToolResult(name, value, call_id, is_failure(value), response.pointer("response"))
    return Event(author, (result,), "tool", extras=extras, place=tool.place)


IMPLEMENTATION = Implementation(read=read)
