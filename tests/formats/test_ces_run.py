"""Runs of CES: everything they say is kept, and counts that contradict each other are told."""

from __future__ import annotations

from tests.formats import ces_result_files as made
from tests.formats.span_files import codes, opened
from tests.helpers.tables import each
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats import BY_NAME


def extras_of(value: Json) -> dict[str, Json]:
    """What a file with one run says, by name."""
    (suite,) = opened(value).suites
    return {extra.name: extra.value for extra in suite.extras}


def test_a_run_is_shown_under_its_name_with_all_it_says() -> None:
    contents = opened(made.run())
    (suite,) = contents.suites
    assert (contents.format, contents.holds, codes(contents)) == ("ces-run", {"evaluation runs": 1}, [])
    assert (suite.id, suite.name, suite.cases) == ("nightly", "every night", ())
    told = extras_of(made.run())
    assert told["progress"] == made.run()["progress"]
    assert told["evaluationRunSummaries"] == made.run()["evaluationRunSummaries"]
    assert (told["state"], told["runCount"], told["goldenRunMethod"]) == ("COMPLETED", 2, "STABLE")
    assert told["evaluationResults"] == [made.RESULT]
    assert [(one.id, one.description) for one in suite.personas] == [("hasty", "5 tasks")]


def test_latencies_are_told_line_by_line() -> None:
    told = extras_of(made.run())
    lines = [name for name in told if "Latencies" in name]
    assert lines == [
        "toolLatencies: Search",
        "callbackLatencies: before_model",
        "guardrailLatencies: manners",
        "llmCallLatencies: gem",
    ]
    metrics: JsonObject = {"p50Latency": "0.5s", "p90Latency": "0.900s", "p99Latency": "1.25s", "callCount": 3}
    assert told[lines[3]] == {"model": "gem", "latencyMetrics": metrics}
    assert told["sessionCount"] == 4


@each(
    ("changed", "code"),
    [
        ({"progress": {"totalCount": 1, "completedCount": 1, "passedCount": 1, "failedCount": 1}}, "counts-differ"),
        ({"progress": {"totalCount": 1, "completedCount": 2, "passedCount": 1, "failedCount": 1, "errorCount": 1}},
         "counts-differ"),
        ({"evaluationRunSummaries": {made.EVALUATION: {"passedCount": 2, "failedCount": 1, "errorCount": 1}}},
         "counts-differ"),
        ({"state": "DREAMING"}, "unknown-enum"),
        ({"evaluationType": 9}, "unknown-enum"),
        ({"optimizationConfig": {"status": "LATE"}}, "unknown-enum"),
        ({"errorInfo": {"errorType": 1, "errorMessage": "Broken."}}, "run-failed"),
        ({"latencyReport": {"toolLatencies": [{"latencyMetrics": {"p50Latency": 3}}]}}, "unknown-duration"),
    ],
)  # fmt: skip
def test_what_is_odd_is_told(changed: JsonObject, code: str) -> None:
    assert set(codes(opened(made.run(**changed)))) == {code}


@each(
    "changed",
    [
        {"progress": None},
        {"evaluationRunSummaries": {}},
        {"progress": {"totalCount": 5, "passedCount": 1, "failedCount": 1, "errorCount": 1}},
        {"state": 2, "evaluationType": 1},
    ],
)
def test_counts_that_are_not_there_contradict_nothing(changed: JsonObject) -> None:
    assert codes(opened(made.run(**changed))) == []


def test_lists_and_dumps_of_runs() -> None:
    contents = opened({"evaluation_runs": [{"name": made.RUN, "state": 2, "progress": {"total_count": 3}}] * 2})
    assert (contents.format, contents.holds, len(contents.suites)) == ("ces-run", {"evaluation runs": 2}, 2)


@each(
    "value",
    [
        {},
        {"progress": {}},
        {"name": "runs/1", "state": "RUNNING"},
        {"name": "projects/p/locations/l/evaluationRuns/1", "state": "RUNNING"},
        [1],
        "x",
    ],
)
def test_other_documents_are_none(value: Json) -> None:
    assert BY_NAME["ces-run"].recognise(value) == 0
