"""A run in figures: how its cases ended, what each criterion gave, how long turns took, and their tokens."""

from __future__ import annotations

import math
import statistics
from array import array
from collections import Counter
from collections.abc import Iterator

from trace_inspector.core.verdict.figures import is_summable
from trace_inspector.core.verdict.overrule import overruled_lines
from trace_inspector.core.verdict.run_summary import CriterionFigures, RunSummary
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, RunVerdict, Status
from trace_inspector.engine.repeats.percentiles import percentiles
from trace_inspector.engine.scoring.metric_names import DURATION, TOKENS

_DECIDED = (Status.PASSED, Status.FAILED, Status.ERROR)


def summarise(run: RunVerdict) -> RunSummary:
    """The figures, from the verdicts alone, each of which is looked at once: those of a large run lie on the disk."""
    figures = _Figures()
    for case in run.cases:
        figures.take(case)
    counts, tokens = figures.counts, figures.tokens
    decided = sum(counts[status] for status in _DECIDED)
    times = sorted(figures.times)
    return RunSummary(
        status=run.status,
        criteria_source=run.criteria_source,
        rules=run.rules,
        cases=len(run.cases),
        counts=tuple((status, counts[status]) for status in Status if counts[status]),
        pass_rate=counts[Status.PASSED] / decided if decided else None,
        criteria=tuple(figures.criteria()),
        latency=tuple(percentiles(times)),
        timed_turns=len(times),
        turns=figures.turns,
        input_tokens=tokens.get("input_tokens"),
        output_tokens=tokens.get("output_tokens"),
        total_tokens=tokens.get("total_tokens"),
        overruled=figures.overruled,
        stopped=run.stopped,
    )


class _Figures:
    """What is counted of each case."""

    def __init__(self) -> None:
        self.counts: Counter[Status] = Counter()
        self.times = array("d")
        self.tokens: dict[str, int] = {}  # sums over all turns, of the kinds that some turn tells
        self.turns = self.overruled = 0
        self._scores: dict[str, array[float]] = {}
        self._by_name: dict[str, Counter[Status]] = {}

    def take(self, case: CaseVerdict) -> None:
        """One more case."""
        self.counts[case.status] += 1
        self.overruled += len(overruled_lines(case))
        for verdict in case.metrics:
            self._by_name.setdefault(verdict.metric, Counter())[verdict.status] += 1
            scores = self._scores.setdefault(verdict.metric, array("d"))
            # A number that says there was nothing to assess, as CES's −1 does, is no score.
            if verdict.status is not Status.NOT_EVALUATED and is_summable(verdict.score):
                scores.append(verdict.score)
        for turn in case.turns:
            self.turns += turn.index is not None
            for verdict in turn.metrics:
                self._take_turn(verdict)

    def _take_turn(self, verdict: MetricVerdict) -> None:
        if verdict.metric == DURATION and is_summable(verdict.score):
            self.times.append(verdict.score)
        elif verdict.metric == TOKENS:
            for name, count in verdict.figures:
                if count is not None and math.isfinite(count):
                    self.tokens[name] = self.tokens.get(name, 0) + int(count)

    def criteria(self) -> Iterator[CriterionFigures]:
        """What each criterion gave."""
        for name, scores in self._scores.items():
            counts = self._by_name[name]
            yield CriterionFigures(
                name,
                statistics.fmean(scores) if scores else None,
                statistics.pstdev(scores) if scores else None,
                len(scores),
                counts[Status.PASSED],
                counts[Status.FAILED],
            )
