"""Which call of which conversation started a sub-agent."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

from msgspec import Struct

from trace_inspector.core.values.values import Json
from trace_inspector.formats.coding.claude_code.lines import SessionLine, is_spoken, line_of
from trace_inspector.formats.coding.claude_code.replies import spoken_parts, words_of
from trace_inspector.formats.coding.claude_code.threads import SessionThread
from trace_inspector.formats.common.fields import Fields

_STARTING = ("Task", "Agent")  # the names of the tool, before and since version 2.1


class Started(Struct, frozen=True):
    """A sub-agent: the conversation and the call that started it, its kind and what it was to do in a few words."""

    parent: tuple[str, str | None]
    name: str = ""
    title: str = ""


class _Call(Struct, frozen=True):
    thread: str
    id: str | None
    prompt: str
    name: str
    title: str


def starts_in(threads: Sequence[SessionThread]) -> dict[str, Started]:
    """The start of each sub-agent of a file, by the id of its conversation, as far as the file tells it."""
    calls = [call for thread in threads for call in _calls(thread)]
    by_id = {call.id: call for call in calls if call.id is not None}
    by_agent = dict(_answers(threads))
    asked: dict[str, deque[_Call]] = {}
    for each in calls:
        asked.setdefault(each.prompt.strip(), deque()).append(each)
    started: dict[str, Started] = {}
    for thread in threads:
        if not thread.is_side:
            continue
        call = by_id.get(thread.call or by_agent.get(thread.agent, ""))
        if call is None:
            task = next((words_of(spoken_parts(line)) for line in thread.lines if is_spoken(line)), "").strip()
            waiting = asked.get(task) if task else None
            call = waiting.popleft() if waiting else None
        if call is None or call.thread == thread.id:
            continue
        started[thread.id] = Started((call.thread, call.id), call.name, call.title)
    return started


def starts_in_record(record: Json) -> Iterator[tuple[str, str]]:
    """The sub-agents that one line names with the call that started each."""
    if isinstance(record, dict):
        yield from _named_in(line_of(Fields(record, "")))


def _calls(thread: SessionThread) -> Iterator[_Call]:
    for line in thread.lines:
        if line.kind != "assistant":
            continue
        for block in line.message.objects("content"):
            if block.value.get("type") == "tool_use" and block.text("name") in _STARTING:
                given = block.object("input") or Fields({}, block.place)
                yield _Call(
                    thread.id,
                    block.text("id"),
                    given.text("prompt") or "",
                    given.text("subagent_type") or "",
                    given.text("description") or "",
                )


def _answers(threads: Sequence[SessionThread]) -> Iterator[tuple[str, str]]:
    """Sub-agents with the calls that their results, or reports on the way, name."""
    for thread in threads:
        for line in thread.lines:
            yield from _named_in(line)


def _named_in(line: SessionLine) -> Iterator[tuple[str, str]]:
    if line.kind == "progress" and (data := line.fields.object("data")) is not None:
        reported, started_by = data.text("agentId"), line.fields.text("parentToolUseID")
        if reported and started_by:
            yield reported, started_by
    if line.kind != "user":
        return
    result = line.fields.object("toolUseResult")
    agent = (result.text("agentId") if result is not None else None) or ("" if line.is_side else line.agent)
    if not agent:
        return
    for block in line.message.objects("content"):
        if block.value.get("type") == "tool_result" and (call := block.text("tool_use_id")):
            yield agent, call
