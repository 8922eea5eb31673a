"""The metrics that Vertex AI predefines, by their names without the version of the judge."""

from __future__ import annotations

import re

_VERSION = re.compile(r"_v[0-9]+$")
_NAMES = frozenset(
    {
        "general_quality", "text_quality", "instruction_following", "grounding", "safety", "hallucination",
        "tool_use_quality", "final_response_quality", "final_response_reference_free", "final_response_match",
        "multi_turn_general_quality", "multi_turn_text_quality", "multi_turn_task_success",
        "multi_turn_trajectory_quality", "multi_turn_tool_use_quality", "gecko_text2image", "gecko_text2video",
    }
)  # fmt: skip
_OURS = "vertex_rubrics"  # the groups that the service judges by predefined metrics, decided here


def has_pass_rate(metric: str) -> bool:
    """Whether the SDK counts how many cases pass; it does so for predefined metrics alone."""
    return _VERSION.sub("", metric) in _NAMES or metric.partition(":")[0] == _OURS
