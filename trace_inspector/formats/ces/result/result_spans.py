"""Timed work in CES's files as spans: latencies of tools, callbacks, guardrails and models, and trees of spans."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.finding import warning
from trace_inspector.core.trace.trace import Span, SpanKind, Usage
from trace_inspector.core.values.extra import Extra
from trace_inspector.formats.ces.common.content import short_name
from trace_inspector.formats.ces.common.enums import SPAN_TYPE, enum_word
from trace_inspector.formats.ces.common.values import duration_of, plain, seconds, time_of
from trace_inspector.formats.common.extras import extras_of
from trace_inspector.formats.common.fields import Fields, Report, count_of, fields_of

_TYPES = {"TOOL": SpanKind.TOOL, "LLM": SpanKind.MODEL}
_WORDS = {"USER_CALLBACK": "callback", "GUARDRAIL": "guardrail"}
# In a tree the name gives the kind of a span; the names of attributes have spaces.
_NAMES = {"llm": SpanKind.MODEL, "tool": SpanKind.TOOL, "agent": SpanKind.AGENT}
_TELLING = ("name", "agent", "model", "stage")
_INPUT, _OUTPUT = "input token count", "output token count"
_OF_A_SPAN = ("name", "start_time", "end_time", "duration", "attributes", "child_spans")
_MOST_NAME = 200


class Tree(Struct, frozen=True):
    """The spans of a tree, parents first, and what its model calls say of tokens and models."""

    spans: tuple[Span, ...] = ()
    usage: Usage | None = None
    model: str | None = None
    start_s: float | None = None
    duration_s: float | None = None
    extras: tuple[Extra, ...] = ()  # what spans say beyond times, names and kinds


def latency_spans(owner: Fields, report: Report) -> tuple[Span, ...]:
    """The latencies of a turn or of a conversation; a tool's call that stands in both lists is one span."""
    spans = [
        _span(latency, *_kind_and_name(latency, report), report)
        for latency in report.bounded(owner, "span_latencies")
    ]
    tool_times = {(span.start_s, span.duration_s) for span in spans if span.kind is SpanKind.TOOL}
    for latency in report.bounded(owner, "tool_call_latencies"):
        name = _named(latency.text("display_name") or "", latency.text("tool") or "")
        span = _span(latency, SpanKind.TOOL, name, report)
        if (span.start_s, span.duration_s) not in tool_times:
            spans.append(span)
    return tuple(spans)


def total_s(spans: Iterable[Span], kind: SpanKind) -> float | None:
    """How long the spans of a kind took together, None when none states it."""
    durations = [span.duration_s for span in spans if span.kind is kind and span.duration_s is not None]
    return sum(durations) if durations else None


def span_tree(root: Fields | None, report: Report) -> Tree:
    """A tree of spans, as a turn of a conversation has it; read without recursion, as far as there is room."""
    if root is None:
        return Tree()
    spans: list[Span] = []
    inputs: list[int | None] = []
    outputs: list[int | None] = []
    models: list[str] = []
    extras: list[Extra] = []
    remaining: list[tuple[Fields, str | None]] = [(root, None)]
    while remaining:
        fields, parent = remaining.pop()
        attributes = _attributes(fields)
        kind = _NAMES.get((fields.text("name") or "").lower(), SpanKind.OTHER)
        spans.append(_span(fields, kind, _tree_name(fields, attributes), report, parent))
        extras += _beside(fields, attributes, spans[-1].name)
        if kind is SpanKind.MODEL:
            inputs.append(count_of(attributes.get(_INPUT)))
            outputs.append(count_of(attributes.get(_OUTPUT)))
            models += [model] if (model := attributes.text("model")) else []
        remaining += [(child, fields.place) for child in reversed(report.bounded(fields, "child_spans"))]
    usage = Usage(prompt=_sum(inputs), candidates=_sum(outputs))
    return Tree(
        tuple(spans),
        usage if usage != Usage() else None,
        models[-1] if models else None,
        spans[0].start_s,
        spans[0].duration_s,
        tuple(extras),
    )


def _span(fields: Fields, kind: SpanKind, name: str, report: Report, parent: str | None = None) -> Span:
    """One span. Its duration is the stated one, else that until its end."""
    started, ended = time_of(fields, "start_time", report), time_of(fields, "end_time", report)
    length = next(
        (
            duration
            for key in ("execution_latency", "duration")
            if (duration := duration_of(fields, key, report)) is not None
        ),
        None if started is None or ended is None else ended - started,
    )
    if length is not None and length < 0:
        report.add(
            warning("negative-duration", f"“{name}” ends before it begins; its duration is left out.", fields.place)
        )
        length = None
    return Span(fields.place, name, kind, parent, seconds(started), seconds(length), place=fields.place)


def _kind_and_name(fields: Fields, report: Report) -> tuple[SpanKind, str]:
    word = enum_word(fields, "type", SPAN_TYPE, report) or enum_word(fields, "type_", SPAN_TYPE, report)
    toolset = fields.object("toolset")
    identifier = next((text for key in ("resource", "model", "callback") if (text := fields.text(key))), "")
    name = _named(fields.text("display_name") or "", identifier)
    if toolset is not None:
        name = f"{name} ({_in_toolset(toolset)})" if name else _in_toolset(toolset)
    kind = _TYPES.get(word, SpanKind.OTHER)
    return kind, " ".join(text for text in ("" if word in _TYPES else _WORDS.get(word, word), name) if text)


def _named(display: str, identifier: str) -> str:
    """The display name, and the resource name where that adds something."""
    short = short_name(identifier, display)
    return f"{display} ({short})" if display and display != short else short


def _in_toolset(toolset: Fields) -> str:
    """A tool by its set and its id in it."""
    return "/".join(part for key in ("toolset", "tool_id") if (part := short_name(toolset.text(key) or "")))


def _tree_name(fields: Fields, attributes: Fields) -> str:
    """The span's name with what its attributes call it."""
    texts = [fields.text("name") or "span", *_attribute_texts(attributes)]
    return " ".join(dict.fromkeys(texts))[:_MOST_NAME]


def _attribute_texts(attributes: Fields) -> Iterator[str]:
    for name in _TELLING:
        value = attributes.text(name)
        if value:
            yield short_name(value)


def _beside(fields: Fields, attributes: Fields, name: str) -> Iterator[Extra]:
    """The members of a span that its name and its times do not show, under that name."""
    telling = [key for key in _TELLING if attributes.text(key)]
    for extra in extras_of(attributes, *telling) + extras_of(fields, *_OF_A_SPAN):
        yield replace(extra, name=f"{name}: {extra.name}")


def _attributes(fields: Fields) -> Fields:
    value = plain(fields.mapping("attributes") or {})
    return fields_of(value, fields.pointer("attributes"))


def _sum(counts: list[int | None]) -> int | None:
    counted = [count for count in counts if count is not None]
    return sum(counted) if counted else None
