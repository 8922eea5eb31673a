"""What got worse beyond what chance does from run to run: cases by their repeats, and the whole by its cases."""

from __future__ import annotations

from msgspec import Struct

from trace_inspector.engine.repeats.significance import holm, is_noise
from trace_inspector.engine.run_comparison.compared_case import Change, ComparedCase
from trace_inspector.engine.run_comparison.compared_runs import ComparedRuns


class Worse(Struct, frozen=True):
    """Cases whose repeats say so, and whether all cases together do."""

    cases: tuple[ComparedCase, ...]
    whole: bool

    def __bool__(self) -> bool:
        """Whether anything did."""
        return bool(self.cases) or self.whole


def worse_beyond_chance(runs: ComparedRuns) -> Worse:
    """Fisher's exact test of each case with repeats, with Holm's correction; the exact sign test of the whole."""
    tested = [(case, chance) for case in runs.in_both if (chance := case.chance) is not None]
    sure = holm([chance for _case, chance in tested])
    cases = tuple(
        case for index, (case, _chance) in enumerate(tested) if index in sure and case.change is Change.REGRESSED
    )
    counts, of_whole = runs.counts, runs.chance
    whole = counts[Change.REGRESSED] > counts[Change.IMPROVED] and of_whole is not None and not is_noise(of_whole)
    return Worse(cases, whole)
