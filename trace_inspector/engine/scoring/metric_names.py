"""Names of metrics that other modules refer to."""

from __future__ import annotations

TOOL_TRAJECTORY = "tool_trajectory_avg_score"
TRAJECTORY_MATCH = "trajectory_match"
TOKENS = "token_usage_v1"
DURATION = "invocation_duration_v1"
LOCAL_GROUNDING = "local_grounding"
GROUNDING_MODEL = "grounding_model"
MINICHECK = "minicheck"
RUBRICS_OF_ANSWERS = "rubric_based_final_response_quality_v1"
