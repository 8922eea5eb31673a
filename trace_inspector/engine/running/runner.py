"""From traces and goldens to verdicts: a plan of independent work items."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import zip_longest
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.alignment.turn_alignment import TurnPair, align_turns
from trace_inspector.core.errors import InspectorError
from trace_inspector.core.golden.golden import Case, with_rubrics
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.trace import Trace, kept_by_adk
from trace_inspector.core.verdict.case_key import CaseKey
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, Status
from trace_inspector.engine.criteria.case_verdict import Frame, compose_case
from trace_inspector.engine.criteria.rules import rules_named
from trace_inspector.engine.judges.questions.side_by_side import side_by_side
from trace_inspector.engine.pairing.pairing import TraceFile, TraceLocation
from trace_inspector.engine.running.judging import EVERYBODY, NOBODY, answered, criterion_rounds
from trace_inspector.engine.scoring.metric import (
    ANSWERING,
    CannotJudge,
    Judge,
    Judged,
    Metric,
    PairedTurn,
    Rounds,
    Subject,
    metric_for,
)

if TYPE_CHECKING:
    from trace_inspector.core.verdict.parting import Parting


def pair_rows(case: Case | None, trace: Trace, rules: str) -> tuple[PairedTurn, ...]:
    """Pairs golden and observed turns. A scenario has no golden turns; ADK pairs by position."""
    golden = case.turns if case is not None and case.scenario is None else ()
    observed = trace.turns
    if rules == "adk":
        golden, observed = tuple(map(kept_by_adk, golden)), tuple(map(kept_by_adk, observed))
    if rules_named(rules).by_position:
        return tuple(
            PairedTurn(golden_turn, observed_turn) for golden_turn, observed_turn in zip_longest(golden, observed)
        )
    pairs = align_turns(golden, observed) if golden else [TurnPair(None, index) for index in range(len(observed))]
    return tuple(
        PairedTurn(
            None if pair.golden is None else golden[pair.golden],
            None if pair.observed is None else observed[pair.observed],
        )
        for pair in pairs
    )


def with_case_rubrics(case: Case | None, rows: tuple[PairedTurn, ...]) -> tuple[PairedTurn, ...]:
    """Rows whose observed turns carry their own rubrics, then those of the case, then those of the golden turn."""
    if case is None or not (case.rubrics or any(row.golden and row.golden.rubrics for row in rows)):
        return rows
    return tuple(
        row if row.observed is None else replace(row, observed=with_rubrics(row.observed, case, row.golden))
        for row in rows
    )


def adk_refusal(case: Case | None, rows: tuple[PairedTurn, ...]) -> str:
    """Why ADK would not judge this case at all, "" when it would."""
    for row in with_case_rubrics(case, rows):
        ids = Counter(rubric.id for rubric in (row.observed.rubrics if row.observed else ()))
        repeated = next((name for name, count in ids.items() if count > 1), None)
        if repeated is not None:
            return f"the rubric id “{repeated}” is used twice; ADK does not judge such a case"
    return ""


class WorkItem(Struct, frozen=True):
    """One case and one trace: all that its verdict needs, picklable for another process.

    Either side may be missing. With `elsewhere` only an outline of the trace is in memory until it is fetched;
    `problem` is the reason where that failed.
    """

    case: Case | None
    trace: Trace | None
    criteria: tuple[Criterion, ...]
    frame: Frame
    elsewhere: TraceLocation | None = None
    problem: str = ""


def key_of_item(item: WorkItem) -> CaseKey:
    """The key that the verdict of an item will have."""
    case, trace, frame = item.case, item.trace, item.frame
    seen = (frame.trace_path, trace.place, trace.id) if trace else ("", "", None)
    if case is not None:
        return frame.golden_path, case.place, case.suite_id, case.id, *seen
    named = (trace.suite_id or "", trace.case_id or trace.id) if trace else ("", "")
    return "", "", *named, *seen


def fetched(items: Iterable[WorkItem]) -> Iterator[WorkItem]:
    """Items with their traces. A file is read for the first of its items, and released after the last."""
    for file, group in itertools.groupby(items, _file):
        if file is None:
            yield from group
            continue
        try:
            traces: Sequence[Trace] = file.traces()
        except InspectorError as problem:
            yield from (replace(item, elsewhere=None, problem=str(problem)) for item in group)
            continue
        for item in group:
            trace = traces[item.elsewhere.number] if item.elsewhere else item.trace
            yield replace(item, trace=trace, elsewhere=None)
        traces = ()


def _file(item: WorkItem) -> TraceFile | None:
    return item.elsewhere.file if item.elsewhere else None


def run(
    items: Sequence[WorkItem],
    metrics: Sequence[Metric],
    *,
    judge: Judge | None = None,
    cancelled: Callable[[], bool] = lambda: False,
    without: Mapping[str, str] | None = None,
) -> Iterator[CaseVerdict]:
    """The verdicts in the order of the items, here and now; fewer when cancelled.

    `without` gives the reason for everything that a metric may need and that is not available.
    """
    for item in fetched(items):
        if cancelled():
            return
        yield judge_item(item, metrics, judge, without, in_two=True)


def judge_item(
    item: WorkItem,
    metrics: Sequence[Metric],
    judge: Judge | None = None,
    without: Mapping[str, str] | None = None,
    *,
    in_two: bool = False,
) -> CaseVerdict:
    """The verdict of one item. Faults of metrics and traces become verdicts, never exceptions.

    `in_two`: a second process may share the work, as no other is at work on the run.
    """
    if without is None:
        without = EVERYBODY if judge else NOBODY
    return answered(item_rounds(item, metrics, without, one_by_one=True, in_two=in_two), judge)


def item_rounds(
    item: WorkItem, metrics: Sequence[Metric], without: Mapping[str, str], *, one_by_one: bool, in_two: bool = False
) -> Rounds[CaseVerdict]:
    """The questions of an item to a judge, round by round, and its verdict at the end."""
    if item.problem:
        return broken(item, item.problem)
    if item.trace is None:
        return _undecided(item, "no trace was recorded for this case", Status.NOT_EVALUATED)
    rules = item.frame.rules
    rows = pair_rows(item.case, item.trace, rules)
    if rules == "adk" and item.case is not None and not item.trace.turns and item.case.turns:
        reason = "the trace holds no turn: for ADK the agent’s run failed"
        return replace(_undecided(item, reason, Status.FAILED), metrics=())
    refusal = adk_refusal(item.case, rows) if rules == "adk" else ""
    if refusal:
        return _undecided(item, refusal, Status.NOT_EVALUATED)
    answers = ANSWERING - without.keys()
    rows_judged = with_case_rubrics(item.case, rows)
    subject = Subject(rows_judged, item.trace, item.case, rules, one_by_one, item.criteria, answers, in_two=in_two)
    judged = yield from _each_criterion(subject, metrics, without)
    return compose_case(item.case, item.trace, rows, judged, item.frame)


def _each_criterion(subject: Subject, metrics: Sequence[Metric], without: Mapping[str, str]) -> Rounds[list[Judged]]:
    """The results of all criteria: most side by side, then one by one those that read the others' results."""
    rank = {metric.name: index for index, metric in enumerate(metrics) if metric.after_others}
    criteria = subject.criteria
    first = [index for index, criterion in enumerate(criteria) if criterion.metric not in rank]
    lines = [criterion_rounds(criteria[index], subject, metrics, without) for index in first]
    judged = dict(zip(first, (yield from side_by_side(lines, one_by_one=subject.one_by_one)), strict=True))
    for index in sorted(set(range(len(criteria))) - judged.keys(), key=lambda index: rank[criteria[index].metric]):
        after = replace(subject, earlier=tuple(judged.values()))
        judged[index] = yield from criterion_rounds(criteria[index], after, metrics, without)
    return [judged[index] for index in range(len(criteria))]


