"""Which differences of calls count for CES: never the order, and extra calls unless the golden allows them."""

from __future__ import annotations

from trace_inspector.core.alignment.turn_alignment import Policy
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.engine.ces.settings import EXTRA_CALLS, Settings

ALLOW = "ALLOW"
EXTRA_CALL_WORDS = ("FAIL", ALLOW)


def policy_of_ces(golden: Case | None) -> Policy:
    """The policy of a golden; where it states none, extra calls fail in CES."""
    stated = golden.criteria if golden else ()
    settings = Settings(
        EXTRA_CALLS, tuple(("of the case", criterion) for criterion in stated if criterion.metric == EXTRA_CALLS)
    )
    return Policy.NO_OTHERS if extra_calls_status(settings) is Status.FAILED else Policy.ANY_ORDER


def extra_calls_status(settings: Settings) -> Status:
    """The status of an extra call; it fails unless the setting allows it."""
    allowed = settings.off or settings.word(EXTRA_CALL_WORDS, "extra_tool_call_behavior").word == ALLOW
    return Status.INFORMATIONAL if allowed else Status.FAILED
