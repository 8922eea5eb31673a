"""Recorded conversations written as an ADK result, judged or not."""

from __future__ import annotations

import json
from typing import Any

from tests.formats.session_files import call, event, said, session
from tests.formats.span_files import agent, jaeger, model, opened, says, user
from tests.formats.test_adk_eval_result_reader import case, invocation, metric, results, row
from trace_inspector.core.finding import Severity
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.criteria import Criteria, Criterion
from trace_inspector.core.trace.trace import answer_text, calls_of
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.formats.adk.result.eval_result import write


def cases(contents: Contents) -> list[dict[str, Any]]:
    """The case results of the file that is written."""
    written: list[dict[str, Any]] = json.loads(write(contents).text)["eval_case_results"]
    return written


def lost(contents: Contents) -> list[str]:
    """What the file could not hold."""
    losses = write(contents).losses
    assert {loss.severity for loss in losses} <= {Severity.ERROR}
    return [loss.code for loss in losses]


def test_a_session_that_nobody_judged() -> None:
    contents = opened(
        session(
            event("user", said("q")),
            event("bot", call("look"), at=2.0),
            event("bot", {"executableCode": {"code": "1"}}, {"codeExecutionResult": {"output": "1"}}, at=2.5),
            event("bot", said("a"), at=3.0),
        )
    )
    (written,) = cases(contents)
    assert (written["eval_id"], written["session_id"], written["user_id"]) == ("s1", "s1", "u1")
    assert (written["final_eval_status"], written["overall_eval_metric_results"]) == (3, [])
    (told,) = written["eval_metric_result_per_invocation"]
    assert told["expected_invocation"] is None
    events = told["actual_invocation"]["intermediate_data"]["invocation_events"]
    assert [each["content"] is None for each in events] == [False, True]
    assert lost(contents) == ["details-lost", "states-lost"]


def test_a_result_with_its_verdicts() -> None:
    first = opened(results(case(row(0, invocation(0, "golden")), row(1), status=2), case(session_id="s2")))
    again = opened(json.loads(write(first).text))
    assert [verdict.status for verdict in again.reported] == [Status.FAILED, Status.PASSED]
    assert [one.score for one in again.reported[0].turns[1].metrics] == [1.0]
    assert [answer_text(turn) for turn in again.suites[0].cases[0].turns] == ["golden"]
    assert [len(calls_of(turn)) for turn in again.traces[0].turns] == [1, 1]
    assert again.criteria is not None
    assert [item.threshold for item in again.criteria.items] == [0.5]
    assert lost(first) == []


def test_spans_have_no_place() -> None:
    contents = opened(jaeger(agent("a", None, "guide"), model("m", "a", 1, asked=[user("q")], said=says("ok"))))
    again = opened(json.loads(write(contents).text))
    assert [answer_text(turn) for turn in again.traces[0].turns] == ["ok"]
    assert again.reported[0].status is Status.NOT_EVALUATED
    assert "spans-lost" in lost(contents)


def test_scripts_without_a_recording_stand_for_themselves_undecided() -> None:
    value = {"eval_set_id": "s", "eval_cases": [{"eval_id": "c", "conversation": [invocation(0)]}]}
    contents = opened(json.loads(json.dumps(value)))
    with_criteria = Contents("made", contents.suites, criteria=Criteria((Criterion("m", 1.0),)))
    (written,) = cases(with_criteria)
    (told,) = written["eval_metric_result_per_invocation"]
    assert told["actual_invocation"] == told["expected_invocation"]
    assert (written["eval_id"], written["final_eval_status"]) == ("c", 3)
    assert lost(with_criteria) == ["criteria-lost"]


def test_a_case_beside_other_recordings_is_left_out() -> None:
    script = opened({"eval_set_id": "s", "eval_cases": [{"eval_id": "c", "conversation": [invocation(0)]}]})
    told = opened(results(case(row(0))))
    assert lost(Contents("made", script.suites, told.traces)) == ["cases-lost"]


def test_a_golden_beside_its_recording_stands_in_its_rows() -> None:
    first = opened(results(case(row(0, invocation(0, "golden")), overall_eval_metric_results=[metric()])))
    unjudged = Contents("made", first.suites, first.traces)
    (written,) = cases(unjudged)
    (told,) = written["eval_metric_result_per_invocation"]
    assert told["expected_invocation"]["final_response"]["parts"][0]["text"] == "golden"
    assert written["final_eval_status"] == 3
