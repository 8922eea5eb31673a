"""Sessions of Claude Code, their sub-agents and given up branches, as conversations; also the stream of a run.

There is no public description of the lines: what is read was seen in files of versions 1.0 to 2.1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.parts import Part, Text, ToolCall, ToolResult, Unknown
from trace_inspector.core.trace.trace import Agent, Event, ParentCall, Trace, Turn
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.values import Json
from trace_inspector.formats.coding.claude_code.lines import (
    BOOKKEEPING,
    SessionLine,
    first_words,
    is_spoken,
    lines_in,
)
from trace_inspector.formats.coding.claude_code.replies import (
    Replies,
    line_extras,
    spoken_parts,
    tokens_of,
    words_of,
)
from trace_inspector.formats.coding.claude_code.sub_agents import Started, starts_in, starts_in_record
from trace_inspector.formats.coding.claude_code.threads import SessionThread, threads_of
from trace_inspector.formats.common.abandoned import abandoned_branches
from trace_inspector.formats.common.bookkeeping import Bookkeeping, bookkeeping_finding
from trace_inspector.formats.common.extras import stated_extras
from trace_inspector.formats.common.fields import Report, number_of, or_null
from trace_inspector.formats.common.format import Implementation, Source
from trace_inspector.formats.common.message_parts import content_parts, typed_part
from trace_inspector.formats.common.record_counts import RecordCounts
from trace_inspector.formats.common.span_attributes import from_text
from trace_inspector.formats.common.turn_flow import TurnFlow

_PROGRAM = "claude-code"
_OF_THE_SESSION = ("cwd", "gitBranch", "version", "entrypoint", "slug")
_TITLES = (("custom-title", "customTitle"), ("ai-title", "aiTitle"), ("summary", "summary"))
_KNOWN_EVENTS = frozenset(
    {
        "api_error", "api_refusal", "away_summary", "bridge_status", "compact_boundary", "error", "informational",
        "init", "local_command", "microcompact_boundary", "model_refusal", "session_start", "status",
        "stop_hook_summary", "task_notification", "task_started", "turn_duration", "hook_started",
        "hook_response", "task_progress",
    }
)  # fmt: skip


def read(source: Source) -> Iterator[Item]:
    """Sessions as traces, each with its branches that were given up behind it, then the sub-agents."""
    report, counts = Report(), RecordCounts()
    lines = list(_once(lines_in(source.value, source.place, report), counts))
    threads = threads_of(lines, source.stem or "session")
    started = starts_in(threads)
    dead = [thread for thread in threads if thread.is_abandoned]
    readers = [_ThreadReader(thread, source, counts) for thread in threads]
    for reader in readers:
        yield from reader.items(started)
    if dead:
        report.add(abandoned_branches(len(dead), dead[0].lines[0].place))
    report.take(bookkeeping_finding(reader.book for reader in readers))
    yield counts.finding()
    yield from report.drain()


def _once(lines: Iterator[SessionLine], counts: RecordCounts) -> Iterator[SessionLine]:
    """Each line once: a session that goes on in another file is copied there, now and then twice."""
    seen: dict[str, SessionLine] = {}
    for line in lines:
        before = seen.setdefault(line.uuid, line) if line.uuid is not None else line
        if before is not line and before.fields.value == line.fields.value:
            counts.understood()
        else:
            yield line


@dataclass(slots=True)
class _ThreadReader:
    """One thread on its way to a trace with turns."""

    thread: SessionThread
    source: Source
    counts: RecordCounts
    book: Bookkeeping = field(default_factory=Bookkeeping)
    flow: TurnFlow = field(default_factory=TurnFlow)
    turns: list[Turn] = field(default_factory=list)
    extras: list[Extra] = field(default_factory=list)
    tools: tuple[Json, ...] = ()
    instruction: str = ""
    replies: Replies = field(init=False)
    uuids: frozenset[str] = frozenset()
    titles: dict[str, str] = field(default_factory=dict)

    def items(self, started: dict[str, Started]) -> Iterator[Item]:
        """The trace, then its turns."""
        thread = self.thread
        start = started.get(thread.id) if thread.is_side else None
        author = (start.name if start is not None else "") or (_PROGRAM if not thread.is_side else "sub-agent")
        self.uuids = frozenset(line.uuid for line in thread.lines if line.uuid is not None)
        self.replies = Replies(author, tokens_of(thread.lines), thread.lines)
        for line in thread.lines:
            self.source.tick()
            _READ.get(line.kind, _ThreadReader.other)(self, line)
            self.flow.note(line.time_s if line.is_message else None)
        self.turns += self.flow.finish()
        parent = None
        if thread.is_side:
            parent = ParentCall(*(start.parent if start is not None else (thread.session, thread.call or None)))
        titles = [self.titles[kind] for kind, _key in _TITLES if kind in self.titles]
        yield Trace(
            thread.id,
            agents=(Agent(author, self.instruction, tools=self.tools, place=thread.lines[0].place),),
            session_id=thread.session if not thread.is_side and not thread.is_abandoned and thread.session else None,
            app=_PROGRAM,
            title=titles[0] if titles else start.title if start is not None else "",
            extras=(*_first_stated(thread), *self.extras, *self.book.extras()),
            place=thread.lines[0].place,
            parent=parent,
            abandoned=thread.is_abandoned,
        )
        yield from self.turns

    def user(self, line: SessionLine) -> None:
        """What a person said, what tools answered, or what the program put there."""
        parts = spoken_parts(line)
        text = line.fields.text("message")
        if not parts and text is None:
            self.other(line)
            return
        self.counts.understood()
        if is_spoken(line):
            self._ask(parts, line)
        elif text is None and first_words(line) is None:
            self._happen(self.replies.answered(line, parts))
        else:
            self._beside(line, parts if text is None else (Text(text, line.fields.pointer("message")),))

    def assistant(self, line: SessionLine) -> None:
        """A reply of the model, or a part of one."""
        self.counts.understood()
        if line.fields.value.get("isApiErrorMessage") is True:
            self._beside(line, (), error=words_of(spoken_parts(line)) or "The service answered with an error.")
            return
        event = self.replies.take(line, self.flow.events)
        if event is not None:
            self._happen(event)

    def system(self, line: SessionLine) -> None:
        """Something that the program says: an error, a compaction, how long the turn took."""
        kind = line.fields.text("subtype") or "system"
        content = line.fields.text("content") or words_of(spoken_parts(line))
        if kind not in _KNOWN_EVENTS and not content:
            self.counts.unknown(f"system {kind}", line.place)
        else:
            self.counts.understood()
        duration = number_of(line.fields.get("durationMs"))
        if kind == "turn_duration" and duration is not None and duration >= 0 and self.flow.is_open:
            self.flow.last(duration / 1000)
        elif kind == "init":
            listed = line.fields.get("tools")
            self.tools = tuple(listed) if isinstance(listed, list) else self.tools
            self.extras += stated_extras(line.fields, "type", "subtype", "session_id", "tools", "uuid")
        else:
            error = _error_of(line) if kind in ("api_error", "error") else None
            holder = line.fields if "content" in line.fields.value else line.message
            text = Text(content, holder.pointer("content")) if content else None
            if content and line.message.value and not self.flow.is_open:
                self.instruction = content
            elif text is not None or error is not None:
                self._beside(line, () if text is None else (text,), error=error)
            elif kind in _KNOWN_EVENTS:
                self._add(Extra(kind, line.fields.value, line.place))
            else:
                self._beside(line, (_raw(kind, line),))

    def attachment(self, line: SessionLine) -> None:
        """What the program gives the model to read along; words that waited in the queue are the user's."""
        attached = line.fields.object("attachment")
        if attached is None:
            self.other(line)
            return
        self.counts.understood()
        kind = attached.text("type") or "attachment"
        prompt = tuple(content_parts(or_null(attached.get("prompt")), attached.pointer("prompt")))
        if kind == "queued_command" and prompt:
            self._beside(line, prompt, author="user")
        else:
            self._add(Extra(kind, attached.value, attached.place))

    def summary(self, line: SessionLine) -> None:
        """A name for the conversation; or, with a message, what is left of a longer one."""
        self.counts.understood()
        text = line.fields.text("summary")
        if text is not None:
            if "summary" not in self.titles or line.fields.text("leafUuid") in self.uuids:
                self.titles["summary"] = text
            self._keep(line)
        else:
            self._beside(line, spoken_parts(line) or (_raw("summary", line),))

    def result(self, line: SessionLine) -> None:
        """How a run ended: the end of a stream, or of a turn in it."""
        self.counts.understood()
        duration = number_of(line.fields.get("duration_ms"))
        if self.flow.is_open and duration is not None and duration >= 0:
            self.flow.last(duration / 1000)
        if line.fields.value.get("is_error") is True:
            sentence = line.fields.text("result") or line.fields.text("subtype") or "The run ended with an error."
            self._beside(line, (), error=sentence)
        self.extras += stated_extras(line.fields, "type", "session_id", "uuid", "result")
        self._end_turn(self.flow.finish())

    def tool(self, line: SessionLine) -> None:
        """A call with its result on one line, as other programs write in this form."""
        message = line.message
        name = message.text("tool_name")
        if name is None:
            self.other(line)
            return
        self.counts.understood()
        call = ToolCall(name, from_text(or_null(message.get("tool_input"))), place=message.place)
        self._happen(Event(self.replies.author, (call,), "model", line.time_s, id=line.uuid, place=line.place))
        failed = message.text("status") in ("error", "failed")
        value = or_null(message.get("tool_output"))
        result = ToolResult(name, value, is_error=failed, place=message.pointer("tool_output"))
        self._happen(Event(self.replies.author, (result,), "tool", line.time_s, place=message.place))

    def lone_block(self, line: SessionLine) -> None:
        """A call or a result on a line of its own, without a message around it."""
        self.counts.understood()
        part = typed_part(line.fields.value, line.place)
        role = "tool" if isinstance(part, ToolResult) else "model"
        self._happen(Event(self.replies.author, (part,), role, line.time_s, id=line.uuid, place=line.place))

    def bookkeeping(self, line: SessionLine) -> None:
        """Something of the program or the session as a whole."""
        self.counts.understood()
        self._keep(line)
        for kind, key in _TITLES:
            if line.kind == kind and (title := line.fields.text(key)):
                self.titles[kind] = title

    def other(self, line: SessionLine) -> None:
        """A line of a kind that nobody knows here."""
        self.counts.unknown(line.kind, line.place)
        self._beside(line, (_raw(line.kind or "line", line),))

    def _keep(self, line: SessionLine) -> None:
        self.book.keep(line.kind, line.fields.value, line.place)

    def _add(self, extra: Extra) -> None:
        """Something that the program says: of the turn, if one is open."""
        if self.flow.is_open:
            self.flow.add(extra)
        else:
            self.extras.append(extra)

    def _ask(self, parts: tuple[Part, ...], line: SessionLine) -> None:
        self._end_turn(self.flow.ask(parts, turn_id=line.uuid, time_s=line.time_s, place=line.place))
        for extra in line_extras(line):
            self.flow.add(extra)

    def _end_turn(self, ended: Iterator[Turn]) -> None:
        for turn in ended:
            self.turns.append(turn)
            self.replies.next_turn()

    def _happen(self, event: Event) -> None:
        self.flow.happen(event)

    def _beside(
        self, line: SessionLine, parts: tuple[Part, ...], *, error: str | None = None, author: str = "system"
    ) -> None:
        """An event that is neither the user's nor the model's; before anything is said it stands beside the turns."""
        if not self.flow.is_open:
            self.extras.append(Extra(line.fields.text("subtype") or line.kind, line.fields.value, line.place))
            return
        role = "user" if author == "user" else "system"
        shown = line_extras(line) if line.is_message else stated_extras(line.fields, *_SHOWN_OTHERWISE)
        self.flow.happen(
            Event(author, parts, role, line.time_s, error=error, id=line.uuid, extras=shown, place=line.place)
        )


