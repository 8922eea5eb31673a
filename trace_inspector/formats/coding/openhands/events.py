"""Events of OpenHands: `openhands`, the trajectory of its first generation, and the events of its SDK."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from trace_inspector.core.finding import error
from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.parts import Part, Text, Thought, ToolCall, ToolResult, Unknown
from trace_inspector.core.trace.trace import Agent, Event, Trace, Turn
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import ABSENT, Json
from trace_inspector.formats.coding.openhands import held_in, is_of_the_sdk, is_run, listed_in
from trace_inspector.formats.coding.openhands.first_generation import first_action, first_observation
from trace_inspector.formats.coding.openhands.teller import (
    Teller,
    answer_of,
    id_of,
    reply_of,
    take_statistics,
    time_of,
)
from trace_inspector.formats.common.chat_flow import AGENT, SYSTEM, TOOL
from trace_inspector.formats.common.extras import stated_extras
from trace_inspector.formats.common.fields import Fields, Report, kind_of, or_null
from trace_inspector.formats.common.format import Source
from trace_inspector.formats.common.message_parts import content_parts, message_parts
from trace_inspector.formats.common.record_counts import RecordCounts
from trace_inspector.formats.common.span_attributes import from_text
from trace_inspector.formats.writing.unique_names import UniqueNames

_PROGRAM = "openhands"
_ENVELOPE = ("id", "timestamp", "source", "kind", "message", "action", "observation")
_OF_A_CALL = ("tool_name", "tool_call_id", "tool_call", "thought", "reasoning_content", "thinking_blocks")
_FINISHED = "FinishObservation"


def read_events(source: Source) -> Iterator[Item]:
    """The events of a file as one conversation, or of each run that a file lists."""
    report, counts = Report(), RecordCounts()
    value = source.value
    listed = [Fields(value, "")] if isinstance(value, dict) else report.bounded_list(value, "")
    if any(held_in(one) for one in listed):
        names = UniqueNames([], "run")
        for number, run in enumerate(listed, 1):
            name = names.take(id_of(run, "instance_id") or f"{source.stem or 'run'}-{number}", run.place)
            yield from _run(run, name, source, report, counts)
    else:
        yield from conversation(Teller(counts), listed, Fields({}, ""), source.stem or "conversation", source)
    yield counts.finding()
    yield from report.drain()


def conversation(
    teller: Teller, events: Iterable[Fields], owner: Fields, name: str, source: Source
) -> Iterator[Item]:
    """One conversation of these events; what else its owner states stands beside."""
    turns: list[Turn] = []
    for fields in events:
        source.tick()
        turns += _take(teller, fields)
    turns += teller.flow.finish()
    agent = Agent("agent", teller.instruction, tools=tuple(teller.tools), place=teller.place)
    beside = (*stated_extras(owner, *_read_of(owner, turns)), *teller.beside)
    yield Trace(name, agents=(agent,), app=_PROGRAM, extras=beside, place=owner.place)
    yield from turns


def _read_of(run: Fields, turns: list[Turn]) -> Iterator[str]:
    """The keys of a run whose values are elsewhere: in its id, in its turns."""
    if name := listed_in(run):
        yield name
    if id_of(run, "instance_id"):
        yield "instance_id"
    asked = run.text("instruction")
    if any(isinstance(part, Text) and part.text == asked for turn in turns for part in turn.user):
        yield "instruction"


def _run(run: Fields, name: str, source: Source, report: Report, counts: RecordCounts) -> Iterator[Item]:
    """One run of a benchmark, or a downloaded trajectory; what was asked is taken from beside if no event says it."""
    if is_run(run):
        counts.understood()
    else:
        counts.unknown("run", run.place)
    teller, events, asked = Teller(counts), _events_of(run, report), run.text("instruction")
    if asked and not any(fields.text("source") == "user" for fields in events):
        yield from teller.flow.ask((Text(asked, run.pointer("instruction")),), place=run.place)
    yield from conversation(teller, events, run, name, source)


def _events_of(run: Fields, report: Report) -> list[Fields]:
    name = listed_in(run)
    listed = run.get(name)
    if not isinstance(listed, list) or not any(isinstance(item, list) for item in listed):
        return report.bounded(run, name)
    events: list[Fields] = []
    for number, item in enumerate(listed):
        place = join(run.pointer(name), number)
        if isinstance(item, list):
            events += report.bounded_list(item, place)
        elif isinstance(item, dict):  # an event that stands alone among the pairs
            events += [Fields(alone.value, place) for alone in report.bounded_list([item], place)]
        else:
            message = f"This should be an event or a pair of events, not {kind_of(item)}; it was left out."
            report.add(error("not-an-object", message, place))
    return events


def _take(teller: Teller, fields: Fields) -> Iterator[Turn]:
    """Take an event; gives the turn before where this one opens another."""
    kind = fields.text("kind") or "event"
    read_event = _reader_of(fields)
    if read_event is None:
        teller.counts.unknown(kind, fields.place)
        unknown = Unknown(kind, dict(fields.value), fields.place)
        teller.flow.happen(Event("environment", (unknown,), SYSTEM, time_of(fields), place=fields.place))
        return
    teller.counts.understood()
    yield from read_event(teller, fields)


def _reader_of(fields: Fields) -> Callable[[Teller, Fields], Iterator[Turn]] | None:
    """What reads an event; None where it is of no kind that is known."""
    kind = fields.text("kind") or ""
    if kind in _SDK or is_of_the_sdk(fields):
        return _SDK.get(kind)
    if fields.text("action") is not None:
        return first_action
    return first_observation if fields.text("observation") is not None else None


def _system_prompt(teller: Teller, fields: Fields) -> Iterator[Turn]:
    prompt, tools = fields.object("system_prompt"), fields.get("tools")
    if not teller.instruction:
        teller.instruction = (prompt.text("text") if prompt is not None else fields.text("system_prompt")) or ""
        teller.tools = list(tools) if isinstance(tools, list) else []
        teller.place = fields.place
    yield from ()


def _message(teller: Teller, fields: Fields) -> Iterator[Turn]:
    message = fields.object("llm_message") or Fields({}, fields.place)
    parts = tuple(message_parts(message.value, message.place))
    if (thought := message.text("reasoning_content")) and message.text("role") == "assistant":
        parts = (Thought(thought, message.pointer("reasoning_content")), *parts)
    if fields.text("source") == "user":
        yield from teller.flow.ask(parts, turn_id=fields.text("id"), time_s=time_of(fields), place=fields.place)
        return
    role = AGENT if fields.text("source") == "agent" else SYSTEM
    extras = stated_extras(fields, *_ENVELOPE, "llm_message")
    usage, model = reply_of(teller, fields)
    teller.flow.happen(
        Event(
            "agent",
            parts,
            role,
            time_of(fields),
            usage=usage,
            model=model,
            id=fields.text("id"),
            extras=extras,
            place=fields.place,
        )
    )


def _action(teller: Teller, fields: Fields) -> Iterator[Turn]:
    identity, call = fields.text("tool_call_id"), fields.object("tool_call")
    name = fields.text("tool_name") or (call.text("name") if call is not None else "") or ""
    stated = from_text(or_null(call.get("arguments"))) if call is not None else None
    action = fields.mapping("action") or {}
    args = stated if isinstance(stated, dict) else {key: item for key, item in action.items() if key != "kind"}
    thought = fields.text("reasoning_content")
    parts: tuple[Part, ...] = (
        *((Thought(thought, fields.pointer("reasoning_content")),) if thought else ()),
        *content_parts(or_null(fields.get("thought")), fields.pointer("thought")),
        ToolCall(name, args, identity, fields.place),
    )
    extras = stated_extras(fields, *_ENVELOPE, *_OF_A_CALL)
    usage, model = reply_of(teller, fields)
    teller.flow.happen(
        Event(
            "agent",
            parts,
            AGENT,
            time_of(fields),
            usage=usage,
            model=model,
            id=fields.text("id"),
            extras=extras,
            place=fields.place,
        )
    )
    yield from ()


def _observation(teller: Teller, fields: Fields) -> Iterator[Turn]:
    seen = fields.object("observation") or Fields({}, fields.place)
    value = _plain_content(seen)
    code = seen.get("exit_code")
    failed = seen.value.get("is_error") is True or (isinstance(code, int) and code not in (0, -1))
    result = ToolResult(fields.text("tool_name") or "", value, fields.text("tool_call_id"), failed, seen.place)
    extras = stated_extras(seen, "content", "is_error", "kind", "command")
    teller.flow.happen(
        Event("agent", (result,), TOOL, time_of(fields), id=fields.text("id"), extras=extras, place=fields.place)
    )
    if seen.text("kind") == _FINISHED and isinstance(value, str) and value:
        teller.flow.happen(answer_of(value, seen.pointer("content"), fields))
    yield from ()


def _failure(teller: Teller, fields: Fields) -> Iterator[Turn]:
    words = fields.text("error") or fields.text("detail") or fields.text("code") or "Something went wrong."
    identity, name = fields.text("tool_call_id"), fields.text("tool_name")
    parts = (ToolResult(name or "", words, identity, is_error=True, place=fields.place),) if identity else ()
    role = TOOL if identity else SYSTEM
    teller.flow.happen(
        Event("agent", parts, role, time_of(fields), error=words, id=fields.text("id"), place=fields.place)
    )
    yield from ()


def _state(teller: Teller, fields: Fields) -> Iterator[Turn]:
    key, value = fields.text("key"), fields.object("value")
    if key == "stats" and value is not None:
        teller.by_statistics = True
        take_statistics(teller, value, time_of(fields), fields.place)
    elif teller.flow.events:
        told = (Extra(key or "state", or_null(fields.get("value")), fields.place),)
        teller.flow.happen(Event("environment", (), SYSTEM, time_of(fields), extras=told, place=fields.place))
    else:
        teller.beside.append(Extra(key or "state", or_null(fields.get("value")), fields.place))
    yield from ()


def _aside(teller: Teller, fields: Fields) -> Iterator[Turn]:
    """Pauses, condensed histories, what the user refused: shown where they happened."""
    extras = stated_extras(fields, *_ENVELOPE)
    told = extras or (Extra(fields.text("kind") or "event", dict(fields.value), fields.place),)
    teller.flow.happen(
        Event("environment", (), SYSTEM, time_of(fields), id=fields.text("id"), extras=told, place=fields.place)
    )
    yield from ()


def _plain_content(seen: Fields) -> Json:
    """The words of an observation, or all of it where it has none."""
    content = seen.get("content")
    parts = tuple(content_parts(or_null(content), seen.pointer("content")))
    if parts and all(isinstance(part, Text) for part in parts):
        return "\n".join(part.text for part in parts if isinstance(part, Text))
    return dict(seen.value) if content is ABSENT else or_null(content)


_SDK: dict[str, Callable[[Teller, Fields], Iterator[Turn]]] = {
    "SystemPromptEvent": _system_prompt,
    "MessageEvent": _message,
    "ActionEvent": _action,
    "ObservationEvent": _observation,
    "AgentErrorEvent": _failure,
    "ConversationErrorEvent": _failure,
    "UserRejectObservation": _aside,
    "ConversationStateUpdateEvent": _state,
    **dict.fromkeys(
        ("PauseEvent", "Condensation", "CondensationEvent", "CondensationRequestEvent", "TokenEvent"), _aside
    ),
    "LLMCompletionLogEvent": _aside,
}
