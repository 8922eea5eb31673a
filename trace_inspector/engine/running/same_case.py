"""By what the item of a case is known: as its verdict will be."""

from __future__ import annotations

from trace_inspector.core.verdict.case_key import CaseKey
from trace_inspector.engine.running.runner import WorkItem


def key_of_item(item: WorkItem) -> CaseKey:
    """What the verdict of an item will be about."""
    case, trace, frame = item.case, item.trace, item.frame
    seen = (frame.trace_path, trace.place, trace.id) if trace else ("", "", None)
    if case is not None:
        return frame.golden_path, case.place, case.suite_id, case.id, *seen
    named = (trace.suite_id or "", trace.case_id or trace.id) if trace else ("", "")
    return "", "", *named, *seen
