"""The metrics give what google-adk 2.13.0 gives, to the last bit."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.adk_vectors import (
    ScriptedJudge,
    Vector,
    criterion,
    eval_case,
    scripted,
    service_reply,
    subject,
    turns,
    vectors,
)
from tests.helpers.one_criterion import judge_criterion
from tests.helpers.tables import each
from trace_inspector.core.trace.criteria import Criteria, Criterion
from trace_inspector.core.trace.trace import Trace
from trace_inspector.core.verdict.verdict import MetricVerdict, Status
from trace_inspector.engine.criteria.case_verdict import Frame
from trace_inspector.engine.criteria.criteria import complete
from trace_inspector.engine.judges.questions import turn_context as context
from trace_inspector.engine.metrics import METRICS
from trace_inspector.engine.running.runner import WorkItem, judge_item

PLAIN = (
    "tool_trajectory_avg_score",
    "response_match_score",
    "tool_call_count_v1",
    "inference_call_count_v1",
    "token_usage_v1",
    "invocation_duration_v1",
)
# These ADK refuses when it reads the criteria file, before any metric runs.
REFUSED_WITH_THE_FILE = {"traj/no criterion no threshold", "traj/criterion without threshold"}


def _named(listed: list[Vector]) -> list[Any]:
    return [pytest.param(vector, id=vector.name) for vector in listed]


def _figures(verdict: MetricVerdict) -> dict[str, float | None] | None:
    return dict(verdict.figures) or None


@each("vector", _named([v for name in PLAIN for v in vectors(name) if v.name not in REFUSED_WITH_THE_FILE]))
def test_metric_gives_adks_numbers(vector: Vector) -> None:
    judged = judge_criterion(criterion(vector.job), subject(vector.job), METRICS)
    if "error" in vector.result:
        assert judged.overall.status is Status.NOT_EVALUATED
        assert judged.overall.crashed
        return
    assert judged.overall.score == vector.result["overall_score"]
    assert judged.overall.status.value == vector.result["overall_eval_status"]
    details = vector.result["overall_token_usage_details"] or vector.result["overall_duration_details"]
    assert _figures(judged.overall) == details
    said = [(verdict.score, verdict.status.value, _figures(verdict)) for verdict in judged.turns if verdict]
    assert said == [
        (turn["score"], turn["eval_status"], turn["token_usage_details"] or turn["duration_details"])
        for turn in vector.result["per_invocation"]
    ]


@each("vector", _named([v for v in vectors("tool_trajectory_avg_score") if v.name in REFUSED_WITH_THE_FILE]))
def test_a_criterion_without_threshold_decides_nothing(vector: Vector) -> None:
    judged = judge_criterion(criterion(vector.job), subject(vector.job), METRICS)
    assert judged.overall.status is Status.NOT_EVALUATED


# ADK's own sentences for "nothing here"; ours stand in their place.
OUR_WORDS = {
    "Agent has no tools.": context.NO_TOOLS,
    "No intermediate steps were taken.": context.NO_STEPS,
    "No grounding metadata was provided.": context.NO_GROUNDING,
}


JUDGED = (
    "final_response_match_v2",
    "rubric_based_final_response_quality_v1",
    "rubric_based_tool_use_quality_v1",
    "hallucinations_v1",
    "per_turn_user_simulator_quality_v1",
    "rubric_based_multi_turn_trajectory_quality_v1",
)
SERVED = (
    "response_evaluation_score",
    "safety_v1",
    "multi_turn_task_success_v1",
    "multi_turn_trajectory_quality_v1",
    "multi_turn_tool_use_quality_v1",
)


# What google-adk's web interface sends has no criterion at all; no criteria file can say that.
JUDGED_VECTORS = [
    vector for name in JUDGED for vector in vectors(name) if not vector.name.startswith("web-ui/threshold only")
]


def in_our_words(text: str) -> str:
    for theirs, ours in OUR_WORDS.items():
        text = text.replace(theirs, ours)
    return text


@each("vector", _named(JUDGED_VECTORS))
def test_judged_metrics_give_adks_numbers_for_the_same_replies(vector: Vector) -> None:
    judge = scripted(vector.job)
    judged = judge_criterion(criterion(vector.job), subject(vector.job), METRICS, judge)
    if "error" in vector.result:
        assert judged.overall.status is Status.NOT_EVALUATED
        assert judged.overall.crashed
        return
    assert judged.overall.score == vector.result["overall_score"]
    assert judged.overall.status.value == vector.result["overall_eval_status"]
    scores = vector.result["overall_rubric_scores"] or []
    assert [(one.rubric_id, one.score) for one in judged.overall.rubrics] == [
        (one["rubric_id"], one["score"]) for one in scores
    ]
    said = [
        (turn.score, turn.status.value, [(one.rubric_id, one.score, one.rationale) for one in turn.rubrics])
        for turn in judged.turns
        if turn
    ]
    assert said == [
        (
            turn["score"],
            turn["eval_status"],
            [(one["rubric_id"], one["score"], one["rationale"]) for one in turn["rubric_scores"] or []],
        )
        for turn in vector.result["per_invocation"]
    ]
    wanted = [
        {name: in_our_words(text) for name, text in call["fields"].items() if name != "user_persona"}
        for call in vector.result.get("judge_calls", [])
    ]
    assert [{name: text for name, text in one.fields if name != "violations"} for one in judge.asked] == wanted
    for question, call in zip(judge.asked, vector.result.get("judge_calls", []), strict=True):
        persona = call["fields"].get("user_persona") or {"behaviors": []}
        assert all(name in question.prompt for name in persona["behaviors"])
    assert all(text in question.prompt for question in judge.asked for _name, text in question.fields)


@each("vector", _named([v for name in SERVED for v in vectors(name)]))
def test_what_the_evaluation_service_answers_counts_as_in_adk(vector: Vector) -> None:
    service = ScriptedJudge([service_reply(answer) for answer in vector.job["vertex"]])
    judged = judge_criterion(criterion(vector.job), subject(vector.job), METRICS, service)
    if "error" in vector.result:
        assert judged.overall.status is Status.NOT_EVALUATED
        assert judged.overall.crashed
        assert not service.asked
        return
    assert len(service.asked) == len(vector.job["vertex"])
    assert (judged.overall.score, judged.overall.status.value) == (
        vector.result["overall_score"],
        vector.result["overall_eval_status"],
    )
    assert _rubric_scores(judged.overall) == (vector.result["overall_rubric_scores"] or [])
    said = [(turn.score, turn.status.value, _rubric_scores(turn)) for turn in judged.turns if turn]
    assert said == [
        (turn["score"], turn["eval_status"], turn["rubric_scores"] or []) for turn in vector.result["per_invocation"]
    ]


def _rubric_scores(verdict: MetricVerdict) -> list[dict[str, Any]]:
    return [
        {"rubric_id": one.rubric_id, "rationale": one.rationale or None, "score": one.score}
        for one in verdict.rubrics
    ]


def _criteria(config: dict[str, Any]) -> tuple[Criterion, ...]:
    given = [criterion({"metric": name, "criterion": value}) for name, value in config["criteria"].items()]
    return complete(Criteria(tuple(given)), METRICS, rules="adk").items


@each("vector", _named(vectors(mode="case")))
def test_case_gives_adks_verdict(vector: Vector) -> None:
    case = eval_case(vector.job["eval_case"])
    trace = Trace("trace", turns(vector.job.get("actual")))
    judge = scripted(vector.job)
    verdict = judge_item(WorkItem(case, trace, _criteria(vector.job["config"]), Frame("adk")), METRICS, judge)
    if "error" in vector.result:
        assert {one.status for one in verdict.metrics} <= {Status.NOT_EVALUATED, Status.INFORMATIONAL}
        assert verdict.status is Status.NOT_EVALUATED
        return
    assert verdict.status.value == vector.result["final_eval_status"]
    assert [(one.metric, one.score, one.status.value, one.threshold) for one in verdict.metrics] == [
        (one["metric_name"], one["score"], one["eval_status"], one["threshold"]) for one in vector.result["overall"]
    ]
    assert [[(one.metric, one.score, one.status.value) for one in turn.metrics] for turn in verdict.turns] == [
        [(one["metric_name"], one["score"], one["eval_status"]) for one in turn]
        for turn in vector.result["per_invocation"]
    ]
