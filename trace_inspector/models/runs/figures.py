"""A run's figures in words: as cells of the list and as lines of what is told of one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from trace_inspector.core.verdict.run_summary import CriterionFigures, RunSummary
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.models.base.figures import NOTHING, count_text, score_text, seconds_text, when_text
from trace_inspector.store.runs import RunLine
from trace_inspector.work.runs.run_store import ListedRun

_DECIDED = (Status.PASSED, Status.FAILED, Status.ERROR)
_PERCENTILES = (50, 90, 99)


def name_of(line: RunLine) -> str:
    """What to call a run: by its own name, else by its time."""
    return line.name or when_text(line.started_s)


def files_text(run: ListedRun) -> str:
    """The files by name, the rest by number."""
    more = run.file_count - len(run.files)
    return ", ".join(run.files) + (f" and {more:,} more" if more > 0 else "")


def status_of(line: RunLine) -> Status:
    """As people see it."""
    return line.summary.status if line.summary else line.status


def decided(summary: RunSummary) -> int:
    """How many cases passed, failed or broke."""
    counts = dict(summary.counts)
    return sum(counts.get(status, 0) for status in _DECIDED)


def unchecked(summary: RunSummary) -> int:
    """How many cases nobody decided; never part of the pass rate."""
    return summary.cases - decided(summary)


def passed_text(summary: RunSummary) -> str:
    """28 of 37, 76 %."""
    if summary.pass_rate is None:
        return NOTHING
    passed = dict(summary.counts).get(Status.PASSED, 0)
    return f"{passed:,} of {decided(summary):,}, {percent(summary.pass_rate)}"


def percent(share: float) -> str:
    """Whole percents, never rounded up to a full 100 or down to a 0 that was not reached."""
    whole = round(100 * share)
    if (whole == 100) != (share == 1.0):
        whole = 99
    if (whole == 0) != (share == 0.0):
        whole = 1
    return f"{whole} %"


def mean_text(figures: CriterionFigures) -> str:
    """0.82 ± 0.10"""
    if figures.mean is None:
        return NOTHING
    return f"{score_text(figures.mean)} ± {figures.spread or 0.0:.2f}"


def latency_of(summary: RunSummary, percentile: int) -> float | None:
    """A percentile of the turns' times."""
    return dict(summary.latency).get(percentile)


def latency_text(summary: RunSummary) -> str:
    """p50 4.2 s, p90 7.8 s, p99 11.9 s of 96 of 98 turns."""
    texts = [
        f"p{percentile} {seconds_text(seconds)}"
        for percentile in _PERCENTILES
        if (seconds := latency_of(summary, percentile)) is not None
    ]
    if not texts:
        return ""
    return f"{', '.join(texts)} of {summary.timed_turns:,} of {summary.turns:,} turns"


def tokens_text(summary: RunSummary) -> str:
    """All tokens, and how they divide."""
    texts = [
        f"{count_text(count)} {name}"
        for count, name in ((summary.input_tokens, "in"), (summary.output_tokens, "out"))
        if count is not None
    ]
    if summary.total_tokens is None:
        return ", ".join(texts)
    return f"{summary.total_tokens:,}" + (f" ({', '.join(texts)})" if texts else "")


def criteria_in(lines: Iterable[RunLine], most: int) -> tuple[str, ...]:
    """The criteria that decide in most of these runs, by name; those that only inform are left out."""
    counts: Counter[str] = Counter()
    for line in lines:
        for figures in line.summary.criteria if line.summary else ():
            if figures.passed or figures.failed:
                counts[figures.metric] += 1
    return tuple(name for name, _count in sorted(counts.most_common(most), key=lambda item: (-item[1], item[0])))
