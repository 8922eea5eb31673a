"""In the child that reads files: the audit of what they report, so that the window need not know how it is done."""

from __future__ import annotations

from collections.abc import Callable

from trace_inspector.core.verdict.contradiction import Contradiction
from trace_inspector.core.verdict.verdict import CaseVerdict

Audit = Callable[[CaseVerdict, int], tuple[Contradiction, ...]]


class Auditor:
    """Loads the engine with the first verdict: most files report none, and their first rows must not wait."""

    def __init__(self) -> None:
        self._audit: Audit | None = None

    def audit(self, verdict: CaseVerdict, turns: int) -> tuple[Contradiction, ...]:
        """Where a verdict contradicts itself; `turns` is how many turns the trace has."""
        if self._audit is None:
            from trace_inspector.engine.audit.audit import audit

            self._audit = lambda told, count: audit(told, turns=count)
        return self._audit(verdict, turns)
