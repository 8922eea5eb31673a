"""What one case against one trace is known by, from run to run."""

from __future__ import annotations

from typing import TypeAlias

from trace_inspector.core.verdict.verdict import CaseVerdict

CaseKey: TypeAlias = tuple[str | None, ...]


def key_of(verdict: CaseVerdict) -> CaseKey:
    """What a verdict is about."""
    golden = verdict.golden_path, verdict.golden_place, verdict.suite_id, verdict.case_id
    return *golden, verdict.trace_path, verdict.trace_place, verdict.trace_id
