"""Which differences of calls count for CES: never order, and what nobody expects unless the golden allows it."""

from __future__ import annotations

from trace_inspector.core.alignment.turn_alignment import Policy
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.engine.ces.settings import Settings
from trace_inspector.engine.ces.tool_metrics import EXTRA_CALLS, extra_calls_status


def policy_of_ces(golden: Case | None) -> Policy:
    """The policy that a golden states; CES lets extra calls fail where nothing is stated."""
    stated = golden.criteria if golden else ()
    settings = Settings(
        EXTRA_CALLS, tuple(("of the case", criterion) for criterion in stated if criterion.metric == EXTRA_CALLS)
    )
    return Policy.NO_OTHERS if extra_calls_status(settings) is Status.FAILED else Policy.ANY_ORDER
