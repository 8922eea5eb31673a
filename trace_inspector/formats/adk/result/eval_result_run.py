"""Writes a run as ADK writes its results: one plain EvalSetResult, with what it has no key for under our own."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from trace_inspector.core.alignment.sequence_alignment import Order
from trace_inspector.core.alignment.turn_alignment import CallPair
from trace_inspector.core.golden.golden import Case, with_rubrics
from trace_inspector.core.golden.golden_digest import is_whole
from trace_inspector.core.trace.trace import Trace, Turn, kept_by_adk
from trace_inspector.core.values.json_numbers import json_text
from trace_inspector.core.values.values import Json, JsonObject, strict
from trace_inspector.core.verdict.verdict import (
    CaseVerdict,
    MetricVerdict,
    Overruled,
    RubricVerdict,
    RunVerdict,
    Sentence,
    Status,
    TurnVerdict,
)
from trace_inspector.formats.adk.result.eval_result_schemas import number_of_status
from trace_inspector.formats.adk.session.full_invocation import filled_invocation
from trace_inspector.formats.adk.session.invocation_writer import Leftovers, invocation_json
from trace_inspector.formats.writing.run_context import Judged

_FIGURES = {"token_usage_v1": "token_usage_details", "invocation_duration_v1": "duration_details"}


def write_run(run: RunVerdict, judged: Judged) -> str:
    """The text of the result file."""
    set_id = next((case.suite_id for case in run.cases if case.suite_id), "")
    written: JsonObject = {
        "eval_set_result_id": run.id,
        "eval_set_result_name": run.id,
        "eval_set_id": set_id,
        "eval_case_results": [_case(case, run, judged) for case in run.cases],
        "creation_timestamp": run.started_s,
    }
    plain = strict(written)
    return json_text(plain if isinstance(plain, dict) else {})


def _case(verdict: CaseVerdict, run: RunVerdict, judged: Judged) -> JsonObject:
    golden, trace = judged.case(verdict), judged.trace(verdict)
    criteria = {metric: (threshold, options) for metric, threshold, options in verdict.criteria or run.criteria}
    return {
        "eval_set_file": verdict.suite_id,
        "eval_set_id": verdict.suite_id,
        "eval_id": verdict.case_id,
        "final_eval_status": number_of_status(verdict.status),
        "eval_metric_results": None,
        "overall_eval_metric_results": [_metric(metric, criteria) for metric in verdict.metrics],
        "eval_metric_result_per_invocation": _rows(verdict, golden, trace, criteria, run.rules),
        "session_id": verdict.session_id or verdict.trace_id or "",
        "session_details": None,
        "user_id": golden.session.user if golden and golden.session else trace.user if trace else None,
        "traceInspector": _beside(verdict, run),
    }


_Criteria = Mapping[str, tuple[float | None, JsonObject]]


def _rows(
    verdict: CaseVerdict, golden: Case | None, trace: Trace | None, criteria: _Criteria, rules: str
) -> list[Json]:
    """One row for each turn of the trace, in its order, each with every metric of the case."""
    observed = {turn.index: turn for turn in trace.turns} if trace else {}
    expected = {turn.index: turn for turn in golden.turns} if golden else {}
    rows: list[Json] = []
    for turn in sorted((turn for turn in verdict.turns if turn.index is not None), key=lambda turn: turn.index or 0):
        scored = {metric.metric: metric for metric in turn.metrics}
        blank = [scored.get(each.metric) or _nothing(each) for each in verdict.metrics]
        golden_turn = expected.get(turn.golden_index) if turn.golden_index is not None else None
        rows.append(
            {
                "actual_invocation": _invocation(_judged(observed.get(turn.index or 0), golden, golden_turn, rules)),
                "expected_invocation": _invocation(golden_turn) if golden_turn else None,
                "eval_metric_results": [_metric(metric, criteria) for metric in blank],
            }
        )
    return rows


def _judged(turn: Turn | None, golden: Case | None, golden_turn: Turn | None, rules: str) -> Turn:
    """What was judged: by google-adk's rules the invocation that it makes of the turn, with all its rubrics."""
    if turn is None or rules != "adk":
        return turn or Turn(0)
    return with_rubrics(kept_by_adk(turn), golden, golden_turn)


def _nothing(overall: MetricVerdict) -> MetricVerdict:
    status = Status.INFORMATIONAL if overall.status is Status.INFORMATIONAL else Status.NOT_EVALUATED
    return MetricVerdict(overall.metric, None, status, overall.threshold)


def _invocation(turn: Turn) -> JsonObject:
    """The whole invocation. What has no key there stays in the trace, which the result names."""
    return filled_invocation(invocation_json(turn, "", Leftovers([])))


