"""What a comparison of two runs can show: the change of the share that passes with its interval, and the smallest."""

from __future__ import annotations

import math

from trace_inspector.engine.calibration.estimate import Estimate
from trace_inspector.engine.calibration.paired import clustered_mean
from trace_inspector.engine.calibration.planner import smallest_difference
from trace_inspector.engine.run_comparison.compared_case import Change, pass_share
from trace_inspector.engine.run_comparison.compared_runs import ComparedRuns

LEAST_CASES = 10  # of fewer it is not told what they could show
_CHANGED = (Change.IMPROVED, Change.REGRESSED)


def share_change(runs: ComparedRuns) -> Estimate:
    """By how much the share that passes changed, of the cases that both runs decided.

    A case is compared with itself, however often it ran; one that was asked by several personas, or of several
    candidates, is a cluster, for it is alike each time.
    """
    return clustered_mean(
        ("/".join(case.key[:2]), (pass_share(case.new) or 0.0) - (pass_share(case.base) or 0.0))
        for case in runs.in_both
    )


def seen_difference(runs: ComparedRuns) -> float | None:
    """The smallest change that so many cases show in four of five comparisons; None where none is so large.

    It depends on how many cases change anyhow; one more than did is assumed to, as none in ten may still be one.
    """
    cases = len(runs.in_both)
    if not cases:
        return None
    changing = (sum(case.change in _CHANGED for case in runs.in_both) + 1) / (cases + 2)
    difference = smallest_difference(math.sqrt(changing / cases))
    return difference if difference < 1 else None
