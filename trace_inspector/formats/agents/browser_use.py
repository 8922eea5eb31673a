"""browser-use: `browser-use`, the history of an agent in a browser, step by step.

The keys are those of AgentHistoryList of browser-use/browser-use, MIT; older versions had thoughts in an object
of their own, and the first one action a step.
"""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.parts import Media, Part, Text, Thought, ToolCall, ToolResult
from trace_inspector.core.trace.trace import Agent, Event, Trace, Usage
from trace_inspector.core.values.values import ABSENT
from trace_inspector.formats.common.chat_flow import AGENT, SYSTEM, TOOL
from trace_inspector.formats.common.content import decoded_size
from trace_inspector.formats.common.extras import stated_extras
from trace_inspector.formats.common.fields import Fields, Report, count_of, or_null
from trace_inspector.formats.common.format import Implementation, Source
from trace_inspector.formats.common.record_counts import RecordCounts
from trace_inspector.formats.common.times import seconds_of
from trace_inspector.formats.common.turn_flow import TurnFlow

_PROGRAM = "browser-use"
_THOUGHTS = ("thinking", "evaluation_previous_goal", "valuation_previous_goal", "memory", "next_goal")
_OF_A_STATE = ("screenshot", "screenshot_path")
_OF_A_RESULT = ("is_done", "extracted_content", "error", "include_in_memory", "include_extracted_content_only_once")
_END = "done"


def read(source: Source) -> Iterator[Item]:
    """The history as a conversation of one turn; what the agent was asked is not in it."""
    report, counts = Report(), RecordCounts()
    whole = Fields(source.value if isinstance(source.value, dict) else {}, "")
    extras = stated_extras(whole, "history")
    yield Trace(source.stem or "history", agents=(Agent(_PROGRAM),), app=_PROGRAM, extras=extras, place=whole.place)
    flow = TurnFlow()
    for number, step in enumerate(report.bounded(whole, "history"), 1):
        source.tick()
        if "model_output" in step.value or "result" in step.value:
            counts.understood()
        else:
            counts.unknown("step", step.place)
        for event in _events(step, number):
            flow.happen(event)
        flow.note(_time(step, "step_end_time"))
    yield from flow.finish()
    yield counts.finding()
    yield from report.drain()


def _events(step: Fields, number: int) -> Iterator[Event]:
    """What was seen, what the model thought and did, what came of it."""
    started, ended = _time(step, "step_start_time"), _time(step, "step_end_time")
    state, output = step.object("state"), step.object("model_output")
    if state is not None:
        seen = state.text("screenshot")
        picture = (
            (Media("image/png", decoded_size(seen), place=state.pointer("screenshot"), data=seen),) if seen else ()
        )
        beside = stated_extras(state, *_OF_A_STATE)
        yield Event("browser", picture, SYSTEM, started, extras=beside, place=state.place)
    results = _one_or_more(step, "result")
    calls = list(_calls(output, number)) if output is not None else []
    said = [*_thoughts(output), *calls] if output is not None else []
    last = results[-1] if results else None
    answer = last.text("extracted_content") if last is not None and last.value.get("is_done") is True else None
    metadata = step.object("metadata")
    tokens = count_of(metadata.get("input_tokens")) if metadata is not None else None
    yield Event(
        _PROGRAM,
        tuple(said),
        AGENT,
        started,
        ended - started if started is not None and ended is not None and ended >= started else None,
        usage=Usage(prompt=tokens) if tokens else None,
        error=None if calls or last is None else last.text("error"),
        extras=() if output is None else stated_extras(output, "action", "current_state", *_THOUGHTS),
        place=step.place,
    )
    answered = results[: -1 if answer is not None else None]
    parts = tuple(
        _result(result, calls[index] if index < len(calls) else None) for index, result in enumerate(answered)
    )
    if parts and calls:
        extras = tuple(extra for result in answered for extra in stated_extras(result, *_OF_A_RESULT))
        yield Event(_PROGRAM, parts, TOOL, ended, extras=extras, place=step.pointer("result"))
    if last is not None and answer is not None:
        extras = stated_extras(last, *_OF_A_RESULT)
        words = Text(answer, last.pointer("extracted_content"))
        yield Event(_PROGRAM, (words,), AGENT, ended, extras=extras, place=last.place)


def _thoughts(output: Fields) -> Iterator[Part]:
    for owner in (output, output.object("current_state")):
        if owner is not None:
            yield from (Thought(text, owner.pointer(name)) for name in _THOUGHTS if (text := owner.text(name)))


def _calls(output: Fields, number: int) -> Iterator[ToolCall]:
    """Actions as calls; the one that ends the run is no call but the answer."""
    for index, action in enumerate(_one_or_more(output, "action"), 1):
        name = next((key for key, value in action.value.items() if value is not None), "")
        if name and name != _END:
            arguments = action.get(name)
            yield ToolCall(name, arguments, f"step-{number}-{index}", action.pointer(name))


def _result(result: Fields, call: ToolCall | None) -> ToolResult:
    error = result.text("error")
    key = "error" if error else "extracted_content"
    identity = call.call_id if call is not None else None
    value = result.get(key)
    place = result.pointer(key) if value is not ABSENT else result.place
    return ToolResult(call.name if call is not None else "", or_null(value), identity, bool(error), place)


def _one_or_more(owner: Fields, name: str) -> list[Fields]:
    """The objects in a list; the first versions did one thing a step and had it without a list."""
    one = owner.object(name)
    return owner.objects(name) if one is None else [one]


def _time(step: Fields, name: str) -> float | None:
    metadata = step.object("metadata")
    return seconds_of(or_null(metadata.get(name))) if metadata is not None else None


IMPLEMENTATION = Implementation(read=read)
