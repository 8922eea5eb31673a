"""The comparison of two runs as lines: cases, criteria, figures, repeats, what both decided, and the counts last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.verdict.figures import percent
from trace_inspector.core.verdict.verdict import CaseVerdict
from trace_inspector.engine.repeats.repeats import pass_rates
from trace_inspector.engine.repeats.repeats_text import failing_lines, rate_line
from trace_inspector.engine.repeats.significance import Interval, share_interval
from trace_inspector.engine.run_comparison.certainty import LEAST_CASES, WANTED, plan, seen_difference, share_change
from trace_inspector.engine.run_comparison.compared_case import (
    BASELINE,
    CANDIDATE,
    Change,
    ComparedCase,
    decided,
    passes,
)
from trace_inspector.engine.run_comparison.compared_criteria import ComparedCriterion
from trace_inspector.engine.run_comparison.compared_modes import mode_lines
from trace_inspector.engine.run_comparison.compared_runs import ComparedRuns
from trace_inspector.engine.run_comparison.comparison import RunsCompared, base_repeats, new_repeats
from trace_inspector.engine.run_comparison.judged_rates import judged_lines
from trace_inspector.engine.run_comparison.latency_and_tokens import Measured
from trace_inspector.engine.run_comparison.regression_gate import worse_beyond_chance

_LARGE = 1_000
_MOST_NAMED, _NAME_CHARS = 10, 80
TOLD = (Change.REGRESSED, Change.IMPROVED, Change.NOT_COMPARABLE, Change.NEW, Change.GONE)


def lines_of(compared: RunsCompared, *, beyond_chance: bool = False) -> Iterator[str]:
    """All that is told, the counts last; what got worse beyond chance where that is asked for."""
    runs = compared.runs
    yield from (f"Note: {note}" for note in compared.notes)
    for change in TOLD:
        yield from (f"{change.value}: {case_line(case)}" for case in runs.cases if case.change is change)
    yield from figure_lines(compared)
    yield from certainty_lines(runs)
    if beyond_chance:
        yield beyond_line(runs)
    yield counts_line(runs)


def figure_lines(compared: RunsCompared) -> Iterator[str]:
    """Criteria, what was measured, what judges say and people would, failure modes, and repeats."""
    yield from map(_criterion_line, compared.runs.criteria)
    if any(case.has_scores for case in compared.runs.cases):
        for figure in compared.measured:
            yield _measured_line(figure)
            yield from _rank_line(figure)
    yield from judged_lines(compared.judges)
    yield from mode_lines(compared.modes)
    yield from repeat_lines(compared)


def repeat_lines(compared: RunsCompared) -> Iterator[str]:
    """How often cases pass that a run has several times, and where those fail that do."""
    cases = compared.runs.cases
    for side, repeats in ((BASELINE, base_repeats(cases)), (CANDIDATE, new_repeats(cases))):
        yield from (f"{side}: {rate_line(rates)}" for rates in pass_rates(repeats))
        yield from (f"{how} in the {side}: {text}" for how, text in failing_lines(repeats))


def counts_line(runs: ComparedRuns) -> str:
    """How many cases fared how."""
    counts = runs.counts
    return ", ".join(f"{counts[change]} {change.value}" for change in Change)


def certainty_lines(runs: ComparedRuns) -> Iterator[str]:
    """Of the cases that both runs decided how many changed, how sure that is, and how many of the same passed."""
    if runs.shares is None:
        return
    counts, (before, after) = runs.counts, runs.shares
    worse, better = counts[Change.REGRESSED], counts[Change.IMPROVED]
    changed = f"{worse:,} got worse, {better:,} got better" if worse or better else "none changed"
    chance = "" if runs.chance is None else f" ({chance_words(runs.chance)})"
    passed = f"{percent(before, 1)} of them passed before, {percent(after, 1)} now"
    yield f"Of {_cases(len(runs.in_both))} decided in both runs, {changed}{chance}; {passed}"
    if len(runs.in_both) >= LEAST_CASES:
        yield _certainty_of_share(runs)
        yield from _plan_line(runs)


def _certainty_of_share(runs: ComparedRuns) -> str:
    """How sure the change of the share that passes is, and which change so many cases would show."""
    change, seen = share_change(runs), seen_difference(runs)
    points = "" if change.value is None else f"{change.value * 100:+.1f} points"
    if change.low is not None and change.high is not None:
        points += f", {change.low * 100:+.1f} to {change.high * 100:+.1f} with 95 % confidence"
    least = "no change at all" if seen is None else f"changes from about {seen * 100:.0f} points on"
    return f"The share that passes changed by {points}; so many cases show {least}, in four of five comparisons"


def _plan_line(runs: ComparedRuns) -> Iterator[str]:
    """What would show a change of a few points, where these cases do not."""
    seen, planned = seen_difference(runs), plan(runs)
    if planned is None or (seen is not None and seen <= WANTED):
        return
    ways = [f"about {planned.cases:,} cases like these"] if planned.cases is not None else []
    ways += [f"{planned.repeats:,} repeats of each of these"] if planned.repeats is not None else []
    first = f"; more {planned.helps_most} help most" if len(ways) > 1 or planned.helps_most == "votes" else ""
    if ways:
        yield f"A change of {WANTED * 100:.0f} points would take {', or '.join(ways)}{first}"


def beyond_line(runs: ComparedRuns) -> str:
    """What got worse beyond chance."""
    worse = worse_beyond_chance(runs)
    names = ["the whole"] if worse.whole else []
    names += [one_line(case.name, _NAME_CHARS) for case in worse.cases[:_MOST_NAMED]]
    remaining = len(worse.cases) - _MOST_NAMED
    names += [f"{remaining:,} more {'case' if remaining == 1 else 'cases'}"] if remaining > 0 else []
    return f"Worse beyond chance: {', '.join(names)}" if names else "Nothing got worse beyond what chance explains"


def chance_words(chance: Fraction | float) -> str:
    """How likely it is that nothing changed and it came so all the same."""
    return f"p = {float(chance):.2g} by chance"


def case_line(case: ComparedCase) -> str:
    """A case, with why it is not compared or how its repeats fared."""
    figures = case_figures(case)
    return one_line(case.name) + (f" ({figures})" if figures else "")


def case_figures(case: ComparedCase) -> str:
    """Why it is not compared, or how its repeats fared; "" where there is nothing to say."""
    if case.why:
        return one_line(case.why)
    if not case.has_repeats:
        return ""
    chance = "" if case.chance is None else f"; {chance_words(case.chance)}"
    return f"{_share(case.base)} → {_share(case.new)}{chance}"


def _share(verdicts: Sequence[CaseVerdict]) -> str:
    passed, of = passes(verdicts), decided(verdicts)
    if not of:
        return "no run" if not verdicts else "none decided"
    interval = share_interval(passed, of)
    range_ = f"{percent(interval.low)} to {percent(interval.high)} with 95 % confidence"
    open_ = len(verdicts) - of
    return f"{passed:,} of {of:,} passed, {range_}" + (f", {open_:,} not decided" if open_ else "")


def _criterion_line(criterion: ComparedCriterion) -> str:
    change = change_text(criterion.base, criterion.new, criterion.interval)
    return f"{one_line(criterion.metric)}: {change} over {_cases(criterion.cases)}{_exact(criterion.chance)}"


def _measured_line(figure: Measured) -> str:
    if figure.base is not None and figure.new is not None:
        gaps = [
            f"{counted.count} of {counted.of} {figure.unit}s record it in the {side}"
            for side, counted in ((BASELINE, figure.base_told), (CANDIDATE, figure.new_told))
            if counted.count < counted.of
        ]
        change = change_text(figure.base, figure.new, figure.interval)
        return "; ".join([f"{figure.name}: {change} over {_cases(figure.cases)}{_exact(figure.chance)}", *gaps])
    silent = [
        f"the {side}"
        for side, counted in ((BASELINE, figure.base_told), (CANDIDATE, figure.new_told))
        if not counted.count
    ]
    where = f"in {' and '.join(silent)}" if silent else "for the same cases"
    return f"{figure.name}: not known {where}"


def _rank_line(figure: Measured) -> Iterator[str]:
    """The percentiles of both runs, where both tell the figure."""
    base, new = dict(figure.base_ranks), dict(figure.new_ranks)
    ranks = [
        f"p{rank} {number_text(value)} → {number_text(new[rank])}" for rank, value in base.items() if rank in new
    ]
    if ranks:
        yield f"{figure.name}: {', '.join(ranks)}"


def change_text(base: float, new: float, interval: Interval | None = None) -> str:
    """A figure before and after, by how much it changed, and within which bounds."""
    range_ = (
        f", {number_text(interval.low, '+')} to {number_text(interval.high, '+')} with 95 % confidence"
        if interval
        else ""
    )
    return f"{number_text(base)} → {number_text(new)} ({number_text(new - base, '+')}{range_})"


def _exact(chance: Fraction | None) -> str:
    """What an exact test says where there is no interval."""
    return "" if chance is None else f", p = {float(chance):.2g}"


def number_text(value: float, sign: str = "") -> str:
    """Three digits that count; of large figures, as tokens are, all before the point."""
    return f"{value:{sign},.0f}" if round(abs(value)) >= _LARGE else f"{value:{sign}.3g}"


def _cases(count: int) -> str:
    return f"{count} case" if count == 1 else f"{count} cases"
