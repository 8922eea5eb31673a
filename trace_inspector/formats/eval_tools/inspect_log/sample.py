"""One sample of Inspect: its messages as turns, timed by its events; its target as a golden; its scores."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field
from msgspec.structs import replace

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.parts import Text, ToolResult
from trace_inspector.core.trace.trace import Agent, Event, Span, SpanKind, Steps, Trace, Turn
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import ABSENT, Json
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, Status
from trace_inspector.formats.common.chat_flow import AGENT, TOOL, ChatFlow, instruction_of, speaker_of
from trace_inspector.formats.common.extras import stated_extras
from trace_inspector.formats.common.fields import Fields, or_null
from trace_inspector.formats.common.record_counts import RecordCounts
from trace_inspector.formats.common.times import seconds_of
from trace_inspector.formats.common.token_usage import reported_usage
from trace_inspector.formats.eval_tools.inspect_log.scores import scores_of

_LINKS = ("attachment://", "tc://")
_DEEPEST = 30
_OF_A_SAMPLE = ("id", "epoch", "input", "target", "messages", "output", "scores", "score", "events", "attachments")
_KNOWN = frozenset(
    {
        "span_begin", "span_end", "step", "sample_init", "state", "store", "model", "tool", "sandbox", "score",
        "score_edit", "sample_limit", "error", "info", "input", "approval", "subtask", "logger", "compaction",
        "branch", "checkpoint",
    }
)  # fmt: skip
_KINDS = {"agent": SpanKind.AGENT, "tool": SpanKind.TOOL, "solver": SpanKind.RUN, "solvers": SpanKind.RUN}


def id_of(sample: Fields) -> str:
    """The id of a sample, which may be a number."""
    value = sample.get("id")
    return str(value) if isinstance(value, int | str) and not isinstance(value, bool) else sample.place


def golden_of(sample: Fields, suite: str) -> Case:
    """What is expected of a sample: its input, and its target as the answer; further targets stand beside."""
    chat = ChatFlow()
    turns: list[Turn] = []
    attachments = _attachments(sample)
    asked = sample.get("input")
    if isinstance(asked, str):
        turns += chat.flow.ask((Text(_resolved(asked, attachments), sample.pointer("input")),), place=sample.place)
    for message in sample.objects("input"):
        turns += chat.message(_with_attachments(message, attachments))
    turns += chat.flow.finish()
    target = sample.get("target")
    targets = [one for one in (target if isinstance(target, list) else [target]) if isinstance(one, str) and one]
    place = join(sample.pointer("target"), 0) if isinstance(target, list) else sample.pointer("target")
    last = turns[-1] if turns else Turn(0, place=sample.place)
    expected = (Text(targets[0], place),) if targets else None
    golden = replace(last, final_response=expected, events=(), final_event=None, steps=Steps.ABSENT)
    others = (Extra("other targets", [*targets[1:]], sample.pointer("target")),) if len(targets) > 1 else ()
    choices = stated_extras(Fields({"choices": or_null(sample.get("choices"))}, sample.place))
    return Case(id_of(sample), suite, (*turns[:-1], golden), extras=(*others, *choices), place=sample.place)


def sample_items(sample: Fields, suite: str, epochs: int, counts: RecordCounts) -> Iterator[Item]:
    """The conversation of a sample in one epoch, and what was scored."""
    epoch, identity = sample.get("epoch"), id_of(sample)
    attachments = _attachments(sample)
    listed = sample.objects("messages")
    messages = [_with_attachments(message, attachments) for message in listed]
    instruction, count = instruction_of(messages)
    told = _event_log(sample, counts)
    trace = Trace(
        f"{identity} (epoch {epoch})" if epochs > 1 else identity,
        agents=(Agent("assistant", instruction),),
        spans=told.spans,
        span_count=len(told.spans),
        case_id=identity,
        suite_id=suite,
        case_runs=epochs,
        extras=stated_extras(sample, *_OF_A_SAMPLE),
        place=sample.place,
    )
    yield trace
    counts.understood(len(messages))
    chat = ChatFlow()
    for number, message in enumerate(messages[count:], count):
        yield from chat.message(message)
        speaker = speaker_of(message)
        if speaker == AGENT and (events := chat.flow.events):
            events[-1] = told.completed(events[-1], listed[number])
            chat.flow.note(events[-1].time_s)
        elif speaker == TOOL and (events := chat.flow.events):
            events[-1] = told.answered(events[-1], listed[number])
    if (failure := sample.object("error")) is not None:
        words = failure.text("message") or "The sample failed."
        chat.flow.happen(Event("assistant", (), "system", error=words, place=failure.place))
    yield from chat.flow.finish()
    metrics = tuple(scores_of(sample))
    counts.understood(len(metrics))
    if metrics:
        yield CaseVerdict(
            identity,
            suite,
            trace.id,
            _overall(metrics),
            metrics,
            golden_place=sample.place,
            trace_place=sample.place,
            repeat=(epoch - 1) if isinstance(epoch, int) and epoch > 0 and epochs > 1 else 0,
        )


def _overall(metrics: tuple[MetricVerdict, ...]) -> Status:
    """Wrong where any score is, right where one is and none is wrong; a number alone decides nothing."""
    stated = {metric.status for metric in metrics}
    return next((status for status in (Status.FAILED, Status.PASSED) if status in stated), Status.NOT_EVALUATED)


class _EventLog(Struct):
    """What the events tell of the replies of models and of calls of tools: by id, else in their order."""

    by_message: dict[str, Fields] = field(default_factory=dict)
    in_order: list[Fields] = field(default_factory=list)
    by_call: dict[str, Fields] = field(default_factory=dict)
    spans: tuple[Span, ...] = ()

    def completed(self, event: Event, message: Fields) -> Event:
        """A reply with its time, tokens and model."""
        told = self.by_message.pop(message.text("id") or "", None)
        if told is None and self.in_order:
            told = self.in_order[0]
        if told is None:
            return event
        if self.in_order and self.in_order[0] is told:
            del self.in_order[0]
        else:
            self.in_order = [other for other in self.in_order if other is not told]
        output = told.object("output") or Fields({}, told.place)
        reason = next((choice.text("stop_reason") for choice in output.objects("choices")), None)
        return replace(
            event,
            time_s=_time(told, "timestamp"),
            duration_s=told.number("working_time"),
            usage=reported_usage(output.object("usage")),
            model=output.text("model") or told.text("model") or event.model,
            finish_reason=reason,
            error=told.text("error"),
        )

    def answered(self, event: Event, message: Fields) -> Event:
        """A result with its time, and whether the call failed."""
        failed = message.object("error") is not None
        name = message.text("function") or ""
        parts = tuple(
            replace(part, is_error=part.is_error or failed, name=part.name or name)
            if isinstance(part, ToolResult)
            else part
            for part in event.parts
        )
        told = self.by_call.get(message.text("tool_call_id") or "")
        if told is None:
            return replace(event, parts=parts)
        return replace(event, parts=parts, time_s=_time(told, "timestamp"), duration_s=told.number("working_time"))


def _event_log(sample: Fields, counts: RecordCounts) -> _EventLog:
    log, spans, open_spans = _EventLog(), list[Span](), dict[str, Span]()
    older = sample.object("transcript")
    events = sample.objects("events") or (older.objects("events") if older is not None else [])
    for event in events:
        kind = event.text("event") or ""
        if kind not in _KNOWN:
            counts.unknown(kind, event.place)
            continue
        counts.understood()
        at_s = _time(event, "timestamp")
        above = event.text("parent_id") or event.text("span_id")
        if kind == "span_begin":
            name = event.text("id") or event.place
            opened = Span(
                name, event.text("name") or "", _KINDS.get(event.text("type") or "", SpanKind.OTHER),
                event.text("parent_id"), at_s, place=event.place,
            )  # fmt: skip
            open_spans[name] = opened
            spans.append(opened)
        elif kind == "span_end":
            ended = open_spans.pop(event.text("id") or "", None)
            if ended is not None and ended.start_s is not None and at_s is not None:
                ended.duration_s = max(0.0, at_s - ended.start_s)
        elif kind in ("model", "tool"):
            log_kind = SpanKind.MODEL if kind == "model" else SpanKind.TOOL
            title = event.text("model") if kind == "model" else event.text("function")
            spans.append(
                Span(event.text("uuid") or event.place, title or kind, log_kind, above, at_s,
                     event.number("working_time"), event.text("error"), event.place)
            )  # fmt: skip
            _note_call(event, kind, log)
    log.spans = tuple(spans)
    return log


def _note_call(event: Fields, kind: str, log: _EventLog) -> None:
    if kind == "tool":
        if identity := event.text("id"):
            log.by_call[identity] = event
        return
    output = event.object("output") or Fields({}, event.place)
    log.in_order.append(event)
    for choice in output.objects("choices"):
        message = choice.object("message")
        if message is not None and (identity := message.text("id")):
            log.by_message.setdefault(identity, event)


def _attachments(sample: Fields) -> dict[str, str]:
    """Long texts by their hash; older logs keep them with the transcript."""
    older = sample.object("transcript") or Fields({}, "")
    kept = {**(older.mapping("content") or {}), **(sample.mapping("attachments") or {})}
    return {name: text for name, text in kept.items() if isinstance(text, str)}


def _with_attachments(message: Fields, attachments: dict[str, str]) -> Fields:
    value = _inside(message.value, attachments, 0) if attachments else message.value
    calls = value.get("tool_calls") if isinstance(value, dict) else None
    if value is message.value and not calls:
        return message
    resolved = dict(value) if isinstance(value, dict) else dict(message.value)
    if isinstance(calls, list):  # named `function` with the arguments beside
        resolved["tool_calls"] = [_call(call) if isinstance(call, dict) else call for call in calls]
    return Fields(resolved, message.place)


def _call(call: dict[str, Json]) -> Json:
    name = call.get("function")
    return {**call, "function": {"name": name, "arguments": call.get("arguments")}} if isinstance(name, str) else call


def _inside(value: Json, attachments: dict[str, str], depth: int) -> Json:
    if isinstance(value, str):
        return _resolved(value, attachments)
    if depth > _DEEPEST:
        return value
    if isinstance(value, list):
        return [_inside(item, attachments, depth + 1) for item in value]
    if isinstance(value, dict):
        return {key: _inside(item, attachments, depth + 1) for key, item in value.items()}
    return value


def _resolved(text: str, attachments: dict[str, str]) -> str:
    for link in _LINKS:
        if text.startswith(link):
            return attachments.get(text.removeprefix(link), text)
    return text


def _time(event: Fields, name: str) -> float | None:
    value = event.get(name)
    return None if value is ABSENT else seconds_of(or_null(value))
