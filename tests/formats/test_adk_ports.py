"""Files of tools around google-adk: their metrics are criteria where ours measure the same, results are reported."""

from __future__ import annotations

from tests.formats import adk_ports_files as made
from tests.formats.span_files import codes, opened
from tests.helpers.sound import assert_sound
from tests.helpers.tables import each
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.verdict import Provenance, Status
from trace_inspector.engine.judges.questions.own_prompt import prompt_parameters


def _criteria(contents: Contents) -> list[Criterion]:
    assert contents.criteria is not None
    return [*contents.criteria.items]


def test_metrics_of_trpc_are_the_criteria_that_measure_the_same() -> None:
    contents = opened(made.go_metrics())
    assert contents.format == "trpc-metrics"
    assert [(one.metric, one.threshold) for one in _criteria(contents)] == [
        ("tool_trajectory_avg_score", 1),
        ("response_match_score", 0.5),
        ("rubric_based_final_response_quality_v1", 0.7),
        ("judge_prompt:right", 1),
        ("llm_rubric_knowledge_recall", 1),
    ]
    trajectory, _rouge, rubrics, prompt, _other = _criteria(contents)
    assert trajectory.options == {"match_type": "IN_ORDER"}
    assert rubrics.options == {"rubrics": [{"rubric_id": "r1", "rubric_content": {"text_property": "Is it polite?"}}]}
    asked = prompt_parameters(prompt)
    assert asked.prompt.format(answer="A", user="U") == 'Is A right for U? Reply with {"score": 0 or 1}.'
    assert codes(contents) == ["other-metric", "other-metric", "other-metric", "managed-metric"]


def test_what_python_compares_more_finely_is_named() -> None:
    contents = opened(made.python_metrics())
    (criterion,) = _criteria(contents)
    assert (criterion.options, codes(contents)) == ({"match_type": "ANY_ORDER"}, ["compared-otherwise"])
    optimiser = opened({"evaluate": made.python_metrics(), "optimize": {}})
    assert [one.metric for one in _criteria(optimiser)] == ["tool_trajectory_avg_score"]


def test_evaluators_of_agentevals() -> None:
    contents = opened(made.agentevals_config())
    assert contents.format == "agentevals-config"
    assert [(one.metric, one.threshold, one.options) for one in _criteria(contents)] == [
        ("tool_trajectory_avg_score", 0.9, {"match_type": "IN_ORDER"}),
        ("response_match_score", 0.5, {}),
        ("mine", 0.7, {"path": "./mine.py"}),
    ]
    assert codes(contents) == ["function-not-run"]


def test_results_of_agentevals_are_reported_trace_by_trace() -> None:
    result: JsonObject = {"traceId": "t1", "numInvocations": 2, "metricResults": made.agentevals_metrics()}
    values: list[Json] = [made.agentevals_results(), {"traceResults": [result]}]
    for value in values:
        contents = opened(value)
        (verdict,) = contents.reported
        assert (contents.format, verdict.trace_id, verdict.status) == ("agentevals-results", "t1", Status.FAILED)
        assert [(one.metric, one.score, one.status, one.provenance) for one in verdict.metrics] == [
            ("tool_trajectory_avg_score", 0.5, Status.FAILED, Provenance.REPORTED),
            ("mine", 1.0, Status.PASSED, Provenance.REPORTED),
            ("gone", None, Status.ERROR, Provenance.REPORTED),
        ]
        assert verdict.metrics[0].figures == (("duration in ms", 12.5), ("turn 1", 1.0), ("turn 2", 0.0))
        assert_sound(contents)
    assert codes(opened(made.agentevals_results())) == ["run-failed"]


_TEMPLATE: Json = {"llmJudge": {"template": {"prompt": "{{x}}"}}}
_TRACE: Json = {"trace_id": 3, "num_invocations": "x", "metrics": [{"metric_name": []}]}


@each(
    ("value", "name", "expected"),
    [
        ([{"metricName": "a", "criterion": _TEMPLATE}], "trpc-metrics", ["managed-metric"]),
        ([{"metricName": 3, "threshold": 1}], "trpc-metrics", ["no-name"]),
        ([{"metricName": "a", "criterion": 3}], "trpc-metrics", ["managed-metric"]),
        ({"evaluators": [{"name": "a", "type": []}, 3]}, "agentevals-config", ["not-an-object", "function-not-run"]),
        ({"evaluators": [{"name": "a", "type": "builtin"}], "more": 1}, "agentevals-config", ["unread-keys"]),
        ({"traces": [_TRACE]}, "agentevals-results", []),
    ],
)
def test_what_is_odd_is_told(value: Json, name: str, expected: list[str]) -> None:
    contents = opened(value)
    assert (contents.format, codes(contents)) == (name, expected)
    assert_sound(contents)
