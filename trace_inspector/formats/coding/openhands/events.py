"""Events of OpenHands: `openhands`, the trajectory of its first generation, and the events of its SDK."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct, field

from trace_inspector.core.finding import error
from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.parts import Part, Text, Thought, ToolCall, ToolResult, Unknown
from trace_inspector.core.trace.trace import Agent, Event, Trace, Turn, Usage
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import ABSENT, Json
from trace_inspector.formats.coding.openhands import held_in, is_of_the_sdk, is_run, listed_in
from trace_inspector.formats.common.chat_flow import AGENT, SYSTEM, TOOL
from trace_inspector.formats.common.extras import stated_extras
from trace_inspector.formats.common.fields import Fields, Report, count_of, kind_of, or_null
from trace_inspector.formats.common.format import Implementation, Source
from trace_inspector.formats.common.message_parts import content_parts, message_parts
from trace_inspector.formats.common.record_counts import RecordCounts
from trace_inspector.formats.common.span_attributes import from_text
from trace_inspector.formats.common.times import seconds_of
from trace_inspector.formats.common.token_usage import reported_usage
from trace_inspector.formats.common.turn_flow import TurnFlow
from trace_inspector.formats.writing.unique_names import UniqueNames

_PROGRAM = "openhands"
_ENVELOPE = ("id", "timestamp", "source", "kind", "message", "action", "observation")
_OF_A_CALL = ("tool_name", "tool_call_id", "tool_call", "thought", "reasoning_content", "thinking_blocks")
_OF_A_RESULT = ("tool_name", "tool_call_id", "action_id", "extras", "content", "cause", "tool_call_metadata")
_FINISHED = "FinishObservation"
_TALKS = ("message", "system", "finish", "think", "recall", "change_agent_state", "null")


def read(source: Source) -> Iterator[Item]:
    """The events of a file as one conversation, or of each run that a file lists; the SDK keeps events as files."""
    report, counts = Report(), RecordCounts()
    value = source.value
    listed = [Fields(value, "")] if isinstance(value, dict) else report.bounded_list(value, "")
    if any(held_in(one) for one in listed):
        names = UniqueNames([], "run")
        for number, run in enumerate(listed, 1):
            name = names.take(_id(run, "instance_id") or f"{source.stem or 'run'}-{number}", run.place)
            yield from _run(run, name, source, report, counts)
    else:
        yield from _conversation(_Teller(counts), listed, Fields({}, ""), source.stem or "conversation", source)
    yield counts.finding()
    yield from report.drain()


def _conversation(teller: _Teller, events: list[Fields], owner: Fields, name: str, source: Source) -> Iterator[Item]:
    turns: list[Turn] = []
    for fields in events:
        source.tick()
        turns += teller.take(fields)
    turns += teller.flow.finish()
    agent = Agent("agent", teller.instruction, tools=tuple(teller.tools), place=teller.place)
    beside = (*stated_extras(owner, *_read_of(owner, turns)), *teller.beside)
    yield Trace(name, agents=(agent,), app=_PROGRAM, extras=beside, place=owner.place)
    yield from turns


def _read_of(run: Fields, turns: list[Turn]) -> Iterator[str]:
    """The keys of a run whose values are elsewhere: in its id, in its turns."""
    if name := listed_in(run):
        yield name
    if _id(run, "instance_id"):
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
    teller, events, asked = _Teller(counts), _events_of(run, report), run.text("instruction")
    if asked and not any(fields.text("source") == "user" for fields in events):
        yield from teller.flow.ask((Text(asked, run.pointer("instruction")),), place=run.place)
    yield from _conversation(teller, events, run, name, source)


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


class _Teller(Struct):
    """Makes turns of events, and keeps what they say of the whole conversation."""

    counts: RecordCounts
    flow: TurnFlow = field(default_factory=TurnFlow)
    instruction: str = ""
    tools: list[Json] = field(default_factory=list)
    place: str = ""
    beside: list[Extra] = field(default_factory=list)
    answers: set[str] = field(default_factory=set)  # replies of models whose tokens are counted
    used: dict[str, int] = field(default_factory=dict)  # what the statistics had counted before
    names: dict[str, str] = field(default_factory=dict)  # of tools, by the id of the call

    def take(self, fields: Fields) -> Iterator[Turn]:
        """Take an event; gives the turn before where this one opens another."""
        kind = fields.text("kind") or "event"
        read_event = _reader_of(fields)
        if read_event is None:
            self.counts.unknown(kind, fields.place)
            unknown = Unknown(kind, dict(fields.value), fields.place)
            self.flow.happen(Event("environment", (unknown,), SYSTEM, _time(fields), place=fields.place))
            return
        self.counts.understood()
        yield from read_event(self, fields)


def _reader_of(fields: Fields) -> Callable[[_Teller, Fields], Iterator[Turn]] | None:
    """What reads an event; None where it is of no kind that is known."""
    kind = fields.text("kind") or ""
    if kind in _SDK or is_of_the_sdk(fields):
        return _SDK.get(kind)
    if fields.text("action") is not None:
        return _first_action
    return _first_observation if fields.text("observation") is not None else None


def _time(fields: Fields) -> float | None:
    return seconds_of(or_null(fields.get("timestamp")))


def _system_prompt(teller: _Teller, fields: Fields) -> Iterator[Turn]:
    prompt, tools = fields.object("system_prompt"), fields.get("tools")
    if not teller.instruction:
        teller.instruction = (prompt.text("text") if prompt is not None else fields.text("system_prompt")) or ""
        teller.tools = list(tools) if isinstance(tools, list) else []
        teller.place = fields.place
    yield from ()


def _message(teller: _Teller, fields: Fields) -> Iterator[Turn]:
    message = fields.object("llm_message") or Fields({}, fields.place)
    parts = tuple(message_parts(message.value, message.place))
    if (thought := message.text("reasoning_content")) and message.text("role") == "assistant":
        parts = (Thought(thought, message.pointer("reasoning_content")), *parts)
    if fields.text("source") == "user":
        yield from teller.flow.ask(parts, turn_id=fields.text("id"), time_s=_time(fields), place=fields.place)
        return
    role = AGENT if fields.text("source") == "agent" else SYSTEM
    extras = stated_extras(fields, *_ENVELOPE, "llm_message")
    teller.flow.happen(
        Event("agent", parts, role, _time(fields), id=fields.text("id"), extras=extras, place=fields.place)
    )


def _action(teller: _Teller, fields: Fields) -> Iterator[Turn]:
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
    teller.flow.happen(
        Event("agent", parts, AGENT, _time(fields), id=fields.text("id"), extras=extras, place=fields.place)
    )
    yield from ()


def _observation(teller: _Teller, fields: Fields) -> Iterator[Turn]:
    seen = fields.object("observation") or Fields({}, fields.place)
    value = _plain_content(seen)
    code = seen.get("exit_code")
    failed = seen.value.get("is_error") is True or (isinstance(code, int) and code not in (0, -1))
    result = ToolResult(fields.text("tool_name") or "", value, fields.text("tool_call_id"), failed, seen.place)
    extras = stated_extras(seen, "content", "is_error", "kind", "command")
    teller.flow.happen(
        Event("agent", (result,), TOOL, _time(fields), id=fields.text("id"), extras=extras, place=fields.place)
    )
    if seen.text("kind") == _FINISHED and isinstance(value, str) and value:
        teller.flow.happen(_answer(value, seen.pointer("content"), fields))
    yield from ()


def _failure(teller: _Teller, fields: Fields) -> Iterator[Turn]:
    words = fields.text("error") or fields.text("detail") or fields.text("code") or "Something went wrong."
    identity, name = fields.text("tool_call_id"), fields.text("tool_name")
    parts = (ToolResult(name or "", words, identity, is_error=True, place=fields.place),) if identity else ()
    role = TOOL if identity else SYSTEM
    teller.flow.happen(
        Event("agent", parts, role, _time(fields), error=words, id=fields.text("id"), place=fields.place)
    )
    yield from ()


def _state(teller: _Teller, fields: Fields) -> Iterator[Turn]:
    """Statistics are tokens from the beginning; what came since the last belongs to what happened then."""
    key, value = fields.text("key"), fields.object("value")
    if key == "stats" and value is not None:
        counted = _counted(value)
        grown = {name: count - teller.used.get(name, 0) for name, count in counted.items()}
        teller.used = counted
        if any(count > 0 for count in grown.values()):
            usage = Usage(
                prompt=max(0, grown.get("prompt_tokens", 0)),
                candidates=max(0, grown.get("completion_tokens", 0) - grown.get("reasoning_tokens", 0)),
                thoughts=max(0, grown.get("reasoning_tokens", 0)),
                cached=max(0, grown.get("cache_read_tokens", 0)),
                cache_written=max(0, grown.get("cache_write_tokens", 0)),
            )
            teller.flow.happen(Event("agent", (), SYSTEM, _time(fields), usage=usage, place=fields.place))
    elif teller.flow.events:
        told = (Extra(key or "state", or_null(fields.get("value")), fields.place),)
        teller.flow.happen(Event("environment", (), SYSTEM, _time(fields), extras=told, place=fields.place))
    else:
        teller.beside.append(Extra(key or "state", or_null(fields.get("value")), fields.place))
    yield from ()


def _counted(value: Fields) -> dict[str, int]:
    """The tokens of all models together."""
    counted: dict[str, int] = {}
    by_model = value.mapping("usage_to_metrics") or {}
    for metrics in by_model.values():
        inner = metrics.get("accumulated_token_usage") if isinstance(metrics, dict) else None
        for name, item in inner.items() if isinstance(inner, dict) else ():
            if name.endswith("_tokens") and (count := count_of(item)) is not None:
                counted[name] = counted.get(name, 0) + count
    return counted


def _aside(teller: _Teller, fields: Fields) -> Iterator[Turn]:
    """Pauses, condensed histories, what the user refused: shown where they happened."""
    extras = stated_extras(fields, *_ENVELOPE)
    told = extras or (Extra(fields.text("kind") or "event", dict(fields.value), fields.place),)
    teller.flow.happen(
        Event("environment", (), SYSTEM, _time(fields), id=fields.text("id"), extras=told, place=fields.place)
    )
    yield from ()


def _first_action(teller: _Teller, fields: Fields) -> Iterator[Turn]:
    """An action of the first generation; what talks only is no call unless the model called it."""
    action, args = fields.text("action") or "", fields.object("args") or Fields({}, fields.place)
    metadata = fields.object("tool_call_metadata")
    words = args.text("content") or args.text("thought") or ""
    if action == "message" and fields.text("source") == "user":
        parts = (Text(words or fields.text("message") or "", args.pointer("content")),)
        yield from teller.flow.ask(parts, turn_id=_id(fields), time_s=_time(fields), place=fields.place)
        return
    if action == "system" and not teller.instruction:
        teller.instruction, teller.place = words, fields.place
        listed = args.get("tools")
        teller.tools = list(listed) if isinstance(listed, list) else []
        return
    calls: tuple[Part, ...] = ()
    if metadata is not None:
        name, identity = metadata.text("function_name") or action, metadata.text("tool_call_id")
        calls = (ToolCall(name, _asked_of(metadata, identity, args), identity, fields.place),)
    elif action not in _TALKS:
        calls = (ToolCall(action, _without_thought(args), _id(fields), fields.place),)
    teller.names.update({_id(fields) or "": call.name for call in calls if isinstance(call, ToolCall)})
    said: Part | None = None
    if words:
        said = Thought(words, args.place) if action == "think" else Text(words, args.place)
    usage, model = _reply(teller, metadata)
    parts = (*((said,) if said is not None else ()), *calls)
    teller.flow.happen(
        Event("agent", parts, AGENT, _time(fields), usage=usage, model=model, id=_id(fields), place=fields.place)
    )
    if action == "finish" and (answer := args.text("final_thought") or fields.text("message")):
        teller.flow.happen(_answer(answer, fields.pointer("message"), fields))


def _asked_of(metadata: Fields, identity: str | None, args: Fields) -> Json:
    """The arguments as the model gave them, else as the program took them."""
    reply = metadata.object("model_response") or Fields({}, metadata.place)
    for choice in reply.objects("choices"):
        message = choice.object("message") or Fields({}, choice.place)
        for call in message.objects("tool_calls"):
            function = call.object("function")
            if function is not None and call.text("id") == identity:
                return from_text(or_null(function.get("arguments")))
    return _without_thought(args)


def _without_thought(args: Fields) -> Json:
    return {key: item for key, item in args.value.items() if key != "thought"}


def _answer(words: str, place: str, fields: Fields) -> Event:
    """What was handed in at the end, as the answer."""
    return Event("agent", (Text(words, place),), AGENT, _time(fields), place=fields.place)


def _first_observation(teller: _Teller, fields: Fields) -> Iterator[Turn]:
    kind, cause = fields.text("observation") or "", str(fields.value.get("cause"))
    metadata = fields.object("tool_call_metadata")
    extras = fields.object("extras") or Fields({}, fields.place)
    inner = extras.object("metadata") or extras
    code = inner.get("exit_code")
    failed = kind == "error" or (isinstance(code, int) and code not in (0, -1))
    if metadata is None and cause not in teller.names:
        words = fields.text("content") or fields.text("message") or ""
        told = (Extra(kind or "observation", words, fields.place),)
        error = words if kind == "error" else None
        teller.flow.happen(
            Event("environment", (), SYSTEM, _time(fields), error=error, extras=told, place=fields.place)
        )
        return
    name = (metadata.text("function_name") if metadata is not None else None) or teller.names.get(cause, "")
    identity = metadata.text("tool_call_id") if metadata is not None else cause
    result = ToolResult(name, or_null(fields.get("content")), identity, failed, fields.pointer("content"))
    beside = stated_extras(fields, *_ENVELOPE, *_OF_A_RESULT)
    teller.flow.happen(
        Event("agent", (result,), TOOL, _time(fields), id=_id(fields), extras=beside, place=fields.place)
    )
    yield from ()


def _reply(teller: _Teller, metadata: Fields | None) -> tuple[Usage | None, str | None]:
    """Model and tokens of the reply that called, counted once though each of its calls repeats it."""
    reply = metadata.object("model_response") if metadata is not None else None
    if reply is None:
        return None, None
    identity = reply.text("id") or reply.place
    usage = None if identity in teller.answers else reported_usage(reply.object("usage"))
    teller.answers.add(identity)
    return usage, reply.text("model")


def _plain_content(seen: Fields) -> Json:
    """The words of an observation, or all of it where it has none."""
    content = seen.get("content")
    parts = tuple(content_parts(or_null(content), seen.pointer("content")))
    if parts and all(isinstance(part, Text) for part in parts):
        return "\n".join(part.text for part in parts if isinstance(part, Text))
    return dict(seen.value) if content is ABSENT else or_null(content)


def _id(fields: Fields, name: str = "id") -> str | None:
    value = fields.value.get(name)
    return str(value) if isinstance(value, int | str) and not isinstance(value, bool) else None


_SDK: dict[str, Callable[[_Teller, Fields], Iterator[Turn]]] = {
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

IMPLEMENTATION = Implementation(read=read)
