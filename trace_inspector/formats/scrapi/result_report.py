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
from trace_inspector.formats.common.fields import Fields, Report, known
from trace_inspector.formats.scrapi.fields import place_of
from trace_inspector.formats.scrapi.outcome import flagged, stated

_READ = ("name", "passed", "turns", "expectations", "session_id", "session_parameters")
_MISSED = "(missed)"  # what the report writes where nothing was observed


def report_items(fields: Fields, suite_id: str, report: Report) -> Iterator[Item]:
    """One line: a conversation as far as it is told, and how it came out."""
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
        yield Extra("session_parameters", stated_parameters, fields.at("session_parameters"))


def _criteria(fields: Fields, report: Report) -> Iterator[MetricVerdict]:
    """The sentences that a judge decided."""
    found = tuple(
        ExpectationVerdict(
            one.text("expectation") or "",
            stated(one, "status", report),
            reason=one.text("justification") or "",
            native=one.get("status"),
            place=one.place,
        )
        for one in fields.objects("expectations")
    )
    if found:
        status = compose(one.status for one in found)
        yield MetricVerdict("ces_llm_criteria", None, status, provenance=Provenance.DERIVED, expectations=found)


def _turn(fields: Fields, index: int) -> Turn:
    """What was observed, of which the report tells no more than texts, names and arguments."""
    said = fields.text("user_input")
    parts: list[tuple[Part, Fields]] = []
    answer: tuple[Part, ...] | None = None
    for one in fields.objects("comparisons"):
        actual = one.text("actual")
        if actual is None or actual == _MISSED:
            continue
        match one.text("type"):
            case "text":
                answer = (Text(actual, one.at("actual")),)
            case "tool_call":
                parts.append((ToolCall(actual, one.get("actual_args"), place=place_of(one, "actual_args")), one))
            case "transfer":
                parts.append((Transfer(actual, one.at("actual")), one))
    return Turn(
        index=index,
        user=() if said is None else (Text(said, fields.at("user_input")),),
        events=tuple(Event("", (part,), place=one.place) for part, one in parts),
        final_response=answer,
        steps=Steps.EVENTS if parts else Steps.ABSENT,
        place=fields.place,
    )


def _turn_verdict(fields: Fields, index: int, report: Report) -> TurnVerdict:
    found = tuple(
        ExpectationVerdict(
            _what(one),
            stated(one, "outcome", report),
            score=one.number("tool_invocation_score"),
            reason=one.text("tool_invocation_explanation") or "",
            native=one.get("outcome"),
            place=one.place,
            golden_place=one.at("expected") if "expected" in one.value else "",
        )
        for one in fields.objects("comparisons")
    )
    status = compose(one.status for one in found)
    metrics = [MetricVerdict("ces_expectations", None, status, provenance=Provenance.DERIVED, expectations=found)]
    if known(fields.get("semantic_score")) is not None:
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


def _what(one: Fields) -> str:
    """An expectation in words."""
    kind = {"tool_call": "call ", "transfer": "transfer to "}.get(one.text("type") or "", "")
    return f"{kind}{one.text('expected') or ''}" if kind else "answer"
