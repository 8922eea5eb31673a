"""What a run was about, for the formats that runs are written in."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.trace import Trace
from trace_inspector.core.verdict.verdict import CaseVerdict

# Path and place in the file, then the id: two cases of one file may carry the same id, and a trace may have no place.
Key = tuple[str, str, str]


class Judged(Struct, frozen=True):
    """Cases and traces, by where they came from."""

    cases: Mapping[Key, Case]
    traces: Mapping[Key, Trace]

    def case(self, verdict: CaseVerdict) -> Case | None:
        """The golden that a verdict is about."""
        return self.cases.get((verdict.golden_path, verdict.golden_place, verdict.case_id))

    def trace(self, verdict: CaseVerdict) -> Trace | None:
        """The trace that a verdict is about."""
        return self.traces.get((verdict.trace_path, verdict.trace_place, verdict.trace_id or ""))
