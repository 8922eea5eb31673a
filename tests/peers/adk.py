"""google-adk 2.13.0 beside us: its conversion of sessions, its metrics, its verdicts and its files."""

from __future__ import annotations

import random

from msgspec.structs import replace

from tests.engine.adk_vectors import ScriptedJudge, criterion, subject
from tests.engine.test_adk_vectors import OUR_WORDS
from tests.helpers.one_criterion import judge_criterion
from tests.peers.adk_cases import converted, evaluated, read_again, stops_the_run, whole_case, written
from tests.peers.adk_invocations import alike, app_details, camel_cased, invocation
from tests.peers.adk_replies import replies, rubrics
from tests.peers.adk_sessions import session
from tests.peers.comparison import Comparison, KnownDifference, spelled
from tests.peers.odd_values import put
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.verdict import MetricVerdict
from trace_inspector.engine.metrics import METRICS
from trace_inspector.engine.scoring.metric import Judged

_JUDGED = (
    "final_response_match_v2",
    "rubric_based_final_response_quality_v1",
    "rubric_based_tool_use_quality_v1",
    "rubric_based_multi_turn_trajectory_quality_v1",
    "hallucinations_v1",
)
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


def _judged_case(rng: random.Random) -> Json:
    actual, expected = _sides(rng)
    assert isinstance(actual, list)
    for one in actual:
        if isinstance(one, dict):
            put(rng, one, "rubrics", rubrics(rng, "a"), chance=0.3)
            put(rng, one, "app_details", app_details(rng), chance=0.3)
    options: JsonObject = {"judge_model": "m", "num_samples": rng.choice((1, 1, 2, 3, 5))}
    stated: JsonObject = {"threshold": rng.choice((0.5, 0.0, 1.0)), "judge_model_options": options}
    stated["include_intermediate_responses_in_final"] = rng.random() < 0.3
    metric = rng.choice(_JUDGED)
    if metric == "hallucinations_v1":
        stated["evaluate_intermediate_nl_responses"] = rng.random() < 0.5
    if metric.startswith("rubric") and rng.random() < 0.8:
        stated["rubrics"] = rubrics(rng, "k")
    return {
        "metric": metric,
        "criterion": stated,
        "actual": actual,
        "expected": expected if rng.random() < 0.8 else None,
        "replies": replies(rng),
    }


def _scored(case: Json) -> Json:
    assert isinstance(case, dict)
    job = {**case, "eval_metric": {}} if case["criterion"] is None else {**case}
    if job["criterion"] is None:
        del job["criterion"]
    said = job.get("replies")
    judge = ScriptedJudge([*said] if isinstance(said, list) else [], cycles=True)
    judged = judge_criterion(criterion(job), subject(job), METRICS, judge)
    if judged.overall.crashed:
        return {"error": judged.overall.reason}
    asked: list[Json] = [{name: _in_their_words(text) for name, text in one.fields} for one in judge.asked]
    return {**told(judged), "asked": asked}


def _in_their_words(text: str) -> str:
    for theirs, ours in OUR_WORDS.items():
        text = text.replace(ours, theirs)
    return text


def told(judged: Judged) -> JsonObject:
    """A judgement as the peer tells it."""
    # The words of a mean's rationale are each program's own.
    overall = replace(judged.overall, rubrics=tuple(replace(one, rationale="") for one in judged.overall.rubrics))
    return {"overall": _figures(overall), "turns": [_figures(one) for one in judged.turns if one]}


def _figures(verdict: MetricVerdict) -> Json:
    return {
        "score": verdict.score,
        "status": verdict.status.value,
        "rubrics": [[one.rubric_id, one.score, one.rationale or None] for one in verdict.rubrics],
        "figures": {**dict(verdict.figures)} or None,
    }


def _shows_none(_case: Json, theirs: Json, ours: Json) -> bool:
    """Whether nothing differs but what stands for a user, or an answer, without a text."""
    if not isinstance(theirs, dict) or not isinstance(ours, dict):
        return False
    return spelled({**theirs, "asked": _without_none(theirs.get("asked"))}) == spelled(ours)


def _without_none(asked: Json) -> Json:
    listed = asked if isinstance(asked, list) else []
    return [
        {name: _blank(text) for name, text in fields.items()} if isinstance(fields, dict) else fields
        for fields in listed
    ]


_PROMPT = "User prompt:\n"


def _blank(text: Json) -> Json:
    return "" if text is None else str(text).replace(f"{_PROMPT}None\n\nTool", f"{_PROMPT}\n\nTool")


NONE = KnownDifference(
    "None for no text",
    "google-adk writes None into a prompt where a user or an answer says nothing; here nothing stands there",
    _shows_none,
)
STOPS = KnownDifference(
    "run given up",
    "google-adk raises for unequal numbers of turns and repeated rubric ids, and no case of the run has a result; "
    "here every metric of the case that compares is NOT_EVALUATED, and the others are judged",
    stops_the_run,
)

COMPARISONS = (
    Comparison("adk-conversion", "adk", "convert", 1500, session, converted),
    Comparison("adk-evaluation", "adk", "evaluate", 1500, whole_case, evaluated, (STOPS,)),
    Comparison("adk-result-written", "adk", "reread", 500, whole_case, evaluated, sent=written),
    Comparison("adk-result-read", "adk", "result", 500, whole_case, evaluated, (STOPS,), heard=read_again),
    Comparison("adk-judged", "adk", "score", 2500, _judged_case, _scored, (NONE,)),
    Comparison("adk-calls", "adk", "score", 1500, _calls_case, _scored),
    Comparison("adk-answers", "adk", "score", 1500, _answers_case, _scored),
    Comparison("adk-figures", "adk", "score", 1000, _figures_case, _scored),
)
