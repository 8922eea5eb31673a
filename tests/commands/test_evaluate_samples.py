"""The samples without a window, and the list of metrics."""

from __future__ import annotations

import json

import pytest

from trace_inspector.cli import main


@pytest.fixture
def _no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(variable, raising=False)


@pytest.mark.usefixtures("_no_display")
def test_the_samples_show_each_kind_of_verdict(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    assert main(["--samples"]) == 0
    said = capsys.readouterr().out
    for words in (
        "FAILED",
        "passed",
        "not evaluated",
        "missing turn 3",
        "extra turn 3",
        "get_walk_score was not called",
    ):
        assert words in said
    assert "recorded replies from judge-replies.json; no model was asked" in said


def test_the_metrics_as_json_have_every_field(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["metrics", "--json"]) == 0
    listed = {metric["name"]: metric for metric in json.loads(capsys.readouterr().out)["metrics"]}
    calls = listed["tool_trajectory_avg_score"]
    assert (calls["family"], calls["range"], calls["better"], calls["needs"], calls["default_threshold"]) == (
        "adk",
        [0.0, 1.0],
        "higher",
        ["golden"],
        1.0,
    )
    assert set(calls["options"]) == {"match_type", "ignore_args"}
    assert all(metric["meaning"] and metric["reads"] for metric in listed.values())
    assert listed["rubric_based_final_response_quality_v1"]["needs"] == ["judge"]


def test_the_metrics_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["metrics"]) == 0
    assert "local_grounding" in capsys.readouterr().out
