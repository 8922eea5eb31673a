"""The objects of ADK's result files as google-adk 2.13 has them, and the words for statuses."""

from __future__ import annotations

from trace_inspector.core.verdict.verdict import Status
from trace_inspector.formats.common.schema import (
    ANYTHING,
    LIST,
    NEVER_NULL,
    NUMBER,
    OBJECT,
    REQUIRED,
    TEXT,
    ExtraKeys,
    Schema,
)

RESULT_SET = Schema(
    "a result file",
    TEXT("eval_set_result_id eval_set_id", REQUIRED),
    TEXT("eval_set_result_name"),
    LIST("eval_case_results", NEVER_NULL),
    NUMBER("creation_timestamp", NEVER_NULL),
    extra=ExtraKeys.DROPPED,
)
CASE_RESULT = Schema(
    "a case result",
    ANYTHING("final_eval_status", REQUIRED),
    LIST("overall_eval_metric_results eval_metric_result_per_invocation", REQUIRED),
    TEXT("session_id", REQUIRED),
    TEXT("eval_set_id eval_id", NEVER_NULL),
    TEXT("eval_set_file user_id"),
    LIST("eval_metric_results"),
    OBJECT("session_details trace_inspector"),
    extra=ExtraKeys.DROPPED,
)
METRIC_RESULT = Schema(
    "a metric result",
    TEXT("metric_name", REQUIRED),
    ANYTHING("eval_status", REQUIRED),
    NUMBER("threshold score"),
    TEXT("custom_function_path"),
    OBJECT("criterion details"),
    extra=ExtraKeys.REJECTED,
    aliases={"status": "eval_status", "judge_model_options": "criterion"},
)
# What a metric was judged by; each metric has options of its own.
CRITERION = Schema("a criterion", NUMBER("threshold", REQUIRED), extra=ExtraKeys.KEPT)
DETAILS = Schema(
    "the details of a metric result",
    LIST("rubric_scores"),
    OBJECT("token_usage_details duration_details"),
    extra=ExtraKeys.REJECTED,
    aliases={"reason": ""},
)
RUBRIC_SCORE = Schema(
    "a rubric score", TEXT("rubric_id", REQUIRED), TEXT("rationale"), NUMBER("score"), extra=ExtraKeys.REJECTED
)
ROW = Schema(
    "a result of one invocation",
    OBJECT("actual_invocation", REQUIRED),
    OBJECT("expected_invocation"),
    LIST("eval_metric_results", NEVER_NULL),
    extra=ExtraKeys.REJECTED,
    aliases={"metricResults": "eval_metric_results"},
)
FIGURES = ("token_usage_details", "duration_details")

STATUSES = {1: Status.PASSED, 2: Status.FAILED, 3: Status.NOT_EVALUATED, 4: Status.INFORMATIONAL}
UNDECIDED = 3  # ERROR, SKIPPED and PENDING, for which ADK has no number
_NUMBERS = {status: number for number, status in STATUSES.items()}


def number_of_status(status: Status) -> int:
    """The number that ADK has for it."""
    return _NUMBERS.get(status, UNDECIDED)
