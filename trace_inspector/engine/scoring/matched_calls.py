"""The calls of a golden turn paired with observed ones, as the golden's matchers compare them."""

from __future__ import annotations

from trace_inspector.core.alignment.turn_alignment import CallPair, align_calls, align_names, call_groups
from trace_inspector.core.trace.trace import Turn, calls_of
from trace_inspector.engine.scoring.matching import Matchers


def matched_calls(golden: Turn, observed: Turn, matchers: Matchers, *, names_only: bool = False) -> list[CallPair]:
    """The calls of two turns, paired; equal is what the golden's matchers let through."""
    calls = calls_of(golden), calls_of(observed)
    groups = call_groups(golden), call_groups(observed)
    if names_only:
        return align_names(*calls, groups)
    return align_calls(*calls, groups=groups, differing=matchers.differing if matchers.by_place else None)
