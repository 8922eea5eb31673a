"""`audit` finds what a file says against itself: each with its place and a sentence, and nothing where all fits."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.formats import ces_result_files as ces
from trace_inspector.cli import main
from trace_inspector.core.values.values import Json, JsonObject


def audited(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[dict[str, Any]]]:
    """The exit code and everything that was found."""
    code = main(["audit", *arguments, "--json"])
    printed = json.loads(capsys.readouterr().out)
    return code, [one for verdict in printed["verdicts"] for one in verdict["contradictions"]]


def saved(path: Path, value: Json) -> str:
    path.write_text(json.dumps(value), encoding="utf-8")
    return str(path)


def with_parameters(score: float, outcome: str, **override: Json) -> JsonObject:
    """A turn with one call, and the score and outcome of its parameters."""
    expectation: JsonObject = {"toolCall": ces.call("search", title="Emma"), **override}
    entry = ces.met(
        expectation=expectation,
        observedToolCall=ces.call("search", title="Emma"),
        toolInvocationResult={"parameterCorrectnessScore": score, "outcome": outcome},
    )
    return ces.replay(expectationOutcome=[entry])


def parameters_need(share: float) -> JsonObject:
    level: JsonObject = {"toolInvocationParameterCorrectnessThreshold": share}
    return {"goldenEvaluationMetricsThresholds": {"expectationLevelMetricsThresholds": level}}


def with_extra(outcome: str) -> JsonObject:
    """A turn with a call that nobody expected."""
    return ces.replay(expectationOutcome=[{"observedToolCall": ces.call("log"), "outcome": outcome}])


def extra_calls(behavior: str) -> JsonObject:
    return {"goldenEvaluationMetricsThresholds": {"toolMatchingSettings": {"extraToolCallBehavior": behavior}}}


def similar(score: float, outcome: str) -> JsonObject:
    return ces.replay(semanticSimilarityResult={"score": score, "outcome": outcome})


def result(turn: JsonObject, thresholds: JsonObject | None = None, **changed: Json) -> JsonObject:
    return ces.result(turn, evaluationMetricsThresholds=thresholds or {}, **changed)


def scenario(**changed: Json) -> JsonObject:
    """A scenario of which every expectation is met."""
    met = [ces.met(expectation={"agentResponse": ces.message("clerk", "Hi.")}, observedAgentResponse={})]
    told = ces.simulated(
        expectationOutcomes=list[Json](met),
        hallucinationResult=[],
        userGoalSatisfactionResult={"score": 1},
        **changed,
    )
    return {"name": ces.RESULT, "evaluationStatus": "FAIL", "scenarioResult": told}


TURN = "/goldenResult/turnReplayResults/0"
ENTRY = f"{TURN}/expectationOutcome/0"
OVERRIDE: JsonObject = {
    "expectationLevelMetricsThresholdsOverride": {"toolInvocationParameterCorrectnessThreshold": 0.5}
}
OF_CES: dict[str, tuple[Json, str, str]] = {
    "parameters below what is stated": (
        result(with_parameters(0.5, "PASS"), parameters_need(1.0)),
        "score-against-threshold",
        f"{ENTRY}/toolInvocationResult",
    ),
    "parameters below the default": (
        result(with_parameters(0.5, "PASS")),
        "score-against-threshold",
        f"{ENTRY}/toolInvocationResult",
    ),
    "parameters that reach what is stated": (
        result(with_parameters(0.5, "FAIL"), parameters_need(0.5), evaluationStatus="FAIL"),
        "score-against-threshold",
        f"{ENTRY}/toolInvocationResult",
    ),
    "parameters beyond all": (
        result(with_parameters(1.5, "PASS")),
        "score-out-of-range",
        f"{ENTRY}/toolInvocationResult",
    ),
    "an extra call passes": (result(with_extra("PASS"), extra_calls("FAIL")), "extra-call-against-setting", ENTRY),
    "an extra call passes by default": (result(with_extra("PASS")), "extra-call-against-setting", ENTRY),
    "an extra call that is allowed fails": (
        result(with_extra("FAIL"), extra_calls("ALLOW"), evaluationStatus="FAIL"),
        "extra-call-against-setting",
        ENTRY,
    ),
    "an execution that broke": (
        result(ces.replay(), executionState="ERROR"),
        "outcome-without-completion",
        "/evaluationStatus",
    ),
    "an execution that goes on, by number": (
        result(ces.replay(), executionState=1, evaluationStatus=1),
        "outcome-without-completion",
        "/evaluationStatus",
    ),
    "a turn that broke": (
        result(ces.replay(errorInfo={"errorType": "RUNTIME_FAILURE", "errorMessage": "boom"})),
        "error-hidden",
        TURN,
    ),
    "an answer below the default": (result(similar(2, "PASS")), "score-against-threshold", TURN),
    "an answer that reaches the default": (
        result(similar(3, "FAIL"), evaluationStatus="FAIL"),
        "score-against-threshold",
        TURN,
    ),
    "an answer beyond the scale": (result(similar(5, "PASS")), "score-out-of-range", TURN),
    "all is met, and it is said that not": (scenario(allExpectationsSatisfied=False), "metric-against-parts", ""),
}


@pytest.mark.parametrize("name", OF_CES)
def test_a_contradiction_of_ces_is_found_with_its_place(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    value, wanted, place = OF_CES[name]
    file = saved(tmp_path / "result.json", value)
    code, found = audited(capsys, file)
    assert code == 1
    assert [(one["code"], one["pointer"]) for one in found if one["code"] == wanted] == [(wanted, place)]
    main(["audit", file])
    printed = capsys.readouterr().out
    assert f": {wanted}: " in printed
    assert f"[{place}]" in printed or not place


@pytest.mark.parametrize(
    "value",
    [
        result(with_parameters(0.5, "PASS"), parameters_need(0.5)),
        result(with_parameters(0.5, "PASS", **OVERRIDE)),
        result(with_parameters(0.5, "PASS", **OVERRIDE), parameters_need(1.0)),
        result(with_extra("PASS"), extra_calls("ALLOW")),
        result(with_extra("FAIL"), extra_calls("FAIL"), evaluationStatus="FAIL"),
        result(with_extra("SKIPPED"), extra_calls("FAIL")),
        result(similar(3, "PASS")),
        result(similar(2, "FAIL"), evaluationStatus="FAIL"),
        {key: item for key, item in result(ces.replay(), executionState="RUNNING").items() if "Status" not in key},
        ces.result(),
    ],
)
def test_what_fits_is_no_contradiction(value: Json, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _code, found = audited(capsys, saved(tmp_path / "result.json", value))
    kinds = {"score-against-threshold", "extra-call-against-setting", "outcome-without-completion", "error-hidden"}
    assert [one for one in found if one["code"] in kinds] == []


def test_the_golden_says_which_threshold_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    level: JsonObject = {"toolInvocationParameterCorrectnessThreshold": 0.5}
    override: JsonObject = {"goldenEvaluationMetricsThresholds": {"expectationLevelMetricsThresholds": level}}
    steps: list[Json] = [
        {"userInput": {"text": "A book."}},
        {"expectation": {"toolCall": ces.call("search", title="Emma")}},
    ]
    golden: JsonObject = {
        "name": ces.EVALUATION,
        "displayName": "order a book",
        "golden": {"turns": [{"steps": steps}]},
        "evaluationMetricsThresholdOverride": override,
    }
    file = saved(tmp_path / "result.json", result(with_parameters(0.5, "PASS")))
    assert [one["code"] for one in audited(capsys, file)[1]] == ["score-against-threshold"]
    assert audited(capsys, file, saved(tmp_path / "golden.json", golden))[1] == []


def line(score: Json, status: int, threshold: float = 0.8, name: str = "response_match_score") -> JsonObject:
    """The result of one metric of ADK."""
    return {"metric_name": name, "threshold": threshold, "score": score, "eval_status": status}


def adk(overall: JsonObject, turn: JsonObject, status: int) -> JsonObject:
    """A result of ADK with one turn."""
    said: JsonObject = {"user_content": {"parts": [{"text": "Q"}]}, "final_response": {"parts": [{"text": "A"}]}}
    row: JsonObject = {"actual_invocation": said, "expected_invocation": said, "eval_metric_results": [turn]}
    case: JsonObject = {
        "eval_set_id": "s",
        "eval_id": "c",
        "session_id": "c",
        "final_eval_status": status,
        "overall_eval_metric_results": [overall],
        "eval_metric_result_per_invocation": [row],
    }
    return {"eval_set_result_id": "r", "eval_set_id": "s", "eval_case_results": [case]}


RUBRICS: JsonObject = {
    "details": {"rubric_scores": [{"rubric_id": "polite", "score": 0.0}, {"rubric_id": "short", "score": 1.0}]}
}
JUDGED = "rubric_based_final_response_quality_v1"
OF_ADK: dict[str, tuple[JsonObject, str]] = {
    "more than all": (adk(line(1.7, 1), line(1.7, 1), 1), "score-out-of-range"),
    "less than nothing": (adk(line(-0.5, 2), line(-0.5, 2), 2), "score-out-of-range"),
    "a turn by another threshold": (adk(line(0.9, 1), line(0.9, 1, 0.5), 1), "thresholds-differ"),
    "a score that decided nothing": (adk(line(0.9, 3), line(0.9, 3), 3), "score-undecided"),
    "decided without a score": (adk(line(None, 1), line(None, 1), 1), "no-score"),
    "a metric failed, and the case is not evaluated": (adk(line(0.1, 2), line(0.1, 2), 3), "derived-differs"),
    "full marks with a rubric that does not hold": (
        adk(line(1.0, 1, name=JUDGED) | RUBRICS, line(1.0, 1, name=JUDGED) | RUBRICS, 1),
        "rubrics-against-score",
    ),
}


@pytest.mark.parametrize("name", OF_ADK)
def test_a_contradiction_of_adk_is_found_with_its_place(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    value, wanted = OF_ADK[name]
    code, found = audited(capsys, saved(tmp_path / "result.json", value))
    assert code == 1
    meant = [one for one in found if one["code"] == wanted]
    assert meant
    assert all(one["pointer"].startswith("/eval_case_results/0") and one["sentence"].endswith(".") for one in meant)


def test_adk_that_fits_is_no_contradiction(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    half = line(0.5, 2, name=JUDGED) | RUBRICS
    for value in (
        adk(line(0.9, 1), line(0.9, 1), 1),
        adk(line(None, 3) | _SAID, line(None, 3), 3),
        adk(half, half, 2),
    ):
        assert audited(capsys, saved(tmp_path / "result.json", value)) == (0, [])


_SAID: JsonObject = {"details": {"reason": "the golden has no answer"}}


def vertex(score: float, verdicts: str) -> JsonObject:
    """A request with one answer, and what a rubric metric says of it: “yes” or “no” of each rubric."""
    rubrics: list[Json] = []
    for at, word in enumerate(verdicts.split()):
        rubric: JsonObject = {"rubricId": f"r{at}", "content": {"property": {"description": f"rule {at}"}}}
        rubrics.append({"evaluatedRubric": rubric, "verdict": word == "yes"})
    judged: JsonObject = {"candidate": "a", "metric": "quality", "score": score, "rubricVerdicts": rubrics}
    request: JsonObject = {
        "prompt": {"text": "Q"},
        "candidateResponses": [{"candidate": "a", "text": "A"}],
    }
    return {
        "name": "projects/p/locations/l/evaluationItems/i",
        "displayName": "i",
        "evaluationItemType": "RESULT",
        "evaluationResponse": {"request": request, "metric": "quality", "candidateResults": [judged]},
    }


@pytest.mark.parametrize(
    ("value", "codes"),
    [
        (vertex(1.0, "yes no"), ["rubrics-against-score"]),
        (vertex(0.0, "yes yes"), ["rubrics-against-score"]),
        (vertex(1.0, "yes yes"), []),
        (vertex(0.5, "yes no"), []),
        (vertex(0.0, "no no"), []),
    ],
)
def test_a_score_of_vertex_is_held_against_its_rubrics(
    value: JsonObject, codes: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, found = audited(capsys, saved(tmp_path / "item.json", value))
    assert [one["code"] for one in found] == codes
    assert code == (1 if codes else 0)
    assert all("rule 1" in one["sentence"] or "all of its 2" in one["sentence"] for one in found)
