"""The objects of ADK's result files as google-adk 2.13 has them, and the words for statuses."""

from __future__ import annotations

from trace_inspector.core.verdict.verdict import Status
from trace_inspector.formats.common.fields import ANYTHING, LIST, NUMBER, OBJECT, STRING, Extra, Field, Shape

RESULT_SET = Shape(
    "a result file",
    {
        "eval_set_result_id": Field(STRING, required=True, nullable=False),
        "eval_set_result_name": Field(STRING),
        "eval_set_id": Field(STRING, required=True, nullable=False),
        "eval_case_results": Field(LIST, nullable=False),
        "creation_timestamp": Field(NUMBER, nullable=False),
    },
    Extra.DROPPED,
)
CASE_RESULT = Shape(
    "a case result",
    {
        "eval_set_file": Field(STRING),
        "eval_set_id": Field(STRING, nullable=False),
        "eval_id": Field(STRING, nullable=False),
        "final_eval_status": Field(ANYTHING, required=True, nullable=False),
        "eval_metric_results": Field(LIST),
        "overall_eval_metric_results": Field(LIST, required=True, nullable=False),
        "eval_metric_result_per_invocation": Field(LIST, required=True, nullable=False),
        "session_id": Field(STRING, required=True, nullable=False),
        "session_details": Field(OBJECT),
        "user_id": Field(STRING),
        "trace_inspector": Field(OBJECT),
    },
    Extra.DROPPED,
)
METRIC_RESULT = Shape(
    "a metric result",
    {
        "metric_name": Field(STRING, required=True, nullable=False),
        "threshold": Field(NUMBER),
        "criterion": Field(OBJECT),
        "custom_function_path": Field(STRING),
        "score": Field(NUMBER),
        "eval_status": Field(ANYTHING, required=True, nullable=False),
        "details": Field(OBJECT),
    },
    read_anyway={"status": "eval_status", "judge_model_options": "criterion"},
)
# What a metric was judged by; each metric has options of its own.
CRITERION = Shape("a criterion", {"threshold": Field(NUMBER, required=True, nullable=False)}, Extra.KEPT)
DETAILS = Shape(
    "the details of a metric result",
    {"rubric_scores": Field(LIST), "token_usage_details": Field(OBJECT), "duration_details": Field(OBJECT)},
    read_anyway={"reason": ""},
)
RUBRIC_SCORE = Shape(
    "a rubric score",
    {
        "rubric_id": Field(STRING, required=True, nullable=False),
        "rationale": Field(STRING),
        "score": Field(NUMBER),
    },
)
ROW = Shape(
    "a result of one invocation",
    {
        "actual_invocation": Field(OBJECT, required=True, nullable=False),
        "expected_invocation": Field(OBJECT),
        "eval_metric_results": Field(LIST, nullable=False),
    },
    read_anyway={"metricResults": "eval_metric_results"},
)
FIGURES = ("token_usage_details", "duration_details")

STATUSES = {1: Status.PASSED, 2: Status.FAILED, 3: Status.NOT_EVALUATED, 4: Status.INFORMATIONAL}
UNDECIDED = 3  # ERROR, SKIPPED and PENDING, for which ADK has no number
_NUMBERS = {status: number for number, status in STATUSES.items()}


def number_of_status(status: Status) -> int:
    """The number that ADK has for it."""
    return _NUMBERS.get(status, UNDECIDED)
