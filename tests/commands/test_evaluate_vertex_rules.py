"""`evaluate` by Vertex AI's rules, and its report: items with several candidates, goldens of other systems."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.commands.test_evaluate_judges import eval_set
from tests.formats import vertex_files as made
from trace_inspector.cli import main
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.documents.reading.reading import read
from trace_inspector.formats import recognise


def saved(path: Path, value: Json) -> str:
    """A file of this value."""
    path.write_text(json.dumps(value), encoding="utf-8")
    return str(path)


def report(path: Path) -> Any:
    """A written report, which our own reader takes for a result of the SDK."""
    known = recognise(read(path).value)
    assert known is not None
    assert known.name == "vertex-result"
    return json.loads(path.read_text(encoding="utf-8"))


def told(*calls: str) -> JsonObject:
    """A conversation with these calls in one turn."""
    parts: list[Json] = [{"functionCall": {"name": name, "args": {}}} for name in calls]
    events: list[Json] = [
        {"author": "user", "content": made.said("Go", "user")},
        {"author": "a", "content": {"role": "model", "parts": parts}},
        {"author": "a", "content": made.said("Done.")},
    ]
    return {"turns": [{"turnIndex": 0, "events": events}]}


def item(*answers: tuple[str, tuple[str, ...]]) -> JsonObject:
    """An item whose golden calls a, then b, with the calls of each candidate."""
    candidates: list[Json] = [{"candidate": name, "agentData": told(*calls)} for name, calls in answers]
    request: JsonObject = {
        "prompt": {"text": "Go"},
        "goldenResponse": {"agentData": told("a", "b")},
        "candidateResponses": candidates,
    }
    return made.item("evaluationRequest", request)


def test_two_candidates_against_a_golden_that_is_a_trace(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = saved(tmp_path / "item.json", item(("old", ("b", "a")), ("new", ("a", "b"))))
    out = tmp_path / "out.json"
    assert main(["evaluate", path, "--rules", "vertex", "--report", f"vertex={out}", "--json"]) == 1
    run = json.loads(capsys.readouterr().out)
    assert run["run"]["rules"] == "vertex"
    assert [case["status"] for case in run["cases"]] == ["FAILED", "PASSED"]
    scores = [{one["name"]: one["score"] for one in case["metrics"]} for case in run["cases"]]
    assert [one["trajectory_exact_match"] for one in scores] == [0.0, 1.0]
    assert [one["trajectory_any_order_match"] for one in scores] == [1.0, 1.0]
    found = report(out)
    assert found["metadata"]["candidate_names"] == ["old", "new"]
    assert found["win_rates"]["trajectory_exact_match"] == {"win_rates": [0.0, 1.0], "tie_rate": 0.0}
    assert found["win_rates"]["trajectory_any_order_match"] == {"win_rates": [0.0, 0.0], "tie_rate": 1.0}
    assert main(["validate", str(out)]) == 0


def test_an_item_has_the_defaults_of_its_own_system(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = saved(tmp_path / "item.json", item(("only", ("a", "b"))))
    assert main(["evaluate", path]) == 0
    said = capsys.readouterr().out
    assert "the defaults of Vertex AI" in said
    assert "rules of" not in said


def test_goldens_of_another_system_by_these_rules(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    traces = eval_set(tmp_path / "traces.json", {"a": ["one", "two words"]})
    golden = eval_set(tmp_path / "golden.json", {"a": ["1", "two words"]})
    assert main(["evaluate", str(traces), "--golden", str(golden), "--rules", "vertex", "--only", "exact_match"]) == 0
    assert main(["evaluate", str(traces), "--golden", str(golden)]) == 1
    assert "the defaults of ADK" in capsys.readouterr().out


def test_a_judge_decides_each_rubric_group(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = saved(tmp_path / "item.json", made.request(candidateResponses=[{"candidate": "c", "text": "Yes."}]))
    said = {"tone": ("a", "yes"), "facts": ("b", "no")}
    replies: list[Json] = [
        {
            "metric": f"vertex_rubrics:{group}",
            "case": "item",
            "turn": 0,
            "sample": sample,
            "reply": f"ID: {name}\nProperty: x\nRationale: seen\nVerdict: {word}",
        }
        for group, (name, word) in said.items()
        for sample in range(5)
    ]
    judge = f"recorded:{saved(tmp_path / 'replies.json', {'version': 1, 'replies': replies})}"
    out = tmp_path / "out.json"
    assert main(["evaluate", path, "--judge", judge, "--report", f"vertex={out}", "--json"]) == 1
    metrics = {one["name"]: one for one in json.loads(capsys.readouterr().out)["cases"][0]["metrics"]}
    assert metrics["vertex_rubrics:tone"]["score"] == 1.0
    assert metrics["vertex_rubrics:facts"]["status"] == "FAILED"
    found = report(out)
    assert [one["pass_rate"] for one in found["summary_metrics"][:2]] == [1.0, 0.0]
    facts = found["eval_case_results"][0]["response_candidate_results"][0]["metric_results"]["vertex_rubrics:facts"]
    assert facts["rubric_verdicts"][0]["verdict"] is False
    assert facts["rubric_verdicts"][0]["reasoning"] == "seen"


def test_groups_that_a_person_names_need_a_judge(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = saved(tmp_path / "item.json", made.request())
    criteria = saved(
        tmp_path / "criteria.json",
        {"criteria": {"vertex_rubrics:tone": 1.0, "vertex_rubrics:facts": {"threshold": 1.0, "brandNew": 1}}},
    )
    assert main(["evaluate", path, "--rules", "vertex", "--criteria", criteria, "--judge", "none", "--json"]) == 3
    run = json.loads(capsys.readouterr().out)
    names = [one["name"] for one in run["cases"][0]["metrics"]]
    assert names[:2] == ["vertex_rubrics:tone", "vertex_rubrics:facts"]
    assert any("brandNew" in note for note in run["run"]["notes"])


def test_a_group_of_the_criteria_file_brings_its_own_rubrics(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = saved(tmp_path / "item.json", made.request(candidateResponses=[{"candidate": "c", "text": "Yes."}]))
    rubrics: list[Json] = [{"rubric_id": "warm", "rubric_content": {"text_property": "Is warm."}}]
    once: Json = {"num_samples": 1}
    criteria = saved(
        tmp_path / "criteria.json",
        {"criteria": {"vertex_rubrics:mood": {"threshold": 1.0, "rubrics": rubrics, "judge_model_options": once}}},
    )
    reply: JsonObject = {"metric": "vertex_rubrics:mood", "case": "item", "turn": 0, "sample": 0}
    said: Json = {**reply, "reply": "ID: warm\nProperty: Is warm.\nRationale: seen\nVerdict: yes"}
    judge = f"recorded:{saved(tmp_path / 'replies.json', {'version': 1, 'replies': [said]})}"
    assert main(["evaluate", path, "--criteria", criteria, "--judge", judge, "--json"]) == 0
    run = json.loads(capsys.readouterr().out)
    (mood,) = [one for one in run["cases"][0]["metrics"] if one["name"] == "vertex_rubrics:mood"]
    assert (mood["score"], mood["status"]) == (1.0, "PASSED")
    assert not any("rubrics" in note for note in run["run"]["notes"])
