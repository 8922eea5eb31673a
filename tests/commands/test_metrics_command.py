"""`metrics`: the list for people and for programs."""

from __future__ import annotations

import json

import pytest

from trace_inspector.cli import main
from trace_inspector.engine.metrics import METRICS


def test_programs_get_every_metric_with_its_options_and_defaults(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["metrics", "--json"]) == 0
    listed = {one["name"]: one for one in json.loads(capsys.readouterr().out)["metrics"]}
    assert list(listed) == [metric.name for metric in METRICS]
    assert all(list(one["defaults"]) == one["options"] for one in listed.values())
    assert listed["tool_trajectory_avg_score"]["defaults"] == {"match_type": "EXACT", "ignore_args": False}
    assert listed["judge_prompt"]["defaults"]["judge_model_options"]["num_samples"] == 5
    assert listed["latency_budget"]["defaults"]["max_turn_s"] is None
    assert {one["family"] for one in listed.values()} == {metric.family for metric in METRICS}


def test_people_read_what_each_means(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["metrics"]) == 0
    said = capsys.readouterr().out
    assert all(f"\n{metric.name}\n  {metric.meaning}\n" in f"\n{said}" for metric in METRICS)
    assert "  options: exact\n" in said
