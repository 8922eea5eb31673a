"""Sessions of GitHub Copilot CLI: `copilot-cli`, with a conversation for each sub-agent.

The events are those of session-events.ts of github/copilot-sdk, MIT.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct, field
from msgspec.structs import replace

from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.parts import Part, Text, Thought, ToolCall, ToolResult, Unknown
from trace_inspector.core.trace.trace import Agent, Event, ParentCall, Trace, Turn, Usage
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.values import ABSENT, Absent, Json
from trace_inspector.formats.common.abandoned import abandoned_branches
from trace_inspector.formats.common.bookkeeping import Bookkeeping, bookkeeping_finding
from trace_inspector.formats.common.chat_flow import AGENT, SYSTEM, TOOL
from trace_inspector.formats.common.extras import stated_extras
from trace_inspector.formats.common.fields import Fields, Report, count_of, or_null
from trace_inspector.formats.common.format import Implementation, Source
from trace_inspector.formats.common.record_counts import RecordCounts
from trace_inspector.formats.common.span_attributes import from_text
from trace_inspector.formats.common.times import seconds_of
from trace_inspector.formats.common.turn_flow import TurnFlow

_PROGRAM = "copilot-cli"
_OF_A_MESSAGE = (
    "content", "role", "messageId", "model", "toolRequests", "reasoningText", "outputTokens", "parentToolCallId",
    "transformedContent",
)  # fmt: skip
_OF_A_RESULT = ("toolCallId", "success", "result", "error", "parentToolCallId", "model", "interactionId", "turnId")
_REWOUND = "session.snapshot_rewind"
_ADDED = ("skill-", "agent-")  # how the source of a message begins that no person wrote
_PARTS_OF_THE_PROGRAM = (
    "session.", "assistant.", "hook.", "permission.", "subagent.", "tool.", "skill.", "system.", "user.", "mcp.",
    "pending_messages.", "tool_search.", "model.",
)  # fmt: skip


class _CopilotEvent(Struct, frozen=True):
    """One line, and what it holds."""

    kind: str
    fields: Fields
    data: Fields
    agent: str = ""  # the sub-agent whose event it is, named by the call that started it


class _CopilotEvents(Struct):
    """The events as they stand in the end, in the order of the file."""

    kept: list[_CopilotEvent] = field(default_factory=list)
    taken_back: list[list[_CopilotEvent]] = field(default_factory=list)

    def of_agent(self, agent: str) -> list[_CopilotEvent]:
        """The events of one sub-agent, of the main agent by ""."""
        return [event for event in self.kept if event.agent == agent]

    def sub_agents(self) -> list[str]:
        """Every sub-agent, in the order in which they began."""
        return list(dict.fromkeys(event.agent for event in self.kept if event.agent))


def _events_in(listed: Iterable[Fields]) -> _CopilotEvents:
    """All lines as events; a rewind takes back those from the event that it names."""
    events = _CopilotEvents()
    by_id: dict[str, int] = {}  # the first of those that are kept
    for fields in listed:
        data = fields.object("data") or Fields({}, fields.place)
        agent = fields.text("agentId") or data.text("parentToolCallId") or ""
        event = _CopilotEvent(fields.text("type") or "", fields, data, agent)
        first = data.text("upToEventId") if event.kind == _REWOUND else None
        place = by_id.get(first) if first else None
        if place is not None:
            gone = events.kept[place:]
            events.taken_back.append(gone)
            del events.kept[place:]
            for number, each in enumerate(gone, place):
                if by_id.get(name := each.fields.text("id") or "") == number:
                    del by_id[name]
        if (identity := fields.text("id")) is not None:
            by_id.setdefault(identity, len(events.kept))
        events.kept.append(event)
    return events


def read(source: Source) -> Iterator[Item]:
    """The session as a trace, then its sub-agents and what somebody went back from."""
    report, counts = Report(), RecordCounts()
    value = source.value
    listed = [Fields(value, "")] if isinstance(value, dict) else report.bounded_list(value, "")
    events = _events_in(listed)
    main = _EventTurns(source, counts)
    turns = list(main.turns(events.of_agent("")))
    identity = main.session or source.stem or "session"
    books = [main.book]
    yield Trace(
        identity,
        agents=(Agent(_PROGRAM, main.instruction),),
        session_id=identity,
        app=_PROGRAM,
        title=main.title,
        extras=(*main.extras, *main.book.extras()),
    )
    yield from turns
    for name in events.sub_agents():
        calls = {name: main.calls[name]} if name in main.calls else {}
        reader = _EventTurns(source, counts, calls)
        own = events.of_agent(name)
        told = list(reader.turns(own))
        yield Trace(
            name,
            agents=(Agent(reader.name or "sub-agent", reader.instruction),),
            app=_PROGRAM,
            title=reader.title,
            extras=(*reader.extras, *reader.book.extras()),
            place=own[0].fields.place,
            parent=ParentCall(identity, name),
        )
        yield from told
        books.append(reader.book)
    for number, gone in enumerate(events.taken_back):
        place = gone[0].fields.place
        yield Trace(f"{identity}~{number + 1}", app=_PROGRAM, place=place, abandoned=True)
        yield from _EventTurns(source, counts).turns(gone)
    if events.taken_back:
        report.add(abandoned_branches(len(events.taken_back), events.taken_back[0][0].fields.place))
    report.take(bookkeeping_finding(books))
    yield counts.finding()
    yield from report.drain()


class _EventTurns(Struct):
    """Makes turns of the events of one agent."""

    source: Source
    counts: RecordCounts
    calls: dict[str, ToolCall] = field(default_factory=dict)
    flow: TurnFlow = field(default_factory=TurnFlow)
    book: Bookkeeping = field(default_factory=Bookkeeping)
    extras: list[Extra] = field(default_factory=list)
    session: str = ""
    title: str = ""
    name: str = ""
    instruction: str = ""
    _started: dict[str, float] = field(default_factory=dict)
    _waiting: Usage | None = None  # tokens that are told before the reply they belong to

    def turns(self, events: list[_CopilotEvent]) -> Iterator[Turn]:
        """The turns, in order."""
        for event in events:
            self.source.tick()
            if event.kind == "user.message" and not _is_added(event.data):
                self.counts.understood()
                yield from self._user(event)
            elif event.kind in _READ:
                self.counts.understood()
                _READ[event.kind](self, event)
            elif event.kind.startswith(_PARTS_OF_THE_PROGRAM) or event.fields.value.get("ephemeral") is True:
                self.counts.understood()
                self._keep(event)
            else:
                self.counts.unknown(event.kind, event.fields.place)
                unknown = Unknown(event.kind or "event", dict(event.fields.value), event.fields.place)
                self._happen(event, "system", (unknown,), SYSTEM)
        yield from self.flow.finish()

    def _user(self, event: _CopilotEvent) -> Iterator[Turn]:
        words = (Text(event.data.text("content") or "", event.data.pointer("content")),)
        identity, time_s = event.fields.text("id"), _time(event)
        yield from self.flow.ask(words, turn_id=identity, time_s=time_s, place=event.fields.place)
        for extra in stated_extras(event.data, *_OF_A_MESSAGE):
            self.flow.add(extra)

    def added(self, event: _CopilotEvent) -> None:
        """What the program says, or says in somebody's name."""
        content = event.data.text("content") or event.data.text("summaryContent")
        if event.kind == "system.message" and content and not self.flow.is_open and not self.instruction:
            self.instruction = content
        elif content:
            key = "content" if event.data.text("content") else "summaryContent"
            self._happen(event, "system", (Text(content, event.data.pointer(key)),), SYSTEM)
        else:
            self._keep(event)

    def start(self, event: _CopilotEvent) -> None:
        """The head of a session."""
        self.session = self.session or event.data.text("sessionId") or event.fields.text("sessionId") or ""
        self.extras += stated_extras(event.data, "sessionId")
        if event.kind == "result":
            self.extras += stated_extras(event.fields, "type", "sessionId", "timestamp")

    def named(self, event: _CopilotEvent) -> None:
        """What a session or a sub-agent is called; a sub-agent does what the call that started it asks."""
        self.title = event.data.text("title") or event.data.text("agentDisplayName") or self.title
        self.name = event.data.text("agentName") or self.name
        call = self.calls.get(event.data.text("toolCallId") or "")
        prompt = call.args.get("prompt") if call is not None and isinstance(call.args, dict) else None
        if event.agent and call is not None and isinstance(prompt, str) and not self.flow.is_open:
            asked = (Text(prompt, call.place),)
            list(self.flow.ask(asked, time_s=_time(event), place=event.fields.place))
        self._keep(event)

    def reply(self, event: _CopilotEvent) -> None:
        """What the model said and called."""
        data, parts = event.data, list[Part]()
        if thought := data.text("reasoningText"):
            parts.append(Thought(thought, data.pointer("reasoningText")))
        if words := data.text("content"):
            parts.append(Text(words, data.pointer("content")))
        for request in data.objects("toolRequests"):
            name, identity = request.text("name") or "", request.text("toolCallId")
            call = ToolCall(name, _arguments(request), identity, request.place)
            parts.append(call)
            if identity is not None:
                self.calls[identity] = call
        answer = count_of(data.get("outputTokens"))
        usage = self._waiting or (Usage(candidates=answer) if answer is not None else None)
        self._waiting = None
        self._happen(event, self.name or _PROGRAM, tuple(parts), AGENT, usage, data.text("model"))

    def usage(self, event: _CopilotEvent) -> None:
        """Tokens of the reply before, or of the next one where the one before has its own."""
        data = event.data
        names = ("outputTokens", "reasoningTokens", "cacheReadTokens", "cacheWriteTokens", "inputTokens")
        answer, thoughts, read, written, prompt = (count_of(data.get(name)) for name in names)
        spoken = answer if answer is None or thoughts is None else max(0, answer - thoughts)
        usage = Usage(prompt, None, spoken, thoughts, read, cache_written=written)
        events = self.flow.events
        last = next((number for number in reversed(range(len(events))) if events[number].role == AGENT), None)
        before = events[last].usage if last is not None else None
        if last is None or (before is not None and before.prompt is not None):
            self._waiting = usage
        else:
            events[last] = replace(events[last], usage=usage)

    def call(self, event: _CopilotEvent) -> None:
        """A call that begins; one that no reply asked for came from the person."""
        identity, time_s = event.data.text("toolCallId") or "", _time(event)
        if time_s is not None:
            self._started[identity] = time_s
        if identity not in self.calls:
            call = ToolCall(event.data.text("toolName") or "", _arguments(event.data), identity, event.fields.place)
            self.calls[identity] = call
            self._happen(event, self.name or _PROGRAM, (call,), AGENT)

    def result(self, event: _CopilotEvent) -> None:
        """What a tool answered."""
        data, identity = event.data, event.data.text("toolCallId")
        failed = data.value.get("success") is False
        owner = data.object("error" if failed else "result") or data
        key = "message" if failed and owner is not data else "content"
        call = self.calls.get(identity or "")
        value = or_null(owner.get(key)) if owner is not data else or_null(data.get("result"))
        part = ToolResult(call.name if call else "", value, identity, failed, owner.place)
        started, time_s = self._started.pop(identity or "", None), _time(event)
        took = time_s - started if started is not None and time_s is not None and time_s >= started else None
        self.flow.happen(
            Event(
                self.name or _PROGRAM,
                (part,),
                TOOL,
                time_s,
                took,
                id=event.fields.text("id"),
                extras=stated_extras(data, *_OF_A_RESULT),
                place=event.fields.place,
            )
        )

    def failure(self, event: _CopilotEvent) -> None:
        """Something that went wrong, or was stopped."""
        data = event.data
        words = next(
            (text for name in ("message", "errorMessage", "reason", "error") if (text := data.text(name))), ""
        )
        self._happen(event, "system", (), SYSTEM, error=words or "Something went wrong.")

    def _keep(self, event: _CopilotEvent) -> None:
        self.book.keep(event.kind, dict(event.data.value), event.data.place)

    def _happen(
        self,
        event: _CopilotEvent,
        author: str,
        parts: tuple[Part, ...],
        role: str,
        usage: Usage | None = None,
        model: str | None = None,
        error: str | None = None,
    ) -> None:
        beside = stated_extras(event.data, *_OF_A_MESSAGE) if role == AGENT else ()
        self.flow.happen(
            Event(
                author,
                parts,
                role,
                _time(event),
                usage=usage,
                model=model,
                error=error,
                id=event.fields.text("id"),
                extras=beside,
                place=event.fields.place,
            )
        )


