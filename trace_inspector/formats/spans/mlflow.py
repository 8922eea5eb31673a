"""Traces of MLflow: `mlflow`, as its artifacts, its API, its clients and its database have them; each is a turn.

A database that keeps the spans in files beside it has only the beginnings of what was asked and answered.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from msgspec import Struct, field

from trace_inspector.core.finding import info
from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.trace import Span, SpanKind
from trace_inspector.core.values.values import Absent, Json
from trace_inspector.core.verdict.verdict import MetricVerdict
from trace_inspector.formats.common.fields import Fields, Report, fields_of, objects_in, or_null
from trace_inspector.formats.common.format import Implementation, Source
from trace_inspector.formats.common.record_counts import RecordCounts
from trace_inspector.formats.common.span_attributes import Attributes, from_text
from trace_inspector.formats.common.times import interval
from trace_inspector.formats.spans.call_contents import (
    messages_in,
    model_in,
    plain_messages,
    spoken_in,
    tokens_in,
    usage_in,
)
from trace_inspector.formats.spans.conversation_builder import ConversationBuilder
from trace_inspector.formats.spans.spans import Recorded
from trace_inspector.formats.spans.turn_scores import TurnScores, score_of

_KINDS = {
    "LLM": SpanKind.MODEL,
    "CHAT_MODEL": SpanKind.MODEL,
    "TOOL": SpanKind.TOOL,
    "AGENT": SpanKind.AGENT,
}
_TYPE, _INPUTS, _OUTPUTS = "mlflow.spanType", "mlflow.spanInputs", "mlflow.spanOutputs"
_OF_A_TRACE = "mlflow.traceRequestId"
_TOOLS, _TOKENS, _MODEL = "mlflow.chat.tools", "mlflow.chat.tokenUsage", "mlflow.llm.model"
_SESSION = "mlflow.trace.session"
_CACHED = ("cache_read_input_tokens", "llm.token_count.prompt_details.cache_read")
_METADATA = ("trace_metadata", "request_metadata")
_FAILED = ("ERROR", "STATUS_CODE_ERROR")
_YES_OR_NO = {"yes": True, "no": False}
_BY_PEOPLE = "HUMAN"
_ANSWER = "ai.response.text"  # the name of a whole answer in words


class _StatedTrace(Struct):
    """What a file has of one trace."""

    identity: str
    place: str
    info: Fields | None = None
    spans: list[Fields] = field(default_factory=list)
    assessments: list[Fields] = field(default_factory=list)
    session: str | None = None

    def identifying(self) -> dict[str, Json]:
        return {"session.id": self.session} if self.session else {}


def read(source: Source) -> Iterator[Item]:
    """Each session as a conversation, each trace as a turn of it, or by itself; with what was said of it."""
    report, counts, scores = Report(), RecordCounts(), TurnScores()
    builder = ConversationBuilder(source)
    count = elsewhere = 0
    for trace in _traces(source.value, report):
        count += 1
        spans = [*_recorded_spans(trace)]
        elsewhere += not spans
        for recorded in spans or _by_its_head(trace):
            source.tick()
            builder.recording.take(recorded)
        for assessment in trace.assessments:
            if assessment.get("valid") not in (False, 0):  # the others were replaced
                scores.add(trace.identity, _verdict(assessment))
        counts.understood((trace.info is not None) + len(spans) + len(trace.assessments))
    yield from scores.reported(builder.rest())
    if not count:
        yield info("no-traces", "This file of MLflow has no traces. Open one that was recorded with its tracing.")
    if elsewhere:
        traces = "The spans of 1 trace are" if elsewhere == 1 else f"The spans of {elsewhere:,} traces are"
        message = f"{traces} not in this file; shown are the beginnings of question and answer. Open “traces.json”."
        yield info("spans-elsewhere", message)
    yield counts.finding()
    yield from report.drain()


def _traces(value: Json, report: Report) -> list[_StatedTrace]:
    if isinstance(value, dict) and isinstance(value.get("trace_info"), list):
        return _of_tables(Fields(value, ""), report)
    traces: dict[str, _StatedTrace] = {}
    whole = report.bounded_list(value, "") if isinstance(value, list) else [fields_of(value, "")]
    if isinstance(value, dict) and "traces" in value:
        whole = report.bounded(Fields(value, ""), "traces")
    for stated in map(_opened, whole):
        head = stated.object("info") or (stated if _is_head(stated) else None)
        name = (head.text("trace_id") or head.text("request_id") or None) if head is not None else None
        is_span = "attributes" in stated.value
        listed = [stated] if is_span else _objects(_parsed(stated, "data") or stated, "spans", report)
        for span in listed or [stated]:
            identity = name or _trace_of(span) or stated.place
            trace = traces.setdefault(identity, _StatedTrace(identity, stated.place, head))
            trace.spans += [span] if listed else []
        if head is not None and name is not None:
            traces[name].session = _session_of(head)
            traces[name].assessments = _objects(head, "assessments", report)
    return [*traces.values()]


def _is_head(stated: Fields) -> bool:
    """Whether it states a whole trace, as a row does; a span has an id of a trace too."""
    return bool(stated.text("trace_id") or stated.text("request_id")) and "attributes" not in stated.value


def _opened(stated: Fields) -> Fields:
    """A trace that stands as JSON in a column of its own."""
    inner = from_text(or_null(stated.get("trace")))
    return Fields(inner, stated.pointer("trace")) if isinstance(inner, dict) else stated


def _parsed(owner: Fields, name: str) -> Fields | None:
    value = from_text(or_null(owner.get(name)))
    return Fields(value, owner.pointer(name)) if isinstance(value, dict) else None


def _objects(owner: Fields, name: str, report: Report) -> list[Fields]:
    return report.bounded_list(from_text(or_null(owner.get(name))), owner.pointer(name))


def _session_of(head: Fields) -> str | None:
    for name in _METADATA:
        metadata = from_text(or_null(head.get(name)))
        pairs = metadata.items() if isinstance(metadata, dict) else _pairs(metadata)
        session = next((value for key, value in pairs if key == _SESSION), None)
        if isinstance(session, str) and session:
            return session
    return None


def _pairs(listed: Json) -> Iterable[tuple[Json, Json]]:
    return ((pair.value.get("key"), pair.value.get("value")) for pair in objects_in(listed, ""))


def _of_tables(tables: Fields, report: Report) -> list[_StatedTrace]:
    """The rows of its database, by the id of their trace."""
    traces: dict[str, _StatedTrace] = {}
    for row in report.bounded(tables, "trace_info"):
        identity = row.text("request_id") or row.place
        traces[identity] = _StatedTrace(identity, row.place, row)
    for row in report.bounded(tables, "trace_request_metadata"):
        trace = traces.get(row.text("request_id") or "")
        if trace is not None and row.text("key") == _SESSION:
            trace.session = row.text("value")
    for row in report.bounded(tables, "spans"):
        content = _parsed(row, "content")
        if content is not None:
            identity = row.text("trace_id") or row.place
            traces.setdefault(identity, _StatedTrace(identity, row.place)).spans.append(content)
    for row in report.bounded(tables, "assessments"):
        trace = traces.get(row.text("trace_id") or "")
        if trace is not None:
            trace.assessments.append(row)
    return [*traces.values()]


def _trace_of(span: Fields) -> str | None:
    attributes = span.object("attributes")
    named = _plain_value(attributes.get(_OF_A_TRACE)) if attributes is not None else None
    return named if isinstance(named, str) and named else span.text("trace_id")


def _plain_value(stated: Json | Absent) -> Json:
    """The value of an attribute, which MLflow keeps as JSON in a text."""
    if isinstance(stated, str) and stated[:1] == '"':
        try:
            inner: Json = json.loads(stated)
        except ValueError:
            return stated
        return inner
    return from_text(or_null(stated))


def _recorded_spans(trace: _StatedTrace) -> Iterator[Recorded]:
    ids = {_span_id(span) for span in trace.spans}
    for span in trace.spans:
        parent = _parent_id(span)
        yield _recorded(span, trace, parent if parent in ids else None)


def _span_id(span: Fields) -> str:
    context = span.object("context") or Fields({}, "")
    return span.text("span_id") or context.text("span_id") or span.place


def _parent_id(span: Fields) -> str | None:
    return span.text("parent_span_id") or span.text("parent_id") or None


def _recorded(span: Fields, trace: _StatedTrace, parent: str | None) -> Recorded:
    attributes = span.object("attributes") or Fields({}, span.pointer("attributes"))
    kind = _KINDS.get(str(_plain_value(attributes.get(_TYPE))).upper(), SpanKind.OTHER)
    if kind is SpanKind.OTHER and parent is None:
        kind = SpanKind.RUN
    name = span.text("name") or ""
    start = span.get("start_time_unix_nano") or span.get("start_time")
    end = span.get("end_time_unix_nano") or span.get("end_time")
    start_s, duration_s = interval(or_null(start), or_null(end), None)
    made = Span(_span_id(span), name, kind, parent, start_s, duration_s, _error(span), span.place)
    return Recorded(trace.identity, made, Attributes.given(_attributes(attributes, kind, name)), trace.identifying())


def _error(span: Fields) -> str | None:
    status = span.object("status")
    code = (status.text("code") if status is not None else None) or span.text("status_code")
    if code not in _FAILED:
        return None
    words = (status.text("message") if status is not None else None) or span.text("status_message")
    noted = (event.object("attributes") for event in span.objects("events"))
    told = (
        str(_plain_value(note.get("exception.message")))
        for note in noted
        if note and "exception.message" in note.value
    )
    return words or next(told, "error")


def _attributes(stated: Fields, kind: SpanKind, name: str) -> dict[str, tuple[Json, str]]:
    """What was recorded, by the names that other readers of spans know, each with its place."""
    given, answer = _plain_value(stated.get(_INPUTS)), _plain_value(stated.get(_OUTPUTS))
    inputs, outputs = stated.pointer(_INPUTS), stated.pointer(_OUTPUTS)
    entries: dict[str, tuple[Json, str]] = {}
    if kind is SpanKind.TOOL:
        entries["gen_ai.tool.name"] = (name, stated.place)
        if given is not None:
            entries["gen_ai.tool.call.arguments"] = (given, inputs)
        entries.update(_result(answer, outputs))
        identity = _plain_value(stated.get("tool_call_id"))
        if isinstance(identity, str):
            entries["gen_ai.tool.call.id"] = (identity, stated.pointer("tool_call_id"))
    elif kind is SpanKind.MODEL:
        entries.update(_call(stated, given, answer))
    elif kind is not SpanKind.OTHER:
        asked = _messages(given, inputs) or _words(given, inputs)
        if asked is not None:
            entries["gen_ai.input.messages"] = asked
        if (words := spoken_in(answer)) is not None:
            entries[_ANSWER] = (words, outputs)
        if kind is SpanKind.AGENT:
            entries["gen_ai.agent.name"] = (name, stated.place)
    return entries


def _result(answer: Json, place: str) -> Iterator[tuple[str, tuple[Json, str]]]:
    """What a tool gave, taken out of the message that LangChain makes of it."""
    if isinstance(answer, dict) and answer.get("type") == "tool" and "content" in answer:
        identity = answer.get("tool_call_id")
        if isinstance(identity, str):
            yield "gen_ai.tool.call.id", (identity, f"{place}/tool_call_id")
        answer, place = answer["content"], f"{place}/content"
    if answer is not None:
        yield "gen_ai.tool.call.result", (answer, place)


def _call(stated: Fields, given: Json, answer: Json) -> Iterator[tuple[str, tuple[Json, str]]]:
    """What a model was asked and answered, with its tools, its tokens and its name."""
    inputs, outputs = stated.pointer(_INPUTS), stated.pointer(_OUTPUTS)
    for known, value, place in (
        ("gen_ai.input.messages", given, inputs),
        ("gen_ai.output.messages", answer, outputs),
    ):
        messages = _messages(value, place) or _words(value, place)
        if messages is not None:
            yield known, messages
    for name in ("system", "instructions"):
        if isinstance(given, dict) and given.get(name):
            yield "gen_ai.system_instructions", (given[name], f"{inputs}/{name}")
    if isinstance(tools := _plain_value(stated.get(_TOOLS)), list):
        yield "gen_ai.tool.definitions", (tools, stated.pointer(_TOOLS))
    stated_tokens = _plain_value(stated.get(_TOKENS))
    told = Fields(answer, outputs) if isinstance(answer, dict) else Fields({}, outputs)
    usage = Fields(stated_tokens, stated.pointer(_TOKENS)) if isinstance(stated_tokens, dict) else usage_in(told)
    yield from tokens_in(usage)
    if usage is not None and _CACHED[0] in usage.value:
        yield _CACHED[1], (usage.value[_CACHED[0]], usage.pointer(_CACHED[0]))
    named = _plain_value(stated.get(_MODEL))
    asked = Fields(given, inputs) if isinstance(given, dict) else None
    parameters = _parsed(stated, "invocation_params")
    model = model_in(told, told.object("llm_output"), asked, parameters)
    if isinstance(named, str):
        model = named, stated.pointer(_MODEL)
    if model is not None:
        yield "llm.model_name", model


def _messages(value: Json, place: str) -> tuple[Json, str] | None:
    if isinstance(value, dict):
        return messages_in(Fields(value, place))
    plain = plain_messages(value)
    return ({"messages": [*plain]}, place) if plain else None


def _words(value: Json, place: str) -> tuple[Json, str] | None:
    words = spoken_in(value)
    return (words, place) if words is not None else None


def _by_its_head(trace: _StatedTrace) -> Iterator[Recorded]:
    """A turn of what stands at a trace itself, where its spans are kept elsewhere."""
    head = trace.info
    if head is None:
        return
    entries: dict[str, tuple[Json, str]] = {}
    for known, names in (
        ("gen_ai.input.messages", ("request_preview", "request")),
        (_ANSWER, ("response_preview", "response")),
    ):
        name = next((one for one in names if or_null(head.get(one)) is not None), None)
        value = _plain_value(head.get(name)) if name is not None else None
        asked = None if known == _ANSWER else _messages(value, trace.place)
        words = asked or _words(value, trace.place)
        if words is not None:
            entries[known] = words
    start = head.get("timestamp_ms") or head.get("request_time")
    took = head.number("execution_time_ms") or head.number("execution_duration_ms")
    start_s = interval(or_null(start), None, None)[0]
    failed = "error" if (head.text("status") or head.text("state")) == "ERROR" else None
    span = Span(
        trace.identity,
        "trace" if failed is None else "agent_run",  # which names no agent
        SpanKind.RUN if failed is None else SpanKind.AGENT,  # one that failed is a turn without an answer, too
        None,
        start_s,
        None if took is None else took / 1e3,
        failed,
        trace.place,
    )
    yield Recorded(trace.identity, span, Attributes.given(entries), trace.identifying())


def _verdict(stated: Fields) -> MetricVerdict:
    """An assessment: yes and no decide, as in MLflow; what somebody expects is said and decides nothing."""
    feedback, expected = stated.object("feedback"), stated.object("expectation")
    held = feedback or expected or stated
    value = _plain_value(held.get("value"))
    if stated.text("assessment_type") is not None:
        value = _of_row(held.get("value"))
        expected = stated if stated.text("assessment_type") == "expectation" else None
    if held.object("serialized_value") is not None:
        value = _plain_value((held.object("serialized_value") or held).get("value"))
    score = _YES_OR_NO.get(value.lower(), value) if isinstance(value, str) else value
    words = None if isinstance(value, bool | int | float) or value is None else _as_text(value)
    source = stated.object("source") or stated
    by = (source.text("source_id") or "") if source.text("source_type") == _BY_PEOPLE else None
    name = stated.text("assessment_name") or stated.text("name") or "assessment"
    if expected is not None:
        return score_of(name, None, ("expected: " + _as_text(value), stated.text("rationale")), by)
    problem = from_text(or_null(held.get("error")))
    failure = problem.get("error_message") if isinstance(problem, dict) else problem
    return score_of(name, score, (words, stated.text("rationale"), failure if isinstance(failure, str) else None), by)


def _of_row(stated: Json | Absent) -> Json:
    """The value of a row, which is always JSON."""
    try:
        value: Json = json.loads(stated) if isinstance(stated, str) else or_null(stated)
    except (ValueError, RecursionError):
        return or_null(stated)
    return value


def _as_text(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


IMPLEMENTATION = Implementation(read=read)
