"""Two runs compared in a child: both are read there, and come back as lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from trace_inspector.core.verdict.verdict import CaseVerdict, Status
from trace_inspector.engine.run_comparison.change_group import Group
from trace_inspector.work.processes.child import Channel
from trace_inspector.work.runs.comparison_messages import (
    CaseLine,
    CaseLines,
    CaseSide,
    CriterionChange,
    PairHead,
    RankChange,
    RunSide,
    Tally,
    Wavering,
)

if TYPE_CHECKING:
    from trace_inspector.engine.repeats.significance import Interval
    from trace_inspector.engine.run_comparison.compared_case import ComparedCase
    from trace_inspector.engine.run_comparison.compared_criteria import ComparedCriterion
    from trace_inspector.engine.run_comparison.comparison import RunsCompared

LINES_A_MESSAGE = 100
MOST_COLUMNS = 4


def compare_pair(channel: Channel, base: RunSide, new: RunSide, codebook: Path | None = None) -> None:
    """In the child: the head first, then all cases."""
    from trace_inspector.flows.review.judged_comparison import compare_judged
    from trace_inspector.work.runs.comparison_requests import in_groups

    compared = compare_judged(base.name, new.name, codebook=codebook)
    columns = _columns(compared)
    lines = in_groups(list(_lines(compared, columns)))
    channel.send(_head(compared, lines, columns))
    for first in range(0, len(lines), LINES_A_MESSAGE):
        channel.send(CaseLines(tuple(lines[first : first + LINES_A_MESSAGE])))


def save_pair(
    _channel: Channel, kind: str, path: str, base: RunSide, new: RunSide, codebook: Path | None = None
) -> None:
    """In the child: a report of the comparison, under the names that people know."""
    from trace_inspector.engine.redaction.options import Redaction
    from trace_inspector.flows.review.judged_comparison import compare_judged
    from trace_inspector.flows.runs.redacted_reports import OF_RUNS, redacted_reports
    from trace_inspector.flows.runs.requested_reports import RequestedReport

    compared = compare_judged(base.name, new.name, codebook=codebook)
    compared = replace(compared, base=base.title, new=new.title)
    report = RequestedReport(kind, Path(path))
    reports = redacted_reports(Redaction(), kind)
    reports.save(report, OF_RUNS[kind], reports.runs(compared), compared.inputs)


def _columns(compared: RunsCompared) -> tuple[str, ...]:
    """The criteria that decided most often, in the order of the table of criteria."""
    decides = Counter(
        metric.metric
        for case in compared.runs.cases
        for verdict in (*case.base, *case.new)
        for metric in verdict.metrics
        if metric.status in (Status.PASSED, Status.FAILED)
    )
    deciding = [criterion.metric for criterion in compared.runs.criteria if decides[criterion.metric]]
    most = sorted(deciding, key=lambda name: -decides[name])[:MOST_COLUMNS]
    return tuple(name for name in deciding if name in most)


def _lines(compared: RunsCompared, columns: Sequence[str]) -> Iterator[CaseLine]:
    from trace_inspector.engine.run_comparison.case_text import group_of, scores_of, what_changed

    for case, seconds in zip(compared.runs.cases, compared.seconds, strict=True):
        yield CaseLine(
            case.name,
            group_of(case),
            _side(case.base),
            _side(case.new),
            what_changed(case),
            tuple(scores_of(case, name) for name in columns),
            seconds,
        )


def _side(verdicts: Sequence[CaseVerdict]) -> CaseSide:
    """The verdict shown for several repeats: the first that failed."""
    from trace_inspector.engine.run_comparison.case_text import status_of
    from trace_inspector.engine.run_comparison.compared_case import decided, passes

    if not verdicts:
        return CaseSide()
    verdict_shown = next((verdict for verdict in verdicts if verdict.status is Status.FAILED), verdicts[0])
    share = f"{passes(verdicts):,} of {decided(verdicts):,}" if len(verdicts) > 1 else ""
    return CaseSide(
        status_of(verdicts), share, verdict_shown.trace_path, verdict_shown.trace_place, verdict_shown.trace_id or "",
        verdict_shown.golden_path, verdict_shown.golden_place, verdict_shown.case_id,
    )  # fmt: skip


def _head(compared: RunsCompared, lines: Sequence[CaseLine], columns: tuple[str, ...]) -> PairHead:
    from trace_inspector.engine.repeats.significance import as_float
    from trace_inspector.engine.run_comparison.as_text import repeat_lines
    from trace_inspector.work.runs.comparison_requests import orders_of

    comparison = compared.runs
    counts = Counter(line.group for line in lines)
    cases = comparison.cases
    return PairHead(
        tuple((group, counts[group]) for group in Group),
        sum(line.group is Group.UNCHANGED and line.new.status is Status.PASSED for line in lines),
        _tally(cases, new=False),
        _tally(cases, new=True),
        comparison.chance,
        tuple(
            CriterionChange(
                criterion.metric, criterion.cases, criterion.base, criterion.new, *_bounds(criterion.interval),
                _is_score(criterion), as_float(criterion.chance),
            )
            for criterion in comparison.criteria
        ),
        tuple(
            RankChange(
                change.name, change.base_ranks, change.new_ranks,
                (change.base_told.count, change.base_told.of), (change.new_told.count, change.new_told.of),
                change.unit,
            )
            for change in compared.measured
        ),
        compared.notes,
        tuple(repeat_lines(compared)),
        columns,
        orders_of(lines, len(columns)),
        shares=comparison.shares,
        wavering=(_wavering([case.base for case in cases]), _wavering([case.new for case in cases])),
        judges=compared.judges,
        modes=compared.modes,
    )  # fmt: skip


def _is_score(criterion: ComparedCriterion) -> bool:
    """As its description says; of a criterion that is not known here, as its figures look."""
    from trace_inspector.engine.metrics import METRICS
    from trace_inspector.engine.scoring.metric import metric_for

    metric = metric_for(criterion.metric, METRICS)
    if metric is not None:
        return metric.range == (0.0, 1.0)
    return all(0.0 <= mean <= 1.0 for mean in (criterion.base, criterion.new))


def _bounds(interval: Interval | None) -> tuple[float | None, float | None]:
    return (interval.low, interval.high) if interval is not None else (None, None)


def _tally(cases: Sequence[ComparedCase], *, new: bool) -> Tally:
    from trace_inspector.engine.run_comparison.compared_case import decided, passes

    verdicts = [verdict for case in cases for verdict in (case.new if new else case.base)]
    return Tally(len(verdicts), decided(verdicts), passes(verdicts))


def _wavering(cases: Sequence[Sequence[CaseVerdict]]) -> Wavering:
    from trace_inspector.engine.repeats.repeats import flips
    from trace_inspector.engine.run_comparison.compared_case import decided, pass_share

    flipped = flips(verdict for case in cases for verdict in case)
    repeated = [case for case in cases if decided(case) > 1]
    changed = sum(pass_share(case) not in (0.0, 1.0) for case in repeated)
    return Wavering(flipped.votes, flipped.flipped, len(repeated), changed)
