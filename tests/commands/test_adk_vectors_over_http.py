"""The judged vectors of google-adk 2.13.0, as files, through `evaluate` and a model on loopback."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct, field

from tests.engine.adk_vectors import Vector, vectors
from tests.engine.test_adk_vectors import JUDGED_VECTORS, in_our_words
from tests.helpers.campaigns import is_long
from tests.helpers.judge_server import VARIABLES, Fault, ModelServer, Parts, Says, model_server
from trace_inspector.cli import main

STATUS_NUMBERS = {"PASSED": 1, "FAILED": 2, "NOT_EVALUATED": 3, "INFORMATIONAL": 4}


class Script(Struct):
    """What the model says, in call order."""

    replies: list[Any] = field(default_factory=list)
    repeats: bool = False

    def says(self, _prompt: str, number: int) -> Says:
        if number >= len(self.replies) and not self.repeats:
            return Fault(400, message="the script is at its end")
        match self.replies[min(number, len(self.replies) - 1)]:
            case str(text):
                return text
            case {"parts": parts}:
                return Parts(tuple(parts))
            case {"content": None}:
                return Parts(None)
            case {"raise": message}:
                return Fault(400, message=str(message))
        return None


@pytest.fixture(scope="module")
def model() -> Iterator[tuple[ModelServer, Script]]:
    """One server for all vectors."""
    script = Script()
    with model_server(script.says) as server:
        yield server, script


@pytest.fixture
def scripted(model: tuple[ModelServer, Script], monkeypatch: pytest.MonkeyPatch) -> tuple[ModelServer, Script]:
    """The server, told nothing yet."""
    server, script = model
    server.prompts.clear()
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GOOGLE_API_KEY", "made-up")
    monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", server.url)
    return server, script


def eval_set(path: Path, case: dict[str, Any]) -> Path:
    whole = {"eval_set_id": "set", "eval_cases": [{"eval_id": "case", **case}]}
    path.write_text(json.dumps(whole), encoding="utf-8")
    return path


def files(job: dict[str, Any], folder: Path) -> list[str]:
    """The sides of a job and its criterion, as files."""
    arguments = ["evaluate", str(eval_set(folder / "actual.json", {"conversation": job["actual"]}))]
    if job.get("scenario") is not None:
        golden = eval_set(folder / "golden.json", {"conversation_scenario": job["scenario"]})
        arguments += ["--golden", str(golden)]
    elif job.get("expected") is not None:
        arguments += ["--golden", str(eval_set(folder / "golden.json", {"conversation": job["expected"]}))]
    criteria = folder / "criteria.json"
    criteria.write_text(json.dumps({"criteria": {job["metric"]: job["criterion"]}}), encoding="utf-8")
    return [*arguments, "--criteria", str(criteria), "--rules", "adk", "--in-flight", "1", "--no-cache"]


def by_http(vector: Vector) -> bool:
    """Whether a vector means the same over HTTP: a reply without candidates is an undecided vote there."""
    return {"nothing": True} not in (vector.job.get("replies") or [])


def tried() -> Iterator[Vector]:
    """All; in the short form a third of each metric, and those in which the model does not just say something.

    `tests/engine/test_adk_vectors.py` tries each without HTTP.
    """
    seen = Counter[str]()
    for vector in filter(by_http, JUDGED_VECTORS):
        said = vector.job.get("replies") or []
        is_plain = "error" not in vector.result and all(isinstance(reply, str) for reply in said)
        if is_long() or not is_plain or not seen[vector.job["metric"]] % 3:
            yield vector
        seen[vector.job["metric"]] += 1


SAME = [pytest.param(vector, id=vector.name) for vector in tried()]
CASES = [pytest.param(vector, id=vector.name) for vector in vectors(mode="case") if "actual" in vector.job]


@pytest.mark.parametrize("vector", SAME)
def test_files_and_replies_over_http_give_adks_verdicts(
    vector: Vector,
    scripted: tuple[ModelServer, Script],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    server, script = scripted
    script.replies = vector.job.get("replies") or []
    script.repeats = vector.job.get("on_exhausted") == "repeat"
    report = tmp_path / "report.json"
    code = main([*files(vector.job, tmp_path), "--json", "--report", f"adk={report}"])
    printed = capsys.readouterr()
    if code == 2:  # the file itself is refused, with its place
        assert "error" in vector.result, printed.err
        assert "criteria.json:1:" in printed.err
        return
    case = json.loads(printed.out)["cases"][0]
    metric = vector.job["metric"]
    (overall,) = (one for one in case["metrics"] if one["name"] == metric)
    if "error" in vector.result:
        assert (overall["score"], overall["status"]) == (None, "NOT_EVALUATED")
        return
    assert overall["score"] == vector.result["overall_score"]
    assert overall["status"] == vector.result["overall_eval_status"]
    (written,) = json.loads(report.read_text(encoding="utf-8"))["eval_case_results"]
    (whole,) = (one for one in written["overall_eval_metric_results"] if one["metric_name"] == metric)
    assert ids_and_scores(whole["details"]["rubric_scores"]) == ids_and_scores(vector.result["overall_rubric_scores"])
    said = [
        (one["score"], one["eval_status"], scores(one["details"]["rubric_scores"]))
        for row in written["eval_metric_result_per_invocation"]
        for one in row["eval_metric_results"]
        if one["metric_name"] == metric
    ]
    assert said == [
        (turn["score"], STATUS_NUMBERS[turn["eval_status"]], scores(turn["rubric_scores"]))
        for turn in vector.result["per_invocation"]
    ]
    wanted = [
        [in_our_words(text) for name, text in call["fields"].items() if name != "user_persona"]
        for call in vector.result.get("judge_calls", [])
    ]
    assert len(server.prompts) == len(wanted)
    for prompt, values in zip(server.prompts, wanted, strict=True):
        assert all(value in prompt for value in values)


def test_a_reply_without_candidates_is_an_undecided_vote(
    scripted: tuple[ModelServer, Script], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (vector,) = (vector for vector in JUDGED_VECTORS if not by_http(vector))
    _server, script = scripted
    script.replies, script.repeats = vector.job["replies"], False
    assert main([*files(vector.job, tmp_path), "--json"]) == 0
    case = json.loads(capsys.readouterr().out)["cases"][0]
    (turn,) = (one for one in case["turns"][0]["metrics"] if one["name"] == vector.job["metric"])
    assert (turn["score"], turn["status"]) == (1.0, "PASSED")
    assert "1 of 3 replies could not be read" in turn["reason"]


@pytest.mark.parametrize("vector", CASES)
def test_whole_cases_give_adks_verdicts(
    vector: Vector, scripted: tuple[ModelServer, Script], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _server, script = scripted
    script.replies, script.repeats = vector.job.get("replies") or [], vector.job.get("on_exhausted") == "repeat"
    actual, case = vector.job["actual"], vector.job["eval_case"]
    traces = eval_set(tmp_path / "actual.json", {"eval_id": case["eval_id"], "conversation": actual})
    golden = eval_set(tmp_path / "golden.json", case)
    criteria = tmp_path / "criteria.json"
    criteria.write_text(json.dumps(vector.job["config"]), encoding="utf-8")
    arguments = ["evaluate", str(traces), "--golden", str(golden), "--criteria", str(criteria), "--rules", "adk"]
    main([*arguments, "--in-flight", "1", "--no-cache", "--json"])
    (said,) = json.loads(capsys.readouterr().out)["cases"]
    if "error" in vector.result:
        assert said["status"] == "NOT_EVALUATED"
        return
    assert said["status"] == vector.result["final_eval_status"]
    assert [(one["name"], one["score"], one["status"]) for one in said["metrics"]] == [
        (one["metric_name"], one["score"], one["eval_status"]) for one in vector.result["overall"]
    ]
    assert [[(one["name"], one["score"], one["status"]) for one in turn["metrics"]] for turn in said["turns"]] == [
        [(one["metric_name"], one["score"], one["eval_status"]) for one in turn]
        for turn in vector.result["per_invocation"]
    ]


def ids_and_scores(listed: list[dict[str, Any]] | None) -> list[tuple[Any, ...]]:
    return [(one["rubric_id"], one["score"]) for one in listed or []]


def scores(listed: list[dict[str, Any]] | None) -> list[tuple[Any, ...]]:
    return [(one["rubric_id"], one["score"], one["rationale"]) for one in listed or []]
