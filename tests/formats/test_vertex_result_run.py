"""A run written as a result of Vertex's SDK: figures as the SDK counts them, and its own reader agrees."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec.structs import replace

from tests.formats.span_files import codes, opened
from tests.helpers.tables import each
from trace_inspector.core.golden.golden import Case, Scenario
from trace_inspector.core.trace.parts import Text, ToolCall
from trace_inspector.core.trace.rubric import Rubric
from trace_inspector.core.trace.trace import Event, Steps, Trace, Turn, answer_text, calls_of
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, RubricVerdict, RunVerdict, Status
from trace_inspector.formats.vertex.common.names import has_pass_rate
from trace_inspector.formats.vertex.result.result_run import write_run
from trace_inspector.formats.writing.run_context import Judged, Key

TONE, WORDS = "vertex_rubrics:tone", "rouge_1"


def scored(name: str, score: float | None, reason: str = "", *rubrics: RubricVerdict) -> MetricVerdict:
    """What one metric came to."""
    status = Status.NOT_EVALUATED if score is None else Status.PASSED if score == 1 else Status.FAILED
    return MetricVerdict(name, score, status, 1.0, reason, rubrics=rubrics)


def verdict(case: str, candidate: str, *metrics: MetricVerdict, golden: str = "g.json") -> CaseVerdict:
    """One case against one candidate's trace."""
    return CaseVerdict(
        case,
        "suite",
        f"{case} {candidate}",
        Status.FAILED,
        metrics,
        golden_path=golden,
        trace_path="t.json",
        candidate=candidate,
    )


def run(*cases: CaseVerdict) -> RunVerdict:
    """A run."""
    return RunVerdict("r1", Status.FAILED, 1_700_000_000.5, "vertex", "made", cases)


def turns(answer: str) -> tuple[Turn, ...]:
    """A conversation with a call in its last turn."""
    step = Event("clerk", (ToolCall("look_up", {"seat_number": 2}),))
    return (
        Turn(0, user=(Text("Hello"),), final_response=(Text("Good day."),), final_author="clerk", steps=Steps.EVENTS),
        Turn(1, None, (Text("Free?"),), (step,), (Text(answer),), "clerk", steps=Steps.EVENTS),
    )


def written(told: RunVerdict, *, with_files: bool = True) -> Any:
    """The file as plain JSON."""
    cases: dict[Key, Case] = {}
    traces: dict[Key, Trace] = {}
    for one in told.cases if with_files else ():
        golden = Case(one.case_id, "suite", turns("Yes."), rubrics=(Rubric("a", "Is polite.", group="tone"),))
        cases[one.golden_path, one.golden_place, one.case_id] = golden
        trace = Trace(one.trace_id or "", turns(f"{one.candidate} says."), candidate=one.candidate)
        traces[one.trace_path, one.trace_place, one.trace_id or ""] = trace
    return json.loads(write_run(told, Judged(cases, traces)))


TWO = run(
    verdict("one", "old", scored(TONE, 1.0), scored(WORDS, 0.5)),
    verdict(
        "one",
        "new",
        scored(
            TONE,
            0.5,
            "",
            RubricVerdict("a", 1.0, "It is.", "Is polite."),
            RubricVerdict("b", 0.0, "Not so.", "Is true."),
        ),
        scored(WORDS, 0.5),
    ),
    verdict("two", "old", scored(TONE, None, "a call of the judge failed: busy"), scored(WORDS, 0.25)),
    verdict("two", "new", scored(TONE, 1.0), scored(WORDS, None)),
)


def test_two_candidates_stand_side_by_side() -> None:
    found = written(TWO)  # E4, test 8
    assert found["metadata"]["candidate_names"] == ["old", "new"]
    assert [case["eval_case_index"] for case in found["eval_case_results"]] == [0, 1]
    for case in found["eval_case_results"]:
        assert [one["response_index"] for one in case["response_candidate_results"]] == [0, 1]
    summaries = {one["metric_name"]: one for one in found["summary_metrics"]}
    assert summaries[TONE] == {
        "metric_name": TONE,
        "num_cases_total": 4,
        "num_cases_valid": 3,
        "num_cases_error": 1,
        "mean_score": pytest.approx(2.5 / 3),
        "stdev_score": pytest.approx(0.2886751345948129),
        "pass_rate": pytest.approx(2 / 3),
    }
    assert summaries[WORDS]["mean_score"] == pytest.approx(1.25 / 3)
    assert "pass_rate" not in summaries[WORDS]
    assert found["win_rates"] == {
        TONE: {"win_rates": [0.5, 0.5], "tie_rate": 0.0},
        WORDS: {"win_rates": [0.5, 0.0], "tie_rate": 0.5},
    }


