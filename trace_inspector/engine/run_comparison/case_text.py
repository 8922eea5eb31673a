"""One compared case for somebody who reads: its group, what changed in words, its scores before and after."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterator, Sequence

from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, Status, TurnVerdict, compose
from trace_inspector.engine.metrics import METRICS
from trace_inspector.engine.repeats.significance import is_alike
from trace_inspector.engine.reports.report import words
from trace_inspector.engine.run_comparison.as_text import case_figures, change_text, number_text
from trace_inspector.engine.run_comparison.change_group import Group
from trace_inspector.engine.run_comparison.compared_case import (
    CANDIDATE,
    Change,
    ComparedCase,
    decided,
    decisive,
    pass_share,
    passes,
)
from trace_inspector.engine.run_comparison.compared_criteria import scores
from trace_inspector.engine.run_comparison.comparison import Seconds
from trace_inspector.engine.run_comparison.metric_versions import same_version
from trace_inspector.engine.scoring.metric import metric_for

_NAME_CHARS = 80
_BAD = (Status.FAILED, Status.ERROR)
_GROUPS = {
    Change.REGRESSED: Group.REGRESSED,
    Change.IMPROVED: Group.IMPROVED,
    Change.UNCHANGED: Group.UNCHANGED,
    Change.NEW: Group.NEW,
    Change.GONE: Group.GONE,
    Change.NOT_COMPARABLE: Group.NOT_COMPARABLE,
}
Scores = tuple[float | None, float | None]


def group_of(case: ComparedCase) -> Group:
    """Where it stands. Of a case that still fails, a worse score of a criterion that decides makes it worse."""
    group = _GROUPS[case.change]
    if group is not Group.UNCHANGED or pass_share(case.new) == 1.0:
        return group
    return Group.WORSE if any(_is_worse(case, name) for name in decisive(case.new)) else group


def scores_of(case: ComparedCase, metric: str) -> Scores:
    """The mean score over its repeats before and after; None where there is none, or where it may not be compared."""
    if not case.has_scores or not same_version(case.base, case.new, metric):
        return None, None
    return _mean(case.base, metric), _mean(case.new, metric)


def _is_worse(case: ComparedCase, name: str) -> bool:
    """By which side of its threshold passes."""
    before, after = scores_of(case, name)
    if before is None or after is None or is_alike(before, after):
        return False
    metric = metric_for(name, METRICS)
    return after > before if metric is not None and metric.better == "lower" else after < before


def status_of(verdicts: Sequence[CaseVerdict]) -> Status | None:
    """One status for all repeats, never better than the worst of them; None where there are none."""
    if not verdicts:
        return None
    seen = {verdict.status for verdict in verdicts}
    return seen.pop() if len(seen) == 1 else compose(verdict.status for verdict in verdicts)


def what_changed(case: ComparedCase) -> str:
    """What became of it, or what keeps it from being compared, in one line; "" where it passes as before."""
    match case.change:
        case Change.NOT_COMPARABLE:
            return one_line(case.why[:1].upper() + case.why[1:])
        case Change.NEW:
            return _first(case.new)
        case Change.GONE:
            return f"It was not judged in the {CANDIDATE}"
    before, after = _often(case.base), _often(case.new)
    if case.has_repeats:
        repeats = _of_repeats(case.change, before, after)
        passes_still = case.change is Change.UNCHANGED and not repeats
        return "" if passes_still else one_line("; ".join(filter(None, (repeats, case_figures(case)))))
    if case.change is Change.IMPROVED:
        return one_line(f"No longer: {before}") if before else ""
    if case.change is Change.UNCHANGED and after and after == before:
        return one_line(f"Same: {after}")
    return one_line(after)


def verdicts_words(case: ComparedCase) -> str:
    """Its verdict before and after, in one run alone that one; of repeats the worst, and how many passed."""
    return " → ".join(filter(None, map(_verdict_words, (case.base, case.new))))


def _verdict_words(verdicts: Sequence[CaseVerdict]) -> str:
    status = status_of(verdicts)
    if status is None:
        return ""
    passed = f" ({passes(verdicts):,} of {decided(verdicts):,} passed)" if len(verdicts) > 1 else ""
    return f"{words(status)}{passed}"


def deciding_scores(case: ComparedCase) -> Iterator[tuple[str, float, float]]:
    """Each criterion that decided in either run, with its mean score before and after, where both have one."""
    for name in {**decisive(case.base), **decisive(case.new)}:
        before, after = scores_of(case, name)
        if before is not None and after is not None:
            yield name, before, after


def score_lines(case: ComparedCase) -> list[str]:
    """The scores of criteria that decided, as far as they changed."""
    return [
        f"{one_line(name, _NAME_CHARS)} {change_text(before, after)}"
        for name, before, after in deciding_scores(case)
        if not is_alike(before, after)
    ]


def seconds_words(seconds: Seconds) -> str:
    """How long its median turn took before and after; "" where neither run tells."""
    if seconds == (None, None):
        return ""
    before, after = (
        "not known" if side_seconds is None else f"{number_text(side_seconds)} s" for side_seconds in seconds
    )
    return f"{before} → {after} a turn"


def case_summary(case: ComparedCase, seconds: Seconds) -> str:
    """All of that in one line."""
    return "; ".join(
        filter(None, (verdicts_words(case), what_changed(case), *score_lines(case), seconds_words(seconds)))
    )


def _first(verdicts: Sequence[CaseVerdict]) -> str:
    status = status_of(verdicts)
    if status in (Status.PASSED, Status.FAILED):
        return one_line("; ".join(filter(None, ("First run of this case", _often(verdicts)))))
    why = verdicts[0].reason or next(iter(verdicts[0].hides), "")
    return one_line(f"First run of this case, not decided: {why}" if why else "First run of this case, not decided")


def _of_repeats(change: Change, before: str, after: str) -> str:
    """What fails now; where all pass, what no longer does."""
    if not after:
        return f"No longer: {before}" if before else ""
    if change is Change.IMPROVED:
        return f"Still: {after}"
    return f"Same: {after}" if change is Change.UNCHANGED and after == before else after


def _often(verdicts: Sequence[CaseVerdict]) -> str:
    """What fails first in most of the repeats that fail."""
    counts = Counter(filter(None, map(_trouble, verdicts)))
    return next((trouble for trouble, _count in counts.most_common(1)), "")


def _trouble(verdict: CaseVerdict) -> str:
    """The first thing that failed: of the turns, else of the whole."""
    for trouble in _in_turns(verdict.turns):
        return trouble
    if verdict.missing_turns:
        return f"Turn {verdict.missing_turns[0] + 1} is missing"
    for metric in verdict.metrics:
        if metric.status in _BAD:
            return _of_metric(metric)
    return verdict.reason if verdict.status in _BAD else ""


def _in_turns(turns: Sequence[TurnVerdict]) -> Iterator[str]:
    for turn in turns:
        if turn.status in _BAD:
            number = turn.index if turn.index is not None else turn.golden_index
            head = f"Turn {number + 1}: " if number is not None else ""
            metric = next((metric for metric in turn.metrics if metric.status in _BAD), None)
            yield head + (_of_metric(metric) if metric is not None else turn.reason or "failed")


def _of_metric(metric: MetricVerdict) -> str:
    if metric.reason:
        return f"{metric.reason} ({metric.metric})"
    score = "no score" if metric.score is None else f"{metric.score:.2f}"
    needs = "" if metric.threshold is None else f", needs {metric.threshold:g}"
    return f"{metric.metric} {score}{needs}"


def _mean(verdicts: Sequence[CaseVerdict], name: str) -> float | None:
    values = scores(verdicts, name)
    return statistics.fmean(values) if values else None
