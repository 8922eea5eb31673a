"""What is said of a simulated user who failed: that a message strays, or that the conversation ends too early."""

from __future__ import annotations

from tests.engine.adk_vectors import ScriptedJudge
from tests.engine.builders import judged, trace, turn
from trace_inspector.core.golden.golden import Case, Scenario
from trace_inspector.core.values.values import Json

SIMULATOR = "per_turn_user_simulator_quality_v1"
ONE: dict[str, Json] = {"judge_model_options": {"num_samples": 1}}
STAYS, STRAYS = '{"is_valid": True}\n', '{"is_valid": False}\n'


def reason(*replies: str) -> str:
    """Why the last of two turns failed, by what a judge says of the second message and of the end."""
    case = Case("case", scenario=Scenario("question 0", "ask twice"))
    observed = trace("t", turn("question 0"), turn("question 1"))
    verdict = judged(case, observed, SIMULATOR, 1.0, ONE, "", ScriptedJudge([*replies]))
    return verdict.turns[1].metrics[0].reason


def test_a_message_that_is_not_of_the_scenario_strays() -> None:
    assert "the simulated user departs from the scenario" in reason(STRAYS, STAYS)
    assert "end here" not in reason(STRAYS, STAYS)


def test_an_end_that_comes_too_early_is_called_one() -> None:
    assert "the simulated user ends the conversation too early" in reason(STAYS, STRAYS)
    assert "strays" not in reason(STAYS, STRAYS)