_SHOWN_OTHERWISE = (
    "type", "uuid", "parentUuid", "logicalParentUuid", "sessionId", "timestamp", "cwd", "version", "gitBranch",
    "isSidechain", "userType", "slug", "entrypoint", "agentId", "attachment", "content", "message", "summary",
    "level", "isMeta", "sessionKind",
)  # fmt: skip
_READ: dict[str, Callable[[_ThreadReader, SessionLine], None]] = {
    **dict.fromkeys(BOOKKEEPING, _ThreadReader.bookkeeping),
    "user": _ThreadReader.user,
    "assistant": _ThreadReader.assistant,
    "system": _ThreadReader.system,
    "attachment": _ThreadReader.attachment,
    "summary": _ThreadReader.summary,
    "result": _ThreadReader.result,
    "tool": _ThreadReader.tool,
    "tool_use": _ThreadReader.lone_block,
    "tool_result": _ThreadReader.lone_block,
}


def _raw(kind: str, line: SessionLine) -> Unknown:
    return Unknown(kind, dict(line.fields.value), line.place)


def _error_of(line: SessionLine) -> str:
    error = line.fields.get("error")
    if isinstance(error, str):
        return error
    inner = line.fields.object("error")
    for _ in range(3):  # {"error": {"error": {"message": …}}}
        if inner is None:
            break
        if message := inner.text("message") or inner.text("formatted"):
            return message
        inner = inner.object("error")
    return line.fields.text("content") or "The service answered with an error."


def _first_stated(thread: SessionThread) -> Iterator[Extra]:
    """What all lines of a session say, as the first says it."""
    for name in _OF_THE_SESSION:
        for line in thread.lines:
            if (value := line.fields.text(name)) is not None:
                yield Extra(name, value, line.fields.pointer(name))
                break


IMPLEMENTATION = Implementation(read=read, starts_in=starts_in_record)
