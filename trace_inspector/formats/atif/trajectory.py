"""ATIF trajectories, of any version 1: steps of user, agent and system become turns; sub-agents are their own traces.

The fields are those of Harbor's description of the format, docs/rfcs/0001-trajectory-format.md there.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from trace_inspector.core.finding import error, info
from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.parts import Part, Text, Thought, ToolCall, ToolResult, Unknown
from trace_inspector.core.trace.trace import Agent, Event, ParentCall, Trace, Turn, Usage
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.values import ABSENT, Json
from trace_inspector.formats.atif.trajectory_writer import write
from trace_inspector.formats.common.content import is_failure
from trace_inspector.formats.common.extras import extras_of
from trace_inspector.formats.common.fields import Fields, Report, count_of
from trace_inspector.formats.common.format import Implementation, Source
from trace_inspector.formats.common.message_parts import content_parts
from trace_inspector.formats.common.record_counts import RecordCounts
from trace_inspector.formats.common.times import seconds_of
from trace_inspector.formats.common.turn_flow import TurnFlow

_SOURCES = ("user", "agent", "system")
_DEEPEST = 8  # sub-agents of sub-agents
_OF_A_TRAJECTORY = ("schema_version", "session_id", "trajectory_id", "agent", "steps", "subagent_trajectories")
_OF_AN_AGENT = ("name", "tool_definitions")
_OF_A_STEP = (
    "step_id", "timestamp", "source", "message", "reasoning_content", "model_name", "tool_calls", "observation",
    "metrics", "is_copied_context",
)  # fmt: skip
_OF_METRICS = ("prompt_tokens", "completion_tokens", "cached_tokens")
_OF_A_RESULT = ("source_call_id", "content", "subagent_trajectory_ref")


def read(source: Source) -> Iterator[Item]:
    """Each trajectory as a trace, those of its sub-agents after it."""
    report, counts = Report(), RecordCounts()
    whole = [Fields(source.value, "")] if isinstance(source.value, dict) else report.bounded_list(source.value, "")
    for number, fields in enumerate(whole):
        name = source.stem or "trajectory"
        yield from _Reader(source, report, counts).trajectory(fields, f"{name}-{number + 1}" if number else name)
    yield counts.finding()
    yield from report.drain()


class _Reader(Struct, frozen=True):
    source: Source
    report: Report
    counts: RecordCounts

    def trajectory(
        self, fields: Fields, name: str, parent: ParentCall | None = None, depth: int = 0
    ) -> Iterator[Item]:
        agent = fields.object("agent") or Fields({}, fields.pointer("agent"))
        identity = fields.text("trajectory_id") or fields.text("session_id") or name
        steps = self.report.bounded(fields, "steps")
        copied = [step for step in steps if step.get("is_copied_context") is True]
        told = [step for step in steps if step.get("is_copied_context") is not True]
        opening = _opening(told)
        author = agent.text("name") or "agent"
        tools = agent.get("tool_definitions")
        described = Agent(
            author,
            instruction="\n\n".join(_words(step) for step in opening),
            tools=tuple(tools) if isinstance(tools, list) else (),
            place=agent.place,
        )
        yield Trace(
            identity,
            agents=(described,),
            session_id=None if parent else fields.text("session_id"),
            app=author,
            extras=(*_beside(fields, _OF_A_TRAJECTORY), *_beside(agent, _OF_AN_AGENT), *_copied(copied)),
            place=fields.place,
            parent=parent,
        )
        if copied:
            message = (
                f"{len(copied)} steps repeat an earlier file; they are shown beside the conversation and not counted."
            )
            self.report.add(info("copied-context", message, copied[0].place))
        self.counts.understood(len(copied) + len(opening))
        flow, started = TurnFlow(), dict[str, str | None]()
        for step in told[len(opening) :]:
            self.source.tick()
            yield from self._step(step, author, flow, started)
        yield from flow.finish()
        yield from self._sub_agents(fields, identity, started, depth)

    def _step(self, step: Fields, author: str, flow: TurnFlow, started: dict[str, str | None]) -> Iterator[Turn]:
        said_by, time_s = _said_by(step), seconds_of(_value(step, "timestamp"))
        place = step.place
        parts = tuple(content_parts(_value(step, "message"), step.pointer("message")))
        if said_by == "user":
            yield from flow.ask(parts, time_s=time_s, place=place)
            for extra in extras_of(step, *_OF_A_STEP):
                flow.add(extra)
        elif said_by in ("agent", "system"):
            flow.happen(_event(step, author if said_by == "agent" else "system", said_by, parts, time_s))
        else:
            self.counts.unknown(f"step of {said_by or 'nobody'}", place)
            flow.happen(
                Event(said_by or "", (Unknown("step", dict(step.value), place),), "system", time_s, place=place)
            )
            return
        self.counts.understood()
        observation = step.object("observation")
        results = self.report.bounded(observation, "results") if observation is not None else []
        if observation is not None and results:
            names = {
                call.text("tool_call_id"): call.text("function_name") or "" for call in step.objects("tool_calls")
            }
            answers = tuple(_result(result, names) for result in results)
            flow.happen(Event(author, answers, "tool", time_s, place=observation.place))
        for result in results:
            for reference in result.objects("subagent_trajectory_ref"):
                for key in ("trajectory_id", "session_id"):
                    if identity := reference.text(key):
                        started.setdefault(identity, result.text("source_call_id"))

    def _sub_agents(self, fields: Fields, parent: str, started: dict[str, str | None], depth: int) -> Iterator[Item]:
        embedded = self.report.bounded(fields, "subagent_trajectories")
        if embedded and depth >= _DEEPEST:
            message = f"Sub-agents more than {_DEEPEST} deep are not read."
            self.report.add(error("too-deep", message, fields.pointer("subagent_trajectories")))
            return
        for number, inner in enumerate(embedded):
            known = [inner.text("trajectory_id"), inner.text("session_id")]
            call = next((started[name] for name in known if name in started), None)
            name = f"{parent}-{number + 1}"
            yield from self.trajectory(inner, name, ParentCall(parent, call), depth + 1)


def _said_by(step: Fields) -> str | None:
    """Whose step it is; what a model took, or called, is the agent's even where the source was blacked out."""
    stated = step.text("source")
    if stated not in _SOURCES and (step.object("metrics") is not None or step.objects("tool_calls")):
        return "agent"
    return stated


