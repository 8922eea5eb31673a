"""A comparison without a result, and its reason where a judge failed. Apart, because it needs no metric."""

from __future__ import annotations

from trace_inspector.core.errors import InspectorError


class CannotJudge(InspectorError):
    """A metric has nothing to go on, or its criterion is broken; the sentence becomes the verdict's reason."""


JUDGE_CALL_FAILED = "a call of the judge failed"  # the audit recognises such verdicts by it


def judge_call_failed(failure: str) -> str:
    """The reason of a verdict that a failed call of the judge left undecided."""
    return f"{JUDGE_CALL_FAILED}: {failure}"
