"""What agent-eval's files are judged by where nobody says otherwise."""

from __future__ import annotations

from collections.abc import Sequence

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.criteria import Criteria, Criterion
from trace_inspector.core.trace.trace import Steps


def agent_eval_defaults(cases: Sequence[Case], _judged: bool) -> Criteria:
    """The calls of the reference, where one states any, and all that agent-eval measures, in both ways."""
    from trace_inspector.engine.metrics.agent_eval import AGENT_EVAL_METRICS  # heavy, and often not needed

    states_calls = any(turn.steps is not Steps.ABSENT for case in cases for turn in case.turns)
    compared = (Criterion("trajectory_match", 1.0, {"match_type": "IN_ORDER"}),) if states_calls else ()
    measured = tuple(Criterion(metric.name) for metric in AGENT_EVAL_METRICS)
    return Criteria((*compared, *measured), "the defaults of agent-eval")
