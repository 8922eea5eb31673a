"""Say what became of each case from one run to the next."""

from __future__ import annotations

import argparse

from trace_inspector.commands.terminal import Terminal
from trace_inspector.core.errors import InspectorError
from trace_inspector.core.summary import one_line
from trace_inspector.engine.between_runs.chance import share_interval
from trace_inspector.engine.between_runs.compared_runs import Change, ComparedCase, ComparedCriterion, pass_share
from trace_inspector.flows.compare_kept import RunsCompared, compare_named

NOTHING_COMPARABLE = 3
_TOLD = (Change.REGRESSED, Change.IMPROVED, Change.NOT_COMPARABLE, Change.NEW, Change.GONE)


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("base", metavar="BASE", help="a file or folder of results, or a kept run by id or name")
    parser.add_argument("new", metavar="NEW", help="the run to hold against it")
    parser.add_argument(
        "--fail-on", choices=("regressed", "never"), default="regressed", help="what makes the exit 1"
    )


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """0 when nothing regressed, 1 when something did, 2 when it could not run, 3 when nothing is comparable."""
    try:
        compared = compare_named(options.base, options.new)
    except InspectorError as problem:
        terminal.complain(problem)
        return 2
    for line in _lines(compared):
        terminal.say(line)
    found = compared.found
    if not found.is_comparable:
        return NOTHING_COMPARABLE
    return int(options.fail_on == "regressed" and found.counts[Change.REGRESSED] > 0)


def _lines(compared: RunsCompared) -> list[str]:
    found = compared.found
    lines = [f"Note: {note}" for note in compared.notes]
    for change in _TOLD:
        lines += [_case_line(case) for case in found.cases if case.change is change]
    lines += [_criterion_line(criterion) for criterion in found.criteria]
    counts = found.counts
    told = ", ".join(f"{counts[change]} {change.value}" for change in Change)
    chance = "" if found.chance is None else f"; by chance so uneven with p = {found.chance:.3g}"
    return [*lines, f"{told}{chance}"]


def _case_line(case: ComparedCase) -> str:
    if case.why:
        return f"{case.change.value}: {one_line(case.name)} ({one_line(case.why)})"
    repeats = max(len(case.base), len(case.new)) > 1
    shares = " → ".join(_share(case, new=new) for new in (False, True)) if repeats else ""
    return f"{case.change.value}: {one_line(case.name)}" + (f" ({shares})" if shares else "")


def _share(case: ComparedCase, *, new: bool) -> str:
    verdicts = case.new if new else case.base
    share = pass_share(verdicts)
    if share is None:
        return "no run"
    interval = share_interval(round(share * len(verdicts)), len(verdicts))
    return f"{share:.0%} of {len(verdicts)} passed, {interval.low:.0%} to {interval.high:.0%} with 95 %"


def _criterion_line(criterion: ComparedCriterion) -> str:
    interval = criterion.interval
    range_ = f", {interval.low:+.3g} to {interval.high:+.3g} with 95 %" if interval else ""
    change = f"{criterion.base:.3g} → {criterion.new:.3g} ({criterion.change:+.3g}{range_})"
    return f"{one_line(criterion.metric)}: {change} over {criterion.cases} cases"
