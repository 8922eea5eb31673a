"""Conversations as Vertex AI writes them: contents, events, agent data, rubric groups."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime

from msgspec import Struct

from trace_inspector.core.golden.golden import Scenario
from trace_inspector.core.trace.parts import Part
from trace_inspector.core.trace.rubric import Rubric
from trace_inspector.core.trace.trace import Agent, Event, Trace, Turn
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.common.content import part_json
from trace_inspector.formats.common.fields import camel

UNGROUPED = "rubrics"  # the group of rubrics that stood in none
_USER = "user"


class VertexWriter(Struct, frozen=True):
    """In the spelling of the service, or of its SDK's dumps; keys in arguments are never changed."""

    spell: Callable[[str], str]

    def content(self, parts: Sequence[Part], role: str) -> JsonObject:
        """A Content; parts that have no place in it are left out."""
        return {"role": role, "parts": [self._part(raw) for part in parts if (raw := part_json(part)) is not None]}

    def agent_data(self, agents: Sequence[Agent], turns: Iterable[Turn]) -> JsonObject:
        """Agents and a whole conversation."""
        written: JsonObject = {"agents": {agent.name: self._agent(agent) for agent in agents}} if agents else {}
        return {**written, "turns": [self.turn(turn, index) for index, turn in enumerate(turns)]}

    def rubric_groups(self, rubrics: Iterable[Rubric]) -> JsonObject:
        """Rubrics by their group, else by their type."""
        groups: dict[str, list[Json]] = {}
        for rubric in rubrics:
            groups.setdefault(rubric.group or rubric.type or UNGROUPED, []).append(self.rubric(rubric))
        return {name: {"rubrics": listed} for name, listed in groups.items()}

    def rubric(self, rubric: Rubric) -> JsonObject:
        """One rubric."""
        return self._spelled(
            {
                "rubric_id": rubric.id,
                "content": {"property": {"description": rubric.text}},
                "type": rubric.type,
                "importance": rubric.importance,
            }
        )

    def scenario(self, scenario: Scenario) -> JsonObject:
        """The scenario of a simulated user."""
        return {
            self.spell("starting_prompt"): scenario.starting_prompt,
            self.spell("conversation_plan"): scenario.plan,
        }

    def _spelled(self, stated: JsonObject) -> JsonObject:
        return {self.spell(key): value for key, value in stated.items() if value not in ("", None, [], {})}

    def _agent(self, agent: Agent) -> JsonObject:
        stated: JsonObject = {
            "agent_id": agent.name,
            "description": agent.description,
            "instruction": agent.instruction,
            "tools": [*agent.tools],
            "sub_agents": [*agent.sub_agents],
        }
        return self._spelled(stated)

    def turn(self, turn: Turn, index: int) -> JsonObject:
        """One turn of a conversation."""
        stated: JsonObject = {"turn_id": turn.id}
        events: list[Json] = [self._event(event) for event in events_of(turn)]
        return {self.spell("turn_index"): index, **self._spelled(stated), "events": events}

    def _event(self, event: Event) -> JsonObject:
        role = event.role or (_USER if event.author.lower() == _USER else "model")
        declared: list[Json] = [{"name": name} for name in event.active_tools]
        tools: JsonObject = {self.spell("function_declarations"): declared}
        return {
            "author": event.author or "agent",
            "content": self.content(event.parts, role),
            **self._spelled(
                {
                    "event_time": None if event.time_s is None else _time(event.time_s),
                    "state_delta": event.state_delta,
                    "active_tools": [tools] if declared else None,
                }
            ),
        }

    def _part(self, raw: JsonObject) -> JsonObject:
        return {
            self.spell(key): {self.spell(name): value for name, value in member.items()}
            if isinstance(member, dict)
            else member
            for key, member in raw.items()
        }


SERVICE_WRITER = VertexWriter(camel)
SDK_WRITER = VertexWriter(str)


def all_agents(trace: Trace) -> tuple[Agent, ...]:
    """The agents of a trace, also those that only its turns describe; the first of a name counts."""
    agents_of_turns = {agent.name: agent for turn in trace.turns for agent in turn.agents}
    return tuple({**agents_of_turns, **{agent.name: agent for agent in trace.agents}}.values())


def events_of(turn: Turn) -> list[Event]:
    """All events of a turn, in order: the user's message, the steps, and the answer in its place."""
    asked = [Event(_USER, turn.user, _USER, time_s=turn.start_s)] if turn.user else []
    steps = list(turn.events)
    answer = turn.final_response
    if answer is None:
        return [*asked, *steps]
    index = turn.final_event
    if index is not None and index < len(steps):
        step = steps[index]
        steps[index] = Event(
            step.author, (*step.parts, *answer), step.role, step.time_s, state_delta=step.state_delta
        )
    else:
        author = turn.final_author or next((event.author for event in reversed(steps) if event.author), "agent")
        steps.append(Event(author, answer, "model"))
    return [*asked, *steps]


def _time(time_s: float) -> str:
    """RFC 3339 in UTC; a time that no calendar has is that of the calendar's end."""
    try:
        return datetime.fromtimestamp(time_s, UTC).isoformat().replace("+00:00", "Z")
    except (OverflowError, ValueError, OSError):
        return datetime.max.replace(tzinfo=UTC).isoformat().replace("+00:00", "Z")
