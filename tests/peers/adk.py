"""google-adk 2.13.0 beside us: its conversion of sessions, its metrics, its verdicts and its files."""

from __future__ import annotations

import random

from tests.engine.adk_vectors import criterion, subject
from tests.peers.adk_invocations import alike, camel_cased, invocation
from tests.peers.comparison import Comparison
from trace_inspector.core.values import Json, JsonObject
from trace_inspector.core.verdict import MetricVerdict
from trace_inspector.engine.judging import judge_criterion
from trace_inspector.engine.metric import Judged
from trace_inspector.engine.metrics import METRICS

_INFORMING = ("tool_call_count_v1", "inference_call_count_v1", "token_usage_v1", "invocation_duration_v1")


def _sides(rng: random.Random) -> tuple[Json, Json]:
    """Invocations of both sides; mostly as many of one as of the other."""
    actual = [invocation(rng) for _turn in range(rng.choice((0, 1, 1, 2, 3)))]
    expected = [alike(rng, one) if rng.random() < 0.8 else invocation(rng) for one in actual]
    if rng.random() < 0.04:
        expected.append(invocation(rng))
    return camel_cased(rng, [*actual]), camel_cased(rng, [*expected])


def _calls_case(rng: random.Random) -> Json:
    actual, expected = _sides(rng)
    stated: Json = rng.choice((1.0, 0.5, 0, 1, True, "0.5"))
    if rng.random() < 0.8:
        options: JsonObject = {"threshold": stated}
        if rng.random() < 0.8:
            spelled: tuple[Json, ...] = ("EXACT", "IN_ORDER", "ANY_ORDER", "in order", " any-order ", 0, 1, 2)
            options[rng.choice(("match_type", "matchType"))] = rng.choice(spelled)
        if rng.random() < 0.4:
            options[rng.choice(("ignore_args", "ignoreArgs"))] = rng.random() < 0.6
        stated = options
    return {"metric": "tool_trajectory_avg_score", "criterion": stated, "actual": actual, "expected": expected}


def _answers_case(rng: random.Random) -> Json:
    actual, expected = _sides(rng)
    stated = rng.choice((0.8, 0.5, 1.0, 0.0))
    return {"metric": "response_match_score", "criterion": stated, "actual": actual, "expected": expected}


def _figures_case(rng: random.Random) -> Json:
    actual, expected = _sides(rng)
    return {"metric": rng.choice(_INFORMING), "criterion": None, "actual": actual, "expected": expected}


def _scored(case: Json) -> Json:
    assert isinstance(case, dict)
    job = {**case, "eval_metric": {}} if case["criterion"] is None else {**case}
    if job["criterion"] is None:
        del job["criterion"]
    return told(judge_criterion(criterion(job), subject(job), METRICS))


def told(judged: Judged) -> Json:
    """A judgement as the peer tells it."""
    if judged.overall.crashed:
        return {"error": judged.overall.reason}
    return {"overall": _figures(judged.overall), "turns": [_figures(one) for one in judged.turns if one]}


def _figures(verdict: MetricVerdict) -> Json:
    return {
        "score": verdict.score,
        "status": verdict.status.value,
        "rubrics": [[one.rubric_id, one.score, one.rationale or None] for one in verdict.rubrics],
        "figures": {**dict(verdict.figures)} or None,
    }


COMPARISONS = (
    Comparison("adk-calls", "adk", "score", 1500, _calls_case, _scored),
    Comparison("adk-answers", "adk", "score", 1500, _answers_case, _scored),
    Comparison("adk-figures", "adk", "score", 1000, _figures_case, _scored),
)
