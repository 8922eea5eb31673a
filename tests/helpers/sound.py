"""What must hold of everything that is read, however damaged it was."""

from __future__ import annotations

from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.trace import Turn


def assert_sound(contents: Contents) -> None:
    """Findings say something about a place; turns are counted in order; nothing is there twice."""
    for finding in contents.findings:
        assert finding.message.strip(), finding
        assert finding.pointer == "" or finding.pointer.startswith("/"), finding
    for trace in contents.traces:
        _count(trace.turns)
        assert trace.span_count >= 0
    for suite in contents.suites:
        for case in suite.cases:
            _count(case.turns)
    for verdict in contents.reported:
        shown = [turn.index for turn in verdict.turns if turn.index is not None]
        assert all(index >= 0 for index in shown), verdict


def _count(turns: tuple[Turn, ...]) -> None:
    assert [turn.index for turn in turns] == list(range(len(turns)))
