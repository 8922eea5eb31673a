"""Agent data of Vertex's evaluation files: the agents and the turns of one conversation."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.finding import Finding, error, warning
from trace_inspector.core.trace.parts import Code, Part, ToolCall, ToolResult
from trace_inspector.core.trace.trace import Agent, Event, Steps, Turn
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.values import ABSENT, Json
from trace_inspector.formats.adk.session.session_events import SessionEvent, turns_of
from trace_inspector.formats.common.content import role_of
from trace_inspector.formats.common.fields import Fields, Report
from trace_inspector.formats.common.times import interval
from trace_inspector.formats.vertex.common.content import beside_parts, beyond, content_parts, given, members

_OF_AN_EVENT = ("author", "content", "event_time", "state_delta", "active_tools")


class AgentConversation(Struct, frozen=True):
    """The agents and turns of agent data."""

    agents: tuple[Agent, ...] = ()
    turns: tuple[Turn, ...] = ()
    extras: tuple[Extra, ...] = ()


def conversation_of(data: Fields, report: Report) -> AgentConversation:
    """The agents as they are configured, and each conversation turn as one turn."""
    agents = tuple(_agents(data, report))
    report.take(_circles(agents, data))
    turns: list[Turn] = []
    places: dict[int, str] = {}
    agent_names = {agent.name for agent in agents}
    for position, fields in enumerate(report.bounded(data, "turns")):
        _check_index(fields, position, places, report)
        turns.append(_turn(fields, position, agent_names, report))
    # Agents without a turn have nowhere else to be shown.
    return AgentConversation(agents, tuple(turns), beyond(data, "turns", *(("agents",) if turns else ())))


def content_event(author: str, content: Json, place: str, report: Report) -> Event:
    """A Content as an event."""
    beside = beside_parts(content, place)
    return Event(author, content_parts(content, place, report), role_of(content), extras=beside, place=place)


def _turn(fields: Fields, position: int, agent_names: set[str], report: Report) -> Turn:
    listed = [_event(event, agent_names, report) for event in report.bounded(fields, "events")]
    made = next(turns_of(listed, report), Turn(0, steps=Steps.EVENTS))
    return replace(
        made,
        index=position,
        id=fields.text("turn_id"),
        extras=beyond(fields, "turn_index", "turn_id", "events"),
        place=fields.place,
    )


def _event(fields: Fields, agent_names: set[str], report: Report) -> SessionEvent:
    author = fields.text("author") or ""
    if not author:
        report.add(error("no-author", "This event has no author; Vertex AI requires one.", fields.place))
    elif agent_names and author.lower() != "user" and author not in agent_names:
        message = f"“{author}” is neither “user” nor one of the agents in this file; it is shown as it is."
        report.add(warning("unknown-author", message, fields.pointer("author")))
    content = fields.get("content")
    if content is ABSENT and not given(fields.get("state_delta")):
        report.add(warning("no-content", "This event has no content; Vertex AI requires one.", fields.place))
    parts = content_parts(content, fields.pointer("content"), report)
    return SessionEvent(
        Event(
            author=author,
            parts=parts,
            role=None if content is ABSENT else role_of(content),
            time_s=time_in(fields, "event_time", report),
            state_delta=fields.mapping("state_delta") or None,
            active_tools=tuple(_tool_names(fields.get("active_tools"))),
            extras=(*beyond(fields, *_OF_AN_EVENT), *beside_parts(content, fields.pointer("content"))),
            place=fields.place,
        ),
        invocation="turn",
        is_final=_may_answer(parts),
    )


def time_in(fields: Fields, name: str, report: Report) -> float | None:
    """When something happened; what is no time is named."""
    time = fields.get(name)
    time_s = None if time is ABSENT else interval(time, None, None)[0]
    if given(time) and time_s is None:
        report.add(
            warning("unknown-time", "This is not a time that Trace Inspector understands.", fields.pointer(name))
        )
    return time_s


def is_users(event: Event) -> bool:
    """Whether the user wrote an event."""
    return event.author.lower() == "user"


def _may_answer(parts: tuple[Part, ...]) -> bool:
    if any(isinstance(part, ToolCall | ToolResult) for part in parts):
        return False
    return not (parts and isinstance(last := parts[-1], Code) and last.is_result)


def _tool_names(tools: Json | object) -> Iterator[str]:
    """The functions that a list of tools declares; of other kinds of tools the kind."""
    for tool in tools if isinstance(tools, list) else []:
        for kind, value in tool.items() if isinstance(tool, dict) else ():
            if isinstance(value, list):
                named = (declaration.get("name") for declaration in value if isinstance(declaration, dict))
                yield from (name for name in named if isinstance(name, str))
            elif value is not None:
                yield kind


def _agents(data: Fields, report: Report) -> Iterator[Agent]:
    agents = data.object("agents")
    listed = agents.value if agents is not None else {}
    for key, value, place in members(agents, report):
        if not isinstance(value, dict):
            report.add(error("not-an-object", "This agent should be an object; it is left out.", place))
            continue
        fields = Fields(value, place)
        stated = fields.text("agent_id")
        if stated != key:
            shown = f"“{stated}”" if stated else "missing"
            message = f"The agent's id is {shown}, and its key “{key}”; they should be the same. The key is used."
            report.add(warning("agent-id-differs", message, place))
        tools = fields.get("tools")
        below = tuple(_names(fields.get("sub_agents")))
        for name in below:
            if name not in listed:
                message = f"“{name}” stands below “{key}” and is not among the agents of this file."
                report.add(warning("unknown-sub-agent", message, fields.pointer("sub_agents")))
        yield Agent(
            name=key,
            instruction=fields.text("instruction") or "",
            description=". ".join(
                shown for shown in (fields.text("agent_type"), fields.text("description")) if shown
            ),
            tools=tuple(tools) if isinstance(tools, list) else (),
            sub_agents=below,
            place=place,
        )


def _circles(agents: tuple[Agent, ...], data: Fields) -> Iterator[Finding]:
    """Agents that stand below themselves; each way through the graph is walked once."""
    below = {agent.name: agent for agent in agents}
    above: dict[str, Iterator[str]] = {}
    done: set[str] = set()
    for first in below:
        path = [first] if first not in done else []
        while path:
            remaining = above.setdefault(path[-1], iter(below[path[-1]].sub_agents))
            name = next((name for name in remaining if name in below and name not in done), None)
            if name is None:
                done.add(path.pop())
            elif name in above:
                message = f"“{name}” is its own sub-agent, directly or through others."
                yield warning("agent-circle", message, below[name].place or data.place)
            else:
                path.append(name)


def _names(value: Json | object) -> Iterator[str]:
    yield from (name for name in (value if isinstance(value, list) else []) if isinstance(name, str))


def _check_index(fields: Fields, position: int, places: dict[int, str], report: Report) -> None:
    """Turn indexes are required, count from 0, and neither repeat nor leave gaps."""
    index = fields.get("turn_index")
    if isinstance(index, str) and index.isascii() and index.isdigit() and len(index) < 10:
        index = int(index)
    if isinstance(index, bool) or not isinstance(index, int):
        message = "This turn has no index, which Vertex AI requires; its position in the list is used."
        report.add(warning("no-turn-index", message, fields.place))
    elif index in places:
        message = f"The index {index} is used at {places[index]} already; the positions in the list are used."
        report.add(warning("repeated-turn-index", message, fields.pointer("turn_index")))
    else:
        places[index] = fields.pointer("turn_index")
        if index != position:
            message = f"The index is {index} where {position} is expected; the positions in the list are used."
            report.add(warning("turn-index-gap", message, fields.pointer("turn_index")))
