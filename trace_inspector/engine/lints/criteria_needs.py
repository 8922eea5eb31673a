"""What a case needs for each criterion. CES's criteria are set for goldens and scenarios at once, so are not here."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.criteria import Criterion

SIMULATED = frozenset({"per_turn_user_simulator_quality_v1"})
SCRIPTED = frozenset(
    {
        "tool_trajectory_avg_score",
        "response_match_score",
        "final_response_match_v2",
        "response_evaluation_score",
        "trajectory_match",
        "trajectory_precision",
        "trajectory_recall",
        "trajectory_f1",
        "argument_share",
        "final_state",
        "trajectory_exact_match",
        "trajectory_in_order_match",
        "trajectory_any_order_match",
        "exact_match",
        "rouge_1",
        "rouge_l_sum",
        "bleu",
        "tool_name_match",
        "tool_parameter_key_match",
        "tool_parameter_kv_match",
    }
)


def lacked_by(case: Case, criterion: Criterion) -> str:
    """What a case lacks for a criterion, in words; "" where nothing."""
    if case.scenario is None and criterion.metric in SIMULATED:
        return "a simulated user"
    if case.scenario is not None:
        return "turns with what is expected" if criterion.metric in SCRIPTED else ""
    has, what = _NEEDED.get(criterion.metric, (None, ""))
    return what if has is not None and not has(case) and not criterion.options.get("rubrics") else ""


def _has_answer(case: Case) -> bool:
    return any(turn.final_response is not None for turn in case.turns)


def _has_rubrics(case: Case) -> bool:
    return bool(case.rubrics) or any(turn.rubrics for turn in case.turns)


_ANSWER = (_has_answer, "an expected answer")
_RUBRICS = (_has_rubrics, "rubrics")
_NEEDED: Mapping[str, tuple[Callable[[Case], bool], str]] = {
    "response_match_score": _ANSWER,
    "final_response_match_v2": _ANSWER,
    "response_evaluation_score": _ANSWER,
    "exact_match": _ANSWER,
    "rouge_1": _ANSWER,
    "rouge_l_sum": _ANSWER,
    "bleu": _ANSWER,
    "rubric_based_final_response_quality_v1": _RUBRICS,
    "rubric_based_tool_use_quality_v1": _RUBRICS,
    "rubric_based_multi_turn_trajectory_quality_v1": _RUBRICS,
    "final_state": (lambda case: case.final_state is not None, "a state at the end"),
}
