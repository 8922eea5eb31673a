"""A run as an ADK result file: integer statuses, every key, one row a turn, ours beside."""

from __future__ import annotations

import json
import math

from msgspec.structs import replace

from trace_inspector.core.alignment.turn_alignment import CallMatch, CallPair
from trace_inspector.core.golden.golden import Case, Session
from trace_inspector.core.trace.parts import Text, ToolCall
from trace_inspector.core.trace.trace import Event, Steps, Trace, Turn
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.verdict import (
    CaseVerdict,
    MetricVerdict,
    RubricVerdict,
    RunVerdict,
    Sentence,
    SentenceSupport,
    Status,
    TurnVerdict,
)
from trace_inspector.formats.adk.result.eval_result_run import write_run
from trace_inspector.formats.writing.run_context import Judged

GOLDEN = Case(
    "c1",
    "shop",
    tuple(Turn(at, f"g{at}", (Text(f"question {at}"),), final_response=(Text("golden"),)) for at in range(3)),
    session=Session("shop", "u1"),
)
OBSERVED = Trace(
    "t1",
    tuple(
        Turn(
            at, f"o{at}", (Text(f"question {at}"),), (Event("guide", (ToolCall("look", {"q": at}),)),), (),
            steps=Steps.EVENTS,
        )
        for at in range(2)
    ),
    session_id="s1",
)  # fmt: skip
CALLS = MetricVerdict(
    "tool_trajectory_avg_score",
    0.5,
    Status.FAILED,
    1.0,
    "one call is missing",
    calls=(CallPair(CallMatch.MISSING, 0, None),),
)
RUBRICS = MetricVerdict(
    "rubric_based_final_response_quality_v1", None, Status.ERROR, 0.8, "no reply",
    rubrics=(RubricVerdict("r1", 1.0, "because", "Polite.", (1.0, None)),),
)  # fmt: skip
TOKENS = MetricVerdict(
    "token_usage_v1", 12.0, Status.INFORMATIONAL, figures=(("total_tokens", 12.0), ("input_tokens", None))
)
GROUNDING = MetricVerdict(
    "local_grounding", 0.0, Status.INFORMATIONAL,
    sentences=(Sentence(0, 5, SentenceSupport.UNSUPPORTED, "no source", "golden", "look result", "/x"),),
)  # fmt: skip
METRICS = (CALLS, RUBRICS, TOKENS)
VERDICT = CaseVerdict(
    "c1", "shop", "t1", Status.FAILED, METRICS,
    turns=(
        TurnVerdict(1, 0, Status.FAILED, (TOKENS, CALLS)),
        TurnVerdict(0, None, Status.FAILED, (replace(GROUNDING, metric="token_usage_v1"),), "not in the golden"),
        TurnVerdict(None, 2, Status.FAILED, (CALLS,), "no such turn"),
    ),
    missing_turns=(2,), extra_turns=(0,), hides=("1 could not run",), paired_by="id",
    golden_path="g.json", trace_path="t.json", session_id="s1",
)  # fmt: skip
RUN = RunVerdict(
    "run-1", Status.FAILED, 1700.5, "", "test_config.json", (VERDICT,),
    criteria=(
        ("tool_trajectory_avg_score", 1.0, {"match_type": "EXACT"}),
        ("rubric_based_final_response_quality_v1", 0.8, {}),
    ),
)  # fmt: skip
JUDGED = Judged({("g.json", "", "c1"): GOLDEN}, {("t.json", "", "t1"): OBSERVED})


def written(run: RunVerdict = RUN) -> JsonObject:
    value: JsonObject = json.loads(write_run(run, JUDGED))
    return value


def only_case(run: RunVerdict = RUN) -> JsonObject:
    cases = written(run)["eval_case_results"]
    assert isinstance(cases, list)
    assert isinstance(cases[0], dict)
    return cases[0]


def rows(run: RunVerdict = RUN) -> list[JsonObject]:
    listed = only_case(run)["eval_metric_result_per_invocation"]
    assert isinstance(listed, list)
    return [row for row in listed if isinstance(row, dict)]


def test_the_set_and_the_case() -> None:
    value = written()
    assert {key: value[key] for key in value if key != "eval_case_results"} == {
        "eval_set_result_id": "run-1",
        "eval_set_result_name": "run-1",
        "eval_set_id": "shop",
        "creation_timestamp": 1700.5,
    }
    case = only_case()
    assert list(case) == [
        "eval_set_file", "eval_set_id", "eval_id", "final_eval_status", "eval_metric_results",
        "overall_eval_metric_results", "eval_metric_result_per_invocation", "session_id", "session_details",
        "user_id", "traceInspector",
    ]  # fmt: skip
    assert (case["eval_id"], case["final_eval_status"], case["session_id"], case["user_id"]) == ("c1", 2, "s1", "u1")


def test_statuses_are_adks_integers() -> None:
    numbers = {
        status: only_case(replace(RUN, cases=(replace(VERDICT, status=status),)))["final_eval_status"]
        for status in Status
    }
    assert numbers == {
        Status.PASSED: 1,
        Status.FAILED: 2,
        Status.NOT_EVALUATED: 3,
        Status.INFORMATIONAL: 4,
        Status.SKIPPED: 3,
        Status.ERROR: 3,
        Status.PENDING: 3,
    }


