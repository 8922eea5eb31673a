"""`html`: the run as one plain page that loads nothing and runs nothing."""

from __future__ import annotations

import heapq
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from functools import partial

from markupsafe import Markup
from msgspec import Struct

from trace_inspector.core.trace.trace import Span, SpanKind, Trace
from trace_inspector.core.verdict.figures import is_summable, percent
from trace_inspector.core.verdict.verdict import CaseVerdict, RunVerdict, Status, unpaired_turns
from trace_inspector.engine.repeats.percentiles import percentiles
from trace_inspector.engine.repeats.repeats import pass_rates, repeats_of, worst_first
from trace_inspector.engine.repeats.repeats_text import failed_turns, passed_words, spread_lines
from trace_inspector.engine.reports.html_case import case_blocks, verdicts_by_name
from trace_inspector.engine.reports.pages import Filter, page
from trace_inspector.engine.reports.report import BROKEN, case_names, tally, words
from trace_inspector.engine.reports.sources import Sources, trace_key
from trace_inspector.engine.reports.titles import titles_of

_KINDS = {SpanKind.TOOL: "tool", SpanKind.MODEL: "model", SpanKind.AGENT: "agent"}
_WORDS = ("guardrail", "callback")  # by which other spans begin that are work of an agent


class WorkTimes(Struct, frozen=True):
    """All timed work of one kind and name."""

    kind: str
    name: str
    count: int
    mean_s: float
    percentiles: tuple[tuple[int, float], ...]


def work_times(traces: Iterable[Trace]) -> tuple[WorkTimes, ...]:
    """One line for each kind and name, what took longest at the ninetieth percentile first."""
    seconds_by_work: dict[tuple[str, str], list[float]] = {}
    for trace in traces:
        for span in (*trace.spans, *(span for turn in trace.turns for span in turn.spans)):
            kind = _work_kind(span)
            if kind and is_summable(span.duration_s):
                seconds_by_work.setdefault((kind, span.name), []).append(span.duration_s)
    lines = [
        WorkTimes(kind, name, len(seconds), statistics.fmean(seconds), tuple(percentiles(sorted(seconds))))
        for (kind, name), seconds in seconds_by_work.items()
    ]
    return tuple(sorted(lines, key=lambda line: (-dict(line.percentiles)[90], line.kind, line.name)))


def _work_kind(span: Span) -> str:
    named = span.name.lower()
    return _KINDS.get(span.kind, "") or next((word for word in _WORDS if named.startswith(word)), "")


_SLOWEST = 5


class Timed(Struct, frozen=True):
    """One turn with its seconds. `derived` where they come from the times of events, not from the file's word."""

    case: int
    turn: int
    seconds: float
    derived: bool


class Latency(Struct, frozen=True):
    """The times of all turns of a run that have one."""

    percentiles: tuple[tuple[int, float], ...]
    slowest: tuple[Timed, ...]
    timed: int
    turns: int
    derived: int


def latency_of(cases: Sequence[CaseVerdict], sources: Sources) -> Latency | None:
    """Percentiles and the slowest turns; None when no turn has a time."""
    timed: list[Timed] = []
    turns = 0
    for number, case in enumerate(cases):
        trace = sources.trace_of(case)
        for turn in trace.turns if trace else ():
            turns += 1
            if is_summable(turn.duration_s):
                timed.append(Timed(number, turn.index, turn.duration_s, "times" in turn.guessed))
    if not timed:
        return None
    seconds = sorted(turn_time.seconds for turn_time in timed)
    slowest = heapq.nlargest(_SLOWEST, timed, key=lambda turn_time: turn_time.seconds)
    derived = sum(turn_time.derived for turn_time in timed)
    return Latency(tuple(percentiles(seconds)), tuple(slowest), len(timed), turns, derived)


_MOST_ROWS = 5_000
_MOST_REPEATS = 500
_MOST_DETAIL_CHARS = 5_000_000  # of all cases together; a browser shows a page of this size without waiting
_MOST_MISSES = 20  # after so many cases that do not fit nobody looks for a smaller one
_MOST_FILTERS = 20
_MOST_KINDS_OF_WORK = 50
_PRESSING = {Status.FAILED: 0, Status.ERROR: 0, Status.PASSED: 2}


def write(run: RunVerdict, sources: Sources) -> str:
    """Filters, the verdict table, times, then each case to unfold; failing ones are open."""
    names = case_names(run.cases, sources)
    failing = _failing(run.cases)
    titles = titles_of(run.cases)
    kinds = partial(_kinds, failing=failing)
    return page(
        "run.html",
        failed_turns=failed_turns,
        pass_rates=pass_rates,
        passed_words=passed_words,
        percent=percent,
        spread_lines=spread_lines,
        tally=tally,
        unpaired_turns=unpaired_turns,
        verdicts_by_name=verdicts_by_name,
        MOST_REPEATS=_MOST_REPEATS,
        MOST_ROWS=_MOST_ROWS,
        MOST_WORK=_MOST_KINDS_OF_WORK,
        title=words(run.status),
        run=run,
        sources=sources,
        started=datetime.fromtimestamp(run.started_s, UTC).strftime("%Y-%m-%d %H:%M:%S UTC"),
        filters=_filters(Counter(case.status for case in run.cases), [titles[metric] for metric in failing]),
        names=names,
        titles=titles,
        kinds=kinds,
        has_reported=any(sources.reported_of(case) for case in run.cases),
        repeats=worst_first(repeats_of(run)),
        latency=latency_of(run.cases, sources),
        work=_work(run.cases, sources),
        details=_details(run.cases, case_blocks(sources, names, kinds)),
    )


def _failing(cases: Sequence[CaseVerdict]) -> list[str]:
    """The criteria that failed somewhere, most often first."""
    counts = Counter(verdict.metric for case in cases for verdict in case.metrics if verdict.status in BROKEN)
    return [metric for metric, _count in counts.most_common(_MOST_FILTERS)]


def _filters(counts: Counter[Status], titles: Sequence[str]) -> list[Filter]:
    return [
        Filter("all", f"all {sum(counts.values())}"),
        *(
            Filter(f"is-{status.value}", f"{words(status)} {counts[status]}", f".{status.value}-case")
            for status in Status
            if counts[status]
        ),
        *(Filter(f"fails-{index}", "fails", f".f{index}", title) for index, title in enumerate(titles)),
    ]


def _kinds(case: CaseVerdict, failing: Sequence[str]) -> str:
    """What the filters go by."""
    broken = {verdict.metric for verdict in case.metrics if verdict.status in BROKEN}
    fails = [f"f{index}" for index, metric in enumerate(failing) if metric in broken]
    return " ".join(["case", f"{case.status.value}-case", *fails])


def _work(cases: Sequence[CaseVerdict], sources: Sources) -> tuple[WorkTimes, ...]:
    """What turns consist of, where the files say how long it took."""
    each = {trace_key(case): case for case in cases}
    return work_times(trace for case in each.values() if (trace := sources.trace_of(case)))


def _details(cases: Sequence[CaseVerdict], block_of: Callable[[CaseVerdict, int], Markup]) -> list[Markup]:
    """The cases in their order. Where not all have room, those that failed go first."""
    blocks: dict[int, Markup] = {}
    room, misses = _MOST_DETAIL_CHARS, 0
    for index in sorted(range(len(cases)), key=lambda index: _PRESSING.get(cases[index].status, 1)):
        block = block_of(cases[index], index)
        if len(block) <= room:
            room -= len(block)
            blocks[index] = block
        elif (misses := misses + 1) >= _MOST_MISSES:
            break
    return [blocks[index] for index in sorted(blocks)]
