"""Which differences of calls count for CES: never the order, and extra calls unless the golden allows them."""

from __future__ import annotations

from trace_inspector.core.alignment.turn_alignment import Policy
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.engine.ces.settings import Settings
from trace_inspector.engine.ces.tool_metrics import EXTRA_CALLS, extra_calls_status


def policy_of_ces(golden: Case | None) -> Policy:
    """The policy of a golden; where it states none, extra calls fail in CES."""
    stated = golden.criteria if golden else ()
    settings = Settings(
        EXTRA_CALLS, tuple(("of the case", criterion) for criterion in stated if criterion.metric == EXTRA_CALLS)
    )
    return Policy.NO_OTHERS if extra_calls_status(settings) is Status.FAILED else Policy.ANY_ORDER
