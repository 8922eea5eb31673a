"""Requests for runs of CES and their schedules: what they ask for is kept, and what they lack is told."""

from __future__ import annotations

from tests.formats import ces_result_files as made
from tests.formats.span_files import codes, opened
from tests.helpers.tables import each
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats import BY_NAME, recognise


def without(value: JsonObject, *names: str) -> JsonObject:
    """The object without some of its keys."""
    return {key: held for key, held in value.items() if key not in names}


def test_a_request_is_shown_under_its_name_with_all_it_asks_for() -> None:
    contents = opened(made.run_request(), "release.json")
    (suite,) = contents.suites
    assert (contents.format, contents.holds) == ("ces-run-request", {"requests for runs": 1})
    assert codes(contents) == []
    assert (suite.id, suite.name, suite.cases) == ("release", "before the release", ())
    assert [(one.id, one.description) for one in suite.personas] == [("hasty", "5 tasks")]
    told = {extra.name: extra.value for extra in suite.extras}
    assert told == without(made.run_request(), "displayName")


def test_a_schedule_is_shown_with_the_request_it_repeats() -> None:
    contents = opened(made.scheduled_run())
    (suite,) = contents.suites
    assert (contents.format, codes(contents)) == ("ces-run-request", [])
    assert (suite.id, suite.name) == ("weekly", "every Monday and Friday")
    told = {(extra.name, extra.place): extra.value for extra in suite.extras}
    assert told["schedulingConfig", "/schedulingConfig"] == made.scheduled_run()["schedulingConfig"]
    assert told["displayName", "/request/displayName"] == "before the release"
    assert told["runCount", "/request/runCount"] == 3


def test_the_service_replies_with_a_list_of_schedules() -> None:
    contents = opened({"scheduledEvaluationRuns": [made.scheduled_run()] * 2, "nextPageToken": "more"})
    assert (contents.format, contents.holds) == ("ces-run-request", {"requests for runs": 2})
    assert codes(contents) == ["more-pages"]


@each(
    ("section", "value", "code", "pointer"),
    [
        ("A2 GoldenRunMethod", made.run_request(goldenRunMethod="BOLD"), "unknown-enum", "/goldenRunMethod"),
        (
            "A2 EvaluationRunCachingMode",
            made.run_request(evaluationRunCachingSettings={"runCachingMode": "ALWAYS"}),
            "unknown-enum",
            "/evaluationRunCachingSettings/runCachingMode",
        ),
        (
            "A2 EvaluationChannel",
            made.run_request(config={"evaluationChannel": "SMOKE"}),
            "unknown-enum",
            "/config/evaluationChannel",
        ),
        (
            "A2 EvaluationToolCallBehaviour",
            made.run_request(config={"toolCallBehaviour": "DREAMT"}),
            "unknown-enum",
            "/config/toolCallBehaviour",
        ),
        (
            "A2 Frequency",
            made.scheduled_run(schedulingConfig={"frequency": "HOURLY"}),
            "unknown-enum",
            "/schedulingConfig/frequency",
        ),
        (
            "A4 a request names evaluations or a dataset",
            made.run_request(evaluations=[]),
            "nothing-to-run",
            "",
        ),
        (
            "A4 evaluations are names",
            made.run_request(evaluations=[made.EVALUATION, {"name": "x"}]),
            "wrong-type",
            "/evaluations/1",
        ),
        ("A4 runCount is a number", made.run_request(runCount="often"), "wrong-type", "/runCount"),
        ("A4 app", made.scheduled_run(request=without(made.run_request(), "app")), "missing-field", "/request"),
        ("A4 request", without(made.scheduled_run(), "request"), "missing-field", ""),
        ("A4 schedulingConfig", without(made.scheduled_run(), "schedulingConfig"), "missing-field", ""),
    ],
)
def test_what_is_odd_is_told(section: str, value: JsonObject, code: str, pointer: str) -> None:
    found = [(finding.code, finding.pointer) for finding in opened(value).findings]
    assert found == [(code, pointer)], section


def test_enumerations_may_be_numbers_and_keys_in_snake_case() -> None:
    asked: JsonObject = {"app": made.APP, "evaluation_dataset": "d", "golden_run_method": 2, "run_count": 1}
    contents = opened(asked)
    assert (contents.format, codes(contents)) == ("ces-run-request", [])


@each(
    ("value", "name"),
    [
        (made.run(), "ces-run"),
        ({"displayName": "d", "evaluations": ["a"]}, "ces-dataset"),
        ({"app": made.APP, "evaluations": ["a"], "state": "RUNNING", "progress": {"totalCount": 1}}, None),
        ({"app": made.APP}, None),
        ({"request": {}, "displayName": "d"}, None),
    ],
)
def test_what_only_looks_alike_is_left_alone(value: Json, name: str | None) -> None:
    assert BY_NAME["ces-run-request"].recognise(value) == 0
    known = recognise(value)
    assert (known.name if known else None) == name
