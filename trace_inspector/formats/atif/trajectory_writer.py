"""Writes one recorded conversation as an ATIF trajectory with those of its sub-agents: the bridge to other tools."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime

from msgspec import Struct, field

from trace_inspector.core.finding import Finding, error
from trace_inspector.core.golden.golden import as_trace
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.parts import Code, Media, Part, Text, Thought, ToolCall, ToolResult
from trace_inspector.core.trace.trace import Event, Trace, Turn, Usage, input_tokens, output_tokens, paired_calls
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.json_numbers import Layout, formatted, json_text
from trace_inspector.core.values.values import ABSENT, Json, JsonObject, strict
from trace_inspector.formats.common.format import Written

_VERSION = "ATIF-v1.7"  # the newest whose description is public
_DEEPEST = 8
_ON_ONE_LINE = Layout(indent="", newline="")
# What our reader takes from beside the steps and puts back to where it was.
_OF_A_TRAJECTORY = ("notes", "final_metrics", "continued_trajectory_ref", "extra")
_OF_AN_AGENT = ("version", "model_name")
_OF_A_STEP = ("llm_call_count", "reasoning_effort", "extra")
_OF_METRICS = ("cost_usd", "prompt_token_ids", "completion_token_ids", "logprobs")


def write(contents: Contents) -> Written:
    """The first recorded conversation, or the first script seen as one; a trajectory has room for one."""
    cases = [case for suite in contents.suites for case in suite.cases]
    scripts = tuple(as_trace(case) for case in cases if case.scenario is None)
    traces = contents.traces or scripts
    writer = _TrajectoryWriter(traces)
    written = writer.trajectory(traces[0] if traces else Trace(""))
    writer.lose(len(traces) - writer.written, "conversations", "a trajectory holds one, and the first is written")
    writer.lose(len(cases) - len(scripts), "scenarios", "they have no turns to write")
    writer.lose(len(scripts) if contents.traces else 0, "cases", "what was recorded is written, not what is expected")
    criteria = contents.criteria.items if contents.criteria else ()
    writer.lose(len(criteria), "criteria", "they have no place in a trajectory")
    plain = strict(written)
    return Written(json_text(plain if isinstance(plain, dict) else {}), tuple(writer.losses))


class _WrittenStep(Struct):
    """A step that is being written, with the calls that it makes."""

    written: JsonObject
    results: list[Json] = field(default_factory=list)


class _TrajectoryWriter(Struct):
    traces: Sequence[Trace]
    losses: list[Finding] = field(default_factory=list)
    written: int = 0

    def lose(self, count: int, what: str, why: str) -> None:
        """Name some things that are gone for good."""
        if count > 0:
            self.losses.append(error(f"{what}-lost", f"Not carried over ({what}: {count}): {why}."))

    def trajectory(self, trace: Trace, depth: int = 0) -> JsonObject:
        """The whole trajectory, with the sub-agents that were started by its calls."""
        self.written += 1
        inner = [other for other in self.traces if other.parent is not None and other.parent.trace_id == trace.id]
        below = inner if depth < _DEEPEST else []
        calls = {other.parent.call_id: other.id for other in below if other.parent is not None}
        main = trace.agents[0] if trace.agents else None
        name = (main.name if main else "") or trace.app or "agent"
        steps = [step for turn in trace.turns for step in self._turn(turn, name, calls)]
        if main is not None and main.instruction:
            steps.insert(0, {"source": "system", "message": main.instruction})
        for number, step in enumerate(steps, 1):
            step["step_id"] = number
        agent: JsonObject = {"name": name, "version": "", **_given(trace.extras, _OF_AN_AGENT)}
        if main is not None and main.tools:
            agent["tool_definitions"] = [*main.tools]
        self._lose_the_rest(trace)
        return {
            "schema_version": _VERSION,
            "session_id": trace.session_id or trace.id,
            "trajectory_id": trace.id,
            "agent": agent,
            "steps": [{"step_id": step.pop("step_id"), **step} for step in steps],
            **_given(trace.extras, _OF_A_TRAJECTORY),
            **self._sub_agents(below, depth),
        }

    def _sub_agents(self, below: list[Trace], depth: int) -> JsonObject:
        inner: list[Json] = [self.trajectory(other, depth + 1) for other in below]
        return {"subagent_trajectories": inner} if inner else {}

    def _turn(self, turn: Turn, author: str, calls: Mapping[str | None, str]) -> Iterator[JsonObject]:
        if turn.user:
            yield {**_time(turn.start_s), "source": "user", "message": self._message(turn.user)}
        steps: list[_WrittenStep] = []
        by_event: dict[int, _WrittenStep] = {}
        paired = paired_calls(turn)
        names = {id(pair.call): pair.call.call_id or f"call-{turn.index + 1}-{n}" for n, pair in enumerate(paired, 1)}
        for index, event in enumerate(turn.events):
            answers = index == turn.final_event and turn.final_response is not None
            parts = (*(turn.final_response or ()), *event.parts) if answers else event.parts
            told = tuple(part for part in parts if not isinstance(part, ToolResult))
            if told or not event.parts:
                by_event[index] = _WrittenStep(self._step(event, told, author, names))
                steps.append(by_event[index])
        if turn.final_response is not None and turn.final_event is None:
            last = Event(turn.final_author or author, role="model")
            steps.append(_WrittenStep(self._step(last, turn.final_response, author, names)))
        answered = {id(pair.result): pair for pair in paired if pair.result is not None}
        before: _WrittenStep | None = None
        for index, event in enumerate(turn.events):
            before = by_event.get(index, before)
            for part in event.parts:
                if isinstance(part, ToolResult):
                    pair = answered.get(id(part))
                    owner = by_event.get(pair.event, before) if pair is not None else before
                    call = names[id(pair.call)] if pair is not None else part.call_id
                    if owner is None:
                        self.lose(1, "results", "no step asked for them")
                        continue
                    owner.results.append(self._result(part, call, calls))
        for step in steps:
            if step.results:
                step.written["observation"] = {"results": step.results}
            yield step.written

    def _step(self, event: Event, parts: tuple[Part, ...], author: str, names: Mapping[int, str]) -> JsonObject:
        calls = [part for part in parts if isinstance(part, ToolCall)]
        thoughts = [part.text for part in parts if isinstance(part, Thought)]
        spoken = tuple(part for part in parts if not isinstance(part, ToolCall | Thought))
        written: JsonObject = {
            **_time(event.time_s),
            "source": "system" if event.role == "system" else "agent",
            "message": self._message(spoken),
        }
        if event.model is not None:
            written["model_name"] = event.model
        if thoughts:
            written["reasoning_content"] = "\n".join(thoughts)
        if calls:
            written["tool_calls"] = [_call(call, names[id(call)]) for call in calls]
        metrics = {**_tokens(event.usage), **_given(event.extras, _OF_METRICS)}
        if metrics:
            written["metrics"] = metrics
        written.update(_given(event.extras, _OF_A_STEP))
        if event.author and event.author != author and event.role != "system":
            more = written.get("extra")
            own: JsonObject = dict(more) if isinstance(more, dict) else {}
            written["extra"] = {**own, "author": event.author}
        return written

    def _result(self, result: ToolResult, call: str | None, started: Mapping[str | None, str]) -> JsonObject:
        value = None if result.value is ABSENT else result.value
        content = value if value is None or isinstance(value, str) else formatted(value, _ON_ONE_LINE)
        written: JsonObject = {"source_call_id": call, "content": content}
        if call in started:
            written["subagent_trajectory_ref"] = [{"trajectory_id": started[call]}]
        return written

    def _message(self, parts: tuple[Part, ...]) -> Json:
        """Plain words as a text, anything with images as a list of parts."""
        if all(isinstance(part, Text) for part in parts) and len(parts) <= 1:
            return "".join(part.text for part in parts if isinstance(part, Text))
        return [raw for part in parts if (raw := self._part(part)) is not None]

    def _part(self, part: Part) -> JsonObject | None:
        match part:
            case Text():
                return {"type": "text", "text": part.text}
            case Code():
                return {"type": "text", "text": part.text}
            case Media(uri=str(path)):
                return {"type": "image", "source": {"media_type": part.mime_type, "path": path}}
        self.losses.append(error("part-lost", "A part is not carried over.", part.place))
        return None

    def _lose_the_rest(self, trace: Trace) -> None:
        self.lose(trace.span_count, "spans", "a trajectory has none; messages, calls and results are carried over")
        self.lose(max(0, len(trace.agents) - 1), "agents", "a trajectory describes one agent")
        self.lose(sum(len(turn.rubrics) for turn in trace.turns), "rubrics", "they have no place in a trajectory")


def _call(call: ToolCall, name: str) -> JsonObject:
    args = call.args
    arguments: JsonObject = {} if args is ABSENT or args is None else {"value": args}
    if isinstance(args, dict):
        arguments = args
    return {"tool_call_id": name, "function_name": call.name, "arguments": arguments}


def _time(time_s: float | None) -> JsonObject:
    if time_s is None:
        return {}
    moment = datetime.fromtimestamp(time_s, UTC)
    return {"timestamp": moment.isoformat(timespec="microseconds").replace("+00:00", "Z")}


def _tokens(usage: Usage | None) -> JsonObject:
    if usage is None:
        return {}
    counts = {
        "prompt_tokens": input_tokens(usage),
        "completion_tokens": output_tokens(usage),
        "cached_tokens": usage.cached,
    }
    return {name: count for name, count in counts.items() if count is not None}


def _given(extras: tuple[Extra, ...], names: tuple[str, ...]) -> JsonObject:
    return {extra.name: extra.value for extra in extras if extra.name in names}