def partings(item: WorkItem, metrics: Sequence[Metric]) -> Iterator[Parting]:
    """Where turns that still run part from the golden, by the criteria that decide; no verdict."""
    if item.case is None or item.trace is None:
        return
    rows = pair_rows(item.case, item.trace, item.frame.rules)
    subject = Subject(rows, item.trace, item.case, item.frame.rules, criteria=item.criteria)
    for criterion in item.criteria:
        metric = metric_for(criterion.metric, metrics)
        find = metric.partings if metric is not None and criterion.threshold is not None else None
        if find is not None:
            with suppress(CannotJudge):  # which the verdict says, when there is one
                yield from find(subject, criterion)


def waiting(item: WorkItem, reason: str) -> CaseVerdict:
    """The verdict of an item that was not judged yet and may be later."""
    return _undecided(item, reason, Status.PENDING)


def broken(item: WorkItem, reason: str) -> CaseVerdict:
    """The verdict of an item that could not be judged."""
    return _undecided(item, reason, Status.ERROR)


def _undecided(item: WorkItem, reason: str, status: Status) -> CaseVerdict:
    verdicts = tuple(
        MetricVerdict(criterion.metric, None, Status.NOT_EVALUATED, criterion.threshold, reason)
        for criterion in item.criteria
    )
    nothing = compose_case(item.case, item.trace, (), (), item.frame)
    return replace(nothing, status=status, metrics=verdicts, reason=reason)
