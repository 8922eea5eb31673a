"""SCRAPI's results of one golden: of several runs with their scores, or of one run turn by turn."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from trace_inspector.core.finding import warning
from trace_inspector.core.golden.golden import Case, Suite
from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.parts import Text, ToolCall
from trace_inspector.core.trace.trace import Event, Steps, Trace, Turn
from trace_inspector.core.values.values import Json
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

_READ_OF_A_RUN = ("run_id", "evaluation_status", "semantic_similarity", "tool_outcomes", "hallucination_result")
_READ_OF_A_RESULT = ("golden_id", "run_id", "status", "turns")
_READ_OF_A_TURN = (
    "turn",
    "user_input",
    "observed_agent_response",
    "expected_agent_response",
    "text_outcome",
    "semantic_score",
    "tool_calls",
    "tool_outcome",
)
_NOTHING_TO_ASSESS = -1


def run_items(fields: Fields, suite_id: str, report: Report) -> Iterator[Item]:
    """Several runs of one golden, each with scores and no conversation."""
    case_id = fields.text("eval_name") or suite_id
    runs = report.bounded(fields, "runs")
    for repeat, run in enumerate(runs):
        run_id = run.text("run_id") or str(repeat + 1)
        yield Trace(f"{case_id} ({run_id})", case_id=case_id, suite_id=suite_id, case_runs=len(runs), place=run.place)
        metrics = tuple(_scores(run, report))
        status = stated(run, "evaluation_status", report)
        if status is Status.FAILED and all(metric.status is Status.PASSED for metric in metrics):
            message = "The file says that this run failed, although every score in it passed."
            report.add(warning("verdict-differs", message, run.pointer("evaluation_status")))
        yield CaseVerdict(
            case_id,
            suite_id,
            f"{case_id} ({run_id})",
            status,
            metrics,
            trace_place=run.place,
            repeat=repeat,
            native=run.get("evaluation_status"),
            provenance=Provenance.REPORTED,
            extras=extras_of(run, *_READ_OF_A_RUN),
        )


def conversation_items(fields: Fields, suite_id: str, report: Report) -> Iterator[Item]:
    """One run, turn by turn, with what was expected of it."""
    case_id = fields.text("golden_id") or suite_id
    trace_id = f"{case_id} ({run_id})" if (run_id := fields.text("run_id")) else case_id
    turns = report.bounded(fields, "turns")
    yield Trace(trace_id, case_id=case_id, suite_id=suite_id, place=fields.place)
    verdicts = []
    for index, turn in enumerate(turns):
        yield _turn(turn, index, "observed_args", "observed_agent_response")
        verdicts.append(_turn_verdict(turn, index, report))
    script = tuple(_turn(turn, index, "expected_args", "expected_agent_response") for index, turn in enumerate(turns))
    yield Suite(suite_id, cases=(Case(case_id, suite_id, script, place=fields.place),), place=fields.place)
    yield CaseVerdict(
        case_id,
        suite_id,
        trace_id,
        stated(fields, "status", report),
        turns=tuple(verdicts),
        golden_place=fields.place,
        trace_place=fields.place,
        native=fields.get("status"),
        provenance=Provenance.REPORTED,
        extras=extras_of(fields, *_READ_OF_A_RESULT),
    )


def _scores(run: Fields, report: Report) -> Iterator[MetricVerdict]:
    similarity = run.object("semantic_similarity")
    if similarity is not None:
        yield _score("ces_semantic_similarity", similarity, similarity.number("score"))
    tools = run.object("tool_outcomes")
    if tools is not None:
        expected, matched = tools.number("expected"), tools.number("matched")
        share = matched / expected if matched is not None and expected else None
        verdict = _score("ces_tool_invocation", tools, share)
        yield replace(verdict, figures=(("expected", expected), ("matched", matched)))
    hallucination = run.object("hallucination_result")
    if hallucination is not None:
        score = hallucination.number("score")
        if score == _NOTHING_TO_ASSESS and hallucination.get("passed") is False:
            message = "This score means that there was nothing to assess, but it is marked as not passed."
            report.add(warning("verdict-differs", message, hallucination.pointer("passed")))
        yield replace(_score("ces_hallucination", hallucination, score), reason=hallucination.text("label") or "")


def _score(metric: str, fields: Fields, score: float | None) -> MetricVerdict:
    return MetricVerdict(
        metric,
        score,
        flagged(fields.get("passed")),
        fields.number("threshold"),
        fields.text("explanation") or "",
        Provenance.REPORTED,
        native=fields.get("passed"),
    )


def _turn(fields: Fields, index: int, args: str, answer: str) -> Turn:
    """A turn as it was observed, or as it was expected."""
    user_input = fields.text("user_input")
    calls = [
        ToolCall(call.text("tool_name") or "", call.get(args), place=call.place)
        for call in fields.objects("tool_calls")
        if args in call.value
    ]
    words = fields.text(answer)
    return Turn(
        index=index,
        user=() if user_input is None else (Text(user_input, fields.pointer("user_input")),),
        events=tuple(Event("", (call,), place=call.place) for call in calls),
        final_response=None if words is None else (Text(words, fields.pointer(answer)),),
        steps=Steps.EVENTS if "tool_calls" in fields.value else Steps.ABSENT,
        extras=extras_of(fields, *_READ_OF_A_TURN),
        place=fields.place,
    )


def _turn_verdict(fields: Fields, index: int, report: Report) -> TurnVerdict:
    """The outcomes of one turn. The file states none of the whole turn, so that is derived from them."""
    expectations = tuple(_outcomes(fields, report))
    score = fields.number("semantic_score")
    metrics = []
    if expectations:
        status = compose(verdict.status for verdict in expectations)
        metrics.append(
            MetricVerdict("ces_expectations", None, status, provenance=Provenance.DERIVED, expectations=expectations)
        )
    if score is not None:
        status = stated(fields, "text_outcome", report)
        metrics.append(MetricVerdict("ces_semantic_similarity", score, status, provenance=Provenance.REPORTED))
    if or_null(fields.get("tool_outcome")) is not None:
        status = stated(fields, "tool_outcome", report)
        native: Json = or_null(fields.get("tool_outcome"))
        metrics.append(
            MetricVerdict("ces_tool_invocation", None, status, provenance=Provenance.REPORTED, native=native)
        )
    return TurnVerdict(
        index, index, compose(verdict.status for verdict in metrics), tuple(metrics), provenance=Provenance.DERIVED
    )


def _outcomes(fields: Fields, report: Report) -> Iterator[ExpectationVerdict]:
    for call in fields.objects("tool_calls"):
        status = stated(call, "outcome", report)
        what = f"call {call.text('tool_name') or ''}"
        is_extra = "expected_args" not in call.value and "outcome" not in call.value
        place = "" if is_extra else call.place
        yield ExpectationVerdict(
            what, status, extra=is_extra, native=call.get("outcome"), place=call.place, golden_place=place
        )
    if or_null(fields.get("text_outcome")) is not None:
        status = stated(fields, "text_outcome", report)
        yield ExpectationVerdict(
            "answer",
            status,
            score=fields.number("semantic_score"),
            native=fields.get("text_outcome"),
            place=place_of(fields, "observed_agent_response"),
            golden_place=place_of(fields, "expected_agent_response"),
        )