def test_a_metric_has_every_key() -> None:
    overall = only_case()["overall_eval_metric_results"]
    assert overall == [
        {
            "metric_name": "tool_trajectory_avg_score",
            "threshold": 1.0,
            "criterion": {
                "threshold": 1.0,
                "include_intermediate_responses_in_final": False,
                "match_type": "EXACT",
            },
            "custom_function_path": None,
            "score": 0.5,
            "eval_status": 2,
            "details": {"rubric_scores": None, "token_usage_details": None, "duration_details": None},
        },
        {
            "metric_name": "rubric_based_final_response_quality_v1",
            "threshold": 0.8,
            "criterion": {"threshold": 0.8, "include_intermediate_responses_in_final": False},
            "custom_function_path": None,
            "score": None,
            "eval_status": 3,
            "details": {
                "rubric_scores": [{"rubric_id": "r1", "rationale": "because", "score": 1.0}],
                "token_usage_details": None,
                "duration_details": None,
            },
        },
        {
            "metric_name": "token_usage_v1",
            "threshold": None,
            "criterion": None,
            "custom_function_path": None,
            "score": 12.0,
            "eval_status": 4,
            "details": {
                "rubric_scores": None,
                "token_usage_details": {"total_tokens": 12.0, "input_tokens": None},
                "duration_details": None,
            },
        },
    ]


def test_one_row_for_each_turn_of_the_trace_in_its_order() -> None:
    told = []
    for row in rows():
        actual, expected, metrics = row["actual_invocation"], row["expected_invocation"], row["eval_metric_results"]
        assert isinstance(actual, dict)
        assert isinstance(metrics, list)
        names = [
            (metric["metric_name"], metric["score"], metric["eval_status"])
            for metric in metrics
            if isinstance(metric, dict)
        ]
        told.append((actual["invocation_id"], isinstance(expected, dict) and expected["invocation_id"], names))
    assert told == [
        (
            "o0",
            False,
            [
                ("tool_trajectory_avg_score", None, 3),
                ("rubric_based_final_response_quality_v1", None, 3),
                ("token_usage_v1", 0.0, 4),
            ],
        ),
        (
            "o1",
            "g0",
            [
                ("tool_trajectory_avg_score", 0.5, 2),
                ("rubric_based_final_response_quality_v1", None, 3),
                ("token_usage_v1", 12.0, 4),
            ],
        ),
    ]


def test_an_invocation_has_every_key() -> None:
    invocation = rows()[0]["actual_invocation"]
    assert isinstance(invocation, dict)
    assert list(invocation) == [
        "invocation_id", "user_content", "final_response", "intermediate_data", "creation_timestamp", "duration",
        "model_duration", "tool_duration", "rubrics", "app_details",
    ]  # fmt: skip
    assert (invocation["creation_timestamp"], invocation["duration"], invocation["rubrics"]) == (0.0, None, None)
    text = json.dumps(invocation)
    assert '"thought_signature": null' in text
    assert '"grounding_metadata": null, "usage_metadata": null, "model_version": null' in text
    assert '"function_call": {"id": null, "args": {"q": 0}, "name": "look", "partial_args": null' in text


def test_ours_stands_beside() -> None:
    beside = only_case(replace(RUN, cases=(replace(VERDICT, metrics=(*METRICS, GROUNDING)),)))["traceInspector"]
    assert isinstance(beside, dict)
    assert (beside["version"], beside["paired_by"], beside["missing_turns"], beside["extra_turns"]) == (
        1,
        "id",
        [2],
        [0],
    )
    metrics, turns = beside["metrics"], beside["turns"]
    assert isinstance(metrics, list)
    assert isinstance(turns, list)
    assert [turn["reason"] for turn in turns if isinstance(turn, dict)] == ["", "not in the golden", "no such turn"]
    assert metrics[0] == {
        "name": "tool_trajectory_avg_score",
        "status": "FAILED",
        "reason": "one call is missing",
        "provenance": "recomputed",
        "calls": [{"match": "missing", "expected": 0, "observed": None, "differing": []}],
    }
    assert isinstance(metrics[1], dict)
    assert metrics[1]["status"] == "ERROR"
    assert metrics[1]["rubrics"] == [{"rubric_id": "r1", "text": "Polite.", "votes": [1.0, None]}]
    assert isinstance(metrics[3], dict)
    sentences: Json = [
        {
            "start": 0,
            "end": 5,
            "label": "unsupported",
            "reason": "no source",
            "excerpt": "golden",
            "source": "look result",
            "pointer": "/x",
        }
    ]
    assert metrics[3]["sentences"] == sentences


def test_what_json_has_no_number_for_is_null() -> None:
    endless = replace(CALLS, score=math.nan, threshold=math.inf)
    overall = only_case(replace(RUN, cases=(replace(VERDICT, metrics=(endless,)),)))["overall_eval_metric_results"]
    assert isinstance(overall, list)
    assert isinstance(overall[0], dict)
    assert (overall[0]["score"], overall[0]["threshold"]) == (None, None)


def test_a_golden_without_a_trace_has_no_rows() -> None:
    lonely = replace(VERDICT, trace_id=None, trace_path="", session_id=None, turns=(), status=Status.NOT_EVALUATED)
    case = only_case(replace(RUN, cases=(lonely,)))
    assert (case["eval_metric_result_per_invocation"], case["session_id"], case["final_eval_status"]) == ([], "", 3)
