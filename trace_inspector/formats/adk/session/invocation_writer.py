"""Writes a turn as an ADK Invocation, and collects what an Invocation has no key for."""

from __future__ import annotations

from msgspec import Struct, field

from trace_inspector.core.finding import Finding, error, warning
from trace_inspector.core.trace.parts import Media, Part, ToolCall, ToolResult, Transfer, Unknown
from trace_inspector.core.trace.rubric import Rubric
from trace_inspector.core.trace.trace import Event, Steps, Turn, Usage, stated_duration_s
from trace_inspector.core.values.values import ABSENT, Json, JsonObject, present
from trace_inspector.formats.common.content import call_json, content_json, part_json, result_json


class Leftovers(Struct):
    """What stays with the case under our own key, by pointer from the case, and what is lost for good."""

    losses: list[Finding]
    values: JsonObject = field(default_factory=dict)

    def keep(self, pointer: str, value: Json) -> None:
        """Keep a value that has no key of its own."""
        self.values[pointer] = value


def invocation_json(turn: Turn, pointer: str, leftovers: Leftovers) -> JsonObject:
    """One invocation; `pointer` is its place in the case."""
    written: JsonObject = {} if turn.id is None else {"invocation_id": turn.id}
    written["user_content"] = _content(turn.user, "user", f"{pointer}/user_content", leftovers)
    if turn.final_response is not None:
        role = role_for(turn.final_response)
        written["final_response"] = _content(turn.final_response, role, f"{pointer}/final_response", leftovers)
    if turn.steps is Steps.CALLS:
        written["intermediate_data"] = _call_form(turn, f"{pointer}/intermediate_data", leftovers)
    elif turn.steps is Steps.EVENTS:
        written["intermediate_data"] = _event_form(turn, f"{pointer}/intermediate_data", leftovers)
    for key, value in (
        ("creation_timestamp", turn.start_s),
        ("duration", stated_duration_s(turn)),
        ("model_duration", turn.model_duration_s),
        ("tool_duration", turn.tool_duration_s),
    ):
        if value is not None:
            written[key] = value
    if turn.rubrics:
        written["rubrics"] = [rubric_json(rubric) for rubric in turn.rubrics]
    if turn.agents:
        written["app_details"] = _app_details(turn, f"{pointer}/app_details", leftovers)
    beside: JsonObject = {}
    if turn.final_author:
        beside["final_author"] = turn.final_author
    if turn.guessed:
        beside["guessed"] = [*sorted(turn.guessed)]
    if beside:
        leftovers.keep(pointer, beside)
    return written


def rubric_json(rubric: Rubric) -> JsonObject:
    """A rubric with the keys that are given."""
    written: JsonObject = {"rubric_id": rubric.id, "rubric_content": {"text_property": rubric.text}}
    if rubric.description is not None:
        written["description"] = rubric.description
    if rubric.type is not None:
        written["type"] = rubric.type
    return written


def usage_json(usage: Usage) -> JsonObject:
    """Usage metadata with the counts that were reported."""
    counts = {
        "prompt_token_count": usage.prompt,
        "tool_use_prompt_token_count": usage.tool_use_prompt,
        "candidates_token_count": usage.candidates,
        "thoughts_token_count": usage.thoughts,
        "cached_content_token_count": usage.cached,
        "total_token_count": usage.total,
    }
    return {key: count for key, count in counts.items() if count is not None}


def _app_details(turn: Turn, pointer: str, leftovers: Leftovers) -> JsonObject:
    described: JsonObject = {agent.name: agent.description for agent in turn.agents if agent.description}
    if described:
        leftovers.keep(f"{pointer}/agent_details", {"descriptions": described})
    return {
        "agent_details": {
            agent.name: {
                "name": agent.name,
                "instructions": agent.instruction,
                "tool_declarations": list(agent.tools),
            }
            for agent in turn.agents
        }
    }


def _event_form(turn: Turn, pointer: str, leftovers: Leftovers) -> JsonObject:
    events: list[Json] = [
        _event(event, turn, f"{pointer}/invocation_events/{index}", leftovers)
        for index, event in enumerate(turn.events)
    ]
    return {"invocation_events": events}


def _event(event: Event, turn: Turn, pointer: str, leftovers: Leftovers) -> JsonObject:
    # An event of a session may have no author; google-adk accepts that.
    author = event.author if event.adk_keeps is not None else event.author or turn.final_author or "model"
    written: JsonObject = {"author": author}
    if event.parts:
        written["content"] = _content(
            event.parts, event.role or role_for(event.parts), f"{pointer}/content", leftovers
        )
    if present(event.grounding):
        written["grounding_metadata"] = event.grounding
    if event.usage is not None:
        written["usage_metadata"] = usage_json(event.usage)
    if event.model is not None:
        written["model_version"] = event.model
    beside: dict[str, Json] = {
        "time_s": event.time_s,
        "duration_s": event.duration_s,
        "finish_reason": event.finish_reason,
        "state_delta": event.state_delta,
        "error": event.error,
        "span_id": event.span_id,
    }
    kept: JsonObject = {key: value for key, value in beside.items() if value is not None}
    if kept:
        leftovers.keep(pointer, kept)
    return written


def role_for(parts: tuple[Part, ...]) -> str:
    """Tools answer in the user's place."""
    return "user" if parts and all(isinstance(part, ToolResult) for part in parts) else "model"


def _call_form(turn: Turn, pointer: str, leftovers: Leftovers) -> JsonObject:
    parts = [part for event in turn.events if not event.author for part in event.parts]
    uses: list[Json] = [call_json(part) for part in parts if isinstance(part, ToolCall)]
    written: JsonObject = {"tool_uses": uses}
    responses: list[Json] = [result_json(part) for part in parts if isinstance(part, ToolResult)]
    if responses:
        written["tool_responses"] = responses
    texts: list[Json] = [
        [event.author, _content(event.parts, "model", f"{pointer}/intermediate_responses", leftovers)["parts"]]
        for event in turn.events
        if event.author
    ]
    if texts:
        written["intermediate_responses"] = texts
    return written


def _content(parts: tuple[Part, ...], role: str, pointer: str, leftovers: Leftovers) -> JsonObject:
    homeless: list[Json] = []
    for index, part in enumerate(parts):
        if isinstance(part, Media) and part_json(part) is None:
            message = f"The bytes of a {part.mime_type or 'media'} part are not carried over."
            leftovers.losses.append(error("media-lost", message, part.place))
        elif isinstance(part, Transfer):
            homeless.append({"at": index, "transfer": part.target})
        elif isinstance(part, Unknown):
            homeless.append({"at": index, "kind": part.kind, "value": part.raw})
        elif isinstance(part, ToolCall) and part.args is not ABSENT and not isinstance(part.args, dict | None):
            message = f"The arguments of {part.name} are not an object; google-adk accepts only objects."
            leftovers.losses.append(warning("args-wrapped", message, part.place))
    if homeless:
        leftovers.keep(f"{pointer}/parts", homeless)
    return content_json(parts, role)
