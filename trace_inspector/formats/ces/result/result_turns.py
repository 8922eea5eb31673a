"""Replayed turns of CES's golden results: what was observed as a turn, how it came out as its verdict."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from trace_inspector.core.trace.trace import Event, SpanKind, Steps, Turn
from trace_inspector.core.verdict.verdict import Provenance, Status, TurnVerdict
from trace_inspector.formats.ces.common.content import state_of
from trace_inspector.formats.ces.common.enums import ERROR_TYPE, enum_word
from trace_inspector.formats.ces.common.values import duration_of, seconds, status_text
from trace_inspector.formats.ces.evaluation.evaluation_golden import with_answer
from trace_inspector.formats.ces.result.result_outcomes import Observed, golden_outcome
from trace_inspector.formats.ces.result.result_spans import latency_spans, total_s
from trace_inspector.formats.ces.result.result_verdicts import Settings, derived, failing, turn_metrics
from trace_inspector.formats.common.extras import extras_of
from trace_inspector.formats.common.fields import Fields, Report

_READ = (
    "expectation_outcome",
    "expectation_outcomes",
    "hallucination_result",
    "tool_invocation_score",
    "tool_ordered_invocation_score",
    "turn_latency",
    "tool_call_latencies",
    "semantic_similarity_result",
    "overall_tool_invocation_result",
    "span_latencies",
)
_ERRORS = ("errorInfo", "error_info")
_ERROR_TYPES = ("errorType", "error_type")
_AGENT = "agent"  # what an author is called who is not named


def replayed(fields: Fields, index: int, settings: Settings, report: Report) -> tuple[Turn, TurnVerdict]:
    """One replayed turn with its verdict, which CES does not state and which follows from its parts."""
    outcomes = [golden_outcome(item, report) for item in outcomes_of(fields, report)]
    metrics = turn_metrics(fields, outcomes, settings, report)
    problem = error_text(fields, report)
    turn = observed_turn(index, [item for outcome in outcomes for item in outcome.observed], fields.place)
    spans = latency_spans(fields, report)
    turn = replace(
        turn,
        duration_s=seconds(duration_of(fields, "turn_latency", report)),
        model_duration_s=total_s(spans, SpanKind.MODEL),
        tool_duration_s=total_s(spans, SpanKind.TOOL),
        spans=spans,
        extras=(*extras_of(fields, *_READ, *_ERRORS), *(extra for outcome in outcomes for extra in outcome.extras)),
    )
    status = Status.ERROR if problem else derived(metrics)
    verdict = TurnVerdict(
        index,
        index,
        status,
        metrics,
        problem or failing(metrics),
        Provenance.DERIVED,
        tuple(item for item in extras_of(fields) if item.name in _ERRORS),
    )
    return turn, verdict


def observed_turn(index: int, observed: Sequence[Observed], place: str) -> Turn:
    """What was observed, in its order; the last answer is the answer, and the user's message is not known."""
    answers = [position for position, item in enumerate(observed) if item.is_answer]
    events = tuple(_event(item) for item in observed)
    turn = Turn(index=index, events=events, steps=Steps.EVENTS, place=place)
    return with_answer(turn, answers[-1]) if answers else turn


def error_text(owner: Fields, report: Report) -> str:
    """What went wrong, as a sentence: the kind and the message; "" when nothing did."""
    info = owner.object("error_info")
    if info is not None:
        kind = enum_word(info, "error_type", ERROR_TYPE, report)
        texts = (kind, info.text("error_message") or info.text("user_facing_error_message"))
        error = ": ".join(words for words in texts if words)
        others = (value for key, value in info.value.items() if key not in _ERROR_TYPES)
        if error or any(value not in (None, "") for value in others):
            return error or "an error without a message"
    status = owner.object("error")
    return status_text(status) if status is not None else ""


def outcomes_of(fields: Fields, report: Report) -> list[Fields]:
    """The entries; some exporters write a single one without a list, or the plural of the key."""
    for name in ("expectation_outcome", "expectation_outcomes"):
        alone = fields.object(name)
        if alone is not None:
            return [alone]
        if isinstance(fields.get(name), list):
            return report.bounded(fields, name)
    return []


def _event(item: Observed) -> Event:
    return Event(
        item.role or _AGENT,
        item.parts,
        time_s=item.time_s,
        state_delta=state_of(item.parts),
        extras=item.extras,
        place=item.place,
    )
