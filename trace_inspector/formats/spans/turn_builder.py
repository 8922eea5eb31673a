"""Builds a turn from its spans: the user message, model calls with tool calls and results, the answer."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.finding import Finding, info
from trace_inspector.core.trace.parts import Part, Text, ToolCall, ToolResult
from trace_inspector.core.trace.tools import tool_names
from trace_inspector.core.trace.trace import Agent, Event, Steps, Turn
from trace_inspector.core.values.values import ABSENT
from trace_inspector.formats.common.content import is_failure
from trace_inspector.formats.spans.messages import (
    Request,
    Response,
    request_of,
    response_of,
    trailing_results,
    user_message,
)
from trace_inspector.formats.spans.run import Run, Step
from trace_inspector.formats.spans.spans import Recorded

_LOOKED_THROUGH = 1000  # tool spans of one name that are searched for one call
_REQUESTED = "copilot_chat.user_request"
_COMPARED = 100  # tool spans of one name whose arguments are compared with one call


class Gaps(Struct):
    """Counts of turns of a file in which something is missing or derived."""

    borders: int = 0
    order: int = 0
    pairing: int = 0
    filled: int = 0
    silent: int = 0

    def findings(self) -> Iterator[Finding]:
        """One finding for each kind."""
        lines = (
            ("content-off", self.silent, "recorded without content: only names, counts and times are known"),
            ("guessed-borders", self.borders, "without a span of a run or an agent; where they begin is derived"),
            ("guessed-order", self.order, "with spans that have no start time; they are in the order of the file"),
            (
                "guessed-pairing",
                self.pairing,
                "where several calls of one tool can be told apart only by their order",
            ),
            ("filled-results", self.filled, "where the result of a tool is taken from the model's next request"),
        )
        for code, count, words in lines:
            if count:
                yield info(code, f"{count} {'turn' if count == 1 else 'turns'} {words}.")


def turn_of(run: Run, index: int, gaps: Gaps) -> Turn:
    """The turn of a run."""
    return TurnBuilder(run, gaps).turn(index)


class TurnBuilder:
    """Builds a turn from the steps of one run."""

    def __init__(self, run: Run, gaps: Gaps) -> None:
        self._run = run
        self._gaps = gaps
        self._guessed: set[str] = set()
        steps = (*run.calls, *run.tools)
        if any(step.recorded.span.start_s is None for step in steps) and len(steps) > 1:
            self._guessed.add("order")
        else:
            run.calls.sort(key=Step.start_s)
            run.tools.sort(key=Step.start_s)
        self._responses = [_response(step) for step in run.calls]
        self._claims: dict[int, ToolCall] = {}  # the call of each tool step, by the identity of the step
        self._run_by_tools: set[int] = set()  # the identities of those calls
        self._tools_by_id: dict[str, Step] = {}
        self._tools_by_name: dict[str, deque[Step]] = {}
        for tool in run.tools:
            self._tools_by_id.setdefault(call_id_of(tool) or "", tool)
            self._tools_by_name.setdefault(tool_name(tool), deque()).append(tool)
        self._tools_by_id.pop("", None)
        self._first_of = {step.agent: step for step in reversed(run.calls)}
        self._silent = bool(run.calls) and not any(response.parts for response in self._responses)

    def turn(self, index: int) -> Turn:
        run = self._run
        last = self._last_words()
        events = self._events(last)
        answer = self._responses[last].parts if last is not None else _stated_answer(run)
        user = self._user()
        if run.loose:
            self._guessed.add("borders")
        self._note(user, answer)
        start = run.start_s()
        steps = (*run.calls, *run.tools)
        return Turn(
            index=index,
            id=run.invocation_id() or run.roots[0].span.id,
            user=user,
            events=tuple(events),
            final_response=answer,
            final_author=run.calls[last].agent if last is not None else "",
            steps=Steps.EVENTS,
            start_s=None if start == math.inf else start,
            duration_s=_duration([step.recorded for step in steps] if run.loose else run.roots),
            model_duration_s=_sum(run.calls),
            tool_duration_s=_sum(run.tools),
            agents=self._agents(),
            spans=tuple(run.spans),
            guessed=frozenset(self._guessed),
            place=run.roots[0].span.place,
            trace_id=run.roots[0].trace_id,
        )

    def _last_words(self) -> int | None:
        for index in range(len(self._responses) - 1, -1, -1):
            parts = self._responses[index].parts
            if parts and not any(isinstance(part, ToolCall) for part in parts):
                return index
        return None

    def _events(self, last: int | None) -> list[Event]:
        """Model and tool events in order of their start; calls of a model get the ids of their tool spans."""
        run = self._run
        spoken = [self._claimed(step, response) for step, response in zip(run.calls, self._responses, strict=True)]
        timeline: list[tuple[float, int, Event]] = []
        for index, (step, response) in enumerate(zip(run.calls, self._responses, strict=True)):
            parts = () if index == last else spoken[index]
            event = _model_event(step, response, parts, self._active_tools(step))
            timeline.append((step.start_s(), 0, event))
            timeline.extend((step.start_s(), 1, missing) for missing in self._answered_elsewhere(index, parts))
        timeline.extend((step.start_s(), 2, self._tool_event(step)) for step in run.tools)
        if "order" not in self._guessed:
            timeline.sort(key=lambda entry: entry[:2])
        return [event for _start, _rank, event in timeline]

    def _claimed(self, step: Step, response: Response) -> tuple[Part, ...]:
        """The parts of a response, each call joined with its tool span: by id, else by name and order."""
        parts = list(response.parts or ())
        for index, part in enumerate(parts):
            if not isinstance(part, ToolCall):
                continue
            tool = self._tool_for(part, step)
            if tool is None:
                continue
            call_id = call_id_of(tool)
            args = tool.arguments()[0] if part.args is ABSENT else part.args
            joined = replace(part, args=args, call_id=call_id or part.call_id)
            self._claims[id(tool)] = joined
            self._run_by_tools.add(id(joined))
            parts[index] = joined
        return tuple(parts)

    def _tool_for(self, call: ToolCall, step: Step) -> Step | None:
        """The tool span of a call: by id, else by name, and of several the one with the same arguments."""
        by_id = self._tools_by_id.get(call.call_id or "")
        if by_id is not None and id(by_id) not in self._claims:
            return by_id
        remaining = self._tools_by_name.get(call.name, deque())
        in_order = "order" not in self._guessed
        while remaining and (
            id(remaining[0]) in self._claims or (in_order and remaining[0].start_s() < step.start_s())
        ):
            remaining.popleft()  # later calls cannot have run it either
        free = (tool for tool in islice(remaining, _LOOKED_THROUGH) if id(tool) not in self._claims)
        named = list(islice((tool for tool in free if tool.start_s() >= step.start_s()), _COMPARED))
        own = [tool for tool in named if tool.agent == step.agent] or named
        if len(own) > 1 and call.args is not ABSENT:
            same = [tool for tool in own if tool.arguments()[0] == call.args]
            if not same:
                self._guessed.add("pairing")
            own = same or own
        return own[0] if own else None

    def _tool_event(self, step: Step) -> Event:
        span = step.recorded.span
        claim = self._claims.get(id(step))
        value, place = step.result()
        name = tool_name(step)
        if self._silent and value == {}:
            value = ABSENT  # what ADK writes where recording of content is off
        call_id = claim.call_id if claim else call_id_of(step)
        failed = span.error is not None or is_failure(value)
        parts: tuple[Part, ...] = (ToolResult(name, value, call_id, failed, place),)
        if claim is None:
            args, args_place = step.arguments()
            if self._silent and args == {}:
                args = ABSENT
            parts = (ToolCall(name, args, call_id, args_place), *parts)
        return Event(
            step.agent, parts, time_s=span.start_s, duration_s=span.duration_s, error=span.error, span_id=span.id,
            place=span.place,
        )  # fmt: skip

    def _answered_elsewhere(self, index: int, parts: tuple[Part, ...]) -> Iterator[Event]:
        """Results of calls without a tool span, taken from the next model request."""
        open_calls = [part for part in parts if isinstance(part, ToolCall) and id(part) not in self._run_by_tools]
        if not open_calls or index + 1 >= len(self._run.calls):
            return
        results = trailing_results(_request(self._run.calls[index + 1]).messages)
        for call in open_calls:
            match = next((result for result in results if call.call_id and result.call_id == call.call_id), None)
            match = match or next((result for result in results if result.name == call.name), None)
            if match is not None:
                results.remove(match)
                self._guessed.add("filled")
                result = replace(match, name=call.name, nameless=call.nameless, call_id=call.call_id)
                yield Event(self._run.calls[index].agent, (result,), place=result.place)

    def _active_tools(self, step: Step) -> tuple[str, ...]:
        """The tools of an agent's first request in the turn; reading all the others would take twice as long."""
        return tool_names(_request(step).tools) if self._first_of[step.agent] is step else ()

    def _user(self) -> tuple[Part, ...]:
        for root in self._run.roots:
            words = root.attributes.text(_REQUESTED)
            if words is not None:  # what the model is told has much else around it
                return (Text(words, root.attributes.pointer(_REQUESTED)),)
        for step in self._run.calls:
            message = user_message(_request(step).messages)
            if message is not None:
                return message.parts()
        for root in self._run.roots:
            message = user_message(request_of(root.attributes).messages)
            if message is not None:
                return message.parts()
        return ()

    def _agents(self) -> tuple[Agent, ...]:
        agents = dict(self._run.agents)
        for step in self._run.calls:
            if self._first_of[step.agent] is not step:
                continue
            request = _request(step)
            if request.instruction or request.tools:
                name = step.agent or "agent"
                agent = agents.get(name) or Agent(name, place=step.recorded.span.place)
                agents[name] = replace(agent, instruction=request.instruction, tools=request.tools)
        return tuple(agents.values())

    def _note(self, user: tuple[Part, ...], answer: tuple[Part, ...] | None) -> None:
        self._gaps.filled += "filled" in self._guessed
        self._guessed.discard("filled")
        self._gaps.silent += self._silent and not user and answer is None
        self._gaps.borders += "borders" in self._guessed
        self._gaps.order += "order" in self._guessed
        self._gaps.pairing += "pairing" in self._guessed


