"""`evaluate` with the metrics of Vertex AI's evaluation service, asked over REST on loopback."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.commands.test_evaluate_judges import eval_set
from tests.engine.adk_vectors import Vector, vectors
from tests.engine.test_adk_vectors import SERVED
from tests.helpers.judge_server import VARIABLES
from tests.helpers.vertex_server import VertexServer, service_account, vertex_server
from trace_inspector.cli import main

WHOLE = "multi_turn_task_success_v1"


@pytest.fixture(autouse=True)
def _signed_out(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No account of whoever runs the tests, and no asking around for one."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("CLOUDSDK_CONFIG", str(tmp_path / "gcloud"))
    monkeypatch.setenv("NO_GCE_CHECK", "true")


def configure(server: VertexServer, folder: Path, monkeypatch: pytest.MonkeyPatch, *, account: bool = True) -> None:
    """Make the service known."""
    monkeypatch.setenv("GOOGLE_CLOUD_PROJECT", "a project")
    monkeypatch.setenv("GOOGLE_CLOUD_LOCATION", "europe-west4")
    monkeypatch.setenv("GOOGLE_VERTEX_BASE_URL", server.url)
    if account:
        monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(service_account(folder / "account.json", server)))


def files(folder: Path, criteria: dict[str, Any], name: str = "criteria.json") -> list[str]:
    traces = eval_set(folder / "traces.json", {"a": ["one", "two"]})
    golden = eval_set(folder / "golden.json", {"a": ["1", "2"]})
    path = folder / name
    path.write_text(json.dumps({"criteria": criteria}), encoding="utf-8")
    named = ["--criteria", str(path)] if name == "criteria.json" else []
    return ["evaluate", str(traces), "--golden", str(golden), *named]


def metric(capsys: pytest.CaptureFixture[str], name: str) -> dict[str, Any]:
    """The overall verdict of a metric in the printed run."""
    case = json.loads(capsys.readouterr().out)["cases"][0]
    return next(one for one in case["metrics"] if one["name"] == name)


def says(answer: dict[str, Any]) -> Any:
    return lambda _body: (200, answer)


SAFE = {"metricResults": [{"score": 1.0, "explanation": "harmless"}]}


def test_each_answer_is_one_instance(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with vertex_server(says(SAFE)) as server:
        configure(server, tmp_path, monkeypatch)
        assert main([*files(tmp_path, {"safety_v1": 0.5}), "--in-flight", "1", "--json"]) == 0
        assert metric(capsys, "safety_v1")["score"] == 1.0
        assert main([*files(tmp_path, {"safety_v1": 0.5}), "--in-flight", "1", "--json"]) == 0
    assert server.paths == ["/v1beta1/projects/a%20project/locations/europe-west4:evaluateInstances"] * 2
    assert server.tokens == ["Bearer made-up"] * 2
    assert server.signed_in == 1
    first = server.asked[0]
    assert first["metrics"] == [{"predefinedMetricSpec": {"metricSpecName": "safety_v1"}}]
    texts = {
        side: [part["text"] for content in held["contents"]["contents"] for part in content["parts"]]
        for side, held in first["instance"].items()
    }
    assert texts == {"prompt": ["question 0"], "response": ["one"], "reference": ["1"]}


def test_a_conversation_is_one_instance(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    unmet = {"evaluatedRubric": {"content": {"property": {"description": "asks for the date"}}}, "reasoning": "never"}
    met = {"evaluatedRubric": {"rubricId": "r2"}, "verdict": True}
    answer = {"metricResults": [{"score": 0.5, "rubricVerdicts": [unmet, met]}]}
    with vertex_server(says(answer)) as server:
        configure(server, tmp_path, monkeypatch)
        assert main([*files(tmp_path, {WHOLE: 0.8}), "--json"]) == 1
    verdict = metric(capsys, WHOLE)
    assert (verdict["score"], verdict["status"]) == (0.5, "FAILED")
    assert "asks for the date" in verdict["reason"]
    (body,) = server.asked
    turns = body["instance"]["agentEvalData"]["turns"]
    assert [(turn["turnIndex"], turn["turnId"]) for turn in turns] == [(0, "e0"), (1, "e1")]
    assert [event["author"] for event in turns[0]["events"]] == ["user", "agent"]


def test_coherence_comes_from_a_prompt_of_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with vertex_server(says({"pointwiseMetricResult": {"score": 4, "explanation": "fine"}})) as server:
        configure(server, tmp_path, monkeypatch)
        assert main([*files(tmp_path, {"response_evaluation_score": 3.5}), "--json"]) == 0
    assert metric(capsys, "response_evaluation_score")["score"] == 4.0
    held = [json.loads(body["pointwiseMetricInput"]["instance"]["jsonInstance"]) for body in server.asked]
    assert {(one["prompt"], one["response"]) for one in held} == {("question 0", "one"), ("question 1", "two")}


@pytest.mark.parametrize(
    ("status", "answer", "words"),
    [
        (403, {"error": {"message": "no access to this project"}}, "no access to this project"),
        (200, {"metricResults": [{"error": {"code": 8, "message": "too much today"}}]}, "too much today"),
        (200, {}, "no result"),
        (200, {"metricResults": [{"score": float("nan")}]}, "no score"),
    ],
)
def test_an_error_of_the_service_decides_nothing(
    status: int,
    answer: dict[str, Any],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with vertex_server(lambda _body: (status, answer)) as server:
        configure(server, tmp_path, monkeypatch)
        assert main([*files(tmp_path, {WHOLE: 0.8}), "--json"]) == 3
    verdict = metric(capsys, WHOLE)
    assert (verdict["score"], verdict["status"]) == (None, "NOT_EVALUATED")
    assert words in verdict["reason"]


def test_what_is_not_set_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GOOGLE_CLOUD_PROJECT", "p")
    assert main([*files(tmp_path, {"safety_v1": 0.5}), "--json"]) == 3
    verdict = metric(capsys, "safety_v1")
    assert verdict["status"] == "NOT_EVALUATED"
    assert "set GOOGLE_CLOUD_LOCATION" in verdict["reason"]
    assert "GOOGLE_CLOUD_PROJECT" not in verdict["reason"]


def test_without_an_account_nothing_is_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with vertex_server(says(SAFE)) as server:
        configure(server, tmp_path, monkeypatch, account=False)
        assert main([*files(tmp_path, {"safety_v1": 0.5}), "--json"]) == 3
        assert not server.asked
    assert "GOOGLE_APPLICATION_CREDENTIALS" in metric(capsys, "safety_v1")["reason"]


@pytest.mark.parametrize("more", [[], ["--judge", "gemini"]])
def test_files_beside_the_data_never_ask_the_service(
    more: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with vertex_server(says(SAFE)) as server:
        configure(server, tmp_path, monkeypatch)
        monkeypatch.setenv("GOOGLE_API_KEY", "made-up")
        assert main([*files(tmp_path, {"safety_v1": 0.5}, "test_config.json"), *more, "--json"]) == 3
        assert not server.asked
    assert "--criteria" in metric(capsys, "safety_v1")["reason"]


SERVED_VECTORS = [vector for name in SERVED for vector in vectors(name)]


@pytest.mark.parametrize("vector", SERVED_VECTORS, ids=lambda vector: vector.name)
def test_the_vectors_hold_over_http(
    vector: Vector, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = iter(vector.job["vertex"])

    def reply(_body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        match next(answers):
            case {"error_message": message}:
                return 400, {"error": {"message": message}}
            case score:
                return 200, {"metricResults": [{} if score is None else {"score": score}]}

    arguments = files(tmp_path, {vector.job["metric"]: vector.job["criterion"]})
    for name, side in (("traces", "actual"), ("golden", "expected")):
        case = {"eval_id": "a", "conversation": vector.job.get(side) or vector.job["actual"]}
        whole = json.dumps({"eval_set_id": "set", "eval_cases": [case]})
        (tmp_path / f"{name}.json").write_text(whole, encoding="utf-8")
    if vector.job.get("expected") is None:
        at = arguments.index("--golden")
        del arguments[at : at + 2]
    with vertex_server(reply) as server:
        configure(server, tmp_path, monkeypatch)
        main([*arguments, "--rules", "adk", "--in-flight", "1", "--json"])
    verdict = metric(capsys, vector.job["metric"])
    assert verdict["score"] == vector.result.get("overall_score")
    assert verdict["status"] == vector.result.get("overall_eval_status", "NOT_EVALUATED")
