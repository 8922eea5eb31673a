"""`evaluate --rules ces` and `--report ces`, from CES's files to verdicts and back."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.commands.test_evaluate_judges import eval_set
from trace_inspector.cli import main

APP = "projects/p/locations/l/apps/a"
CORPUS = os.environ.get("TRACE_INSPECTOR_CORPUS", "")


def save(path: Path, value: Any) -> str:
    """A file of JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")
    return str(path)


def expects(**condition: Any) -> dict[str, Any]:
    return {"expectation": condition}


def words(*texts: str) -> dict[str, Any]:
    return {"role": "agent", "chunks": [{"text": text} for text in texts]}


def golden(**beside: Any) -> dict[str, Any]:
    """A golden of two turns with every kind of check."""
    order = {"id": {"$matchType": "regexp", "value": r"R-\d+"}, "when": {"$matchType": "semantic", "value": "today"}}
    steps = [
        [
            {"userInput": {"text": "I want a refund"}},
            expects(toolCall={"tool": "find_order", "args": order}),
            expects(agentResponse=words("Which order?")),
        ],
        [
            {"userInput": {"text": "R-1"}},
            expects(noToolCalls=True),
            expects(agentTransfer={"targetAgent": "billing"}),
        ],
    ]
    return {
        "name": f"{APP}/evaluations/refund",
        "displayName": "Refund",
        "golden": {"turns": [{"steps": listed} for listed in steps], "evaluationExpectations": ["polite"]},
        **beside,
    }


def result(number: int = 1, *extra: dict[str, Any], **beside: Any) -> dict[str, Any]:
    """What CES reports of it."""
    found = {"tool": f"{APP}/tools/find_order", "args": {"id": "R-77", "when": "today"}}
    first = [
        {"expectation": {"toolCall": {"tool": "find_order"}}, "observedToolCall": found, "outcome": "PASS"},
        *extra,
        {"expectation": {"agentResponse": words("Which order?")}, "observedAgentResponse": words("Which one?")},
    ]
    second = [{"observedAgentTransfer": {"targetAgent": f"{APP}/agents/billing"}, "outcome": "PASS"}]
    return {
        "name": f"{APP}/evaluations/refund/results/{number}",
        "evaluationStatus": "PASS",
        "executionState": "COMPLETED",
        "goldenResult": {"turnReplayResults": [{"expectationOutcome": first}, {"expectationOutcome": second}]},
        **beside,
    }


LOGGED = {"observedToolCall": {"tool": "log"}}