def call_id_of(step: Step) -> str | None:
    """The call id of a tool span."""
    return step.recorded.attributes.text("gen_ai.tool.call.id", "tool_call.id", "tool.id", "ai.toolCall.id")


def tool_name(step: Step) -> str:
    """The tool name of a span."""
    named = step.recorded.attributes.text(
        "gen_ai.tool.name", "tool.name", "ai.toolCall.name", "traceloop.entity.name", "entity.1.name"
    )
    return named or step.recorded.span.name.removeprefix("execute_tool ")


def _response(step: Step) -> Response:
    """The first response recorded for a call, completed from the spans it wraps."""
    whole = Response()
    for attributes in step.attributes():
        part = response_of(attributes)
        whole = Response(
            whole.parts if whole.parts is not None else part.parts,
            whole.usage or part.usage,
            whole.model or part.model,
            whole.finish_reason or part.finish_reason,
            whole.error or part.error,
        )
        if whole.parts is not None and whole.usage is not None:
            break
    return whole


def _request(step: Step) -> Request:
    if step.request is None:
        requests = [request_of(attributes) for attributes in step.attributes()]
        step.request = next((request for request in requests if request.messages), requests[0])
    return step.request


def _model_event(step: Step, response: Response, parts: tuple[Part, ...], active_tools: tuple[str, ...]) -> Event:
    span = step.recorded.span
    return Event(
        author=step.agent,
        parts=parts,
        role="model",
        time_s=span.start_s,
        duration_s=None if step.is_around else span.duration_s,
        usage=response.usage,
        model=response.model,
        finish_reason=response.finish_reason,
        error=response.error or span.error,
        span_id=span.id,
        active_tools=active_tools,
        place=span.place,
    )


def _stated_answer(run: Run) -> tuple[Part, ...] | None:
    """The answer in an agent span, where no model span has it: the parts after its last call."""
    for root in run.roots:
        parts = response_of(root.attributes).parts or ()
        last = max((index for index, part in enumerate(parts) if isinstance(part, ToolCall)), default=-1)
        if parts[last + 1 :]:
            return parts[last + 1 :]
    return None


def _duration(roots: list[Recorded]) -> float | None:
    ends = [
        (root.span.start_s, root.span.start_s + root.span.duration_s)
        for root in roots
        if root.span.start_s is not None and root.span.duration_s is not None
    ]
    if len(roots) == 1:
        return roots[0].span.duration_s
    # Epoch seconds as floats are good to a microsecond; digits beyond it would be noise.
    return round(max(end for _start, end in ends) - min(start for start, _end in ends), 6) if ends else None


def _sum(steps: list[Step]) -> float | None:
    own = [step.recorded.span for step in steps if not step.is_around]
    durations = [span.duration_s for span in own if span.duration_s is not None]
    return sum(durations) if durations else None
