"""What a comparison of two runs can show: the change of the share that passes, the smallest, and what shows less."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

from msgspec import Struct

from trace_inspector.core.verdict.verdict import CaseVerdict
from trace_inspector.engine.calibration.estimate import Estimate
from trace_inspector.engine.calibration.paired import clustered_mean
from trace_inspector.engine.calibration.planner import (
    VarianceParts,
    best_purchase,
    cases_needed,
    repeats_needed,
    smallest_difference,
)
from trace_inspector.engine.run_comparison.compared_case import Change, ComparedCase, decided, pass_share
from trace_inspector.engine.run_comparison.compared_runs import ComparedRuns

LEAST_CASES = 10  # of fewer it is not told what they could show
WANTED = 0.05  # the change of the share that passes for which a plan is told
_CHANGED = (Change.IMPROVED, Change.REGRESSED)


class ComparisonPlan(Struct, frozen=True):
    """What would show a change of `WANTED`: so many cases, or so many repeats of these; None where no number does.

    `repeats` is None too where no case has repeats that tell what they would bring. `helps_most` is what to double
    first: "cases", "repeats" or "votes" of the judge.
    """

    cases: int | None
    repeats: int | None
    helps_most: str


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
    difference = smallest_difference(math.sqrt(_changing(runs) / cases))
    return difference if difference < 1 else None


def plan(runs: ComparedRuns) -> ComparisonPlan | None:
    """What would show a change of five points; None where no case was decided in both runs."""
    if not runs.in_both:
        return None
    repeated = [case for case in runs.in_both if min(decided(case.base), decided(case.new)) > 1]
    if not repeated:
        return ComparisonPlan(cases_needed(WANTED, VarianceParts(_changing(runs))), None, "cases")
    repeats = min(min(decided(case.base), decided(case.new)) for case in repeated)
    votes = max(1, min((len(each) for case in repeated for each in _votes(case)), default=1))
    spread = _spread(runs, repeated, votes)
    return ComparisonPlan(
        cases_needed(WANTED, spread, repeats, votes),
        repeats_needed(WANTED, spread, len(runs.in_both), votes),
        best_purchase(spread, len(runs.in_both), repeats, votes),
    )


def _changing(runs: ComparedRuns) -> float:
    """The share of cases that change from one run to the next, with one more than did."""
    return (sum(case.change in _CHANGED for case in runs.in_both) + 1) / (len(runs.in_both) + 2)


def _spread(runs: ComparedRuns, repeated: Sequence[ComparedCase], votes: int) -> VarianceParts:
    """Where the changes of cases come from."""
    changes = [(pass_share(case.new) or 0.0) - (pass_share(case.base) or 0.0) for case in runs.in_both]
    within = [_variance(case.base) + _variance(case.new) for case in repeated]
    of_means = [_variance(side) / decided(side) for case in repeated for side in (case.base, case.new)]
    between = statistics.pvariance(changes) - 2 * statistics.fmean(of_means)
    of_votes = 2 * statistics.fmean([_vote_variance(each) for case in repeated for each in _votes(case)] or [0.0])
    one_case = 1 / (len(runs.in_both) + 2)  # as if one more had changed: none in ten may still be one
    return VarianceParts(max(one_case, between), max(0.0, statistics.fmean(within) - of_votes / votes), of_votes)


def _variance(repeats: Sequence[CaseVerdict]) -> float:
    """Of one repeat of a case that has several; right in the mean however few they are."""
    count, share = decided(repeats), pass_share(repeats) or 0.0
    return share * (1 - share) * count / (count - 1)


def _votes(case: ComparedCase) -> list[Sequence[bool]]:
    """How the judge voted on each turn of each repeat, by whether a vote alone would pass."""
    return [
        [vote >= (metric.threshold or 0.0) for vote in metric.votes if vote is not None]
        for verdict in (*case.base, *case.new)
        for turn in verdict.turns
        for metric in turn.metrics
        if sum(vote is not None for vote in metric.votes) > 1
    ]


def _vote_variance(votes: Sequence[bool]) -> float:
    share = sum(votes) / len(votes)
    return share * (1 - share)
