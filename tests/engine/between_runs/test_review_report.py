"""The report of two runs for a review: short enough for code hosts, whatever there is to tell."""

from __future__ import annotations

import re

import pytest

from tests.helpers.campaigns import is_long
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, Status
from trace_inspector.engine.run_comparison import as_markdown
from trace_inspector.engine.run_comparison.compared_runs import compare_runs
from trace_inspector.engine.run_comparison.comparison import RunsCompared

NEW_CASES = 1_500


def compared(criteria: int, notes: int) -> RunsCompared:
    """One case by so many criteria, and new ones of many lengths, so that some line ends where the room does."""
    metrics = tuple(
        MetricVerdict(f"m{number} {'of a long name ' * 4}", 0.5, Status.PASSED, 0.5) for number in range(criteria)
    )
    base = [CaseVerdict("a", "s", "t", Status.PASSED, metrics)]
    new = [CaseVerdict(f"{at} {'x' * (50 + at % 60)}", "s", "t", Status.FAILED) for at in range(NEW_CASES)]
    return RunsCompared("b", "n", compare_runs(base, [*base, *new]), (), ("note " * 20,) * notes)


@pytest.mark.parametrize("notes", [0, 1, 800])
@pytest.mark.parametrize("criteria", range(1, 302, 20 if is_long() else 60))
def test_it_never_exceeds_what_code_hosts_take(criteria: int, notes: int) -> None:
    text = as_markdown.write(compared(criteria, notes))
    assert 50_000 < len(text) <= 60_000
    for line, what, count in (("\nNote: ", "\nx more notes", notes), ("\n- **new** ", "\n- x more cases", NEW_CASES)):
        left = re.search(what.replace("x", r"([\d,]+)") + " are left out\n", text)
        assert text.count(line) + (int(left[1].replace(",", "")) if left else 0) == count
