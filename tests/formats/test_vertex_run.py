"""Runs, sets and clusters of failures of Vertex's service."""

from __future__ import annotations

from tests.formats.span_files import codes, opened
from tests.formats.vertex_run_files import evaluation_set, losses, run
from tests.helpers.sound import assert_sound
from tests.helpers.tables import each
from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.verdict import Provenance, Status
from trace_inspector.formats import BY_NAME, recognise


def test_a_run_has_its_figures_candidate_by_candidate() -> None:
    contents = opened(run())
    assert contents.format == "vertex-run"
    (suite,) = contents.suites
    assert (suite.id, suite.name, contents.holds) == ("r1", "Nightly", {"evaluation runs": 1})
    small, large = contents.reported
    assert [(one.candidate, one.status) for one in (small, large)] == [
        ("small", Status.INFORMATIONAL),
        ("large", Status.INFORMATIONAL),
    ]
    (metric,) = small.metrics
    assert (metric.metric, metric.score, metric.provenance) == ("safety_v1", 0.5, Provenance.REPORTED)
    assert metric.figures == (("standard_deviation", 0.25),)
    assert [(extra.name, extra.value) for extra in contents.traces[0].extras] == [
        ("total_items", 4),
        ("failed_items", 1),
    ]
    assert codes(contents) == []
    assert_sound(contents)


def test_clusters_of_failures_stand_in_lines_of_their_own() -> None:
    expected = "loss: tool_use_quality_v1 of small: Tools / Wrong arguments (3 items)"
    values: list[Json] = [run(), losses(), {"results": [losses()]}, {"loss_analysis_results": [losses()]}]
    for value in values:
        contents = opened(value)
        assert contents.format == "vertex-run"
        (suite,) = contents.suites
        (cluster,) = [extra for extra in suite.extras if extra.name.startswith("loss")]
        assert cluster.name == expected


def test_sets_name_their_items_and_replies_hold_several() -> None:
    contents = opened(evaluation_set())
    (suite,) = contents.suites
    assert (contents.format, suite.id, suite.name) == ("vertex-run", "s1", "Seats")
    assert [extra.name for extra in suite.extras] == ["name", "evaluationItems"]
    listed = opened({"evaluationRuns": [run(), run(name="projects/p/locations/l/evaluationRuns/r2")]})
    assert [suite.id for suite in listed.suites] == ["r1", "r2"]
    bare = opened([run(), evaluation_set()])
    assert [suite.id for suite in bare.suites] == ["r1", "s1"]


@each(
    ("value", "expected"),
    [
        (run(state="DANCING"), ["unknown-word"]),
        (run(error={"code": 7, "message": "denied"}), ["run-failed"]),
        (losses(0), ["counts-differ"]),
        (run(evaluationResults={"summaryMetrics": {"metrics": [1]}, "lossAnalysisResults": [3]}), ["not-an-object"]),
        (run(evaluationResults={"summaryMetrics": {"metrics": {"a": {}, "b": "x", "": 1}}}), []),
    ],
)
def test_what_is_odd_is_told(value: Json, expected: list[str]) -> None:
    contents = opened(value)
    assert (contents.format, codes(contents)) == ("vertex-run", expected)
    assert_sound(contents)


def test_a_run_of_ces_is_none_of_vertex() -> None:
    value: Json = {"name": "projects/p/locations/l/apps/a/evaluationRuns/r", "progress": {"totalCount": 1}}
    known = recognise(value)
    assert known is not None
    assert known.name == "ces-run"
    assert BY_NAME["vertex-run"].recognise(value) == 0


def test_a_summary_without_cases_is_of_all_cases() -> None:
    value: Json = {
        "summary_metrics": [
            {"metric_name": "tone", "mean_score": 4.5, "num_cases_total": 2, "stdev_score": 0.5},
            {"metric_name": "safety", "mean": 1.0},
            {"metric_name": "none"},
        ]
    }
    contents = opened(value)
    (verdict,) = contents.reported
    assert (contents.format, verdict.case_id) == ("vertex-result", "all cases")
    assert [(metric.metric, metric.score, metric.status) for metric in verdict.metrics] == [
        ("tone", 4.5, Status.INFORMATIONAL),
        ("safety", 1.0, Status.INFORMATIONAL),
        ("none", None, Status.NOT_EVALUATED),
    ]
    assert verdict.metrics[0].figures == (("num_cases_total", 2.0), ("stdev_score", 0.5))
