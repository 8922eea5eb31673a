"""Eval sets from many projects, each held against itself: no metric breaks, and equal calls pass."""

from __future__ import annotations

from pathlib import Path

import pytest

from trace_inspector.core.verdict.verdict import Status
from trace_inspector.flows.runs.evaluate_files import Request, evaluate, open_given


@pytest.mark.corpus
def test_no_eval_set_breaks_a_metric(corpus: Path) -> None:
    files = sorted((corpus / "adk-evalset").glob("*.json"))
    assert files
    for path in files:
        given = open_given([path])
        if not any(case.scenario is None for one in given for suite in one.contents.suites for case in suite.cases):
            continue
        run = evaluate(Request(given, given))
        verdicts = [verdict for case in run.cases for verdict in case.metrics]
        assert not [verdict for verdict in verdicts if verdict.status is Status.ERROR], path.name
        recorded_anew = any(one.contents.traces for one in given)
        calls = {verdict.status for verdict in verdicts if verdict.metric == "tool_trajectory_avg_score"}
        assert recorded_anew or Status.FAILED not in calls, path.name
