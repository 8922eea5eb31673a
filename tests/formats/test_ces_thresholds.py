"""CES's thresholds and switches at every level, their absence, and values that CES would refuse."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.formats import ces_golden_files as made
from tests.helpers.campaigns import examples
from tests.helpers.tables import each
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.ces.common.thresholds import (
    OF_APP,
    OF_EVALUATION,
    OF_EXPECTATION,
    OF_RESULT,
    OF_TURN,
    Level,
    criteria_in,
)
from trace_inspector.formats.common.fields import Fields, Report

_T = "evaluationMetricsThresholdOverride"
_GOLDEN = f"/{_T}/goldenEvaluationMetricsThresholds"
_LEVELS = {"app": OF_APP, "result": OF_RESULT, "evaluation": OF_EVALUATION, "turn": OF_TURN, "step": OF_EXPECTATION}


def told(value: Json, level: Level) -> tuple[tuple[Criterion, ...], list[tuple[str, str]]]:
    """The criteria, and the findings as code and place."""
    report = Report()
    found = criteria_in(Fields(value if isinstance(value, dict) else {}, ""), level, report)
    return found, [(finding.code, finding.pointer) for finding in report.drain()]


def test_thresholds_and_switches_of_one_metric_are_one_criterion() -> None:
    value: JsonObject = {_T: made.THRESHOLDS, "evaluationMetricsConfigOverride": made.CONFIG, "displayName": "x"}
    found, findings = told(value, OF_EVALUATION)
    turn_level = f"{_GOLDEN}/turnLevelMetricsThresholds"
    scenario = "/evaluationMetricsConfigOverride/scenarioMetricsConfig"
    assert found == (
        Criterion(
            "ces_semantic_similarity",
            2.0,
            {"semanticSimilarityChannel": "AUDIO", "enabled": True},
            f"{turn_level}/semanticSimilaritySuccessThreshold",
        ),
        Criterion(
            "ces_tool_invocation",
            0.5,
            {"enabled": False},
            f"{turn_level}/overallToolInvocationCorrectnessThreshold",
        ),
        Criterion(
            "ces_parameter_correctness",
            0.25,
            {"enabled": False},
            f"{_GOLDEN}/expectationLevelMetricsThresholds/toolInvocationParameterCorrectnessThreshold",
        ),
        Criterion(
            "ces_extra_calls",
            None,
            {"extraToolCallBehavior": "ALLOW"},
            f"{_GOLDEN}/toolMatchingSettings/extraToolCallBehavior",
        ),
        Criterion(
            "ces_hallucination",
            None,
            {
                "goldenHallucinationMetricBehavior": "DISABLED",
                "scenarioHallucinationMetricBehavior": "ENABLED",
                "hallucinationMetricBehavior": "ENABLED",
            },
            f"/{_T}/goldenHallucinationMetricBehavior",
        ),
        Criterion("ces_user_goal", None, {"enabled": True}, f"{scenario}/userGoalMetMetricsConfig"),
        Criterion("ces_expectations", None, {"enabled": False}, f"{scenario}/expectationsMetMetricsConfig"),
    )
    assert findings == []


_APP: JsonObject = {
    "evaluationMetricsThresholds": made.THRESHOLDS,
    "evaluationSettings": {"metricsConfig": made.CONFIG, "goldenRunMethod": "STABLE"},
}


@pytest.mark.parametrize("value", [_APP, made.snake(_APP)])
def test_an_app_says_the_same_in_both_spellings(value: Json) -> None:
    found, findings = told(value, OF_APP)
    wanted, _ = told({_T: made.THRESHOLDS, "evaluationMetricsConfigOverride": made.CONFIG}, OF_EVALUATION)
    assert [(one.metric, one.threshold, one.options) for one in found] == [
        (one.metric, one.threshold, one.options) for one in wanted
    ]
    assert findings == []


@each(
    ("switch", "options"),
    [
        ({}, {"enabled": False}),
        ({"enableSemanticSimilarityMetrics": False}, {"enabled": False}),
        ({"enableSemanticSimilarityMetrics": None}, {"enabled": False}),
        ({"enableSemanticSimilarityMetrics": True}, {"enabled": True}),
    ],
)
def test_a_switch_that_is_there_without_saying_so_is_off(switch: JsonObject, options: JsonObject) -> None:
    found, findings = told({"agentResponseSemanticSimilarityMetricsConfigOverride": switch}, OF_EXPECTATION)
    assert [(one.metric, one.options) for one in found] == [("ces_semantic_similarity", options)]
    assert findings == []


@pytest.mark.parametrize("value", [{}, {"agentResponseHallucinationMetricsConfigOverride": None}])
def test_an_absent_switch_says_nothing(value: JsonObject) -> None:
    assert told(value, OF_EXPECTATION) == ((), [])


def test_a_turn_and_an_expectation_overrule_in_their_own_words() -> None:
    turn, _ = told(
        {
            "turnLevelMetricsThresholdsOverride": {"semanticSimilaritySuccessThreshold": 0},
            "hallucinationMetricBehaviorOverride": 1,
        },
        OF_TURN,
    )
    assert [(one.metric, one.threshold, one.options) for one in turn] == [
        ("ces_semantic_similarity", 0.0, {}),
        ("ces_hallucination", None, {"hallucinationMetricBehavior": "DISABLED"}),
    ]


@pytest.mark.parametrize("word", ["EXTRA_TOOL_CALL_BEHAVIOR_UNSPECIFIED", 0, None])
def test_what_is_unspecified_says_nothing(word: Json) -> None:
    value: JsonObject = {
        "goldenEvaluationMetricsThresholds": {"toolMatchingSettings": {"extraToolCallBehavior": word}}
    }
    assert told({_T: value}, OF_EVALUATION) == ((), [])


@each(
    ("value", "threshold", "code"),
    [(5, 5.0, "threshold-range"), (2.5, 2.5, "threshold-range"), (-1, -1.0, "threshold-range"), ("3", 3.0, None)],
)
def test_a_threshold_out_of_range_is_named_and_kept(value: Json, threshold: float, code: str | None) -> None:
    found, findings = told(
        {"turnLevelMetricsThresholdsOverride": {"semanticSimilaritySuccessThreshold": value}}, OF_TURN
    )
    assert [one.threshold for one in found] == [threshold]
    assert [finding for finding, _ in findings] == ([] if code is None else [code])


@each(
    ("value", "level", "place"),
    [
        ({"turnLevelMetricsThresholdsOverride": [1]}, OF_TURN, "/turnLevelMetricsThresholdsOverride"),
        (
            {"turnLevelMetricsThresholdsOverride": {"semanticSimilaritySuccessThreshold": True}},
            OF_TURN,
            "/turnLevelMetricsThresholdsOverride/semanticSimilaritySuccessThreshold",
        ),
        (
            {"agentResponseHallucinationMetricsConfigOverride": {"enableHallucinationMetrics": "yes"}},
            OF_EXPECTATION,
            "/agentResponseHallucinationMetricsConfigOverride/enableHallucinationMetrics",
        ),
        (
            {"agentResponseHallucinationMetricsConfigOverride": True},
            OF_EXPECTATION,
            "/agentResponseHallucinationMetricsConfigOverride",
        ),
    ],
)
def test_a_wrong_type_is_named_and_says_nothing(value: JsonObject, level: Level, place: str) -> None:
    assert told(value, level) == ((), [("wrong-type", place)])


def test_unknown_words_and_keys_are_named() -> None:
    value: JsonObject = {_T: {"goldenHallucinationMetricBehavior": "ENABLED_STRICT", "newMetric": {"a": 1}}}
    found, findings = told(value, OF_EVALUATION)
    assert [one.options for one in found] == [{"goldenHallucinationMetricBehavior": "ENABLED_STRICT"}]
    assert findings == [
        ("unknown-enum", f"/{_T}/goldenHallucinationMetricBehavior"),
        ("unknown-key", f"/{_T}/newMetric"),
    ]


def keys_of(level: Level) -> set[str]:
    """Every key that a level and those below it know, and those of their switches."""
    inner = [member for member in level.members.values() if isinstance(member, Level)]
    return {*level.members, "enable_hallucination_metrics"}.union(*map(keys_of, inner))


_KEYS = sorted(set[str]().union(*map(keys_of, _LEVELS.values())))
_any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(_KEYS), inner, max_size=3),
    max_leaves=12,
)


@examples(40, 1000)
@given(_any, st.sampled_from([*_LEVELS]))
def test_whatever_stands_there_gives_numbers_words_and_switches(value: Json, level: str) -> None:
    found, _ = told(value, _LEVELS[level])
    for one in found:
        assert one.metric.startswith("ces_")
        assert one.threshold is None or one.threshold - one.threshold == 0
        assert all(isinstance(option, str | bool) and option != "" for option in one.options.values())
    assert len({one.metric for one in found}) == len(found)
