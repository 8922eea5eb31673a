"""Which events of a recorded turn google-adk keeps when it makes an invocation of it."""

from __future__ import annotations

from msgspec.structs import replace

from trace_inspector.core.trace.parts import Media, Part, Text, Thought, ToolCall, ToolResult
from trace_inspector.core.trace.trace import Event, Turn
from trace_inspector.core.values.values import Json, JsonObject, present
from trace_inspector.formats.adk.session.invocation_writer import Leftovers
from trace_inspector.formats.common.content import content_json


def as_invocation(turn: Turn, pointer: str, leftovers: Leftovers) -> Turn:
    """A recorded turn with the events that its invocation has there; the others become leftovers."""
    kept: list[Event] = []
    others: list[Json] = []
    for index, event in enumerate(turn.events):
        if _is_kept(event, index, turn):
            kept.append(event)
        else:
            others.append(_beside(event, index))
    if others:
        leftovers.keep(f"{pointer}/intermediate_data/other_events", others)
    return replace(turn, events=tuple(kept), final_event=None)


def _is_kept(event: Event, index: int, turn: Turn) -> bool:
    if event.adk_keeps is not None:
        return event.adk_keeps
    if event.author.lower() == "user":
        return False
    parts = event.parts
    if index == turn.final_event:
        parts = (*parts, *(turn.final_response or ()))
    if not parts:
        # Where it is not stated which event gave the answer, one without content may be it.
        is_model_call = event.usage is not None or event.model is not None
        return turn.final_event is None and is_model_call and event.error is None
    return present(event.grounding) or any(_has_content(part) for part in parts)


def _has_content(part: Part) -> bool:
    match part:
        case Text() | Thought():
            return bool(part.text)
        case Media():
            return part.uri is None
        case ToolCall() | ToolResult():
            return True
    return False


def _beside(event: Event, index: int) -> JsonObject:
    written: JsonObject = {
        "at": index,
        "author": event.author,
        "content": content_json(event.parts, event.role or "model") if event.parts else None,
        "state_delta": event.state_delta,
        "error": event.error,
        "time_s": event.time_s,
    }
    return {key: value for key, value in written.items() if value is not None}
