"""Messages of mini-SWE-agent: each reply has one command of the shell, each message after it what that returned."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.parts import ToolCall, ToolResult
from trace_inspector.core.trace.trace import Agent, Event, Trace
from trace_inspector.core.values.values import Json
from trace_inspector.formats.coding.swe_agent import RETURNED
from trace_inspector.formats.common.chat_flow import AGENT, TOOL, ChatFlow, instruction_of, speaker_of
from trace_inspector.formats.common.extras import extras_of
from trace_inspector.formats.common.fields import Fields, Report
from trace_inspector.formats.common.format import Source
from trace_inspector.formats.common.record_counts import RecordCounts

_PROGRAM = "mini-swe-agent"
_SHELL = "bash"
_COMMAND = re.compile(r"```(?:mswea_bash_command|bash)[ \t]*\r?\n(.*?)\r?\n?```", re.DOTALL)
_CODE = re.compile(r"<returncode>\s{0,20}(-?\d{1,9})\s{0,20}</returncode>")
_LONGEST = 1_000_000  # characters of a reply in which a command is looked for


def conversation(whole: Fields, value: Json, source: Source, report: Report, counts: RecordCounts) -> Iterator[Item]:
    """The messages as a conversation of one turn: what follows a command is its result."""
    listed = report.bounded_list(value, "") if isinstance(value, list) else report.bounded(whole, "messages")
    instruction, count = instruction_of(listed)
    yield Trace(
        source.stem or "trajectory",
        agents=(Agent(_PROGRAM, instruction),),
        app=_PROGRAM,
        extras=extras_of(whole, "messages"),
        place=whole.place,
    )
    counts.understood(count)
    chat, waiting = ChatFlow(_PROGRAM), ""
    for number, message in enumerate(listed[count:]):
        source.tick()
        if not speaker_of(message):
            counts.unknown(message.text("role") or "message", message.place)
        else:
            counts.understood()
        content, place = message.text("content"), message.pointer("content")
        if waiting and speaker_of(message) == "user" and content is not None:
            chat.flow.happen(Event(_PROGRAM, (_returned(content, waiting, place),), TOOL, place=message.place))
            waiting = ""
            continue
        yield from chat.message(message)
        command = _command_in(content) if speaker_of(message) == AGENT and content is not None else None
        if command is not None and chat.flow.events and not _calls(chat.flow.events[-1]):
            waiting = f"command-{number + 1}"
            args: dict[str, Json] = {"command": command}
            last = chat.flow.events[-1]
            call = ToolCall(_SHELL, args, waiting, place)
            chat.flow.events[-1] = replace(last, parts=(*last.parts, call))
    yield from chat.flow.finish()


def _command_in(content: str) -> str | None:
    found = _COMMAND.search(content[:_LONGEST])
    return found[1] if found else None


def _returned(content: str, call: str, place: str) -> ToolResult:
    code = _CODE.search(content[:200]) if content.startswith(RETURNED) else None
    return ToolResult(_SHELL, content, call, code is not None and code[1] != "0", place)


def _calls(event: Event) -> bool:
    return any(isinstance(part, ToolCall) for part in event.parts)
