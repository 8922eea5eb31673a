"""Writes one recorded conversation as chat messages, as OpenAI's service takes them."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from trace_inspector.core.finding import Finding, error
from trace_inspector.core.golden.golden import as_trace
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.parts import Code, Media, Part, Text, Thought, ToolCall, ToolResult
from trace_inspector.core.trace.trace import Trace, Turn, paired_calls
from trace_inspector.core.values.json_numbers import Layout, formatted, json_text
from trace_inspector.core.values.values import ABSENT, Json, JsonObject, strict
from trace_inspector.formats.common.format import Written

_ON_ONE_LINE = Layout(indent="", newline="")


def write(contents: Contents) -> Written:
    """The first recorded conversation, or the first script seen as one."""
    cases = [case for suite in contents.suites for case in suite.cases]
    scripts = tuple(as_trace(case) for case in cases if case.scenario is None)
    traces = contents.traces or scripts
    writer = _MessageWriter()
    trace = traces[0] if traces else Trace("")
    messages: list[Json] = [*writer.messages(trace)]
    main = trace.agents[0] if trace.agents else None
    written: JsonObject = {"session_id": trace.session_id or trace.id, "messages": messages}
    if main is not None and main.tools:
        written["tools"] = [*main.tools]
    writer.lose(len(traces) - 1, "conversations", "a file holds one, and the first is written")
    writer.lose(len(cases) - len(scripts), "scenarios", "they have no turns to write")
    writer.lose(len(scripts) if contents.traces else 0, "cases", "what was recorded is written, not what is expected")
    writer.lose(trace.span_count, "spans", "messages have none")
    plain = strict(written)
    return Written(json_text(plain if isinstance(plain, dict) else {}), tuple(writer.losses))


class _MessageWriter(Struct):
    losses: list[Finding] = field(default_factory=list)

    def lose(self, count: int, what: str, why: str) -> None:
        """Name some things that are gone for good."""
        if count > 0:
            self.losses.append(error(f"{what}-lost", f"Not carried over ({what}: {count}): {why}."))

    def messages(self, trace: Trace) -> Iterator[JsonObject]:
        """The system's words, then each turn."""
        instruction = trace.agents[0].instruction if trace.agents else ""
        if instruction:
            yield {"role": "system", "content": instruction}
        for turn in trace.turns:
            yield from self._turn(turn)

    def _turn(self, turn: Turn) -> Iterator[JsonObject]:
        if turn.user:
            yield {"role": "user", "content": self._content(turn.user)}
        paired = paired_calls(turn)
        ids = {id(pair.call): pair.call.call_id or f"call-{turn.index + 1}-{n}" for n, pair in enumerate(paired, 1)}
        of_results = {id(pair.result): ids[id(pair.call)] for pair in paired if pair.result is not None}
        for index, event in enumerate(turn.events):
            answers = index == turn.final_event and turn.final_response is not None
            parts = (*(turn.final_response or ()), *event.parts) if answers else event.parts
            told = tuple(part for part in parts if not isinstance(part, ToolResult))
            if told:
                yield self._message("system" if event.role == "system" else "assistant", told, ids)
            for part in parts:
                if isinstance(part, ToolResult):
                    yield _result(part, of_results.get(id(part), part.call_id or ""))
        if turn.final_response is not None and turn.final_event is None:
            yield self._message("assistant", turn.final_response, ids)

    def _message(self, role: str, parts: tuple[Part, ...], ids: dict[int, str]) -> JsonObject:
        calls = [part for part in parts if isinstance(part, ToolCall)]
        thoughts = [part.text for part in parts if isinstance(part, Thought)]
        spoken = tuple(part for part in parts if not isinstance(part, ToolCall | Thought))
        message: JsonObject = {"role": role, "content": self._content(spoken) if spoken else None}
        if thoughts:
            message["reasoning_content"] = "\n".join(thoughts)
        if calls:
            message["tool_calls"] = [_call(call, ids[id(call)]) for call in calls]
        return message

    def _content(self, parts: tuple[Part, ...]) -> Json:
        """Plain words as a text, anything with media as a list of parts."""
        if len(parts) == 1 and isinstance(only := parts[0], Text):
            return only.text
        return [raw for part in parts if (raw := self._part(part)) is not None]

    def _part(self, part: Part) -> JsonObject | None:
        match part:
            case Text() | Code():
                return {"type": "text", "text": part.text}
            case Media(data=str(data)):
                return {"type": "image_url", "image_url": {"url": f"data:{part.mime_type};base64,{data}"}}
            case Media(uri=str(uri)):
                return {"type": "image_url", "image_url": {"url": uri}}
        self.losses.append(error("part-lost", "A part is not carried over.", part.place))
        return None


def _call(call: ToolCall, identity: str) -> JsonObject:
    args = {} if call.args is ABSENT or call.args is None else call.args
    function: JsonObject = {"name": call.name, "arguments": formatted(args, _ON_ONE_LINE)}
    return {"id": identity, "type": "function", "function": function}


def _result(result: ToolResult, call: str) -> JsonObject:
    value = None if result.value is ABSENT else result.value
    content = value if isinstance(value, str) else formatted(value, _ON_ONE_LINE)
    return {"role": "tool", "tool_call_id": call, "name": result.name, "content": content}
