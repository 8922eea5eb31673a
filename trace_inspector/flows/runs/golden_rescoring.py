"""Score edited cases again as their run would, without calling a judge."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.alignment.manual_pair import HandPair
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.trace import Trace
from trace_inspector.core.verdict.case_key import key_of
from trace_inspector.core.verdict.stale import stale_verdict
from trace_inspector.core.verdict.verdict import CaseVerdict, RunVerdict, Status
from trace_inspector.engine.pairing.pairing import Golden, Recorded
from trace_inspector.engine.running.planning import plan
from trace_inspector.engine.running.rescoring import rescored
from trace_inspector.engine.running.runner import WorkItem
from trace_inspector.engine.scoring.metric import Metric, metric_for
from trace_inspector.flows.runs.evaluate_files import Ground


class Rejudging(Struct, frozen=True):
    """A verdict of a run with its case and trace, ready to be scored with an edited case.

    `exact`: scoring the unchanged case gives the scores of the run; else something is missing, and none are given.
    """

    run: RunVerdict  # with this one verdict
    item: WorkItem
    exact: bool

    def with_case(self, case: Case, ground: Ground, metrics: Sequence[Metric]) -> CaseVerdict:
        """The verdict on the edited case; metrics that need a judge are PENDING."""
        if case == self.item.case:
            return self.run.cases[0]
        if not self.exact:
            return stale_verdict(self.run.cases[0])
        return rescored(self.run, [(self.item, case)], metrics, ground.without).cases[0]


def rejudging(
    verdict: CaseVerdict, case: Case, trace: Trace, ground: Ground, metrics: Sequence[Metric]
) -> Rejudging | None:
    """A verdict of a run with its case and trace as they were judged; None when it does not belong to these."""
    choices = replace(
        ground.choices,
        cases=(),
        tags=(),
        pairs=(),
        by_hand=(_pair(verdict, case, trace),),
    )
    criteria = ground.criteria.of(key_of(verdict))
    recorded, golden = Recorded(trace, verdict.trace_path), Golden(case, verdict.golden_path)
    planned = plan([recorded], [golden], lambda _golden, _recorded: criteria, choices)
    items = [item for item in planned if item.trace is not None]
    if len(items) != 1 or items[0].case is None:
        return None
    item = replace(items[0], frame=replace(items[0].frame, paired_by=verdict.paired_by))
    run = RunVerdict("", verdict.status, 0.0, ground.choices.rules, "", (verdict,))
    again = rescored(run, [(item, case)], metrics, ground.without).cases[0]
    return Rejudging(run, item, exact=key_of(again) == key_of(verdict) and _same(again, verdict, metrics))


def _pair(verdict: CaseVerdict, case: Case, trace: Trace) -> HandPair:
    return HandPair(verdict.trace_path, trace.place, trace.id, verdict.golden_path, case.place, case.id)


def _same(again: CaseVerdict, verdict: CaseVerdict, metrics: Sequence[Metric]) -> bool:
    """Whether all metrics without a judge have the scores of the run."""
    return _unasked(again, metrics) == _unasked(verdict, metrics)


def _unasked(verdict: CaseVerdict, metrics: Sequence[Metric]) -> list[tuple[str, float | None, Status]]:
    results = []
    for result in (*verdict.metrics, *(result for turn in verdict.turns for result in turn.metrics)):
        metric = metric_for(result.metric, metrics)
        if metric is None or not metric.asks:
            results.append((result.metric, result.score, result.status))
    return results
