"""AutoGen: `autogen`, the messages of a run, and the states of agents and teams as they are saved.

The types of messages are those of autogen_agentchat.messages and autogen_core.models of microsoft/autogen, MIT.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.parts import Media, Part, Text, Thought, ToolResult, Transfer, Unknown
from trace_inspector.core.trace.trace import Agent, Event, Trace, Turn
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import Json
from trace_inspector.formats.common.chat_flow import AGENT, SYSTEM, TOOL
from trace_inspector.formats.common.content import decoded_size
from trace_inspector.formats.common.extras import stated_extras
from trace_inspector.formats.common.fields import Fields, Report, fields_of, or_null
from trace_inspector.formats.common.format import Implementation, Source
from trace_inspector.formats.common.message_parts import named_call
from trace_inspector.formats.common.record_counts import RecordCounts
from trace_inspector.formats.common.times import seconds_of
from trace_inspector.formats.common.token_usage import reported_usage
from trace_inspector.formats.common.turn_flow import TurnFlow

_PROGRAM = "autogen"
_PEOPLE = ("user", "user_proxy", "human")
_OF_A_MESSAGE = ("source", "models_usage", "content", "type", "thought", "created_at", "id", "target", "metadata")
_LISTS = ("messages", "message_thread")
_ENDINGS = ("Message", "Event")


class _Talk(Struct, frozen=True):
    """The messages of one conversation."""

    name: str
    owner: Fields
    messages: list[Fields]


def read(source: Source) -> Iterator[Item]:
    """Each conversation as a trace: that of a team, else those of its agents."""
    report, counts = Report(), RecordCounts()
    value, name = source.value, source.stem or "run"
    if isinstance(value, list):
        talks = [_Talk(name, Fields({}, ""), report.bounded_list(value, ""))]
    else:
        talks = list(_talks(Fields(value if isinstance(value, dict) else {}, ""), name, report))
    for talk in talks:
        yield from _conversation(talk, source, counts)
    yield counts.finding()
    yield from report.drain()


def _talks(owner: Fields, name: str, report: Report) -> Iterator[_Talk]:
    """The thread of whoever leads a team has all that was said; without one each agent has what it knows."""
    key = next((key for key in _LISTS if isinstance(owner.get(key), list)), None)
    states = owner.object("agent_states")
    if key is not None:
        yield _Talk(name, owner, report.bounded(owner, key))
    elif states is not None:
        parts = [
            (key, Fields(state, join(states.place, key)))
            for key, state in states.value.items()
            if isinstance(state, dict)
        ]
        led = [(key, state) for key, state in parts if isinstance(state.get("message_thread"), list)]
        for key, state in led or parts:
            yield from _talks(state, name if led else key.split("/", maxsplit=1)[0], report)
    else:
        inner = owner.object("agent_state") or owner.object("llm_context") or owner.object("inner_team_state")
        if inner is not None:
            yield from _talks(inner, name, report)


def _conversation(talk: _Talk, source: Source, counts: RecordCounts) -> Iterator[Item]:
    reader = _AutogenTurns(source, counts)
    turns = list(reader.turns(talk.messages))
    yield Trace(
        talk.name,
        agents=tuple(Agent(name, reader.instruction) for name in reader.agents) or (Agent(_PROGRAM),),
        app=_PROGRAM,
        extras=stated_extras(talk.owner, *_LISTS, "type", "version"),
        place=talk.owner.place,
    )
    yield from turns


class _AutogenTurns(Struct):
    """Makes turns of messages: those of a person open them, whatever an agent says to another does not."""

    source: Source
    counts: RecordCounts
    flow: TurnFlow = field(default_factory=TurnFlow)
    agents: dict[str, None] = field(default_factory=dict)
    instruction: str = ""

    def turns(self, messages: list[Fields]) -> Iterator[Turn]:
        """The turns, in order."""
        for message in messages:
            self.source.tick()
            kind, author = message.text("type") or "", message.text("source") or ""
            if kind.endswith(_ENDINGS):
                self.counts.understood()
            else:
                self.counts.unknown(kind or "message", message.place)
            parts, time_s = tuple(_parts(message, kind)), seconds_of(or_null(message.get("created_at")))
            if kind == "SystemMessage" and not self.flow.is_open:
                self.instruction = message.text("content") or ""
            elif author.lower() in _PEOPLE and not any(isinstance(part, ToolResult) for part in parts):
                identity = message.text("id")
                yield from self.flow.ask(parts, turn_id=identity, time_s=time_s, place=message.place)
                for extra in stated_extras(message, *_OF_A_MESSAGE):
                    self.flow.add(extra)
            else:
                self.flow.happen(self._event(message, kind, parts, time_s))
        yield from self.flow.finish()

    def _event(self, message: Fields, kind: str, parts: tuple[Part, ...], time_s: float | None) -> Event:
        author = message.text("source") or "assistant"
        role = TOOL if parts and all(isinstance(part, ToolResult) for part in parts) else AGENT
        if kind == "SystemMessage":
            author, role = "system", SYSTEM
        elif role == AGENT:
            self.agents.setdefault(author)
        return Event(
            author,
            parts,
            role,
            time_s,
            usage=reported_usage(message.object("models_usage")),
            id=message.text("id"),
            extras=stated_extras(message, *_OF_A_MESSAGE),
            place=message.place,
        )


def _parts(message: Fields, kind: str) -> Iterator[Part]:
    content, place = message.get("content"), message.pointer("content")
    if thought := message.text("thought"):
        yield Thought(thought, message.pointer("thought"))
    if isinstance(content, str):
        yield Thought(content, place) if kind == "ThoughtEvent" else Text(content, place)
    elif isinstance(content, list):
        for index, item in enumerate(content):
            yield _item(item, join(place, index))
    elif isinstance(content, dict) or not kind.endswith(_ENDINGS):
        yield Unknown(kind or "message", dict(message.value), message.place)
    if target := message.text("target"):
        yield Transfer(target, message.pointer("target"))


def _item(item: Json, place: str) -> Part:
    """A call, a result, words or a picture, told apart by their keys."""
    if isinstance(item, str):
        return Text(item, place)
    fields = fields_of(item, place)
    if "call_id" in fields.value:
        name, failed = fields.text("name") or "", fields.value.get("is_error") is True
        return ToolResult(name, or_null(fields.get("content")), fields.text("call_id"), failed, place)
    if "arguments" in fields.value:
        return named_call(fields.value, place)
    data = fields.text("data")
    if data is not None:
        return Media("image/*", decoded_size(data), place=place, data=data)
    return Unknown("content", item, place)


IMPLEMENTATION = Implementation(read=read)
