"""Traces of Langfuse: `langfuse`, as its pages download them and its API gives them; each is a turn of its session.

An observation is a span. What an instrumentation recorded of it stands in its metadata; input, output, model and
tokens stand beside.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from msgspec import Struct

from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.trace import Span, SpanKind, Trace
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, Provenance, Status
from trace_inspector.formats.common.fields import Fields, Report, count_of, number_of, or_null
from trace_inspector.formats.common.format import Implementation, Source
from trace_inspector.formats.common.record_counts import RecordCounts
from trace_inspector.formats.common.span_attributes import Attributes, Form, from_text
from trace_inspector.formats.common.times import interval
from trace_inspector.formats.spans.conversation_builder import ConversationBuilder
from trace_inspector.formats.spans.spans import Recorded, identifying_attributes, kind_of

_CONVERSATION = "session.id"
_INPUT_NAMES = {
    SpanKind.MODEL: "gen_ai.input.messages",
    SpanKind.TOOL: "gen_ai.tool.call.arguments",
    SpanKind.RUN: "gen_ai.input.messages",
    SpanKind.AGENT: "input.value",
}
_OUTPUT_NAMES = {
    SpanKind.MODEL: "gen_ai.output.messages",
    SpanKind.TOOL: "gen_ai.tool.call.result",
    SpanKind.RUN: "gen_ai.output.messages",
    SpanKind.AGENT: "output.value",
}
_TYPES = {
    "GENERATION": SpanKind.MODEL,
    "TOOL": SpanKind.TOOL,
    "AGENT": SpanKind.AGENT,
}
_NAMED = {SpanKind.TOOL: "gen_ai.tool.name", SpanKind.AGENT: "gen_ai.agent.name"}
_TOKENS = {
    "llm.token_count.prompt": ("input", "promptTokens", "inputUsage"),
    "llm.token_count.completion": ("output", "completionTokens", "outputUsage"),
    "llm.token_count.completion_details.reasoning": ("output_reasoning", "output_reasoning_tokens"),
    "llm.token_count.prompt_details.cache_read": (
        "input_cached_tokens",
        "input_cache_read",
        "cache_read_input_tokens",
    ),
}
_USED = ("inputUsage", "outputUsage")  # what the observation itself states
_OPENS = (SpanKind.RUN, SpanKind.AGENT)
_BY_PEOPLE = "ANNOTATION"


def read(source: Source) -> Iterator[Item]:
    """Each session as a trace, each trace of Langfuse as a turn of it, with the scores it carries."""
    report, counts = Report(), RecordCounts()
    builder = ConversationBuilder(source)
    scores: dict[str, list[MetricVerdict]] = {}
    value = source.value
    whole = [Fields(value, "")] if isinstance(value, dict) else report.bounded_list(value, "")
    for fields in whole:
        trace = fields.object("trace") or fields
        listed = fields if isinstance(fields.get("observations"), list) else trace
        observations = report.bounded(listed, "observations")
        for recorded in _Observations(trace, observations).spans():
            source.tick()
            builder.recording.take(recorded)
        key = trace.text("sessionId") or trace.text("id") or ""
        own = [_score(score) for score in report.bounded(trace, "scores")]
        scores.setdefault(key, []).extend(own)
        counts.understood(1 + len(observations) + len(own))
    before: Trace | None = None
    for item in builder.rest():
        if isinstance(item, Trace):
            yield from _reported(before, scores)
            before = item
        yield item
    yield from _reported(before, scores)
    yield counts.finding()
    yield from report.drain()


def _reported(trace: Trace | None, scores: dict[str, list[MetricVerdict]]) -> Iterator[CaseVerdict]:
    """The scores that the file states of a conversation; a number alone neither passes nor fails."""
    metrics = tuple(scores.pop(trace.id, ())) if trace is not None else ()
    if trace is not None and metrics:
        yield CaseVerdict("", "", trace.id, Status.NOT_EVALUATED, metrics, trace_place=trace.place)


def _score(fields: Fields) -> MetricVerdict:
    number = number_of(fields.get("value"))
    words = fields.text("stringValue")
    by = "by people" if fields.text("source") == _BY_PEOPLE else ""
    comment = fields.text("comment")
    return MetricVerdict(
        metric=fields.text("name") or "score",
        score=number,
        status=Status.INFORMATIONAL if number is not None else Status.NOT_EVALUATED,
        reason="; ".join(part for part in (words, by, comment) if part),
        provenance=Provenance.HUMAN if by else Provenance.REPORTED,
        by=(fields.text("authorUserId") or "") if by else "",
    )


class _Observations(Struct):
    """The observations of one trace as spans, below a span of the trace itself."""

    trace: Fields
    observations: list[Fields]

    def spans(self) -> Iterator[Recorded]:
        """The trace as a run, then each observation."""
        identity = self.trace.text("id") or self.trace.place
        ids = {observation.text("id") for observation in self.observations}
        around = self._around({observation.text("parentObservationId") for observation in self._models()})
        spans = [
            self._span(observation, identity, ids, is_outer=observation.text("id") in around)
            for observation in self.observations
        ]
        if not any(one.span.parent_id is None and one.span.kind in _OPENS for one in spans):
            # Nothing says where the turn begins and ends but the trace itself.
            yield self._run(identity)
            for one in spans:
                one.span.parent_id = one.span.parent_id or identity
        yield from spans

    def _models(self) -> Iterator[Fields]:
        return (one for one in self.observations if one.text("type") == "GENERATION")

    def _around(self, parents: set[str | None]) -> set[str | None]:
        """Every observation above a generation: a generation among them only repeats what is below."""
        above = {one.text("id"): one.text("parentObservationId") for one in self.observations}
        around: set[str | None] = set()
        level = {parent for parent in parents if parent is not None}
        while level - around:
            around |= level
            level = {parent for one in level if (parent := above.get(one)) is not None}
        return around

    def _run(self, identity: str) -> Recorded:
        start, took = self.trace.get("timestamp"), self.trace.number("latency")
        span = Span(
            identity,
            self.trace.text("name") or "trace",
            SpanKind.RUN,
            None,
            interval(or_null(start), None, None)[0],
            took,
            place=self.trace.place,
        )
        return Recorded(identity, span, self._attributes(self.trace, SpanKind.RUN), self._identifying())

    def _span(self, observation: Fields, trace: str, ids: set[str | None], *, is_outer: bool) -> Recorded:
        kind = _kind(observation)
        if kind is SpanKind.MODEL and is_outer:
            kind = SpanKind.OTHER
        start, took = interval(or_null(observation.get("startTime")), or_null(observation.get("endTime")), None)
        failed, above = observation.text("level") == "ERROR", observation.text("parentObservationId")
        span = Span(
            observation.text("id") or observation.place,
            observation.text("name") or observation.text("type") or "",
            kind,
            above if above in ids else None,
            start,
            took,
            (observation.text("statusMessage") or "error") if failed else None,
            observation.place,
        )
        return Recorded(trace, span, self._attributes(observation, kind), self._identifying())

    def _identifying(self) -> dict[str, Json]:
        session = self.trace.text("sessionId")
        return {_CONVERSATION: session} if session else {_CONVERSATION: self.trace.text("id") or ""}

    def _attributes(self, fields: Fields, kind: SpanKind) -> Attributes:
        """What was recorded, by the names that other readers of spans know, each with its place."""
        entries: dict[str, tuple[Json, str]] = {}
        recorded = _recorded(fields)
        if recorded is not None:
            entries.update({name: (value, join(recorded.place, name)) for name, value in recorded.value.items()})
        for names, key in ((_INPUT_NAMES, "input"), (_OUTPUT_NAMES, "output")):
            value = _plain(or_null(fields.get(key)))
            name = (_of_adk(value) if kind is SpanKind.MODEL else None) or names.get(kind)
            if name is not None and value is not None and (kind is not SpanKind.RUN or _is_words(value)):
                entries.setdefault(name, (value, fields.pointer(key)))
        if kind in _NAMED:
            entries.setdefault(_NAMED[kind], (fields.text("name") or "", fields.pointer("name")))
        if (model := fields.text("model")) is not None:
            entries.setdefault("llm.model_name", (model, fields.pointer("model")))
        entries.update(_tokens(fields))
        return Attributes.given(entries)


def _recorded(fields: Fields) -> Fields | None:
    """The attributes of the span that an instrumentation sent, which Langfuse keeps in the metadata."""
    metadata = from_text(or_null(fields.get("metadata")))
    attributes = metadata.get("attributes") if isinstance(metadata, dict) else None
    place = f"{fields.pointer('metadata')}/attributes"
    return Fields(attributes, place) if isinstance(attributes, dict) else None


def _kind(observation: Fields) -> SpanKind:
    stated = _TYPES.get(observation.text("type") or "")
    if stated is not None:
        return stated
    recorded = _recorded(observation)
    raw: JsonObject = {"attributes": recorded.value} if recorded is not None else {}
    attributes = Attributes(raw, observation.place, Form())
    known = kind_of(observation.text("name") or "", identifying_attributes(attributes))
    return SpanKind.OTHER if known in (SpanKind.PLUMBING, SpanKind.MODEL) else known


def _plain(value: Json) -> Json:
    """What Langfuse keeps as JSON in a text, of traces also within another text, is what it says."""
    if isinstance(value, str) and value[:1] == '"':
        try:
            inner: Json = json.loads(value)
        except ValueError:
            return value
        value = inner
    return from_text(value)


def _is_words(value: Json) -> bool:
    """Whether the input or output of a whole trace is words or messages; anything else is told by what is below."""
    if isinstance(value, dict):
        return "messages" in value or "role" in value
    return isinstance(value, str) or (isinstance(value, list) and all(isinstance(item, dict) for item in value))


def _of_adk(value: Json) -> str | None:
    """The name under which ADK's spans have its requests and responses, where this is one."""
    if isinstance(value, dict) and isinstance(value.get("contents"), list):
        return "gcp.vertex.agent.llm_request"
    content = value.get("content") if isinstance(value, dict) else None
    return "gcp.vertex.agent.llm_response" if isinstance(content, dict) and "parts" in content else None


def _tokens(fields: Fields) -> Iterator[tuple[str, tuple[Json, str]]]:
    beside = {key: fields.value[key] for key in _USED if key in fields.value}
    for usage in (fields.object("usageDetails"), fields.object("usage"), Fields(beside, fields.place)):
        if usage is None or not usage.value:
            continue
        for name, keys in _TOKENS.items():
            key = next((key for key in keys if count_of(usage.value.get(key)) is not None), None)
            if key is not None:
                yield name, (usage.value[key], f"{usage.place}/{key}")
        return


IMPLEMENTATION = Implementation(read=read)
