"""Criteria edited in their files: only what changed is another text, in ADK's files and in CES's apps."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from trace_inspector.core.errors import InspectorError
from trace_inspector.core.trace.criteria import Criteria, Criterion
from trace_inspector.flows.opening.open_file import open_file
from trace_inspector.flows.runs.criteria_editing import file_of, save_criteria, text_of, wrong_with

APP = """{
  "displayName": "Tickets",
  "rootAgent": "desk",
  "evaluationMetricsThresholds": {
    "goldenEvaluationMetricsThresholds": {
      "turnLevelMetricsThresholds": {"semanticSimilaritySuccessThreshold": 3, "later": 1e3},
      "toolMatchingSettings": {"extraToolCallBehavior": "FAIL"}
    },
    "goldenHallucinationMetricBehavior": "ENABLED"
  }
}
"""


def criteria_of(path: Path) -> Criteria:
    found = open_file(path).contents.criteria
    assert found is not None
    return found


def with_one(criteria: Criteria, metric: str, **changed: object) -> Criteria:
    def other(criterion: Criterion) -> Criterion:
        threshold = changed.get("threshold", criterion.threshold)
        options = changed.get("options", criterion.options)
        assert isinstance(threshold, float | None)
        assert isinstance(options, dict)
        return replace(criterion, threshold=threshold, options=options)

    return replace(criteria, items=tuple(other(one) if one.metric == metric else one for one in criteria.items))


@pytest.fixture
def app(tmp_path: Path) -> Path:
    path = tmp_path / "tickets"
    (path / "agents" / "desk").mkdir(parents=True)
    (path / "agents" / "desk" / "desk.json").write_text('{"displayName": "desk"}')
    (path / "app.json").write_text(APP)
    return path


def test_an_app_states_its_thresholds_where_they_stood(app: Path) -> None:
    for path in (app, app / "app.json"):
        (app / "app.json").write_text(APP)
        criteria = criteria_of(path)
        assert text_of(criteria, path) == APP
        wanted = with_one(criteria, "ces_semantic_similarity", threshold=4.0)
        save_criteria(wanted, path, path)
        now = (app / "app.json").read_text()
        assert now == APP.replace('SuccessThreshold": 3', 'SuccessThreshold": 4')
        assert [(one.metric, one.threshold) for one in criteria_of(path).items] == [
            (one.metric, one.threshold) for one in wanted.items
        ]


def test_what_an_app_no_longer_says_goes_and_what_is_new_comes(app: Path) -> None:
    criteria = criteria_of(app)
    kept = tuple(one for one in criteria.items if one.metric != "ces_hallucination")
    new = Criterion("ces_tool_invocation", 0.5, {"enabled": True})
    save_criteria(replace(criteria, items=(*kept, new)), app, app)
    value = json.loads((app / "app.json").read_text())
    stated = value["evaluationMetricsThresholds"]
    assert "goldenHallucinationMetricBehavior" not in stated
    turn = stated["goldenEvaluationMetricsThresholds"]["turnLevelMetricsThresholds"]
    assert turn == {
        "semanticSimilaritySuccessThreshold": 3, "later": 1000.0, "overallToolInvocationCorrectnessThreshold": 0.5,
    }  # fmt: skip
    switch = value["evaluationSettings"]["metricsConfig"]["goldenMetricsConfig"]["toolCorrectnessMetricsConfig"]
    assert switch == {"enableToolCorrectnessMetrics": True}
    again = {one.metric: one for one in criteria_of(app).items}
    assert (again["ces_tool_invocation"].threshold, again["ces_tool_invocation"].options) == (0.5, {"enabled": True})


def test_a_configuration_of_adk_changes_key_by_key(tmp_path: Path) -> None:
    path = tmp_path / "test_config.json"
    before = """{
  "criteria": {
    "response_match_score": 0.80,
    "tool_trajectory_avg_score": {"threshold": 1.0, "match_type": "EXACT", "mine": [1]}
  },
  "other": 1
}
"""
    path.write_text(before)
    criteria = criteria_of(path)
    assert text_of(criteria, path) == before
    save_criteria(with_one(criteria, "response_match_score", threshold=0.5), path, path)
    assert path.read_text() == before.replace("0.80", "0.5")


def test_what_would_not_work_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "notes.json"
    other.write_text('{"a": 1}')
    switch = Criteria((Criterion("ces_hallucination", None, {"goldenHallucinationMetricBehavior": "DISABLED"}),))
    assert wrong_with(switch.items) == ()
    with pytest.raises(InspectorError, match="contains no criteria"):
        text_of(switch, other)
    assert [one.sentence for one in wrong_with((Criterion("response_match_score"),))] == [
        "A criterion needs a threshold, which is a number."
    ]
    with pytest.raises(InspectorError, match="needs a threshold"):
        save_criteria(Criteria((Criterion("response_match_score"),)), None, tmp_path / "new.json")
    assert file_of(other) == other
