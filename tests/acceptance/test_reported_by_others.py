"""Acceptance 7 to 9: what Vertex AI and CES leave out, several candidates, calls that nobody expected."""

from __future__ import annotations

import json
import statistics
from pathlib import Path

from tests.formats import ces_result_files, vertex_files
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.score_statistics import score_statistics, win_rates
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, RunVerdict, Status
from trace_inspector.engine.reports.run_summary import summarise
from trace_inspector.flows.opening.open_file import open_file


def contents(value: Json, tmp_path: Path) -> Contents:
    path = tmp_path / "file.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    return open_file(path).contents


def metrics(found: Contents) -> list[MetricVerdict]:
    return [metric for verdict in found.reported for metric in verdict.metrics] + [
        metric for verdict in found.reported for turn in verdict.turns for metric in turn.metrics
    ]


def test_7_a_verdict_that_is_left_out_is_a_failed_rubric(tmp_path: Path) -> None:
    silent = vertex_files.verdict("large", rubricVerdicts=[{"evaluatedRubric": vertex_files.rubric("r", "Polite")}])
    value = vertex_files.item("evaluationResponse", vertex_files.result(silent))
    (judged,) = [metric for metric in metrics(contents(value, tmp_path)) if metric.rubrics]
    assert [rubric.score for rubric in judged.rubrics] == [0.0]
    assert (judged.score, judged.status) == (None, Status.NOT_EVALUATED)


def test_7_nothing_to_assess_never_lowers_an_average(tmp_path: Path) -> None:
    nothing = ces_result_files.replay(hallucinationResult={"score": -1, "label": "Unknown"})
    fine = ces_result_files.replay(hallucinationResult={"score": 1, "label": "Justified"})
    found = [
        metric
        for metric in metrics(contents(ces_result_files.result(nothing, fine), tmp_path))
        if metric.metric == "ces_hallucination"
    ]
    assert [metric.status is Status.NOT_EVALUATED for metric in found] == [True, False]
    cases = tuple(CaseVerdict("a", "s", "t", metric.status, (metric,)) for metric in found)
    (figures,) = summarise(RunVerdict("r", Status.PASSED, 0.0, "", "", cases)).criteria
    assert (figures.mean, figures.scored) == (1.0, 1)


def test_8_two_candidates_are_told_apart_and_counted_as_the_service_does(tmp_path: Path) -> None:
    value = vertex_files.item(
        "evaluationResponse",
        vertex_files.result(vertex_files.verdict("small", 0.5), vertex_files.verdict("large", 1.0)),
    )
    found = contents(value, tmp_path)
    assert {verdict.candidate for verdict in found.reported} == {"small", "large"}
    told = score_statistics([0.5, 1.0, 1.0, None])
    assert (told.total, told.valid, told.errors, told.pass_rate) == (4, 3, 1, 2 / 3)
    assert told.mean == statistics.mean([0.5, 1.0, 1.0])
    assert told.stdev == statistics.stdev([0.5, 1.0, 1.0])
    rates = win_rates([(0.5, 1.0), (1.0, 1.0), (None, 0.2), (None, None)], 2)
    assert rates is not None
    assert (rates.wins, rates.ties) == ((0.0, 2 / 3), 1 / 3)


def test_9_a_call_without_expectation_is_extra_and_contradictions_are_flagged(tmp_path: Path) -> None:
    extra: JsonObject = {"observedToolCall": ces_result_files.call("delete", book="Emma"), "outcome": "FAIL"}
    turn = ces_result_files.replay(expectationOutcome=[extra])
    found = contents(ces_result_files.result(turn, evaluationStatus="PASS"), tmp_path)
    told = [one for metric in metrics(found) for one in metric.expectations]
    assert [one.extra for one in told if "delete" in one.what]
    assert all(one.extra for one in told if "delete" in one.what)
    assert "verdicts-differ" in {finding.code for finding in found.findings}
