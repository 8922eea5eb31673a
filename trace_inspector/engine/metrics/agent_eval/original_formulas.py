"""The formulas of agent-eval as it computes them, its mistakes included."""

from __future__ import annotations

from trace_inspector.core.trace.trace import SpanKind
from trace_inspector.engine.metrics.agent_eval.measured import (
    NO_SPANS,
    NO_TOKENS,
    TRANSFER,
    Measurement,
    Work,
    chunks_of,
    counted,
    has_failed,
    in_sandbox,
    share,
    tool_name,
)

_MADE_UP = "the spans are made up, each call one second long: these are counts, not times"


def latency(work: Work) -> Measurement:
    """All invocations together, as their spans say."""
    runs = work.spans_of(SpanKind.RUN)
    took = [span.duration_s for span in runs if span.duration_s is not None]
    if not took:
        return Measurement(None, NO_SPANS)
    models = work.spans_of(SpanKind.MODEL)
    ends = [span.start_s + span.duration_s for span in models[:1] if span.start_s is not None and span.duration_s]
    start = min((span.start_s for span in work.spans if span.start_s is not None), default=None)
    figures = (
        ("average_turn_s", sum(took) / len(took)),
        ("llm_s", sum(span.duration_s or 0.0 for span in models)),
        ("tool_s", sum(span.duration_s or 0.0 for span in work.spans_of(SpanKind.TOOL))),
        ("first_response_s", ends[0] - start if ends and start is not None else None),
    )
    return Measurement(sum(took), _MADE_UP if work.is_made_up else "", figures)


def cache(work: Work) -> Measurement:
    """Cached tokens beside those of the prompt, among which they are already."""
    tokens = work.tokens()
    return share(tokens.cached, tokens.prompt + tokens.cached, NO_TOKENS)


def thinking(work: Work) -> Measurement:
    """The share of what the models wrote that was thoughts."""
    tokens = work.tokens()
    turns = sum(Work((turn,)).tokens().thoughts > 0 for turn in work.turns)
    return share(
        tokens.thoughts, tokens.thoughts + tokens.candidates, NO_TOKENS, (("turns_with_thoughts", float(turns)),)
    )


def tools(work: Work) -> Measurement:
    """How many spans ran a tool."""
    return (
        counted(tool_name(span) for span in work.spans_of(SpanKind.TOOL))
        if work.spans
        else Measurement(None, NO_SPANS)
    )


def success(work: Work) -> Measurement:
    """The share of answers that are no failures; without any answer everything went well."""
    results = work.results()
    failed = sum(map(has_failed, results))
    figures = (("responses", float(len(results))), ("failed", float(failed)))
    return Measurement(1 - failed / len(results) if results else 1.0, "", figures)


def grounding(work: Work) -> Measurement:
    """The sources in answers in spans of model calls; synthetic spans have none."""
    if not work.spans:
        return Measurement(None, NO_SPANS)
    chunk_counts = [] if work.is_made_up else [chunks_of(event) for event in work.events()]
    responses = len(work.spans_of(SpanKind.MODEL))
    grounded = sum(count > 0 for count in chunk_counts)
    figures = (("grounded_responses", float(grounded)), ("responses", float(responses)))
    return Measurement(float(sum(chunk_counts)), "", figures)


def handoffs(work: Work) -> Measurement:
    """Agents at work, one for each turn among them, and spans of tools that are agents or hand over."""
    if not work.spans:
        return Measurement(None, NO_SPANS)
    tools_run = [tool_name(span) for span in work.spans_of(SpanKind.TOOL)]
    handed = sum(name.endswith("Agent") or name == TRANSFER for name in tools_run)
    agents = len(work.spans_of(SpanKind.AGENT))
    return Measurement(float(agents + handed), "", (("invoke_agent", float(agents)), ("tools", float(handed))))


def density(work: Work) -> Measurement:
    """Tokens that a call of a model writes."""
    asked = work.asked()
    figures = (("output_tokens", float(work.tokens().candidates)), ("llm_calls", float(len(asked))))
    return share(work.tokens().candidates, len(asked), NO_TOKENS, figures)


def sandbox(work: Work) -> Measurement:
    """How many spans ran a tool that reads and writes files or runs code."""
    if not work.spans:
        return Measurement(None, NO_SPANS)
    return counted(in_sandbox(tool_name(span) for span in work.spans_of(SpanKind.TOOL)))