def test_a_score_keeps_reasons_rubrics_and_failures() -> None:
    first, second = written(TWO)["eval_case_results"]
    tone = first["response_candidate_results"][1]["metric_results"][TONE]
    assert tone["rubric_verdicts"] == [
        {
            "evaluated_rubric": {"rubric_id": "a", "content": {"property": {"description": "Is polite."}}},
            "verdict": True,
            "reasoning": "It is.",
        },
        {
            "evaluated_rubric": {"rubric_id": "b", "content": {"property": {"description": "Is true."}}},
            "verdict": False,
            "reasoning": "Not so.",
        },
    ]
    failed = second["response_candidate_results"][0]["metric_results"][TONE]
    assert failed == {"metric_name": TONE, "score": None, "error_message": "a call of the judge failed: busy"}
    silent = second["response_candidate_results"][1]["metric_results"][WORDS]
    assert silent["error_message"] == "NOT_EVALUATED"


def test_what_is_written_is_read_as_what_it_was() -> None:
    contents = opened(written(TWO))
    assert [code for code in codes(contents) if code == "summary-differs"] == []
    assert [one.candidate for one in contents.reported] == ["old", "new", "old", "new"]
    assert [[metric.score for metric in one.metrics] for one in contents.reported] == [
        [1.0, 0.5],
        [0.5, 0.5],
        [None, 0.25],
        [1.0, None],
    ]
    assert [answer_text(trace.turns[-1]) for trace in contents.traces] == ["old says.", "new says."] * 2
    assert [call.args for call in calls_of(contents.traces[0].turns[1])] == [{"seat_number": 2}]
    assert [case.id for case in contents.suites[0].cases] == ["one", "two"]


def test_an_undecided_rubric_has_no_verdict() -> None:
    rubrics = (RubricVerdict("a", None), RubricVerdict("b", 1.0))
    (case,) = written(run(verdict("one", "", scored(TONE, 1.0, "", *rubrics))))["eval_case_results"]
    told = case["response_candidate_results"][0]["metric_results"][TONE]["rubric_verdicts"]
    assert [one["evaluated_rubric"]["rubric_id"] for one in told] == ["b"]


def test_one_candidate_has_no_win_rates() -> None:
    assert "win_rates" not in written(run(verdict("one", "", scored(WORDS, 1.0))))


def test_repeats_of_a_candidate_are_responses_of_their_own() -> None:
    found = written(
        run(
            verdict("one", "a", scored(WORDS, 1.0)),
            verdict("one", "a", scored(WORDS, 0.0)),
            verdict("two", "a", scored(WORDS, 1.0)),
        )
    )
    assert found["metadata"]["candidate_names"] == ["a", "a (2)"]
    second = found["eval_case_results"][1]["response_candidate_results"]
    assert [bool(one["metric_results"]) for one in second] == [True, False]


def test_traces_without_a_golden_are_cases_of_their_own() -> None:
    alone = [replace(verdict("", "", scored(WORDS, 1.0), golden=""), trace_id=name) for name in "ab"]
    assert len(written(run(*alone))["eval_case_results"]) == 2


def test_without_the_files_the_scores_stand_all_the_same() -> None:
    found = written(TWO, with_files=False)
    assert found["summary_metrics"] == written(TWO)["summary_metrics"]
    assert [code for code in codes(opened(found)) if code == "summary-differs"] == []


def test_a_scenario_is_told() -> None:
    told = run(verdict("one", "", scored(WORDS, 1.0)))
    key = (told.cases[0].golden_path, "", "one")
    golden = Case("one", scenario=Scenario("Hi", "Ask."))
    (dataset,) = json.loads(write_run(told, Judged({key: golden}, {})))["evaluation_dataset"]
    assert dataset["eval_cases"][0]["user_scenario"] == {"starting_prompt": "Hi", "conversation_plan": "Ask."}


def test_a_score_that_json_cannot_hold_is_none() -> None:
    found = written(
        run(verdict("one", "", scored(WORDS, float("inf"), "endless")), verdict("two", "", scored(WORDS, 1.0)))
    )
    first = found["eval_case_results"][0]["response_candidate_results"][0]["metric_results"][WORDS]
    assert first == {"metric_name": WORDS, "score": None, "error_message": "endless"}
    assert [one["mean_score"] for one in found["summary_metrics"]] == [1.0]


@each(
    ("name", "predefined"),
    [
        # B5, pass rate: predefined metrics only; B6, their names with any version of the judge and without
        ("general_quality_v1", True),
        ("safety_v3", True),
        ("hallucination", True),
        ("final_response_match_v2", True),
        ("vertex_rubrics", True),
        ("vertex_rubrics:tone", True),
        ("rouge_1", False),
        ("exact_match", False),
        ("coherence", False),
        ("general_quality_vx", False),
    ],
)
def test_only_predefined_metrics_have_a_pass_rate(name: str, predefined: bool) -> None:
    assert has_pass_rate(name) is predefined