def evaluated(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    """The exit code and the printed run."""
    code = main(["evaluate", *arguments, "--json"])
    printed: dict[str, Any] = json.loads(capsys.readouterr().out)
    return code, printed


def statuses(run: dict[str, Any], case: int = 0) -> dict[str, str]:
    return {one["name"]: one["status"] for one in run["cases"][case]["metrics"] if one["name"].startswith("ces_")}


@pytest.mark.parametrize("rules", [["--rules", "ces"], []])
def test_a_result_is_scored_against_its_golden_by_ces(
    rules: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    traces = save(tmp_path / "result.json", result())
    code, run = evaluated(capsys, traces, "--golden", save(tmp_path / "golden.json", golden()), *rules)
    assert code == 0
    assert run["run"]["criteria_source"] == "the defaults of CES"
    assert statuses(run) == {
        "ces_tool_invocation": "PASSED",
        "ces_tool_order": "INFORMATIONAL",
        "ces_parameter_correctness": "PASSED",
        "ces_extra_calls": "PASSED",
        "ces_no_tool_calls": "PASSED",
        "ces_transfers": "PASSED",
        "ces_expectations": "PASSED",
    }
    assert "1 of 4 expectations undecided" in run["cases"][0]["hides"][0]


@pytest.mark.parametrize(
    ("override", "status"),
    [({}, "FAILED"), ({"toolMatchingSettings": {"extraToolCallBehavior": "ALLOW"}}, "PASSED")],
)
def test_an_extra_call_counts_as_the_evaluation_says(
    override: dict[str, Any], status: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = golden(evaluationMetricsThresholdOverride={"goldenEvaluationMetricsThresholds": override})
    traces = save(tmp_path / "result.json", result(1, LOGGED))
    code, run = evaluated(capsys, traces, "--golden", save(tmp_path / "golden.json", case), "--rules", "ces")
    assert run["cases"][0]["status"] == status
    assert code == (1 if status == "FAILED" else 0)
    (extra,) = (one for one in run["cases"][0]["turns"][0]["metrics"] if one["name"] == "ces_extra_calls")
    assert ("ALLOW of the case" if override else "FAIL by default") in extra["reason"]


def test_a_judge_decides_words_criteria_and_hallucination(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = golden()
    case["golden"]["evaluationExpectations"] = [{"displayName": "polite", "llmCriteria": {"prompt": "Be polite."}}]
    said = {
        ("ces_semantic_similarity", 0): {"score": 2},
        ("ces_hallucination", 0): {"score": -1},
        ("ces_llm_criteria", 1): {"verdict": "yes"},
    }
    replies = [
        {"metric": metric, "case": "refund", "turn": turn, "sample": sample, "reply": json.dumps(reply)}
        for (metric, turn), reply in said.items()
        for sample in range(5)
    ]
    judge = save(tmp_path / "replies.json", {"version": 1, "replies": replies})
    traces = save(tmp_path / "result.json", result())
    goldens = save(tmp_path / "golden.json", case)
    code, run = evaluated(capsys, traces, "--golden", goldens, "--rules", "ces", "--judge", f"recorded:{judge}")
    assert code == 1
    found = statuses(run)
    assert found["ces_semantic_similarity"] == "FAILED"
    assert found["ces_expectations"] == "FAILED"
    assert found["ces_llm_criteria"] == "PASSED"
    assert found["ces_hallucination"] == "NOT_EVALUATED"


def test_runs_of_both_methods_are_not_put_together_silently(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    traces = [
        save(tmp_path / f"{method}.json", result(at, goldenRunMethod=method))
        for at, method in enumerate(("STABLE", "NAIVE"))
    ]
    _code, run = evaluated(capsys, *traces, "--golden", save(tmp_path / "golden.json", golden()), "--rules", "ces")
    assert len(run["cases"]) == 2
    assert any("1 of the results were replayed STABLE and 1 NAIVE" in note for note in run["run"]["notes"])


def test_the_report_is_a_result_that_says_what_we_say(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    traces, goldens = save(tmp_path / "r.json", result(1, LOGGED)), save(tmp_path / "g.json", golden())
    report = tmp_path / "report.json"
    evaluated(capsys, traces, "--golden", goldens, "--rules", "ces", "--report", f"ces={report}")
    (written,) = json.loads(report.read_text(encoding="utf-8"))["evaluationResults"]
    assert written["evaluationStatus"] == "FAIL"
    assert main(["inspect", str(report), "--json"]) == 0
    (told,) = json.loads(capsys.readouterr().out)["documents"]
    assert told["format"] == "ces-result"
    assert [one for one in told["findings"] if one["severity"] == "error"] == []
    _code, again = evaluated(capsys, str(report), "--golden", goldens, "--rules", "ces")
    assert again["cases"][0]["status"] == "FAILED"
    assert again["cases"][0]["reported"]["status"] == "FAILED"


def test_goldens_of_another_system_can_be_held_to_the_rules_of_ces(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    traces = eval_set(tmp_path / "traces.json", {"a": ["one", "two"]})
    _code, run = evaluated(capsys, str(traces), "--golden", str(traces), "--rules", "ces")
    assert run["run"]["criteria_source"] == "the defaults of CES"
    assert "ces_extra_calls" in statuses(run)


@pytest.mark.corpus
@pytest.mark.skipif(not CORPUS, reason="TRACE_INSPECTOR_CORPUS is not set")
def test_every_golden_of_the_corpus_meets_its_own_expectations(capsys: pytest.CaptureFixture[str]) -> None:
    files = sorted(Path(CORPUS, "ces-evaluation").glob("*__evaluations__*.json"))
    checked = 0
    for path in files:
        if "golden" not in json.loads(path.read_text(encoding="utf-8")):
            continue
        code, run = evaluated(capsys, str(path), "--golden", str(path), "--rules", "ces")
        assert (path.name, code, run["cases"][0]["status"]) == (path.name, 0, "PASSED")
        checked += 1
    assert checked > 5
