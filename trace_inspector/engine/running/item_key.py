"""The key of a work item, equal to that of its verdict."""

from __future__ import annotations

from trace_inspector.core.verdict.case_key import CaseKey
from trace_inspector.engine.running.runner import WorkItem


def key_of_item(item: WorkItem) -> CaseKey:
    """The key that the verdict of an item will have."""
    case, trace, frame = item.case, item.trace, item.frame
    seen = (frame.trace_path, trace.place, trace.id) if trace else ("", "", None)
    if case is not None:
        return frame.golden_path, case.place, case.suite_id, case.id, *seen
    named = (trace.suite_id or "", trace.case_id or trace.id) if trace else ("", "")
    return "", "", *named, *seen
