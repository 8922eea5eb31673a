"""`html`: the run as one plain page that loads nothing and runs nothing."""

from __future__ import annotations

import heapq
import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from trace_inspector.core.trace.trace import Span, SpanKind, Trace
from trace_inspector.core.verdict.percent import percent
from trace_inspector.core.verdict.summable import is_summable
from trace_inspector.core.verdict.verdict import CaseVerdict, RunVerdict, Status
from trace_inspector.engine.repeats.percentiles import SHARES, percentiles
from trace_inspector.engine.repeats.repeats import Repeats, pass_rates, repeats_of, worst_first
from trace_inspector.engine.repeats.repeats_text import failed_turns, passed_words, spread_lines
from trace_inspector.engine.reports.html_case import case_block
from trace_inspector.engine.reports.html_parts import mark, more, row, score, table, text
from trace_inspector.engine.reports.html_style import Filter, page, style, switches
from trace_inspector.engine.reports.report import case_names, tally, words
from trace_inspector.engine.reports.sources import Sources, trace_key
from trace_inspector.engine.reports.titles import titles_of

_KINDS = {SpanKind.TOOL: "tool", SpanKind.MODEL: "model", SpanKind.AGENT: "agent"}
_WORDS = ("guardrail", "callback")  # by which other spans begin that are work of an agent


@dataclass(frozen=True, slots=True)
class WorkTimes:
    """All timed work of one kind and name."""

    kind: str
    name: str
    count: int
    mean_s: float
    percentiles: tuple[tuple[int, float], ...]


def work_times(traces: Iterable[Trace]) -> tuple[WorkTimes, ...]:
    """One line for each kind and name, what took longest at the ninetieth percentile first."""
    found: dict[tuple[str, str], list[float]] = {}
    for trace in traces:
        for span in (*trace.spans, *(span for turn in trace.turns for span in turn.spans)):
            kind = _work_kind(span)
            if kind and is_summable(span.duration_s):
                found.setdefault((kind, span.name), []).append(span.duration_s)
    lines = [
        WorkTimes(kind, name, len(seconds), statistics.fmean(seconds), tuple(percentiles(sorted(seconds))))
        for (kind, name), seconds in found.items()
    ]
    return tuple(sorted(lines, key=lambda line: (-dict(line.percentiles)[90], line.kind, line.name)))


def _work_kind(span: Span) -> str:
    named = span.name.lower()
    return _KINDS.get(span.kind, "") or next((word for word in _WORDS if named.startswith(word)), "")


_MOST_REPEATS = 500


def repeats_block(repeats: Sequence[Repeats]) -> str:
    """pass@k and pass^k, then each case, what fails first; nothing where no case has repeats."""
    if not repeats:
        return ""
    rates = [
        row(str(one.k), percent(one.at_least_once), percent(one.always), f"{one.cases:,}")
        for one in pass_rates(repeats)
    ]
    listed = worst_first(repeats)
    rows = [_row(one) for one in listed[:_MOST_REPEATS]]
    return (
        "<h2>Repeats</h2>"
        + table(("k", "pass@k: one of k passes", "pass^k: all of k pass", "cases"), rates)
        + table(("case", "", "passed", "turns that failed", "spread"), rows)
        + more(len(listed) - _MOST_REPEATS, of=" of this table")
    )


def _row(repeats: Repeats) -> str:
    return row(
        text(repeats.name, 200),
        '<span class="mark ERROR">flaky</span>' if repeats.is_flaky else "",
        passed_words(repeats),
        "; ".join(failed_turns(repeats)),
        "<br>".join(text(line, 200) for line in spread_lines(repeats)),
    )


_SLOWEST = 5


@dataclass(frozen=True, slots=True)
class Timed:
    """One turn with its seconds. `derived` where they come from the times of events, not from the file's word."""

    case: int
    turn: int
    seconds: float
    derived: bool


@dataclass(frozen=True, slots=True)
class Latency:
    """The times of all turns of a run that have one."""

    percentiles: tuple[tuple[int, float], ...]
    slowest: tuple[Timed, ...]
    timed: int
    turns: int
    derived: int


def latency_of(cases: Sequence[CaseVerdict], sources: Sources) -> Latency | None:
    """Percentiles and the slowest turns; None when no turn has a time."""
    found: list[Timed] = []
    turns = 0
    for number, case in enumerate(cases):
        trace = sources.trace_of(case)
        for turn in trace.turns if trace else ():
            turns += 1
            if is_summable(turn.duration_s):
                found.append(Timed(number, turn.index, turn.duration_s, "times" in turn.guessed))
    if not found:
        return None
    seconds = sorted(one.seconds for one in found)
    slowest = heapq.nlargest(_SLOWEST, found, key=lambda one: one.seconds)
    derived = sum(one.derived for one in found)
    return Latency(tuple(percentiles(seconds)), tuple(slowest), len(found), turns, derived)


_MOST_ROWS = 5_000
_MOST_DETAIL_CHARS = 5_000_000  # of all cases together; a browser shows a page of this size without waiting
_MOST_MISSES = 20  # after so many cases that do not fit nobody looks for a smaller one
_MOST_FILTERS = 20
_MOST_KINDS_OF_WORK = 50
_URGENT = (Status.FAILED, Status.ERROR)
_PRESSING = {Status.FAILED: 0, Status.ERROR: 0, Status.PASSED: 2}


