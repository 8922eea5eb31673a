"""`evaluate` judges each result again by what that result was judged by, however many a file or a folder holds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.commands.test_evaluate_ces import evaluated, save
from tests.formats import ces_result_files as ces
from trace_inspector.core.values.values import Json, JsonObject

INVOCATION, PARAMETERS = "ces_tool_invocation", "ces_parameter_correctness"


def half_right() -> JsonObject:
    """A turn of which one of two expected calls was made."""
    entries: list[Json] = [
        ces.met(
            expectation={"toolCall": ces.call("search", title="Emma")},
            observedToolCall=ces.call("search", title="Emma"),
        ),
        {"expectation": {"toolCall": ces.call("order", title="Emma")}, "outcome": "FAIL"},
    ]
    return {"expectationOutcome": entries, "overallToolInvocationResult": {"toolInvocationScore": 0.5}}


def with_extra_call() -> JsonObject:
    """A turn in which everything expected was called, and one thing more."""
    entries: list[Json] = [
        ces.met(
            expectation={"toolCall": ces.call("search", title="Emma")},
            observedToolCall=ces.call("search", title="Emma"),
        ),
        {"observedToolCall": ces.call("log")},
    ]
    return {"expectationOutcome": entries}


def least(share: float) -> JsonObject:
    """Thresholds under which that share of the expected calls is enough."""
    turn: JsonObject = {"overallToolInvocationCorrectnessThreshold": share}
    return {"goldenEvaluationMetricsThresholds": {"turnLevelMetricsThresholds": turn}}


def extra_calls(behavior: str) -> JsonObject:
    """Thresholds that say what an extra call is."""
    return {"goldenEvaluationMetricsThresholds": {"toolMatchingSettings": {"extraToolCallBehavior": behavior}}}


def of_case(name: str, turn: JsonObject, stated: JsonObject | None) -> JsonObject:
    """A result of one evaluation, with what it was judged by where it states it."""
    changed: JsonObject = {"evaluationMetricsThresholds": stated} if stated is not None else {}
    made = ces.result(turn, name=f"{ces.APP}/evaluations/{name}/results/r1", displayName=name)
    return {key: value for key, value in made.items() if key != "evaluationMetricsThresholds"} | changed


def of_metric(run: dict[str, Any], metric: str) -> dict[str, tuple[str, float | None]]:
    """Status and threshold of one metric, by case."""
    return {
        case["id"]: (line["status"], line["threshold"])
        for case in run["cases"]
        for line in case["metrics"]
        if line["name"] == metric
    }


@pytest.mark.parametrize("order", [("lax", "strict"), ("strict", "lax")])
def test_each_result_of_a_file_has_its_own_thresholds(
    order: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shares = {"lax": 0.5, "strict": 1.0}
    results: list[Json] = [of_case(name, half_right(), least(shares[name])) for name in order]
    code, run = evaluated(capsys, save(tmp_path / "results.json", {"evaluationResults": results}))
    assert of_metric(run, INVOCATION) == {"lax": ("PASSED", 0.5), "strict": ("FAILED", 1.0)}
    assert code == 1


@pytest.mark.parametrize("order", [("ALLOW", "FAIL"), ("FAIL", "ALLOW")])
def test_each_result_of_a_file_says_what_an_extra_call_is(
    order: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results: list[Json] = [of_case(behavior, with_extra_call(), extra_calls(behavior)) for behavior in order]
    code, run = evaluated(capsys, save(tmp_path / "results.json", {"evaluationResults": results}))
    found = {case: status for case, (status, _threshold) in of_metric(run, "ces_extra_calls").items()}
    assert found == {"ALLOW": "INFORMATIONAL", "FAIL": "FAILED"}
    assert code == 1


def test_repeats_of_one_case_have_their_own_thresholds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results: list[Json] = [
        of_case("order", half_right(), least(share)) | {"name": f"{ces.EVALUATION}/results/r{number}"}
        for number, share in enumerate((0.5, 1.0, 0.25))
    ]
    _code, run = evaluated(capsys, save(tmp_path / "results.json", {"evaluationResults": results}))
    statuses = [(one["status"], one["threshold"]) for case in run["cases"] for one in case["metrics"][:1]]
    assert statuses == [("PASSED", 0.5), ("FAILED", 1.0), ("PASSED", 0.25)]


@pytest.mark.parametrize("order", [("lax", "silent"), ("silent", "lax")])
def test_a_result_that_states_nothing_is_judged_by_the_defaults(
    order: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stated = {"lax": least(0.5), "silent": None}
    results: list[Json] = [of_case(name, half_right(), stated[name]) for name in order]
    _code, run = evaluated(capsys, save(tmp_path / "results.json", {"evaluationResults": results}))
    assert of_metric(run, INVOCATION) == {"lax": ("PASSED", 0.5), "silent": ("FAILED", 1.0)}


def test_files_of_a_folder_have_their_own_thresholds_also_against_a_golden(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, share in (("lax", 0.5), ("strict", 1.0)):
        save(tmp_path / "results" / f"{name}.json", of_case(name, half_right(), least(share)))
    steps: list[Json] = [
        {"userInput": {"text": "A book, please."}},
        *_expected("search", "order"),
    ]
    goldens: list[Json] = [
        {"name": f"{ces.APP}/evaluations/{name}", "displayName": name, "golden": {"turns": [{"steps": steps}]}}
        for name in ("lax", "strict")
    ]
    golden = save(tmp_path / "golden.json", {"evaluations": goldens})
    for arguments in ([], ["--golden", golden]):
        code, run = evaluated(capsys, str(tmp_path / "results"), *arguments)
        assert of_metric(run, INVOCATION) == {"lax": ("PASSED", 0.5), "strict": ("FAILED", 1.0)}
        assert code == 1


def test_a_result_counts_before_the_app_that_its_golden_belongs_to(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    golden: JsonObject = {
        "displayName": "strict",
        "name": "strict",
        "golden": {"turns": [{"steps": [{"userInput": {"text": "A book."}}, *_expected("search", "order")]}]},
    }
    app = tmp_path / "app"
    save(app / "app.json", {"displayName": "books", "evaluationMetricsThresholds": least(0.25)})
    save(app / "evaluations" / "strict" / "strict.json", golden)
    save(app / "agents" / "clerk" / "clerk.json", {"displayName": "clerk"})
    results = save(tmp_path / "result.json", of_case("strict", half_right(), least(1.0)))
    silent = save(tmp_path / "silent.json", of_case("strict", half_right(), None))
    _code, run = evaluated(capsys, results, "--golden", str(app))
    assert of_metric(run, INVOCATION) == {"strict": ("FAILED", 1.0)}
    _code, run = evaluated(capsys, silent, "--golden", str(app))
    assert of_metric(run, INVOCATION) == {"strict": ("PASSED", 0.25)}


def _expected(*tools: str) -> list[Json]:
    return [{"expectation": {"toolCall": {"tool": tool, "args": {"title": "Emma"}}}} for tool in tools]


def invocation(answer: str) -> JsonObject:
    """One invocation of ADK."""
    return {
        "invocation_id": "i-1",
        "user_content": {"parts": [{"text": "A book?"}], "role": "user"},
        "final_response": {"parts": [{"text": answer}], "role": "model"},
        "intermediate_data": {"tool_uses": [], "intermediate_responses": []},
    }


def adk_case(name: str, threshold: float, **options: Json) -> JsonObject:
    """A result of ADK in which half of the words agree."""
    line: JsonObject = {
        "metric_name": "response_match_score",
        "threshold": threshold,
        "criterion": {"threshold": threshold, **options},
        "score": 0.5,
        "eval_status": 1,
    }
    row: JsonObject = {
        "actual_invocation": invocation("blue whale"),
        "expected_invocation": invocation("blue moon"),
        "eval_metric_results": [line],
    }
    return {
        "eval_set_id": "books",
        "eval_id": name,
        "session_id": f"s-{name}",
        "final_eval_status": 1,
        "overall_eval_metric_results": [line],
        "eval_metric_result_per_invocation": [row],
    }


def adk_result(*cases: JsonObject) -> JsonObject:
    """A result file of ADK."""
    return {"eval_set_result_id": "r", "eval_set_id": "books", "eval_case_results": [*cases]}


def test_each_case_of_an_adk_result_has_its_own_threshold(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = save(tmp_path / "r.json", adk_result(adk_case("lax", 0.25), adk_case("strict", 0.75)))
    code, run = evaluated(capsys, file)
    assert of_metric(run, "response_match_score") == {"lax": ("PASSED", 0.25), "strict": ("FAILED", 0.75)}
    assert code == 1


def test_each_adk_result_has_its_own_thresholds_against_one_golden(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, threshold in (("lax", 0.25), ("strict", 0.75)):
        save(tmp_path / "history" / f"{name}.json", adk_result(adk_case(name, threshold)))
    cases: list[Json] = [{"eval_id": name, "conversation": [invocation("blue moon")]} for name in ("lax", "strict")]
    golden = save(tmp_path / "books.evalset.json", {"eval_set_id": "books", "eval_cases": cases})
    code, run = evaluated(capsys, str(tmp_path / "history"), "--golden", golden)
    assert of_metric(run, "response_match_score") == {"lax": ("PASSED", 0.25), "strict": ("FAILED", 0.75)}
    assert code == 1


def test_an_old_result_as_golden_judges_each_case_as_it_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = save(tmp_path / "old.json", adk_result(adk_case("lax", 0.25), adk_case("strict", 0.75)))
    cases: list[Json] = [{"eval_id": name, "conversation": [invocation("blue whale")]} for name in ("lax", "strict")]
    new = save(tmp_path / "new.evalset.json", {"eval_set_id": "books", "eval_cases": cases})
    code, run = evaluated(capsys, new, "--golden", old)
    assert of_metric(run, "response_match_score") == {"lax": ("PASSED", 0.25), "strict": ("FAILED", 0.75)}
    assert code == 1


def test_each_folder_of_goldens_has_the_file_beside_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    traces = []
    for name, threshold in (("lax", 0.25), ("strict", 0.75)):
        golden: JsonObject = {
            "eval_set_id": name,
            "eval_cases": [{"eval_id": name, "conversation": [invocation("blue moon")]}],
        }
        save(tmp_path / "goldens" / name / f"{name}.evalset.json", golden)
        save(tmp_path / "goldens" / name / "test_config.json", {"criteria": {"response_match_score": threshold}})
        seen: JsonObject = {
            "eval_set_id": name,
            "eval_cases": [{"eval_id": name, "conversation": [invocation("blue whale")]}],
        }
        traces.append(save(tmp_path / "traces" / f"{name}.json", seen))
    code, run = evaluated(capsys, *traces, "--golden", str(tmp_path / "goldens"))
    assert of_metric(run, "response_match_score") == {"lax": ("PASSED", 0.25), "strict": ("FAILED", 0.75)}
    assert code == 1


def test_a_report_says_of_each_case_what_it_was_judged_by(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    adk = adk_result(adk_case("lax", 0.25, a_note="lax"), adk_case("strict", 0.75, a_note="strict"))
    reported = tmp_path / "adk.json"
    evaluated(capsys, save(tmp_path / "r.json", adk), "--report", f"adk={reported}")
    lines = {
        case["eval_id"]: case["overall_eval_metric_results"][0]["criterion"]
        for case in json.loads(reported.read_text())["eval_case_results"]
    }
    assert {name: (line["threshold"], line["a_note"]) for name, line in lines.items()} == {
        "lax": (0.25, "lax"),
        "strict": (0.75, "strict"),
    }
    results: list[Json] = [of_case("lax", half_right(), least(0.5)), of_case("strict", half_right(), least(1.0))]
    reported = tmp_path / "ces.json"
    evaluated(capsys, save(tmp_path / "c.json", {"evaluationResults": results}), "--report", f"ces={reported}")
    found = json.loads(reported.read_text())["evaluationResults"]
    shares = [
        one["evaluationMetricsThresholds"]["goldenEvaluationMetricsThresholds"]["turnLevelMetricsThresholds"]
        for one in found
    ]
    assert [share["overallToolInvocationCorrectnessThreshold"] for share in shares] == [0.5, 1.0]
