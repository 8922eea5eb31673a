"""Updates a run after an edit of a golden: edited cases are judged again, without asking a judge."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.trace import Turn
from trace_inspector.core.verdict.case_key import key_of
from trace_inspector.core.verdict.stale import STALE
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, RunVerdict, Status, compose
from trace_inspector.engine.criteria.criteria import as_given, for_case
from trace_inspector.engine.running.judging import EVERYBODY, answered
from trace_inspector.engine.running.runner import WorkItem, fetched, item_rounds, key_of_item
from trace_inspector.engine.scoring.metric import Ask, Judged, Metric, PairedTurn, Subject, metric_for


def rescored(
    run: RunVerdict,
    edits: Iterable[tuple[WorkItem, Case]],
    metrics: Sequence[Metric],
    without: Mapping[str, str] = EVERYBODY,
) -> RunVerdict:
    """The run with edited cases instead of those in its items; a case with several traces is an edit of each.

    A judge's verdict is kept where it would be asked the same again, and is PENDING where not. Traces are not paired
    again. The caller applies overrules of edited cases again.
    """
    cases = list(run.cases)
    indexes = {key_of(verdict): index for index, verdict in enumerate(cases)}
    for item, case in edits:
        index = indexes.get(key_of_item(item))
        if index is not None:  # a cancelled run has no verdict on some of its items
            (before,) = fetched([item])
            cases[index] = _again(cases[index], before, with_case(before, case), metrics, without)
    return replace(run, cases=tuple(cases), status=compose(verdict.status for verdict in cases))


def with_case(item: WorkItem, case: Case) -> WorkItem:
    """The item with its edited case, and the criteria that the case's matchers require now."""
    return replace(item, case=case, criteria=for_case(as_given(item.criteria), case, item.frame.rules))


def _again(
    old: CaseVerdict, before: WorkItem, after: WorkItem, metrics: Sequence[Metric], without: Mapping[str, str]
) -> CaseVerdict:
    judged = [metric for metric in metrics if metric.asks]
    asking = [criterion for criterion in before.criteria if metric_for(criterion.metric, judged)]
    recorder = _Recorder()
    _verdict(replace(before, criteria=tuple(asking)), metrics, without, recorder.take)
    verdict = _verdict(after, metrics, without, _EarlierVerdicts(old, recorder.asked).take)
    stale = [f"{metric.metric}: {metric.reason}" for metric in verdict.metrics if metric.status is Status.PENDING]
    return replace(verdict, hides=(*verdict.hides, *stale), repeat=old.repeat)


_Take: TypeAlias = Callable[[Subject, Criterion, tuple[Ask, ...]], Judged]


def _verdict(item: WorkItem, metrics: Sequence[Metric], without: Mapping[str, str], take: _Take) -> CaseVerdict:
    """The verdict of an item, with `take` in place of metrics that would ask a judge."""
    silent = [_silent(metric, take) if metric.asks else metric for metric in metrics]
    return answered(item_rounds(item, silent, without, one_by_one=False), None)


def _silent(metric: Metric, take: _Take) -> Metric:
    def judge(subject: Subject, criterion: Criterion) -> Judged:
        outcome = metric.judge(subject, criterion)
        if isinstance(outcome, Judged):
            return outcome
        try:
            questions = next(outcome)
            while not questions:
                questions = outcome.send(())
        except StopIteration as end:
            judged: Judged = end.value
            return judged
        return take(subject, criterion, questions)

    return replace(metric, load=lambda: replace(metric.load(), judge=judge))


class _Asked(Struct, frozen=True):
    """The first questions of a criterion, the rows of its turns, and the golden turns that it scores without asking.

    Equal values before and after an edit mean that the judge would see the same, so its verdict is still valid."""

    criterion: Criterion
    rows: tuple[tuple[int | None, int | None], ...]
    missing: tuple[Turn | None, ...]
    questions: tuple[Ask, ...]


def _asked(subject: Subject, criterion: Criterion, questions: tuple[Ask, ...]) -> _Asked:
    rows = tuple(
        (row.golden.index if row.golden else None, row.observed.index if row.observed else None)
        for row in subject.turns
    )
    missing = tuple(None if row.observed else row.golden for row in subject.turns)
    return _Asked(criterion, rows, missing, questions)


class _Recorder(Struct):
    """Records what would be asked."""

    asked: list[_Asked] = field(default_factory=list)

    def take(self, subject: Subject, criterion: Criterion, questions: tuple[Ask, ...]) -> Judged:
        self.asked.append(_asked(subject, criterion, questions))
        return _pending(subject.turns, criterion)


class _EarlierVerdicts(Struct, frozen=True):
    """Returns the earlier verdict to a criterion that asks the same again."""

    old: CaseVerdict
    asked: list[_Asked]

    def take(self, subject: Subject, criterion: Criterion, questions: tuple[Ask, ...]) -> Judged:
        earlier = [verdict for verdict in self.old.metrics if verdict.metric == criterion.metric]
        same = _asked(subject, criterion, questions) in self.asked
        if not same or len(earlier) != 1 or len(self.old.turns) != len(subject.turns):
            return _pending(subject.turns, criterion)
        turns = (
            next((verdict for verdict in turn.metrics if verdict.metric == criterion.metric), None)
            for turn in self.old.turns
        )
        return Judged(earlier[0], tuple(turns))


def _pending(rows: Sequence[PairedTurn], criterion: Criterion) -> Judged:
    verdict = MetricVerdict(criterion.metric, None, Status.PENDING, criterion.threshold, STALE)
    return Judged(verdict, tuple(verdict if row.observed else None for row in rows))
