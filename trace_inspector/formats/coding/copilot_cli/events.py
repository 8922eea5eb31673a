"""The events of a session by who did them: the main agent, sub-agents; and those that were taken back.

The events are those of session-events.ts of github/copilot-sdk, MIT.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from trace_inspector.formats.common.fields import Fields

REWOUND = "session.snapshot_rewind"


@dataclass(frozen=True, slots=True)
class SessionEvent:
    """One line, and what it holds."""

    kind: str
    fields: Fields
    data: Fields
    agent: str = ""  # the sub-agent whose event it is, named by the call that started it


@dataclass(slots=True)
class SessionEvents:
    """The events as they stand in the end, in the order of the file."""

    kept: list[SessionEvent] = field(default_factory=list)
    taken_back: list[list[SessionEvent]] = field(default_factory=list)

    def of_agent(self, agent: str) -> list[SessionEvent]:
        """The events of one sub-agent, of the main agent by ""."""
        return [event for event in self.kept if event.agent == agent]

    def sub_agents(self) -> list[str]:
        """Every sub-agent, in the order in which they began."""
        return list(dict.fromkeys(event.agent for event in self.kept if event.agent))


def events_in(listed: Iterable[Fields]) -> SessionEvents:
    """All lines as events; a rewind takes back those from the event that it names."""
    events = SessionEvents()
    for fields in listed:
        data = fields.object("data") or Fields({}, fields.place)
        agent = fields.text("agentId") or data.text("parentToolCallId") or ""
        event = SessionEvent(fields.text("type") or "", fields, data, agent)
        first = data.text("upToEventId") if event.kind == REWOUND else None
        places = [number for number, each in enumerate(events.kept) if first and each.fields.text("id") == first]
        if places:
            events.taken_back.append(events.kept[places[0] :])
            del events.kept[places[0] :]
        events.kept.append(event)
    return events