def _event(step: Fields, author: str, source: str, parts: tuple[Part, ...], time_s: float | None) -> Event:
    thought = step.text("reasoning_content")
    thoughts = (Thought(thought, step.pointer("reasoning_content")),) if thought else ()
    calls = tuple(
        ToolCall(call.text("function_name") or "", call.get("arguments"), call.text("tool_call_id"), call.place)
        for call in step.objects("tool_calls")
    )
    metrics = step.object("metrics")
    return Event(
        author,
        (*thoughts, *parts, *calls),
        "model" if source == "agent" else "system",
        time_s,
        usage=_usage(metrics) if metrics is not None else None,
        model=step.text("model_name"),
        id=_id_of(step),
        extras=(*extras_of(step, *_OF_A_STEP), *(_beside(metrics, _OF_METRICS) if metrics is not None else ())),
        place=step.place,
    )


def _usage(metrics: Fields) -> Usage | None:
    prompt, completion, cached = (count_of(metrics.get(name)) for name in _OF_METRICS)
    if prompt is None and completion is None and cached is None:
        return None
    return Usage(prompt=prompt, candidates=completion, cached=cached)


def _result(fields: Fields, names: dict[str | None, str]) -> ToolResult:
    call = fields.text("source_call_id")
    content = fields.get("content")
    only = next(iter(names.values())) if len(names) == 1 else ""  # the only call of the step is the one answered
    return ToolResult(names.get(call, only), content, call, is_failure(content), fields.place)


def _opening(steps: list[Fields]) -> list[Fields]:
    """The system's steps before anybody speaks: the instruction."""
    opening: list[Fields] = []
    for step in steps:
        if step.text("source") != "system" or step.object("observation") is not None:
            break
        opening.append(step)
    return opening


def _words(step: Fields) -> str:
    parts = content_parts(_value(step, "message"), step.pointer("message"))
    return "\n".join(part.text for part in parts if isinstance(part, Text))


def _copied(steps: list[Fields]) -> tuple[Extra, ...]:
    return (Extra("copied_context", [dict(step.value) for step in steps], steps[0].place),) if steps else ()


def _beside(fields: Fields, names: tuple[str, ...]) -> tuple[Extra, ...]:
    return extras_of(fields, *names)


def _id_of(step: Fields) -> str | None:
    number = step.get("step_id")
    return str(number) if isinstance(number, int | str) and not isinstance(number, bool) else None


def _value(fields: Fields, name: str) -> Json:
    value = fields.get(name)
    return None if value is ABSENT else value


IMPLEMENTATION = Implementation(read=read, write=write)
