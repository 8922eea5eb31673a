"""The default criteria of Vertex AI's goldens: rubric groups if there is a judge, calls, else answers."""

from __future__ import annotations

from collections.abc import Sequence

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.criteria import Criteria, Criterion
from trace_inspector.core.trace.trace import Steps

_CALLS = (
    "trajectory_exact_match",
    "trajectory_in_order_match",
    "trajectory_any_order_match",
    "trajectory_precision",
    "trajectory_recall",
)


def vertex_defaults(cases: Sequence[Case], judged: bool) -> Criteria:
    """The criteria of one golden file; an answer is compared by its words where nothing else can decide."""
    groups = dict.fromkeys(rubric.group for case in cases for rubric in case.rubrics) if judged else {}
    names = [f"vertex_rubrics:{group}" if group else "vertex_rubrics" for group in groups]
    turns = [turn for case in cases for turn in case.turns]
    if any(turn.steps is not Steps.ABSENT for turn in turns):
        names += _CALLS
    items = [Criterion(name, 1.0) for name in names]
    if not items:
        items = [Criterion("rouge_1", 0.8)]
    return Criteria(tuple(items), "the defaults of Vertex AI")
