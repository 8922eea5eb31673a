"""ADK result files: what was recorded, expected and reported, in every form in which they are found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.formats.session_files import call, event, said, session
from tests.formats.span_files import codes, opened
from tests.formats.test_adk_eval_result import JUDGED, RUN
from tests.helpers.tables import each
from trace_inspector.cli import main
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.trace import answer_text, calls_of, user_text
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.verdict import CaseVerdict, Provenance, RubricVerdict, Status
from trace_inspector.flows.opening.open_file import open_file
from trace_inspector.formats import recognise
from trace_inspector.formats.adk.result.eval_result_run import write_run
from trace_inspector.formats.common.fields import camel


def invocation(at: int, answer: str = "a", **others: Json) -> JsonObject:
    """One invocation that looked something up."""
    return {
        "invocation_id": f"e-{at}",
        "user_content": {"role": "user", "parts": [{"text": f"q{at}"}]},
        "final_response": {"role": "model", "parts": [{"text": answer}]},
        "intermediate_data": {"tool_uses": [{"name": "look", "args": {"at": at}}]},
        **others,
    }


def metric(name: str = "response_match_score", status: Json = 1, score: Json = 1.0, **others: Json) -> JsonObject:
    """What is reported of one metric."""
    return {"metric_name": name, "threshold": 0.5, "score": score, "eval_status": status, **others}


def row(at: int, expected: Json = None, **others: Json) -> JsonObject:
    """One judged invocation."""
    return {
        "actual_invocation": invocation(at),
        "expected_invocation": expected,
        "eval_metric_results": [metric()],
        **others,
    }


def case(*rows: Json, status: Json = 1, **others: Json) -> JsonObject:
    """One case result."""
    return {
        "eval_set_id": "set",
        "eval_id": "c1",
        "final_eval_status": status,
        "overall_eval_metric_results": [metric()],
        "eval_metric_result_per_invocation": [*rows],
        "session_id": "s1",
        "user_id": "u1",
        **others,
    }


def results(*cases: Json) -> JsonObject:
    """A whole file."""
    return {"eval_set_result_id": "r", "eval_set_id": "set", "eval_case_results": [*cases]}


def only_verdict(contents: Contents) -> CaseVerdict:
    """The one reported verdict."""
    (verdict,) = contents.reported
    return verdict


def camelled(value: Json) -> Json:
    """The same with keys in camelCase."""
    if isinstance(value, list):
        return [camelled(item) for item in value]
    return {camel(key): camelled(item) for key, item in value.items()} if isinstance(value, dict) else value


def test_recorded_expected_and_reported() -> None:
    contents = opened(results(case(row(0, invocation(0, "golden")), row(1), status=2)), "r.json")
    (trace,) = contents.traces
    assert contents.format == "adk-eval-result"
    assert (trace.id, trace.case_id, trace.suite_id, trace.session_id, trace.user) == ("s1", "c1", "set", "s1", "u1")
    assert [(user_text(turn), answer_text(turn), len(calls_of(turn))) for turn in trace.turns] == [
        ("q0", "a", 1),
        ("q1", "a", 1),
    ]
    place = "/eval_case_results/0/eval_metric_result_per_invocation"
    assert [turn.place for turn in trace.turns] == [f"{place}/{at}/actual_invocation" for at in range(2)]
    (suite,) = contents.suites
    (golden,) = suite.cases
    assert (suite.id, golden.id, golden.suite_id) == ("set", "c1", "set")
    assert [(answer_text(turn), turn.place) for turn in golden.turns] == [
        ("golden", f"{place}/0/expected_invocation")
    ]
    verdict = only_verdict(contents)
    assert (verdict.case_id, verdict.suite_id, verdict.trace_id, verdict.status) == ("c1", "set", "s1", Status.FAILED)
    assert [(turn.index, turn.golden_index, turn.status) for turn in verdict.turns] == [
        (0, 0, Status.PASSED),
        (1, None, Status.PASSED),
    ]
    assert verdict.metrics[0].provenance is Provenance.REPORTED
    assert codes(contents) == []


def test_without_expectations_there_is_no_golden() -> None:
    contents = opened(results(case(row(0))))
    assert (contents.suites, len(contents.traces)) == ((), 1)


def test_the_criteria_that_were_used() -> None:
    stated: Json = {"threshold": 0.8, "match_type": 1}
    overall: Json = [metric("t", criterion=stated, threshold=0.8), metric("i", threshold=None), metric("r")]
    contents = opened(
        results(
            case(overall_eval_metric_results=overall),
            case(eval_id="c2", overall_eval_metric_results=[metric("r", threshold=0.9)]),
        ),
        "r.json",
    )
    assert contents.criteria is not None
    place = "/eval_case_results/0/overall_eval_metric_results"
    assert contents.criteria.items == (
        Criterion("t", 0.8, {"match_type": 1}, f"{place}/0"),
        Criterion("r", 0.5, {}, f"{place}/2"),
    )
    assert contents.criteria.source == "recorded in r.json"
    assert codes(contents) == ["criteria-differ"]


@each(
    ("stated", "status"),
    [
        (1, Status.PASSED),
        (2, Status.FAILED),
        (3, Status.NOT_EVALUATED),
        (4, Status.INFORMATIONAL),
        ("passed", Status.PASSED),
        ("FAILED", Status.FAILED),
        ("not_evaluated", Status.NOT_EVALUATED),
    ],
)
def test_statuses_as_numbers_and_words(stated: Json, status: Status) -> None:
    contents = opened(results(case(status=stated, overall_eval_metric_results=[metric(status=stated)])))
    verdict = only_verdict(contents)
    assert (verdict.status, verdict.metrics[0].status) == (status, status)
    assert codes(contents) == (["other-dialect"] if isinstance(stated, str) else [])


@each("stated", [0, 7, "great", None, [1]])
def test_an_unknown_status_is_named_and_never_a_failure(stated: Json) -> None:
    contents = opened(results(case(status=stated)))
    assert only_verdict(contents).status is Status.NOT_EVALUATED
    assert "unknown-status" in codes(contents)


def test_scores_that_are_not_there() -> None:
    details: Json = {
        "rubric_scores": [{"rubric_id": "r1", "score": 1.0, "rationale": "because"}, {"rubric_id": "r2"}],
        "token_usage_details": {"total_tokens": 5, "input_tokens": None},
        "duration_details": None,
    }
    listed: Json = [metric("m", 3, None, details=details, threshold=None)]
    (result,) = only_verdict(opened(results(case(overall_eval_metric_results=listed)))).metrics
    assert (result.score, result.threshold, result.status) == (None, None, Status.NOT_EVALUATED)
    assert result.rubrics == (RubricVerdict("r1", 1.0, "because"), RubricVerdict("r2", None))
    assert result.figures == (("total_tokens", 5.0), ("input_tokens", None))


def test_pairs_of_a_metric_and_its_result() -> None:
    pair: Json = [{"metric_name": "m", "threshold": 0.5}, {"score": 0.25, "eval_status": 2}]
    contents = opened(results(case(overall_eval_metric_results=[], eval_metric_results=[pair, "odd"])))
    (result,) = only_verdict(contents).metrics
    assert (result.metric, result.threshold, result.score, result.status) == ("m", 0.5, 0.25, Status.FAILED)


@each("spelling", [lambda value: value, camelled])
@each("encode", [json.dumps, lambda value: json.dumps(json.dumps(value, indent=2))])
def test_plain_or_doubly_encoded_in_either_spelling(spelling: Any, encode: Any, tmp_path: Path) -> None:
    path = tmp_path / "r.evalset_result.json"
    path.write_text(encode(spelling(results(case(row(0, invocation(0)))))), encoding="utf-8")
    contents = open_file(path).contents
    assert contents.format == "adk-eval-result"
    assert [answer_text(turn) for turn in contents.traces[0].turns] == ["a"]
    assert (len(contents.suites), only_verdict(contents).status) == (1, Status.PASSED)
    is_text = path.read_text(encoding="utf-8").startswith('"')
    assert codes(contents) == (["encoded-json"] if is_text else [])


def test_a_text_that_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    path.write_text(json.dumps(json.dumps(results(case()))[:-9]), encoding="utf-8")
    assert codes(open_file(path).contents) == ["broken-text", "nothing-inside"]


def test_the_session_and_the_rows_are_merged() -> None:
    actual = invocation(
        0, duration=2.5, app_details={"agent_details": {"bot": {"name": "bot", "instructions": "Help."}}}
    )
    details = session(
        event("user", said("q0"), invocation="e-0"),
        event("bot", call("look", at=0), at=2.0, invocation="e-0"),
        event("bot", said("a"), at=3.0, invocation="e-0"),
        event("bot", invocation="e-9", actions={"stateDelta": {"x": 1}}),
    )
    contents = opened(results(case(row(0, actual_invocation=actual), session_details=details)))
    (trace,) = contents.traces
    (turn,) = trace.turns
    assert (trace.app, trace.final_state) == ("guide", {"k": 1})
    assert [(one.author, one.time_s) for one in turn.events] == [("bot", 2.0), ("bot", 3.0)]
    assert (turn.duration_s, turn.agents[0].instruction, turn.start_s) == (2.5, "Help.", 1.0)
    assert codes(contents) == ["two-sources", "not-judged"]


def test_what_was_judged_counts_where_both_differ() -> None:
    details = session(
        event("user", said("q0"), invocation="e-0"), event("bot", said("other"), at=3.0, invocation="e-0")
    )
    contents = opened(results(case(row(0), session_details=details)))
    assert [answer_text(turn) for turn in contents.traces[0].turns] == ["a"]
    assert codes(contents) == ["sources-differ"]


def test_other_calls_are_a_difference_too() -> None:
    details = session(
        event("user", said("q0"), invocation="e-0"),
        event("bot", call("look", at=7), at=2.0, invocation="e-0"),
        event("bot", said("a"), at=3.0, invocation="e-0"),
    )
    contents = opened(results(case(row(0), session_details=details)))
    assert [one.args for one in calls_of(contents.traces[0].turns[0])] == [{"at": 0}]
    assert codes(contents) == ["sources-differ"]


def test_our_own_words_beside_a_number_count() -> None:
    contents = opened(results(case(status=3, traceInspector={"status": "ERROR", "reason": "no judge"})))
    verdict = only_verdict(contents)
    assert (verdict.status, verdict.reason) == (Status.ERROR, "no judge")


def test_a_case_belongs_to_the_set_of_the_file() -> None:
    contents = opened(results(case(eval_set_id="")))
    assert contents.traces[0].suite_id == "set"
    assert opened(results(case(eval_set_id="own"))).traces[0].suite_id == "own"


def test_options_of_judges_where_older_files_have_them() -> None:
    listed: Json = [metric("m", judge_model_options={"judge_model": "old"})]
    contents = opened(results(case(overall_eval_metric_results=listed)))
    assert contents.criteria is not None
    assert contents.criteria.items[0].options == {"judge_model_options": {"judge_model": "old"}}
    assert codes(contents) == ["unknown-key"]


def test_only_the_session_is_there() -> None:
    details = session(event("user", said("q"), invocation="e-0"), event("bot", said("b"), invocation="e-0"))
    contents = opened(results(case(session_details=details)))
    assert [answer_text(turn) for turn in contents.traces[0].turns] == ["b"]


def test_repeats_share_their_golden() -> None:
    contents = opened(
        results(
            *(case(row(0, invocation(0)), session_id=name, run_id=name) for name in ("s1", "s2")), case(eval_id="")
        )
    )
    assert [trace.id for trace in contents.traces] == ["s1", "s2", "s1"]
    assert [golden.id for golden in contents.suites[0].cases] == ["c1"]
    assert [verdict.case_id for verdict in contents.reported] == ["c1", "c1", "case 3"]


def test_what_we_write_is_read_again() -> None:
    contents = opened(json.loads(write_run(RUN, JUDGED)))
    assert (contents.format, len(contents.reported)) == ("adk-eval-result", len(RUN.cases))
    assert [verdict.status for verdict in contents.reported] == [verdict.status for verdict in RUN.cases]
    assert [len(trace.turns) for trace in contents.traces][:1] == [2]
    assert codes(contents) == []


def test_a_result_is_scored_against_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "r.json"
    path.write_text(json.dumps(results(case(row(0, invocation(0))))), encoding="utf-8")
    assert main(["evaluate", str(path), "--json"]) == 0
    (judged,) = json.loads(capsys.readouterr().out)["cases"]
    assert (judged["id"], judged["trace"], judged["status"]) == ("c1", "s1", "PASSED")


def test_a_result_is_scored_by_the_criteria_it_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "r.json"
    overall: Json = [metric("tool_trajectory_avg_score", threshold=0.25)]
    path.write_text(json.dumps(results(case(row(0, invocation(0)), overall_eval_metric_results=overall))), "utf-8")
    beside: JsonObject = {"criteria": {"response_match_score": 1.0}}
    (tmp_path / "test_config.json").write_text(json.dumps(beside), "utf-8")
    assert main(["evaluate", str(path), "--json"]) == 0
    value = json.loads(capsys.readouterr().out)
    decided = [
        (one["name"], one["threshold"]) for one in value["cases"][0]["metrics"] if one["threshold"] is not None
    ]
    assert decided == [("tool_trajectory_avg_score", 0.25)]
    assert value["run"]["criteria_source"] == "recorded in r.json"


def test_inspect_says_what_was_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "r.json"
    value = results(case(), case(status=2, session_id="s2"), case(status=2, session_id="s3"))
    path.write_text(json.dumps(value), encoding="utf-8")
    assert main(["inspect", str(path)]) == 0
    assert "  reported: 3 cases, 2 failed\n" in capsys.readouterr().out


@each(
    "value",
    [
        {"eval_case_results": [{"eval_case_index": 0, "response_candidate_results": []}]},
        {"eval_case_results": [{"eval_id": "c"}], "summary_metrics": []},
        {"eval_case_results": {}},
        {"eval_set_result_id": "r"},
        "a text",
        json.dumps({"eval_set_id": "s"}),
    ],
)
def test_not_recognised(value: Json) -> None:
    found = recognise(value)
    assert found is None or found.name == "vertex-result"


@pytest.mark.corpus
@pytest.mark.parametrize("folder", ["adk-evalset-result", "adk-evalset-result-trpc"])
def test_files_of_others(corpus: Path, folder: str) -> None:
    paths = sorted((corpus / folder).iterdir())
    assert paths
    for path in paths:
        value = json.loads(path.read_text(encoding="utf-8"))
        value = json.loads(value) if isinstance(value, str) else value
        contents = open_file(path).contents
        assert contents.format == "adk-eval-result", path.name
        listed = value.get("eval_case_results") or value.get("evalCaseResults")
        rows = [
            each.get("eval_metric_result_per_invocation") or each.get("evalMetricResultPerInvocation")
            for each in listed
        ]
        assert [len(trace.turns) for trace in contents.traces] == [len(each) for each in rows], path.name
        assert [len(verdict.turns) for verdict in contents.reported] == [len(each) for each in rows], path.name
        assert len(contents.suites[0].cases) == len(listed), path.name
        assert all(turn.user and turn.final_response for trace in contents.traces for turn in trace.turns), path.name


def test_runs_of_one_case_are_told_apart_and_statuses_kept_as_they_stand() -> None:
    contents = opened(results(case(row(0)), case(row(0)), case(row(0), status="passed", eval_id="other")))
    assert [(verdict.case_id, verdict.repeat) for verdict in contents.reported] == [
        ("c1", 0),
        ("c1", 1),
        ("other", 0),
    ]
    assert [verdict.native for verdict in contents.reported] == [1, 1, "passed"]
    assert contents.reported[2].status is Status.PASSED


def _measured(phase: str, status: int) -> JsonObject:
    result = case(row(0), status=status)
    return {"phase": phase, "split": "train", "eval_results_by_eval_id": {"c1": [result, 3], "odd": 7}}


def test_what_an_optimiser_measured_is_read_phase_by_phase() -> None:
    alone = opened(_measured("baseline", 2))
    assert (alone.format, [verdict.candidate for verdict in alone.reported]) == ("adk-eval-result", ["baseline"])
    report: JsonObject = {
        "status": "completed",
        "baseline_train": _measured("baseline", 2),
        "candidate_train": _measured("candidate", 1),
        "candidate": {"prompts": {}},
    }
    contents = opened(report)
    assert contents.format == "adk-eval-result"
    assert [(verdict.candidate, verdict.status) for verdict in contents.reported] == [
        ("baseline", Status.FAILED),
        ("candidate", Status.PASSED),
    ]
    assert [trace.place for trace in contents.traces] == [
        "/baseline_train/eval_results_by_eval_id/c1/0",
        "/candidate_train/eval_results_by_eval_id/c1/0",
    ]
