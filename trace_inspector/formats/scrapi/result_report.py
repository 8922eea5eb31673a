"""SCRAPI's combined report: one line for each golden, simulation or tool test."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.parts import Part, Text, ToolCall, Transfer
from trace_inspector.core.trace.trace import Event, Steps, Trace, Turn
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.verdict.verdict import (
    CaseVerdict,
    ExpectationVerdict,
    MetricVerdict,
    Provenance,
    Status,
    TurnVerdict,
    compose,
)
from trace_inspector.formats.common.extras import extras_of
from trace_inspector.formats.common.fields import Fields, Report, or_null
from trace_inspector.formats.scrapi.fields import place_of
from trace_inspector.formats.scrapi.outcome import flagged, stated

_READ = ("name", "passed", "turns", "expectations", "session_id", "session_parameters")
_MISSED = "(missed)"  # what the report writes where nothing was observed


def report_items(fields: Fields, suite_id: str, report: Report) -> Iterator[Item]:
    """One line: a conversation as far as it is recorded, and its verdict."""
    case_id = fields.text("name") or fields.text("test_name") or suite_id
    turns = report.bounded(fields, "turns")
    yield Trace(
        case_id,
        session_id=fields.text("session_id") or None,
        case_id=case_id,
        suite_id=suite_id,
        extras=tuple(_parameters(fields)),
        place=fields.place,
    )
    verdicts = []
    for index, turn in enumerate(turns):
        yield _turn(turn, index)
        verdicts.append(_turn_verdict(turn, index, report))
    is_flagged = "passed" in fields.value
    yield CaseVerdict(
        case_id,
        suite_id,
        case_id,
        flagged(fields.get("passed")) if is_flagged else stated(fields, "status", report),
        tuple(_criteria(fields, report)),
        tuple(verdicts),
        trace_place=fields.place,
        native=fields.get("passed" if is_flagged else "status"),
        provenance=Provenance.REPORTED,
        extras=extras_of(fields, *_READ),
    )


def _parameters(fields: Fields) -> Iterator[Extra]:
    stated_parameters = fields.mapping("session_parameters")
    if stated_parameters:
        yield Extra("session_parameters", stated_parameters, fields.pointer("session_parameters"))


def _criteria(fields: Fields, report: Report) -> Iterator[MetricVerdict]:
    """The sentences that a judge decided."""
    verdicts = tuple(
        ExpectationVerdict(
            sentence.text("expectation") or "",
            stated(sentence, "status", report),
            reason=sentence.text("justification") or "",
            native=sentence.get("status"),
            place=sentence.place,
        )
        for sentence in fields.objects("expectations")
    )
    if verdicts:
        status = compose(sentence.status for sentence in verdicts)
        yield MetricVerdict("ces_llm_criteria", None, status, provenance=Provenance.DERIVED, expectations=verdicts)


def _turn(fields: Fields, index: int) -> Turn:
    """What was observed, of which the report holds no more than texts, names and arguments."""
    user_input = fields.text("user_input")
    parts: list[tuple[Part, Fields]] = []
    answer: tuple[Part, ...] | None = None
    for comparison in fields.objects("comparisons"):
        actual = comparison.text("actual")
        if actual is None or actual == _MISSED:
            continue
        match comparison.text("type"):
            case "text":
                answer = (Text(actual, comparison.pointer("actual")),)
            case "tool_call":
                parts.append(
                    (
                        ToolCall(actual, comparison.get("actual_args"), place=place_of(comparison, "actual_args")),
                        comparison,
                    )
                )
            case "transfer":
                parts.append((Transfer(actual, comparison.pointer("actual")), comparison))
    return Turn(
        index=index,
        user=() if user_input is None else (Text(user_input, fields.pointer("user_input")),),
        events=tuple(Event("", (part,), place=comparison.place) for part, comparison in parts),
        final_response=answer,
        steps=Steps.EVENTS if parts else Steps.ABSENT,
        place=fields.place,
    )


def _turn_verdict(fields: Fields, index: int, report: Report) -> TurnVerdict:
    verdicts = tuple(
        ExpectationVerdict(
            _what(comparison),
            stated(comparison, "outcome", report),
            score=comparison.number("tool_invocation_score"),
            reason=comparison.text("tool_invocation_explanation") or "",
            native=comparison.get("outcome"),
            place=comparison.place,
            golden_place=comparison.pointer("expected") if "expected" in comparison.value else "",
        )
        for comparison in fields.objects("comparisons")
    )
    status = compose(comparison.status for comparison in verdicts)
    metrics = [MetricVerdict("ces_expectations", None, status, provenance=Provenance.DERIVED, expectations=verdicts)]
    if or_null(fields.get("semantic_score")) is not None:
        metrics.append(
            MetricVerdict(
                "ces_semantic_similarity",
                fields.number("semantic_score"),
                Status.INFORMATIONAL,
                reason=fields.text("semantic_explanation") or "",
                provenance=Provenance.REPORTED,
            )
        )
    return TurnVerdict(index, index, status, tuple(metrics), provenance=Provenance.DERIVED)


def _what(comparison: Fields) -> str:
    """An expectation as text."""
    kind = {"tool_call": "call ", "transfer": "transfer to "}.get(comparison.text("type") or "", "")
    return f"{kind}{comparison.text('expected') or ''}" if kind else "answer"
