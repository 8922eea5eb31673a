"""A run in figures: how its cases ended, what each criterion gave, how long turns took, and their tokens."""

from __future__ import annotations

import math
import statistics
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from trace_inspector.core.verdict.figures import is_summable
from trace_inspector.core.verdict.overrule import overruled_lines
from trace_inspector.core.verdict.run_summary import CriterionFigures, RunSummary
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, RunVerdict, Status
from trace_inspector.engine.repeats.percentiles import percentiles
from trace_inspector.engine.scoring.metric_names import DURATION, TOKENS

_DECIDED = (Status.PASSED, Status.FAILED, Status.ERROR)


def summarise(run: RunVerdict) -> RunSummary:
    """The figures, from the verdicts alone."""
    counts = Counter(case.status for case in run.cases)
    decided = sum(counts[status] for status in _DECIDED)
    times = sorted(filter(is_summable, (verdict.score for verdict in _of_turns(run.cases, DURATION))))
    tokens = _tokens(run.cases)
    return RunSummary(
        status=run.status,
        criteria_source=run.criteria_source,
        rules=run.rules,
        cases=len(run.cases),
        counts=tuple((status, counts[status]) for status in Status if counts[status]),
        pass_rate=counts[Status.PASSED] / decided if decided else None,
        criteria=tuple(_criteria(run.cases)),
        latency=tuple(percentiles(times)),
        timed_turns=len(times),
        turns=sum(turn.index is not None for case in run.cases for turn in case.turns),
        input_tokens=tokens.get("input_tokens"),
        output_tokens=tokens.get("output_tokens"),
        total_tokens=tokens.get("total_tokens"),
        overruled=sum(len(overruled_lines(case)) for case in run.cases),
        stopped=run.stopped,
    )


def _criteria(cases: Sequence[CaseVerdict]) -> Iterator[CriterionFigures]:
    scores_by_name: dict[str, array[float]] = {}
    counts_by_name: dict[str, Counter[Status]] = {}
    for case in cases:
        for verdict in case.metrics:
            counts_by_name.setdefault(verdict.metric, Counter())[verdict.status] += 1
            scores = scores_by_name.setdefault(verdict.metric, array("d"))
            # A number that says there was nothing to assess, as CES's −1 does, is no score.
            if verdict.status is not Status.NOT_EVALUATED and is_summable(verdict.score):
                scores.append(verdict.score)
    for name, scores in scores_by_name.items():
        counts = counts_by_name[name]
        yield CriterionFigures(
            name,
            statistics.fmean(scores) if scores else None,
            statistics.pstdev(scores) if scores else None,
            len(scores),
            counts[Status.PASSED],
            counts[Status.FAILED],
        )


def _tokens(cases: Sequence[CaseVerdict]) -> dict[str, int]:
    """Sums over all turns, of the kinds that some turn tells."""
    sums: dict[str, int] = {}
    for verdict in _of_turns(cases, TOKENS):
        for name, count in verdict.figures:
            if count is not None and math.isfinite(count):
                sums[name] = sums.get(name, 0) + int(count)
    return sums


def _of_turns(cases: Iterable[CaseVerdict], metric: str) -> Iterator[MetricVerdict]:
    for case in cases:
        for turn in case.turns:
            yield from (verdict for verdict in turn.metrics if verdict.metric == metric)
