"""SWE-agent's trajectories: `swe-agent`, a task, and the commands that an agent gave to solve it."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.parts import Part, Text, ToolCall, ToolResult
from trace_inspector.core.trace.trace import Agent, Event, Trace, Turn, Usage
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.coding.swe_agent.mini import conversation
from trace_inspector.formats.common.chat_flow import AGENT, TOOL
from trace_inspector.formats.common.extras import extras_of
from trace_inspector.formats.common.fields import Fields, Report, count_of
from trace_inspector.formats.common.format import Implementation, Source
from trace_inspector.formats.common.message_parts import content_parts, message_parts
from trace_inspector.formats.common.record_counts import RecordCounts
from trace_inspector.formats.common.span_attributes import from_text
from trace_inspector.formats.common.turn_flow import TurnFlow

_PROGRAM = "swe-agent"
_READ = ("trajectory", "history", "messages")
_OF_A_STEP = ("action", "observation", "response", "thought", "state", "execution_time", "query", "messages")


def read(source: Source) -> Iterator[Item]:
    """The trajectory as a conversation of one turn."""
    report, counts = Report(), RecordCounts()
    value = source.value
    whole = Fields(value if isinstance(value, dict) else {}, "")
    if isinstance(value, list) or not isinstance(whole.get("trajectory"), list):
        yield from conversation(whole, value, source, report, counts)
    else:
        yield from _trajectory(whole, source, report, counts)
    yield counts.finding()
    yield from report.drain()


def _trajectory(whole: Fields, source: Source, report: Report, counts: RecordCounts) -> Iterator[Item]:
    history = report.bounded(whole, "history")
    system = [message for message in history if message.text("role") == "system"]
    asked = next((message for message in history if _is_the_task(message)), None)
    author = next((name for message in history if (name := message.text("agent"))), _PROGRAM)
    yield Trace(
        source.stem or "trajectory",
        agents=(Agent(author, "\n\n".join(map(_words, system))),),
        app=_PROGRAM,
        title=whole.text("environment") or "",
        extras=extras_of(whole, *_READ),
        place=whole.place,
    )
    flow = TurnFlow()
    if asked is not None:
        parts = tuple(content_parts(asked.value.get("content"), asked.pointer("content")))
        yield from flow.ask(parts, place=asked.place)
    calls = _calls_of(history)
    for number, step in enumerate(report.bounded(whole, "trajectory")):
        source.tick()
        counts.understood()
        for event in _step(step, author, calls.get(number, ())):
            flow.happen(event)
    yield from _ended(flow, whole.object("info"))


def _ended(flow: TurnFlow, info: Fields | None) -> Iterator[Turn]:
    """What was handed in is the answer; the tokens of the run stand on it."""
    if info is not None:
        submission, stats = info.text("submission"), info.object("model_stats") or Fields({}, info.place)
        sent, received = count_of(stats.get("tokens_sent")), count_of(stats.get("tokens_received"))
        used = Usage(prompt=sent, candidates=received) if sent or received else None
        reason = info.text("exit_status")
        if submission or used is not None or reason:
            parts = (Text(submission, info.pointer("submission")),) if submission else ()
            flow.happen(Event(_PROGRAM, parts, AGENT, usage=used, finish_reason=reason, place=info.place))
    yield from flow.finish()


def _step(step: Fields, author: str, called: tuple[ToolCall, ...]) -> Iterator[Event]:
    action, thought = (step.text("action") or "").strip(), step.text("thought") or step.text("response") or ""
    calls = called or _command(action, step)
    said: tuple[Part, ...] = (Text(thought.strip(), step.pointer("thought")),) if thought.strip() else ()
    state = from_text(step.value.get("state"))
    delta: JsonObject | None = state if isinstance(state, dict) and state else None
    took = step.number("execution_time")
    yield Event(author, (*said, *calls), AGENT, extras=extras_of(step, *_OF_A_STEP), place=step.place)
    observation = step.text("observation")
    if observation is not None and calls:
        answer = ToolResult(calls[0].name, observation, calls[0].call_id, place=step.pointer("observation"))
        yield Event(author, (answer,), TOOL, duration_s=took, state_delta=delta, place=step.pointer("observation"))
    elif observation:
        words = Text(observation, step.pointer("observation"))
        yield Event("environment", (words,), TOOL, state_delta=delta, place=step.pointer("observation"))


def _command(action: str, step: Fields) -> tuple[ToolCall, ...]:
    """A command of the shell as a call: its first word is the tool, as most commands are tools of the agent."""
    if not action:
        return ()
    name = action.split(maxsplit=1)[0]
    args: dict[str, Json] = {"command": action}
    return (ToolCall(name[:80], args, place=step.pointer("action")),)


def _calls_of(history: list[Fields]) -> dict[int, tuple[ToolCall, ...]]:
    """The calls that the model made by functions, by the number of their step."""
    replies = [message for message in history if message.text("role") == "assistant" and not _is_demo(message)]
    return {
        number: calls
        for number, message in enumerate(replies)
        if (
            calls := tuple(part for part in message_parts(message.value, message.place) if isinstance(part, ToolCall))
        )
    }


def _is_the_task(message: Fields) -> bool:
    return message.text("role") == "user" and not _is_demo(message)


def _is_demo(message: Fields) -> bool:
    return message.value.get("is_demo") is True or message.text("message_type") == "demonstration"


def _words(message: Fields) -> str:
    parts = content_parts(message.value.get("content"), message.place)
    return "\n".join(part.text for part in parts if isinstance(part, Text))


IMPLEMENTATION = Implementation(read=read)
