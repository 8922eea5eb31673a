"""Responses of OpenAI and their items, wherever they stand: alone, beside what was asked, in sessions."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from trace_inspector.core.trace.parts import Code, Part, Thought, ToolCall, ToolResult, Unknown
from trace_inspector.core.trace.trace import Event
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import ABSENT, Json
from trace_inspector.formats.common.chat_flow import AGENT, SYSTEM, TOOL, ChatFlow, speaker_of
from trace_inspector.formats.common.fields import Fields, Report, or_null
from trace_inspector.formats.common.message_parts import content_parts, named_call
from trace_inspector.formats.common.record_counts import RecordCounts
from trace_inspector.formats.common.span_attributes import from_text
from trace_inspector.formats.common.times import seconds_of
from trace_inspector.formats.common.token_usage import reported_usage

# What a tool of the service itself gave back, in the item of the call.
_OUTPUTS = ("output", "outputs", "results", "result")
_ARGUMENTS = ("action", "queries", "code", "prompt")
# Items that are calls of tools of the service, with the name of the tool.
_OWN_TOOLS = {
    "web_search_call": "web_search",
    "file_search_call": "file_search",
    "code_interpreter_call": "code_interpreter",
    "computer_call": "computer",
    "image_generation_call": "image_generation",
    "local_shell_call": "local_shell",
    "shell_call": "shell",
    "apply_patch_call": "apply_patch",
    "tool_search_call": "tool_search",
}
_ITS_OUTPUTS = (
    "function_call_output", "custom_tool_call_output", "computer_call_output", "local_shell_call_output",
    "shell_call_output", "apply_patch_call_output", "tool_search_output",
)  # fmt: skip


def take_response(fields: Fields, chat: ChatFlow, report: Report, counts: RecordCounts) -> None:
    """What a response gave, item by item; its tokens are those of the first, how it ended is said of the last."""
    began_s, ended_s = _time(fields, "created_at", "created"), _time(fields, "completed_at")
    usage, model, ended = reported_usage(fields.object("usage")), fields.text("model"), fields.text("status")
    error, told = _error(fields), False
    for item in report.bounded(fields, "output"):
        events = list(item_events(item, "assistant"))
        if is_unknown(events):
            counts.unknown(item.text("type") or "item", item.place)
        else:
            counts.understood()
        for event in events:
            chat.flow.happen(replace(event, usage=usage, model=model, time_s=began_s))
            usage, told = None, True
    if not told and (usage is not None or error is not None):
        chat.flow.happen(Event("assistant", (), AGENT, began_s, usage=usage, model=model, place=fields.place))
        told = True
    if told:
        chat.flow.events[-1] = replace(chat.flow.events[-1], finish_reason=ended, error=error)
    if began_s is not None and ended_s is not None and ended_s >= began_s:
        chat.flow.last(ended_s - began_s)


def item_events(item: Fields, author: str) -> Iterator[Event]:
    """What one item tells: words, reasoning, a call, a result; a call of the service's own tool with its result."""
    kind = item.text("type") or ""
    read = _READERS.get(kind, _unknown)
    parts = tuple(read(item))
    results = tuple(part for part in parts if isinstance(part, ToolResult))
    others = tuple(part for part in parts if not isinstance(part, ToolResult))
    speaker = AGENT if kind != "message" else speaker_of(item) or AGENT
    if others or not results:
        unknown = any(isinstance(part, Unknown) for part in others)
        role = SYSTEM if unknown or not others else speaker
        yield Event(author, others, role, id=item.text("id"), extras=_beside(item), place=item.place)
    if results:
        yield Event(author, results, TOOL, place=item.place)


def item_key(item: Fields) -> str:
    """What an item is known by in the places that repeat it."""
    return item.text("call_id") or item.text("id") or item.place


def is_unknown(events: list[Event]) -> bool:
    """Whether something in an item is only shown as it stands."""
    return any(isinstance(part, Unknown) for event in events for part in event.parts)


def _message(item: Fields) -> Iterator[Part]:
    yield from content_parts(or_null(item.get("content")), item.pointer("content"))


def _reasoning(item: Fields) -> Iterator[Part]:
    for key in ("summary", "content"):
        for index, block in enumerate(item.objects(key)):
            if words := block.text("text"):
                yield Thought(words, join(item.pointer(key), index))
    if plain := item.text("content"):
        yield Thought(plain, item.pointer("content"))


def _function(item: Fields) -> Iterator[Part]:
    yield named_call(item.value, item.place)
    yield from _own_result(item, item.text("name") or "")


def _own_tool(item: Fields) -> Iterator[Part]:
    name = _OWN_TOOLS[item.text("type") or ""]
    given = {key: value for key in _ARGUMENTS if (value := item.get(key)) is not ABSENT}
    action = given.get("action")
    args: Json = action if len(given) == 1 and isinstance(action, dict) else dict(given)
    yield ToolCall(name, args, item_key(item), item.place)
    yield from _own_result(item, name)


def _own_result(item: Fields, name: str) -> Iterator[Part]:
    key = next((key for key in _OUTPUTS if item.get(key) not in (ABSENT, None)), None)
    failed = item.get("error") not in (ABSENT, None, "")
    if key is not None or failed:
        value = or_null(item.get("error" if failed else key or ""))
        yield ToolResult(name, from_text(value), item_key(item), failed, item.place)


def _output(item: Fields) -> Iterator[Part]:
    value = or_null(item.get("output"))
    failed = item.text("status") in ("failed", "incomplete")
    yield ToolResult(item.text("name") or "", from_text(value), item.text("call_id"), failed, item.place)


def _program(item: Fields) -> Iterator[Part]:
    yield Code(item.text("code") or item.text("program") or "", place=item.place)


def _listed(_item: Fields) -> Iterator[Part]:
    """Tools that a server offers, and questions for leave: shown beside."""
    yield from ()


def _unknown(item: Fields) -> Iterator[Part]:
    yield Unknown(item.text("type") or "item", dict(item.value), item.place)


_READERS: dict[str, Callable[[Fields], Iterator[Part]]] = {
    "message": _message,
    "reasoning": _reasoning,
    "function_call": _function,
    "custom_tool_call": _function,
    "mcp_call": _function,
    "program": _program,
    "mcp_list_tools": _listed,
    "mcp_approval_request": _listed,
    "mcp_approval_response": _listed,
    **dict.fromkeys(_OWN_TOOLS, _own_tool),
    **dict.fromkeys(_ITS_OUTPUTS, _output),
}
_SHOWN_BESIDE = ("mcp_list_tools", "mcp_approval_request", "mcp_approval_response")


def _beside(item: Fields) -> tuple[Extra, ...]:
    kind = item.text("type")
    return (Extra(kind, dict(item.value), item.place),) if kind in _SHOWN_BESIDE else ()


def _error(fields: Fields) -> str | None:
    for name in ("error", "incomplete_details"):
        inner = fields.object(name)
        if inner is not None:
            words = [inner.text(key) for key in ("code", "message", "reason")]
            return ": ".join(word for word in words if word) or name
    return None


def _time(fields: Fields, *names: str) -> float | None:
    return next((time_s for name in names if (time_s := seconds_of(or_null(fields.get(name)))) is not None), None)
