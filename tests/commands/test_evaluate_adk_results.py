"""`evaluate --rules adk --report adk` writes what google-adk 2.13 would, and can judge it again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.engine.adk_vectors import ScriptedJudge, turns
from tests.engine.test_adk_differential import invocation
from tests.engine.test_adk_differential import said as judged
from tests.formats.session_files import event, said, session
from tests.helpers.eval_sets import case, turn, write_eval_set
from tests.helpers.one_criterion import judge_criterion
from trace_inspector.cli import main
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.trace import Agent, Trace
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.engine.judges.questions import turn_context
from trace_inspector.engine.metrics import METRICS
from trace_inspector.engine.scoring.metric import PairedTurn, Subject

POLITE: JsonObject = {"rubric_id": "polite", "rubric_content": {"text_property": "Is polite."}}


def reported(traces: Path, folder: Path, *options: str) -> dict[str, Any]:
    """The case of the report that is written."""
    report = folder / "r.evalset_result.json"
    main(["evaluate", str(traces), *options, "--rules", "adk", "--fail-on", "never", "--report", f"adk={report}"])
    (found,) = json.loads(report.read_text(encoding="utf-8"))["eval_case_results"]
    assert isinstance(found, dict)
    return found


def with_rubric(made: JsonObject) -> JsonObject:
    return {**made, "rubrics": [{**POLITE, "type": "FINAL_RESPONSE_QUALITY"}]}


def test_a_session_is_reported_as_the_invocation_that_google_adk_makes_of_it(tmp_path: Path) -> None:
    traces = tmp_path / "s.json"
    events = (event("user", said("q")), event("guide", at=2.0, actions={"stateDelta": {"x": 1}}))
    traces.write_text(json.dumps(session(*events, event("guide", said("a"), at=3.0))), encoding="utf-8")
    (row,) = reported(traces, tmp_path)["eval_metric_result_per_invocation"]
    (kept,) = row["actual_invocation"]["intermediate_data"]["invocation_events"]
    assert (kept["author"], kept["content"]) == ("guide", None)


def test_what_happened_carries_the_rubrics_of_its_golden(tmp_path: Path) -> None:
    traces = write_eval_set(tmp_path / "t.json", case("c", turn("q", "a")))
    golden = write_eval_set(tmp_path / "g.json", {**case("c", with_rubric(turn("q", "a"))), "rubrics": [
        {**POLITE, "rubric_id": "of the case"}
    ]})  # fmt: skip
    found = reported(traces, tmp_path, "--golden", str(golden))
    (row,) = found["eval_metric_result_per_invocation"]
    assert [one["rubric_id"] for one in row["actual_invocation"]["rubrics"]] == ["of the case", "polite"]


def test_a_result_with_rubrics_is_judged_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    traces = write_eval_set(tmp_path / "t.json", case("c", turn("q", "a")))
    golden = write_eval_set(tmp_path / "g.json", case("c", with_rubric(turn("q", "a"))))
    reported(traces, tmp_path, "--golden", str(golden))
    capsys.readouterr()
    main(["evaluate", str(tmp_path / "r.evalset_result.json"), "--rules", "adk", "--fail-on", "never", "--json"])
    (again,) = json.loads(capsys.readouterr().out)["cases"]
    scores = {metric["name"]: metric["score"] for metric in again["metrics"]}
    assert scores["response_match_score"] == 1.0


def test_an_author_of_an_invocation_stays_empty(tmp_path: Path) -> None:
    events: Json = {"invocation_events": [{"author": "", "content": {"parts": [{"text": "a"}]}}]}
    traces = write_eval_set(tmp_path / "t.json", case("c", {**turn("q"), "intermediate_data": events}))
    (row,) = reported(traces, tmp_path)["eval_metric_result_per_invocation"]
    (kept,) = row["actual_invocation"]["intermediate_data"]["invocation_events"]
    assert kept["author"] == ""


@pytest.mark.parametrize(("reply", "listed"), [("nothing readable", []), (None, None)])
def test_rubric_scores_are_a_list_wherever_a_judge_decided(
    reply: str | None, listed: list[Json] | None, tmp_path: Path
) -> None:
    traces = write_eval_set(tmp_path / "t.json", case("c", turn("q", "a")))
    golden = write_eval_set(tmp_path / "g.json", case("c", with_rubric(turn("q", "a"))))
    criteria, judge = tmp_path / "criteria.json", tmp_path / "judge.json"
    options: JsonObject = {"threshold": 0.5, "judge_model_options": {"num_samples": 1}}
    stated: JsonObject = {"rubric_based_final_response_quality_v1": options, "response_match_score": 0.5}
    criteria.write_text(json.dumps({"criteria": stated}), encoding="utf-8")
    recorded = {"metric": "rubric_based_final_response_quality_v1", "case": "c", "turn": 0, "sample": 0}
    lines = [] if reply is None else [{**recorded, "reply": reply}]
    judge.write_text(json.dumps({"version": 1, "replies": lines}), encoding="utf-8")
    given = ("--golden", str(golden), "--criteria", str(criteria), "--judge", f"recorded:{judge}")
    (row,) = reported(traces, tmp_path, *given)["eval_metric_result_per_invocation"]
    rubrics = {one["metric_name"]: one["details"]["rubric_scores"] for one in row["eval_metric_results"]}
    assert rubrics["rubric_based_final_response_quality_v1"] == listed
    assert rubrics["response_match_score"] is None


def test_the_share_of_sentences_is_no_whole_number() -> None:
    (observed,) = turns([invocation(final_response={"parts": [{"text": "a"}]})])
    checked = "sentence: a\nlabel: unsupported\nrationale: r\nsupporting_excerpt: null\ncontradicting_excerpt: null"
    judge = ScriptedJudge(["<sentence>a</sentence>", checked])
    subject = Subject((PairedTurn(None, observed),), Trace("t", (observed,)), None, "adk")
    found = judge_criterion(Criterion("hallucinations_v1", 0.5), subject, METRICS, judge)
    assert repr(found.overall.score) == "0.0"


def test_a_conversation_without_turns_is_not_evaluated_and_breaks_nothing() -> None:
    found = judged("rubric_based_multi_turn_trajectory_quality_v1", threshold=0.5).overall
    assert (found.status, found.crashed) == (Status.NOT_EVALUATED, False)


def test_where_nobody_acted_nobody_has_instructions() -> None:
    events: Json = {"invocation_events": [{"author": ""}]}
    calls, acted = turns([invocation(intermediate_data={}), invocation(intermediate_data=events)])
    agents = [Agent("a", "First."), Agent("", "Second.")]
    assert turn_context.instructions(calls, agents, "adk") == "First."
    assert turn_context.instructions(acted, agents, "adk") == ""
    assert turn_context.instructions(calls, agents[1:], "adk") == ""
    assert turn_context.instructions(acted, agents, "") == "Second."
