"""How many verdicts of a run use stored judge replies, and how old these are."""

from __future__ import annotations

from collections.abc import Iterable

from trace_inspector.core.verdict.verdict import CaseVerdict

_UNITS = ((86_400.0, "day"), (3_600.0, "hour"), (60.0, "minute"), (1.0, "second"))


def stored_note(cases: Iterable[CaseVerdict], now_s: float) -> str:
    """A sentence about the verdicts that use stored replies; "" when none does."""
    turns = (verdict for case in cases for turn in case.turns for verdict in turn.metrics)
    stored = [verdict.kept_s for verdict in turns if verdict.kept_s is not None]
    if not stored:
        return ""
    rests = "1 verdict is based" if len(stored) == 1 else f"{len(stored)} verdicts are based"
    return (
        f"{rests} on stored replies of the judge, the oldest from {_ago(now_s - min(stored))} (--refresh asks again)"
    )


def _ago(age_s: float) -> str:
    for unit_s, name in _UNITS:
        count = int(age_s // unit_s)
        if count >= 1:
            return f"{count} {name}{'s' if count > 1 else ''} ago"
    return "just now"
