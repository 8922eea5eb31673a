"""An agent-eval file: corrected and original values side by side, tools counted once, made-up times flagged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.formats import agent_eval_files as files
from trace_inspector.cli import main

CRITERIA = {"criteria": {f"agent_eval_token_usage{ending}": {"threshold": 1.0, "prices": {
    "gemini-2.5-flash": {"input": 0.3, "output": 2.5},
    "gemini-2.5-flash-lite": {"input": 0.1, "output": 0.4, "cached": 0.025},
}} for ending in ("", "_corrected")}}  # fmt: skip


def evaluated(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, dict[str, Any]]]:
    """The exit code, and the metrics of the first case by name."""
    code = main(["evaluate", *arguments, "--json"])
    case = json.loads(capsys.readouterr().out)["cases"][0]
    return code, {one["name"]: one for one in case["metrics"]}


@pytest.fixture
def rows(tmp_path: Path) -> str:
    path = tmp_path / "processed_interaction_sim.jsonl"
    path.write_text(json.dumps(files.simulated(reference_data={})) + "\n", encoding="utf-8")
    return str(path)


def test_both_formulas_stand_side_by_side(rows: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, told = evaluated(capsys, rows, "--rules", "agent-eval")
    assert code == 3  # nothing decides: all of it informs
    own = {name: one for name, one in told.items() if name.startswith("agent_eval_")}
    assert len(own) == 22
    assert (told["agent_eval_tool_utilization"]["score"], told["agent_eval_tool_utilization_corrected"]["score"]) == (
        6,
        3,
    )
    assert told["agent_eval_latency_metrics"]["score"] == 10
    assert told["agent_eval_latency_metrics_corrected"]["score"] is None
    assert "made up" in told["agent_eval_latency_metrics_corrected"]["reason"]
    assert {one["status"] for one in own.values()} == {"INFORMATIONAL"}


def test_tools_are_shown_once_and_times_are_flagged(rows: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", rows, "--json"]) == 0
    (document,) = json.loads(capsys.readouterr().out)["documents"]
    assert document["format"] == "agent-eval"
    (trace,) = document["traces"]
    assert [len(turn["tool_calls"]) for turn in trace["turns"]] == [1, 2]
    assert {"synthetic-times", "guessed-times"} <= {found["code"] for found in document["findings"]}


def test_prices_of_ones_own_decide(rows: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    criteria = tmp_path / "criteria.json"
    criteria.write_text(json.dumps(CRITERIA), encoding="utf-8")
    code, told = evaluated(capsys, rows, "--criteria", str(criteria))
    assert code == 1
    assert told["agent_eval_token_usage"]["status"] == "FAILED"
    assert told["agent_eval_token_usage"]["score"] == pytest.approx(2.145)
    assert told["agent_eval_token_usage_corrected"]["status"] == "PASSED"
    assert told["agent_eval_token_usage_corrected"]["score"] == pytest.approx(0.654)


def test_a_run_that_does_not_name_them_is_as_it_was(
    rows: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    criteria = tmp_path / "criteria.json"
    criteria.write_text('{"criteria": {"token_budget": {"threshold": 1, "max_total_tokens": 1}}}', encoding="utf-8")
    _code, told = evaluated(capsys, rows, "--criteria", str(criteria))
    assert not any(name.startswith("agent_eval_") for name in told)


def test_calls_are_held_against_the_reference_of_a_single_turn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    row = files.live()
    row["final_session_state"]["events"] = row["final_session_state"]["events"][:4]
    path = tmp_path / "rows.json"
    path.write_text(json.dumps([{**row, "user_inputs": ["Two seats to Rome?"]}]), encoding="utf-8")
    code, told = evaluated(capsys, str(path))
    assert (code, told["trajectory_match"]["status"]) == (0, "PASSED")
    golden = tmp_path / "golden.json"
    golden.write_text(json.dumps(files.golden()), encoding="utf-8")
    code, told = evaluated(capsys, str(path), "--golden", str(golden), "--case", "rome")
    assert (code, told["trajectory_match"]["status"]) == (0, "PASSED")
