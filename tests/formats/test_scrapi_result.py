"""SCRAPI's results: runs with their scores, one run turn by turn, and the combined report."""

from __future__ import annotations

from tests.formats import scrapi_files as made
from tests.formats.span_files import codes, opened
from tests.helpers.tables import each
from trace_inspector.core.finding import Severity
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.parts import Transfer
from trace_inspector.core.trace.trace import answer_text, calls_of, user_text
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.verdict import CaseVerdict, Provenance, Status
from trace_inspector.formats import recognise


def read(value: Json) -> Contents:
    contents = opened(value, "results.json")
    assert contents.format == "scrapi-result"
    return contents


def metric(verdict: CaseVerdict, name: str) -> tuple[float | None, Status, float | None]:
    (found,) = (one for one in verdict.metrics if one.metric == name)
    return found.score, found.status, found.threshold


@each("kind", made.RESULTS)
def test_each_shape_is_recognised_alone_and_in_a_list(kind: str) -> None:
    alone: Json = made.RESULTS[kind]
    for value in (alone, made.combined()["results"] if kind == "report" else [alone]):
        known = recognise(value)
        assert known is not None
        assert known.name == "scrapi-result"


def test_each_run_is_a_repeat_with_its_scores() -> None:
    contents = read(made.runs())
    first, second = contents.reported
    assert [(one.case_id, one.trace_id, one.repeat) for one in (first, second)] == [
        ("seat", "seat (r1)", 0),
        ("seat", "seat (r2)", 1),
    ]
    assert metric(first, "ces_semantic_similarity") == (4.0, Status.PASSED, 2.0)
    assert metric(first, "ces_tool_invocation") == (0.5, Status.PASSED, None)
    assert metric(first, "ces_hallucination") == (-1.0, Status.FAILED, None)
    assert [trace.case_runs for trace in contents.traces] == [2, 2]
    assert [extra.name for extra in second.extras] == ["note"]


def test_scores_that_contradict_the_verdict_are_told() -> None:
    contents = read(made.runs())
    assert [one.status for one in contents.reported] == [Status.PASSED, Status.FAILED]
    pointers = [finding.pointer for finding in contents.findings if finding.code == "verdict-differs"]
    assert pointers == ["/runs/0/hallucination_result/passed", "/runs/1/evaluation_status"]


def test_one_run_has_its_turns_observed_and_expected() -> None:
    contents = read(made.conversation())
    (trace,) = contents.traces
    (suite,) = contents.suites
    (case,) = suite.cases
    observed, expected = trace.turns[0], case.turns[0]
    assert [(user_text(turn), answer_text(turn)) for turn in (observed, expected)] == [
        ("Seat 2", "Seat 3 is yours."),
        ("Seat 2", "Seat 2 is yours."),
    ]
    assert [(call.name, call.args) for call in calls_of(observed)] == [("book", {"seat": 3}), ("sing", {})]
    assert [(call.name, call.args) for call in calls_of(expected)] == [("book", {"seat": 2})]
    assert (trace.turns[1].final_response is None, case.turns[1].final_response) == (False, None)


def test_each_outcome_of_a_turn_is_reported_and_the_turn_derived() -> None:
    (verdict,) = read(made.conversation()).reported
    assert (verdict.status, verdict.native, verdict.provenance) == (Status.FAILED, "FAIL", Provenance.REPORTED)
    first, second = verdict.turns
    assert (first.status, first.provenance) == (Status.FAILED, Provenance.DERIVED)
    told = {one.metric: one for one in first.metrics}
    assert [(one.what, one.status, one.extra) for one in told["ces_expectations"].expectations] == [
        ("call book", Status.FAILED, False),
        ("call sing", Status.NOT_EVALUATED, True),
        ("answer", Status.PASSED, False),
    ]
    assert (told["ces_semantic_similarity"].score, told["ces_semantic_similarity"].status) == (3.0, Status.PASSED)
    assert told["ces_tool_invocation"].status is Status.FAILED
    assert (second.status, second.metrics) == (Status.NOT_EVALUATED, ())


def test_the_combined_report_tells_conversations_and_tests() -> None:
    contents = read(made.combined())
    golden, tested = contents.reported
    assert [(one.case_id, one.status) for one in (golden, tested)] == [
        ("seat", Status.FAILED),
        ("books", Status.PASSED),
    ]
    (turn,) = contents.traces[0].turns
    assert (user_text(turn), answer_text(turn)) == ("Seat 2", "It is booked.")
    assert [(call.name, call.args) for call in calls_of(turn)] == [("reserve", {"seat": 2})]
    assert [part.target for event in turn.events for part in event.parts if isinstance(part, Transfer)] == ["clerk"]
    assert contents.traces[0].session_id == "s1"


def test_the_combined_report_tells_each_comparison_and_sentence() -> None:
    (golden, _tested) = read(made.combined()).reported
    (sentences,) = golden.metrics
    assert [(one.what, one.status, one.reason) for one in sentences.expectations] == [
        ("Is polite", Status.FAILED, "It shouted.")
    ]
    expectations, similarity = golden.turns[0].metrics
    assert [(one.what, one.status, one.score, one.reason) for one in expectations.expectations] == [
        ("answer", Status.PASSED, None, ""),
        ("call book", Status.FAILED, 0.5, "another tool"),
        ("call pay", Status.FAILED, None, ""),
        ("transfer to clerk", Status.PASSED, None, ""),
    ]
    assert (similarity.score, similarity.status) == (3.0, Status.INFORMATIONAL)


@each(
    ("word", "status", "found"),
    [
        ("PASS", Status.PASSED, []),
        (1, Status.PASSED, []),
        (2, Status.FAILED, []),
        (3, Status.SKIPPED, []),
        ("SKIPPED", Status.SKIPPED, []),
        ("OUTCOME_UNSPECIFIED", Status.NOT_EVALUATED, []),
        (None, Status.NOT_EVALUATED, []),
        ("SUCCEEDED", Status.NOT_EVALUATED, ["unknown-enum"]),
        (9, Status.NOT_EVALUATED, ["unknown-enum"]),
        ({}, Status.NOT_EVALUATED, ["unknown-enum"]),
    ],
)
def test_a_word_that_nobody_knows_decides_nothing(word: Json, status: Status, found: list[str]) -> None:
    value: JsonObject = {"eval_name": "seat", "runs": [{"evaluation_status": word}]}
    contents = read(value)
    assert [(one.status, one.native) for one in contents.reported] == [(status, word)]
    assert [code for code in codes(contents) if code == "unknown-enum"] == found


def test_what_is_no_result_among_others_is_told() -> None:
    contents = read([made.runs(), {"name": "x"}, 5])
    told = [(finding.code, finding.pointer) for finding in contents.findings if finding.severity is Severity.ERROR]
    assert sorted(told) == [("not-an-object", "/2"), ("not-recognised", "/1")]
    assert len(contents.reported) == 2