def write(run: RunVerdict, sources: Sources) -> str:
    """Filters, the verdict table, times, then each case to unfold; failing ones are open."""
    counts = Counter(case.status for case in run.cases)
    started = datetime.fromtimestamp(run.started_s, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    names = case_names(run.cases, sources)
    failing = _failing(run.cases)
    titles = titles_of(run.cases)
    filters = _filters(counts, [titles[metric] for metric in failing])
    body = [
        "<header>",
        f"<h1>Trace Inspector: {mark(run.status)}</h1>",
        f"<p>{tally(run.cases)}. {started}.</p>",
        f'<p class="note">Criteria: {text(run.criteria_source)}{text(_rules(run.rules))}.</p>',
        *(f'<p class="note">{text(note)}</p>' for note in run.notes),
        *(['<p class="note">The run was stopped before its end.</p>'] if run.stopped else []),
        switches(filters) if len(filters) > 2 else "",
        "</header>",
        "<main>",
        _overview(run.cases, names, titles, failing, sources),
        repeats_block(repeats_of(run.cases)),
        _times(run.cases, names, sources),
        _work(run.cases, sources),
        *_details(run.cases, names, failing, sources),
        "</main>",
    ]
    return page(f"Trace Inspector: {words(run.status)}", "\n".join(body), style(filters))


def _failing(cases: Sequence[CaseVerdict]) -> list[str]:
    """The criteria that failed somewhere, most often first."""
    found = Counter(verdict.metric for case in cases for verdict in case.metrics if verdict.status in _URGENT)
    return [metric for metric, _count in found.most_common(_MOST_FILTERS)]


def _filters(counts: Counter[Status], titles: Sequence[str]) -> list[Filter]:
    return [
        Filter("all", f"all {sum(counts.values())}"),
        *(
            Filter(f"is-{status.value}", f"{words(status)} {counts[status]}", f".{status.value}-case")
            for status in Status
            if counts[status]
        ),
        *(Filter(f"fails-{at}", f"{text(title)} fails", f".f{at}") for at, title in enumerate(titles)),
    ]


def _kind(case: CaseVerdict, failing: Sequence[str]) -> str:
    """What the filters go by."""
    broken = {verdict.metric for verdict in case.metrics if verdict.status in _URGENT}
    fails = [f"f{at}" for at, metric in enumerate(failing) if metric in broken]
    return f'class="{" ".join(["case", f"{case.status.value}-case", *fails])}"'


def _overview(
    cases: Sequence[CaseVerdict],
    names: Sequence[str],
    titles: Mapping[str, str],
    failing: Sequence[str],
    sources: Sources,
) -> str:
    said = any(sources.reported_of(case) for case in cases)
    rows = []
    for case, name in zip(cases[:_MOST_ROWS], names, strict=False):
        by_name = {verdict.metric: verdict for verdict in case.metrics}
        cells = [text(name, 200), mark(case.status), *([_reported(case, sources)] if said else [])]
        cells += [score(by_name.get(metric)) for metric in titles]
        rows.append(f"<tr {_kind(case, failing)}>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>")
    heads = ("case", "verdict", *(["its file says"] if said else []), *titles.values())
    return table(heads, rows) + more(len(cases) - _MOST_ROWS, "case", " of this table")


def _reported(case: CaseVerdict, sources: Sources) -> str:
    reported = sources.reported_of(case)
    return mark(reported.status) if reported else ""


def _times(cases: Sequence[CaseVerdict], names: Sequence[str], sources: Sources) -> str:
    found = latency_of(cases, sources)
    if found is None:
        return ""
    shares = "; ".join(f"p{share} {seconds:.3g} s" for share, seconds in found.percentiles)
    derived = f", {found.derived:,} of them by the times of events" if found.derived else ""
    slow = "; ".join(f"{text(names[one.case], 80)} turn {one.turn + 1} {one.seconds:.3g} s" for one in found.slowest)
    return (
        f"<h2>Times of turns</h2><p>{shares} ({found.timed:,} of {found.turns:,} turns tell their time{derived}).</p>"
        f"<p>Slowest: {slow}.</p>"
    )


def _work(cases: Sequence[CaseVerdict], sources: Sources) -> str:
    """What turns consist of, where the files say how long it took."""
    each = {trace_key(case): case for case in cases}
    lines = work_times(trace for case in each.values() if (trace := sources.trace_of(case)))
    if not lines:
        return ""
    rows = [
        f"<tr>{''.join(f'<td>{cell}</td>' for cell in (line.kind, text(line.name, 80), f'{line.count:,}'))}"
        + "".join(f"<td>{seconds:.3g} s</td>" for seconds in (line.mean_s, *dict(line.percentiles).values()))
        + "</tr>"
        for line in lines[:_MOST_KINDS_OF_WORK]
    ]
    left = len(lines) - _MOST_KINDS_OF_WORK
    more = f'<p class="note">{left:,} more are left out of this table.</p>' if left > 0 else ""
    heads = ("work", "name", "times", "mean", *(f"p{share}" for share in SHARES))
    return f"<h2>Times of work</h2>{table(heads, rows)}{more}"


def _details(
    cases: Sequence[CaseVerdict], names: Sequence[str], failing: Sequence[str], sources: Sources
) -> Iterator[str]:
    """The cases in their order. Where not all have room, those that failed go first."""
    urgent = sorted(range(len(cases)), key=lambda at: _PRESSING.get(cases[at].status, 1))
    blocks: dict[int, str] = {}
    room, misses = _MOST_DETAIL_CHARS, 0
    for at in urgent:
        block = case_block(cases[at], names[at], _kind(cases[at], failing), sources)
        if len(block) <= room:
            room -= len(block)
            blocks[at] = block
        elif (misses := misses + 1) >= _MOST_MISSES:
            break
    left = len(cases) - len(blocks)
    if left:
        yield (
            f'<p class="note">{left:,} of {len(cases):,} cases are left out below, so that the page stays usable; '
            "those that failed came first. The reports csv and adk hold all of them.</p>"
        )
    yield from (blocks[at] for at in sorted(blocks))


def _rules(rules: str) -> str:
    return f", rules of {rules}" if rules else ""
