"""Events of OpenHands before its SDK: actions, and observations of what came of them."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.trace.parts import Part, Text, Thought, ToolCall, ToolResult
from trace_inspector.core.trace.trace import Event, Turn, Usage
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.values import Json
from trace_inspector.formats.coding.openhands.teller import Teller, answer_of, id_of, time_of
from trace_inspector.formats.common.chat_flow import AGENT, SYSTEM, TOOL
from trace_inspector.formats.common.extras import stated_extras
from trace_inspector.formats.common.fields import Fields, or_null
from trace_inspector.formats.common.span_attributes import from_text
from trace_inspector.formats.common.token_usage import reported_usage

_ENVELOPE = ("id", "timestamp", "source", "kind", "message", "action", "observation")
_OF_A_RESULT = ("tool_name", "tool_call_id", "action_id", "extras", "content", "cause", "tool_call_metadata")
_TALKS = ("message", "system", "finish", "think", "recall", "change_agent_state", "null")


def first_action(teller: Teller, fields: Fields) -> Iterator[Turn]:
    """An action of the first generation; what talks only is no call unless the model called it."""
    action, args = fields.text("action") or "", fields.object("args") or Fields({}, fields.place)
    metadata = fields.object("tool_call_metadata")
    words = args.text("content") or args.text("thought") or ""
    if action == "message" and fields.text("source") == "user":
        parts = (Text(words or fields.text("message") or "", args.pointer("content")),)
        yield from teller.flow.ask(parts, turn_id=id_of(fields), time_s=time_of(fields), place=fields.place)
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
        calls = (ToolCall(action, _without_thought(args), id_of(fields), fields.place),)
    teller.names.update({id_of(fields) or "": call.name for call in calls if isinstance(call, ToolCall)})
    said: Part | None = None
    if words:
        said = Thought(words, args.place) if action == "think" else Text(words, args.place)
    usage, model = _reply(teller, metadata)
    parts = (*((said,) if said is not None else ()), *calls)
    teller.flow.happen(
        Event("agent", parts, AGENT, time_of(fields), usage=usage, model=model, id=id_of(fields), place=fields.place)
    )
    if action == "finish" and (answer := args.text("final_thought") or fields.text("message")):
        teller.flow.happen(answer_of(answer, fields.pointer("message"), fields))


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


def first_observation(teller: Teller, fields: Fields) -> Iterator[Turn]:
    """What came of an action, else what happened around it."""
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
            Event("environment", (), SYSTEM, time_of(fields), error=error, extras=told, place=fields.place)
        )
        return
    name = (metadata.text("function_name") if metadata is not None else None) or teller.names.get(cause, "")
    identity = metadata.text("tool_call_id") if metadata is not None else cause
    result = ToolResult(name, or_null(fields.get("content")), identity, failed, fields.pointer("content"))
    beside = stated_extras(fields, *_ENVELOPE, *_OF_A_RESULT)
    teller.flow.happen(
        Event("agent", (result,), TOOL, time_of(fields), id=id_of(fields), extras=beside, place=fields.place)
    )
    yield from ()


def _reply(teller: Teller, metadata: Fields | None) -> tuple[Usage | None, str | None]:
    """Model and tokens of the reply that called, counted once though each of its calls repeats it."""
    reply = metadata.object("model_response") if metadata is not None else None
    if reply is None:
        return None, None
    identity = reply.text("id") or reply.place
    usage = None if identity in teller.answers else reported_usage(reply.object("usage"))
    teller.answers.add(identity)
    return usage, reply.text("model")