_READ: dict[str, Callable[[_EventTurns, _CopilotEvent], None]] = {
    "session.start": _EventTurns.start,
    "result": _EventTurns.start,
    "assistant.message": _EventTurns.reply,
    "assistant.usage": _EventTurns.usage,
    "tool.execution_start": _EventTurns.call,
    "tool.execution_complete": _EventTurns.result,
    **dict.fromkeys(("session.title_changed", "subagent.started"), _EventTurns.named),
    **dict.fromkeys(("user.message", "system.message", "session.compaction_complete"), _EventTurns.added),
    **dict.fromkeys(("session.error", "model.call_failure", "abort", "subagent.failed"), _EventTurns.failure),
    _REWOUND: _EventTurns._keep,
}


def _is_added(data: Fields) -> bool:
    return data.value.get("isAutopilotContinuation") is True or (data.text("source") or "").startswith(_ADDED)


def _time(event: _CopilotEvent) -> float | None:
    return seconds_of(or_null(event.fields.get("timestamp")))


def _arguments(owner: Fields) -> Json | Absent:
    """The arguments of a call, which editors write as JSON in a text."""
    stated = owner.get("arguments")
    return ABSENT if stated is ABSENT else from_text(or_null(stated))


IMPLEMENTATION = Implementation(read=read)