def _metric(verdict: MetricVerdict, criteria: _Criteria) -> JsonObject:
    threshold, options = criteria.get(verdict.metric, (None, {}))
    threshold = verdict.threshold if verdict.threshold is not None else threshold
    figures: JsonObject = {**dict(verdict.figures)}
    rubrics: list[Json] = [
        {"rubric_id": rubric.rubric_id, "rationale": _rationale(rubric, verdict), "score": rubric.score}
        for rubric in verdict.rubrics
    ]
    details: JsonObject = {
        "rubric_scores": rubrics if rubrics or verdict.has_rubrics else None,
        "token_usage_details": None,
        "duration_details": None,
    }
    if verdict.metric in _FIGURES and figures:
        details[_FIGURES[verdict.metric]] = figures
    criterion: JsonObject = {"threshold": threshold, "include_intermediate_responses_in_final": False, **options}
    return {
        "metric_name": verdict.metric,
        "threshold": threshold,
        "criterion": criterion if threshold is not None else None,
        "custom_function_path": None,
        "score": verdict.score,
        "eval_status": number_of_status(verdict.status),
        "details": details,
    }


def _rationale(rubric: RubricVerdict, verdict: MetricVerdict) -> str | None:
    """A judge that decides rubrics gives a reason with each, which may be empty."""
    return rubric.rationale if verdict.has_rubrics else rubric.rationale or None


def _beside(verdict: CaseVerdict, run: RunVerdict) -> JsonObject:
    """What ADK's result has no key for; it ignores keys that it does not know there."""
    names = {metric.metric for metric in verdict.metrics}
    return {
        "version": 1,
        "rules": run.rules,
        "criteria_source": run.criteria_source,
        "status": verdict.status.value,
        **_overruled(verdict.overruled),
        "reason": verdict.reason,
        "hides": [*verdict.hides],
        "golden": _golden(verdict),
        "trace": {"id": verdict.trace_id, "path": verdict.trace_path, "pointer": verdict.trace_place},
        "paired_by": verdict.paired_by,
        **_whose(verdict),
        "missing_turns": [*verdict.missing_turns],
        "extra_turns": [*verdict.extra_turns],
        "metrics": [_metric_beside(metric) for metric in verdict.metrics],
        "turns": [_turn_beside(turn, names) for turn in verdict.turns],
    }


def _golden(verdict: CaseVerdict) -> JsonObject:
    digest: JsonObject = {"digest": verdict.golden_digest} if is_whole(verdict.golden_digest) else {}
    return {"path": verdict.golden_path, "pointer": verdict.golden_place, **digest}


def _whose(verdict: CaseVerdict) -> JsonObject:
    """Whose answers these are and who asked, where there were several."""
    named = {"candidate": verdict.candidate, "persona": verdict.persona}
    return {key: name for key, name in named.items() if name}


def _turn_beside(turn: TurnVerdict, metrics_of_case: Collection[str]) -> JsonObject:
    """What its row does not hold. A turn that the trace does not have has no row."""
    return {
        "index": turn.index,
        "golden_index": turn.golden_index,
        "status": turn.status.value,
        **_overruled(turn.overruled),
        "reason": turn.reason,
        "metrics": [
            _metric_beside(metric, scored=turn.index is None or metric.metric not in metrics_of_case)
            for metric in turn.metrics
        ],
    }


def _metric_beside(verdict: MetricVerdict, *, scored: bool = False) -> JsonObject:
    written: JsonObject = {
        "name": verdict.metric,
        "status": verdict.status.value,
        "reason": verdict.reason,
        "provenance": verdict.provenance.value,
        **_overruled(verdict.overruled),
    }
    if scored:
        written |= {"score": verdict.score, "threshold": verdict.threshold}
    if verdict.version > 1:
        written["version"] = verdict.version
    if verdict.votes:
        written["votes"] = [*verdict.votes]
    if verdict.crashed:
        written["crashed"] = True
    if verdict.sentences:
        written["sentences"] = [_sentence(sentence) for sentence in verdict.sentences]
    if verdict.rubrics:
        written["rubrics"] = [
            {"rubric_id": rubric.rubric_id, "text": rubric.text, "votes": [*rubric.votes]}
            for rubric in verdict.rubrics
        ]
    if verdict.calls:
        written["calls"] = [_call(pair) for pair in verdict.calls]
    return written


def _call(pair: CallPair) -> JsonObject:
    order: JsonObject = {} if pair.order is Order.KEPT else {"order": pair.order.value}
    return {
        "match": pair.match.value,
        "expected": pair.expected,
        "observed": pair.observed,
        "differing": [*pair.differing],
        **order,
    }


def _overruled(overruled: Overruled | None) -> JsonObject:
    """The status before a person overruled it."""
    if overruled is None:
        return {}
    members: JsonObject = {"status": overruled.status.value, "note": overruled.note, "at_s": overruled.at_s}
    return {"overruled": {**members, "follows": overruled.follows}}


def _sentence(sentence: Sentence) -> JsonObject:
    return {
        "start": sentence.start,
        "end": sentence.end,
        "label": sentence.support.value,
        "reason": sentence.reason,
        "excerpt": sentence.excerpt,
        "source": sentence.source,
        "pointer": sentence.place,
    }
