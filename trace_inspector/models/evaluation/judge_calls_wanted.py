"""The judge calls to show: those of the selected turn, of its case, or of the whole run."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from msgspec import Struct

from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, TurnVerdict
from trace_inspector.flows.judges.selection import RECORDED
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.evaluation.current_run import CurrentRun
from trace_inspector.models.files.files import Files
from trace_inspector.work.runs.judge_calls import ListCalls, Question

MOST_QUESTIONS = 300  # listed at once


class CallScope(enum.Enum):
    """The part of the run whose calls are shown."""

    TURN = "turn"
    CASE = "case"
    RUN = "run"


class FirstCalls(Struct, frozen=True):
    """The request for the first calls, and the total number of questions."""

    request: ListCalls
    total: int = 0
    started_s: float = 0.0  # when the run started: replies to earlier calls were stored then


def looked_at(
    files: Files, run: CurrentRun | None, replies: Path | None, selection: Selection | None, share: CallScope
) -> FirstCalls:
    """The questions of the selection in this run; `replies` is the available file of recorded replies."""
    if run is None:
        return FirstCalls(ListCalls(()))
    recorded = _recorded(replies, run)
    cases = run.cases if share is CallScope.RUN else _cases(files, run, selection)
    turn = _turn(files, run, selection) if share is CallScope.TURN else None
    every = _questions(cases, turn, anything=bool(recorded))
    questions = tuple(islice(every, MOST_QUESTIONS))
    total = len(questions) + sum(1 for _question in every)
    head = run.verdict or run.head
    return FirstCalls(ListCalls(questions, recorded), total, head.started_s if head is not None else 0.0)


def _cases(files: Files, run: CurrentRun, selection: Selection | None) -> Sequence[CaseVerdict]:
    file = files.get(selection.file) if selection else None
    if selection is None or file is None or selection.row < 0:
        return ()
    verdicts = run.on(file)
    cases = verdicts.cases(file.table.top_of(selection.row))
    turn = _turn(files, run, selection)
    own = [case for case in cases if turn is None or any(judged is turn for judged in case.turns)]
    return own or cases


def _turn(files: Files, run: CurrentRun, selection: Selection | None) -> TurnVerdict | None:
    file = files.get(selection.file) if selection else None
    if selection is None or file is None or selection.row < 0:
        return None
    verdicts = run.on(file)
    return verdicts.turn(verdicts.turn_of(selection.row))


def _questions(cases: Sequence[CaseVerdict], turn: TurnVerdict | None, *, anything: bool) -> Iterator[Question]:
    for case in cases:
        if turn is None:
            yield from (_question(case, None, metric) for metric in case.metrics if metric.replies)
        for judged in case.turns:
            if turn is None or judged is turn:
                yield from (
                    _question(case, judged.index, metric)
                    for metric in judged.metrics
                    if metric.replies or (anything and (metric.votes or metric.rubrics))
                )


def _question(case: CaseVerdict, turn: int | None, metric: MetricVerdict) -> Question:
    rubrics = tuple((rubric.rubric_id, rubric.text) for rubric in metric.rubrics)
    return Question(metric.metric, case.case_id, turn, metric.replies, rubrics)


def _recorded(replies: Path | None, run: CurrentRun) -> str:
    """The file of recorded replies that judged the run, when one did."""
    if run.order is not None:
        return run.order.judge.recorded if run.order.judge.kind == RECORDED else ""
    notes = run.verdict.notes if run.verdict is not None else ()
    by_it = replies is not None and any("recorded replies" in note and replies.name in note for note in notes)
    return str(replies) if by_it else ""
