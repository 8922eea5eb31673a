"""Parts as CES's chunks, session inputs, tool calls and tool responses, in camelCase."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from trace_inspector.core.golden.matcher import Match, Matcher
from trace_inspector.core.trace.parts import (
    Media,
    Part,
    Text,
    Thought,
    ToolCall,
    ToolResult,
    Transfer,
    Unknown,
    spoken_text,
)
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import ABSENT, Absent, Json, JsonObject, strict
from trace_inspector.formats.ces.common.content import AUDIO, DEFAULTS, EVENT, PAYLOAD, UPDATED, VARIABLES
from trace_inspector.formats.ces.common.losses import Losses
from trace_inspector.formats.ces.common.match_type import DIRECTIVE

_CHUNKS = {PAYLOAD: "payload", UPDATED: "updatedVariables", DEFAULTS: "defaultVariables"}
_INPUTS = {VARIABLES: "variables", EVENT: "event", "dtmf": "dtmf"}
_DIRECTIVES = {
    Match.EXACT: "exact",
    Match.SEMANTIC: "semantic",
    Match.CONTAINS: "contains",
    Match.REGEXP: "regexp",
    Match.IGNORE: "ignore",
}


def message_json(parts: Sequence[Part], losses: Losses) -> JsonObject:
    """A Message of the agent."""
    return {"role": "agent", "chunks": [chunk for part in parts for chunk in _chunk(part, losses)]}


def inputs_json(parts: Sequence[Part], losses: Losses) -> Iterator[JsonObject]:
    """Session inputs, one for each thing that is given; all texts of the user are one."""
    has_text = False
    for part in parts:
        if isinstance(part, Text):
            if not has_text:
                yield {"text": spoken_text(tuple(parts))}
            has_text = True
        elif isinstance(part, ToolResult):
            yield {"toolResponses": {"toolResponses": [result_json(part)]}}
        elif isinstance(part, Unknown) and part.kind in _INPUTS:
            yield {_INPUTS[part.kind]: strict(part.raw)}
        elif isinstance(part, Media) and part.data is not None:
            yield {"audio": part.data} if part.mime_type == AUDIO else _bytes(part)
        else:
            lose_part(part, losses)


def call_json(call: ToolCall, matchers: Mapping[str, Matcher], losses: Losses) -> JsonObject:
    """A ToolCall; what matchers say of its arguments stands in them as directives."""
    written: JsonObject = {} if call.call_id is None else {"id": call.call_id}
    written |= _tool(call.resource or call.name)
    args = arguments_json(call.args, f"{call.place}/args", matchers, losses)
    if isinstance(args, dict):
        written["args"] = args
    elif args is not None:
        written["args"] = {"value": args}
    if call.agent:
        written["agentName"] = call.agent
    if call.parent_id is not None:
        written["parentToolCallId"] = call.parent_id
    return written


def result_json(result: ToolResult) -> JsonObject:
    """A ToolResponse; what is no object stands under the key that CES has for answers and for failures."""
    written: JsonObject = {} if result.call_id is None else {"id": result.call_id}
    written["tool"] = result.name
    if isinstance(result.value, Absent):
        return written
    value = strict(result.value)
    if not isinstance(value, dict):
        value = {"error" if result.is_error else "output": value}
    return {**written, "response": value}


def is_sayable(part: Part) -> bool:
    """Whether a message can hold a part that is no act of its own."""
    is_chunk = isinstance(part, Unknown) and part.kind in _CHUNKS
    return isinstance(part, Text) or is_chunk or (isinstance(part, Media) and part.data is not None)


def lose_part(part: Part, losses: Losses) -> None:
    """Name a part that has no place."""
    kinds: dict[type, str] = {Thought: "thoughts", Media: "media"}
    losses.lose(kinds.get(type(part), "parts"), part.place)


def _chunk(part: Part, losses: Losses) -> Iterator[JsonObject]:
    match part:
        case Text():
            yield {"text": part.text}
        case ToolCall():
            yield {"toolCall": call_json(part, {}, losses)}
        case ToolResult():
            yield {"toolResponse": result_json(part)}
        case Transfer():
            yield {"agentTransfer": {"targetAgent": part.target}}
        case Unknown() if part.kind in _CHUNKS:
            yield {_CHUNKS[part.kind]: strict(part.raw)}
        case Media() if part.data is not None:
            yield _bytes(part)
        case _:
            lose_part(part, losses)


def _bytes(media: Media) -> JsonObject:
    """An image or a blob; one of the two for every kind of bytes."""
    kind = "image" if media.mime_type.lower().startswith("image/") else "blob"
    return {kind: {"mimeType": media.mime_type, "data": media.data}}


def _tool(resource: str) -> JsonObject:
    """A tool by its name; what stands neither alone nor below “tools” is a tool of a set."""
    owner, _, last = resource.rpartition("/")
    if not owner or owner.endswith("/tools"):
        return {"tool": resource}
    return {"toolsetTool": {"toolset": owner, "toolId": last}}


def arguments_json(value: Json | Absent, place: str, matchers: Mapping[str, Matcher], losses: Losses) -> Json:
    """Arguments with a directive at each place that has a matcher; None where CES needs to look at nothing."""
    matcher = matchers.get(place)
    if value is ABSENT or (matcher is not None and matcher.match is Match.IGNORE):
        return None
    if matcher is not None and matcher.match is not Match.SUBSET:  # CES looks only at the arguments that it expects
        losses.lose("matchers", place)
    return (
        argument_json(value, place, matchers, losses)
        if not isinstance(value, dict)
        else _members(value, place, matchers, losses)
    )


def _members(value: JsonObject, place: str, matchers: Mapping[str, Matcher], losses: Losses) -> JsonObject:
    return {key: argument_json(item, join(place, key), matchers, losses) for key, item in value.items()}


def argument_json(value: Json | Absent, place: str, matchers: Mapping[str, Matcher], losses: Losses) -> Json:
    """One argument, or a value inside of one, with its directives."""
    matcher = matchers.get(place)
    if matcher is not None and matcher.match in _DIRECTIVES:
        return _directive(matcher, strict(value))
    if matcher is not None:
        losses.lose("matchers", place)
    if isinstance(value, dict):
        return _members(value, place, matchers, losses)
    if isinstance(value, list):
        return [argument_json(item, join(place, index), matchers, losses) for index, item in enumerate(value)]
    return strict(value)


def _directive(matcher: Matcher, value: Json) -> JsonObject:
    written: JsonObject = {DIRECTIVE: _DIRECTIVES[matcher.match]}
    if matcher.match in (Match.EXACT, Match.SEMANTIC):
        written["$matchValue"] = value
    elif matcher.match is not Match.IGNORE:
        written["$matchValue"] = matcher.text
    return written if value is None and matcher.match is Match.IGNORE else {**written, "$originalValue": value}


def by_place(matchers: Iterable[Matcher]) -> dict[str, Matcher]:
    """Matchers by the place of the value they are for."""
    return {matcher.place: matcher for matcher in matchers}
