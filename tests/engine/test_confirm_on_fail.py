"""`confirm_on_fail`: what a majority of samples fails is asked once more, and all votes count together."""

from __future__ import annotations

import pytest

from tests.engine.adk_vectors import ScriptedJudge
from tests.engine.builders import judged, trace, turn
from tests.engine.test_rubrics import SHORT, reply
from tests.helpers.tables import each
from trace_inspector.core.golden.golden import Case, Scenario
from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.verdict import MetricVerdict

ANSWERS = "rubric_based_final_response_quality_v1"
WHOLE = "rubric_based_multi_turn_trajectory_quality_v1"
SIMULATOR = "per_turn_user_simulator_quality_v1"
THREE: dict[str, Json] = {"judge_model_options": {"num_samples": 3}, "confirm_on_fail": True}


def voted(metric: str, replies: list[str], rules: str = "") -> tuple[MetricVerdict, ScriptedJudge]:
    """What one turn comes to, and who was asked."""
    judge = ScriptedJudge([*replies])
    verdict = judged(None, trace("t", turn("question")), metric, 1.0, {**THREE, "rubrics": [SHORT]}, rules, judge)
    return verdict.turns[0].metrics[0], judge


@each("metric", [ANSWERS, WHOLE])
@each(
    ("first", "second", "score"),
    [
        ("no no yes", "yes yes yes", 1.0),
        ("no no yes", "no yes yes", 0.0),
        ("no no no", "no no no", 0.0),
        ("yes yes no", "", 1.0),
    ],
)
def test_a_denied_rubric_is_asked_about_once_more(metric: str, first: str, second: str, score: float) -> None:
    found, judge = voted(metric, [reply(word) for word in (*first.split(), *second.split())])
    assert found.score == score
    assert len(found.rubrics[0].votes) == len(judge.asked) == len((first + " " + second).split())
    assert [question.sample for question in judge.asked] == list(range(len(judge.asked)))


@pytest.mark.parametrize("metric", [ANSWERS, WHOLE])
def test_by_adks_rules_nothing_is_confirmed(metric: str) -> None:
    found, judge = voted(metric, [reply("no")] * 3, "adk")
    assert found.score == 0.0
    assert len(judge.asked) == 3


def test_a_failed_call_is_no_failing_majority() -> None:
    judge = ScriptedJudge([reply("no"), {"raise": "gone"}, reply("no")])
    options: dict[str, Json] = {**THREE, "rubrics": [SHORT]}
    verdict = judged(None, trace("t", turn("question")), ANSWERS, 1.0, options, "", judge)
    assert verdict.turns[0].metrics[0].score is None
    assert len(judge.asked) == 3


def test_a_simulated_user_who_strays_is_asked_about_once_more() -> None:
    case = Case("case", scenario=Scenario("question 0", "ask twice"))
    stays, strays = '{"is_valid": True}\n', '{"is_valid": False}\n'
    judge = ScriptedJudge([strays, strays, stays, stays, stays, stays, *[stays] * 3])
    observed = trace("t", turn("question 0"), turn("question 1"))
    verdict = judged(case, observed, SIMULATOR, 1.0, THREE, "", judge)
    second = verdict.turns[1].metrics[0]
    assert (second.score, second.votes.count(1.0), second.votes.count(0.0)) == (1.0, 4, 2)
    assert "4 of 6 votes" in second.reason
