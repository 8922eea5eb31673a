"""ADK eval configurations: thresholds in every spelling, options as written, and what a file may not choose."""

from __future__ import annotations

from tests.formats.span_files import codes, opened
from tests.helpers.tables import each
from trace_inspector.core.finding import Severity
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.values.values import Json
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


@each("raw", [None, {"match_type": "EXACT"}, {"threshold": None}, [], "high"])
def test_a_criterion_without_a_usable_threshold(raw: Json) -> None:
    contents = opened({"criteria": {"response_match_score": 0.5, "safety_v1": raw}})
    assert contents.criteria is not None
    assert contents.criteria.items[1].threshold is None
    assert [(finding.code, finding.pointer) for finding in contents.findings] == [
        ("bad-threshold", "/criteria/safety_v1")
    ]


def test_a_file_does_not_choose_where_calls_go() -> None:
    judge: Json = {"judge_model": "m", "base_url": "https://elsewhere.example"}
    contents = opened({"criteria": {"hallucinations_v1": {"threshold": 1, "judge_model_options": judge}}})
    assert [(finding.code, finding.pointer) for finding in contents.findings] == [
        ("endpoint-in-file", "/criteria/hallucinations_v1/judge_model_options/base_url")
    ]


def test_what_is_beside_the_criteria() -> None:
    contents = opened({"criteria": {"safety_v1": 1}, "userSimulatorConfig": {}, "notes": "x"})
    assert codes(contents) == ["unknown-key", "not-used"]


def test_criteria_as_a_list_are_an_error_with_a_place() -> None:
    contents = opened({"criteria": [{"id": "a", "rubric": "b"}]})
    assert (contents.format, contents.holds) == ("adk-eval-config", {"criteria": 0})
    assert [(finding.code, finding.pointer) for finding in contents.findings] == [("wrong-type", "/criteria")]


@each(
    ("value", "place"),
    [
        ({"criteria": 1}, "/criteria"),
        ({"criteria": None, "customMetrics": {}}, "/criteria"),
        ({"criteria": [1]}, "/criteria"),
        ({"criteria": {"response_match_score": "text"}, "other": 1}, "/criteria/response_match_score"),
        ({"criteria": {"response_match_score": {"threshold": []}}}, "/criteria/response_match_score"),
        ({"criteria": {"safety_v1": {"threshold": 1, "judge_model_options": {"num_samples": 0}}}},
         "/criteria/safety_v1/judge_model_options/num_samples"),
        ({"criteria": {"safety_v1": {"threshold": 1, "rubrics": [{"rubric_id": 1, "rubric_content": {}}]}}},
         "/criteria/safety_v1/rubrics/0/rubric_id"),
        ({"criteria": {"safety_v1": {"threshold": 1, "includeIntermediateResponsesInFinal": "maybe"}}},
         "/criteria/safety_v1/includeIntermediateResponsesInFinal"),
        ({"criteria": {"own": 1}, "custom_metrics": {"own": {"code_config": {}}}}, "/custom_metrics/own"),
        ({"criteria": {}, "user_simulator_config": {"type": "person"}}, "/user_simulator_config/type"),
    ],
)  # fmt: skip
def test_a_broken_file_is_known_and_the_broken_place_named(value: Json, place: str) -> None:
    contents = opened(value)
    assert contents.format == "adk-eval-config"
    errors = [finding.pointer for finding in contents.findings if finding.severity is Severity.ERROR]
    assert errors == [place]


@each(
    ("criteria", "code", "says"),
    [
        ({"response_match": 1}, "unknown-metric", "Is “response_match_score” meant?"),
        ({"token_usage_v1": 1}, "takes-no-threshold", "Remove the threshold"),
        ({"tool_trajectory_avg_score": {"threshold": 1, "match_type": None}}, "unknown-word", "EXACT, IN_ORDER"),
        ({"tool_trajectory_avg_score": {"threshold": 1, "match_type": "1"}}, "unknown-word", "EXACT, IN_ORDER"),
    ],
)
def test_what_a_run_would_stumble_over_is_a_warning(criteria: Json, code: str, says: str) -> None:
    (finding,) = opened({"criteria": criteria}).findings
    assert (finding.severity, finding.code) == (Severity.WARNING, code)
    assert says in finding.message


@each("word", ["in-order", " any order ", "EXACT", 0, 2])
def test_a_word_may_be_spelled_as_google_adk_reads_it(word: Json) -> None:
    criteria: Json = {"tool_trajectory_avg_score": {"threshold": 1, "match_type": word}, "own": 1}
    custom: Json = {"own": {"code_config": {"name": "a.b"}}}
    assert codes(opened({"criteria": criteria, "custom_metrics": custom})) == ["not-used"]


@each("value", [{"criteria": {"a": "text"}, "b": 1}, {"criteria": "x"}, {"criteria": 1, "b": 1}, {}])
def test_not_recognised(value: Json) -> None:
    assert recognise(value) is None
