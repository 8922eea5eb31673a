"""A mistake of google-adk: reproduced and marked, left out when that is chosen, and told with the verdict."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.eval_sets import case, turn, write_criteria, write_eval_set
from trace_inspector.cli import main
from trace_inspector.core.values.values import Json, JsonObject

NAME = "rubric_based_final_response_quality_v1"


def rubric(name: str) -> JsonObject:
    return {"rubric_id": name, "rubric_content": {"text_property": name}, "type": "FINAL_RESPONSE_QUALITY"}


def files(folder: Path, variant: str) -> list[str]:
    """Two turns with a rubric each; the judge denies the first and grants the second."""
    turns: list[Json] = [{**turn(f"q{at}", "a"), "rubrics": [rubric(f"r{at}")]} for at in range(2)]
    recorded = write_eval_set(folder / "t.json", case("c", *turns))
    golden = write_eval_set(folder / "g.json", case("c", turn("q0", "a"), turn("q1", "a")))
    criterion: JsonObject = {"threshold": 0.9, "judge_model_options": {"num_samples": 1}, "variant": variant}
    criteria = write_criteria(folder / "c.json", **{NAME: criterion})
    replies = [
        {
            "metric": NAME,
            "case": "c",
            "turn": at,
            "sample": 0,
            "reply": f"ID: r{at}\nProperty: r{at}\nRationale: x\nVerdict: {verdict}",
        }
        for at, verdict in enumerate(("no", "yes"))
    ]
    judge = folder / "replies.json"
    judge.write_text(json.dumps({"version": 1, "replies": replies}), encoding="utf-8")
    named = ["--criteria", str(criteria), "--judge", f"recorded:{judge}"]
    return ["evaluate", str(recorded), "--golden", str(golden), *named]


@pytest.mark.parametrize(
    ("variant", "code", "score", "said"),
    [("adk", 0, 1.0, "as google-adk does by mistake"), ("fixed", 1, 0.5, "variant “fixed”")],
)
def test_the_mark_is_in_the_json_and_in_reports(
    variant: str, code: int, score: float, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reports = {kind: tmp_path / kind for kind in ("adk", "html")}
    asked = [one for kind, path in reports.items() for one in ("--report", f"{kind}={path}")]
    assert main([*files(tmp_path, variant), *asked, "--json"]) == code
    metrics: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["cases"][0]["metrics"]
    (metric,) = (one for one in metrics if one["name"] == NAME)
    assert metric["score"] == score
    assert said in metric["reason"]
    written = {kind: path.read_text(encoding="utf-8") for kind, path in reports.items()}
    assert said in json.dumps(json.loads(written["adk"]), ensure_ascii=False)
    assert said in written["html"]


@pytest.mark.parametrize(
    ("more", "code", "said"),
    [
        ([], 1, "stands for google-adk’s number"),
        (["--rules", "adk"], 0, "has no effect by google-adk’s rules"),
    ],
)
def test_the_choice_is_said_below_the_table(
    more: list[str], code: int, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*files(tmp_path, "fixed"), *more]) == code
    assert f"{NAME}: the variant “fixed” {said}" in capsys.readouterr().out
    assert main([*files(tmp_path, "adk"), *more]) == 0
    assert "the variant" not in capsys.readouterr().out


@pytest.mark.parametrize("variant", ["adk", "fixed"])
def test_by_adks_rules_there_is_no_choice(variant: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*files(tmp_path, variant), "--rules", "adk", "--json"]) == 0
    assert "as google-adk does by mistake" in capsys.readouterr().out


def test_a_judged_metric_named_alone_has_a_threshold(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = "final_response_match_v2"
    path = write_eval_set(tmp_path / "g.json", case("c", turn("q", "a")))
    recorded = write_eval_set(tmp_path / "t.json", case("c", turn("q", "a")))
    reply = json.dumps({"is_the_agent_response_valid": "valid", "reasoning": "x"})
    replies = [{"metric": name, "case": "c", "turn": 0, "sample": at, "reply": reply} for at in range(5)]
    judge = tmp_path / "replies.json"
    judge.write_text(json.dumps({"version": 1, "replies": replies}), encoding="utf-8")
    arguments = [str(recorded), "--golden", str(path), "--only", name, "--judge", f"recorded:{judge}"]
    assert main(["evaluate", *arguments, "--json"]) == 0
    (metric,) = json.loads(capsys.readouterr().out)["cases"][0]["metrics"]
    assert (metric["score"], metric["threshold"], metric["status"]) == (1.0, 0.8, "PASSED")
