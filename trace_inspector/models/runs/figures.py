"""A run's figures as text: for cells of the list and lines of the details."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from trace_inspector.core.verdict.figures import percent
from trace_inspector.core.verdict.run_summary import CriterionFigures, RunSummary
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.models.base.figures import NOTHING, count_text, score_text, seconds_text, when_text
from trace_inspector.store.runs import RunLine
from trace_inspector.work.runs.run_store import ListedRun

_DECIDED = (Status.PASSED, Status.FAILED, Status.ERROR)
_PERCENTILES = (50, 90, 99)


def name_of(line: RunLine) -> str:
    """The name of a run, else its time."""
    return line.name or when_text(line.started_s)


def files_text(run: ListedRun) -> str:
    """The first files by name, and the number of the others."""
    more = run.file_count - len(run.files)
    return ", ".join(run.files) + (f" and {more:,} more" if more > 0 else "")


def status_of(line: RunLine) -> Status:
    """The status of a run as shown."""
    return line.summary.status if line.summary else line.status


def decided(summary: RunSummary) -> int:
    """How many cases passed, failed or had errors."""
    counts = dict(summary.counts)
    return sum(counts.get(status, 0) for status in _DECIDED)


def unchecked(summary: RunSummary) -> int:
    """How many cases are undecided; they never count in the pass rate."""
    return summary.cases - decided(summary)


def passed_text(summary: RunSummary) -> str:
    """28 of 37, 76 %."""
    if summary.pass_rate is None:
        return NOTHING
    passed = dict(summary.counts).get(Status.PASSED, 0)
    return f"{passed:,} of {decided(summary):,}, {percent(summary.pass_rate)}"


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
    """The total of tokens, and how many were input and output."""
    texts = [
        f"{count_text(count)} {name}"
        for count, name in ((summary.input_tokens, "in"), (summary.output_tokens, "out"))
        if count is not None
    ]
    if summary.total_tokens is None:
        return ", ".join(texts)
    return f"{summary.total_tokens:,}" + (f" ({', '.join(texts)})" if texts else "")


def criteria_in(lines: Iterable[RunLine], most: int) -> tuple[str, ...]:
    """The criteria that decide in most of these runs, by name, without those that only inform."""
    counts: Counter[str] = Counter()
    for line in lines:
        for figures in line.summary.criteria if line.summary else ():
            if figures.passed or figures.failed:
                counts[figures.metric] += 1
    return tuple(name for name, _count in sorted(counts.most_common(most), key=lambda item: (-item[1], item[0])))
