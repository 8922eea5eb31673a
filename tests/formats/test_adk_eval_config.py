"""ADK eval configurations: thresholds in every spelling, options as written, and what a file may not choose."""

from __future__ import annotations

import pytest

from tests.formats.span_files import codes, opened
from trace_inspector.core.criteria import Criterion
from trace_inspector.core.values import Json
from trace_inspector.formats import recognise


def test_numbers_and_objects_in_their_order() -> None:
    contents = opened(
        {
            "criteria": {
                "tool_trajectory_avg_score": {"threshold": 0.5, "match_type": "IN_ORDER"},
                "response_match_score": 1,
                "hallucinations_v1": "0.8",
                "safety_v1": True,
            }
        },
        "test_config.json",
    )
    assert contents.criteria is not None
    assert contents.criteria.items == (
        Criterion(
            "tool_trajectory_avg_score", 0.5, {"match_type": "IN_ORDER"}, "/criteria/tool_trajectory_avg_score"
        ),
        Criterion("response_match_score", 1.0, {}, "/criteria/response_match_score"),
        Criterion("hallucinations_v1", 0.8, {}, "/criteria/hallucinations_v1"),
        Criterion("safety_v1", 1.0, {}, "/criteria/safety_v1"),
    )
    assert (contents.criteria.source, contents.holds, contents.findings) == ("test_config.json", {"criteria": 4}, ())


def test_options_stay_as_written() -> None:
    options: dict[str, Json] = {
        "judgeModelOptions": {"judgeModel": "m", "numSamples": 1},
        "rubrics": [{"rubricId": "r", "rubricContent": {"textProperty": "Polite."}}],
    }
    contents = opened({"criteria": {"rubric_based_final_response_quality_v1": {"threshold": 0.8, **options}}})
    assert contents.criteria is not None
    assert contents.criteria.items[0].options == options


@pytest.mark.parametrize("raw", [None, {"match_type": "EXACT"}, {"threshold": None}, [], "high"])
def test_a_criterion_without_a_usable_threshold(raw: Json) -> None:
    contents = opened({"criteria": {"response_match_score": 0.5, "odd": raw}})
    assert contents.criteria is not None
    assert contents.criteria.items[1].threshold is None
    assert [(finding.code, finding.pointer) for finding in contents.findings] == [("bad-threshold", "/criteria/odd")]


def test_a_file_does_not_choose_where_calls_go() -> None:
    judge: Json = {"judge_model": "m", "base_url": "https://elsewhere.example"}
    contents = opened({"criteria": {"m": {"threshold": 1, "judge_model_options": judge}}})
    assert [(finding.code, finding.pointer) for finding in contents.findings] == [
        ("endpoint-in-file", "/criteria/m/judge_model_options/base_url")
    ]


def test_what_is_beside_the_criteria() -> None:
    contents = opened({"criteria": {"m": 1}, "userSimulatorConfig": {}, "notes": "x"})
    assert codes(contents) == ["unknown-key", "not-used"]


def test_criteria_as_a_list_are_an_error_with_a_place() -> None:
    contents = opened({"criteria": [{"id": "a", "rubric": "b"}]})
    assert (contents.format, contents.holds) == ("adk-eval-config", {"criteria": 0})
    assert [(finding.code, finding.pointer) for finding in contents.findings] == [("wrong-type", "/criteria")]


@pytest.mark.parametrize("value", [{"criteria": {"a": "text"}}, {"criteria": 1}, {"criteria": [1]}, {}, []])
def test_not_recognised(value: Json) -> None:
    assert recognise(value) is None
