"""The score cell of a row and a criterion: the figure, its mark, and whether it failed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from msgspec import Struct

from trace_inspector.core.alignment.sequence_alignment import Order
from trace_inspector.core.alignment.turn_alignment import CallMatch, CallPair
from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.verdict.verdict import MetricVerdict, SentenceSupport, Status
from trace_inspector.models.base.figures import score_text
from trace_inspector.models.base.file_verdicts import FileVerdicts
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.reported_verdicts import ReportedVerdicts
from trace_inspector.models.base.roles import MARK_OF
from trace_inspector.work.runs.evaluating import MetricLine


class Cell(Struct, frozen=True):
    """A score cell. `mark` is "" for none; `failing` when this figure failed."""

    text: str = ""
    mark: str = ""
    failing: bool = False


EMPTY = Cell()
SHORT = {  # names of criteria where there is no room for their titles
    "tool_trajectory_avg_score": "Calls",
    "response_match_score": "Answer",
    "rubric_based_final_response_quality_v1": "Rubrics",
    "hallucinations_v1": "Support",
}
FAILING = (Status.FAILED, Status.ERROR)
_UNJUDGED = frozenset({SentenceSupport.NOT_APPLICABLE, SentenceSupport.CANNOT_TELL})


Trust: TypeAlias = Callable[[OpenFile, str], str]  # how far a criterion agrees with people, in words


def no_trust(_file: OpenFile, _metric: str) -> str:
    """Nothing is known of any judge."""
    return ""


def full_name(metric: MetricLine) -> str:
    """The tool tip of a narrow header: the short title, and the name in files and commands."""
    return metric.name if metric.title == metric.name else f"{metric.title}, {metric.name}"


def cell_of(verdicts: FileVerdicts, row: int, kind: Kind, metric: MetricLine) -> Cell:
    """The cell of a row in a criterion's column."""
    fill = _CELLS.get(kind)
    return fill(verdicts, row, metric) if fill else EMPTY


def reported_cell(reported: ReportedVerdicts, row: int, kind: Kind, metric: MetricLine) -> Cell:
    """The cell with the score that the file itself reports."""
    verdict = reported_verdict(reported, row, kind, metric)
    return _decided(verdict) if verdict is not None else EMPTY


def reported_verdict(reported: ReportedVerdicts, row: int, kind: Kind, metric: MetricLine) -> MetricVerdict | None:
    """What the file itself reports of a criterion on a trace or turn."""
    of_turn = reported.turn(row) if kind is Kind.TURN else None
    whole = of_turn or (reported.case(row) if kind is Kind.TRACE else None)
    return next((verdict for verdict in whole.metrics if verdict.metric == metric.name), None) if whole else None


def verdict_of(verdicts: FileVerdicts, row: int, metric: MetricLine) -> MetricVerdict | None:
    """The verdict of a criterion on a case, trace or turn."""
    return next((verdict for verdict in verdicts.metrics(row) if verdict.metric == metric.name), None)


def _whole(verdicts: FileVerdicts, row: int, metric: MetricLine) -> Cell:
    verdict = verdict_of(verdicts, row, metric)
    if verdict is None:
        pending = verdicts.status(row) is Status.PENDING
        return Cell("", MARK_OF[Status.PENDING]) if pending else EMPTY
    return _decided(verdict)


def _decided(verdict: MetricVerdict) -> Cell:
    return Cell(score_text(verdict.score), MARK_OF[verdict.status], verdict.status in FAILING)


def _call(verdicts: FileVerdicts, row: int, metric: MetricLine) -> Cell:
    pair_and_verdict = verdicts.call(row)
    if pair_and_verdict is None or pair_and_verdict[1].metric != metric.name:
        return EMPTY
    pair, verdict = pair_and_verdict
    text = _CALL_TEXTS[pair.match](pair)
    return Cell(text, "", pair.match in _DIFFERS and verdict.status is Status.FAILED)


def _missing_call(verdicts: FileVerdicts, row: int, metric: MetricLine) -> Cell:
    verdict = verdict_of(verdicts, verdicts.turn_of(row), metric)
    return Cell("missing") if verdict is not None and verdict.calls else EMPTY


def _answer(verdicts: FileVerdicts, row: int, metric: MetricLine) -> Cell:
    verdict = verdict_of(verdicts, verdicts.turn_of(row), metric)
    if verdict is None or not metric.about_answer:
        return EMPTY
    mark, failing = MARK_OF[verdict.status], verdict.status in FAILING
    if verdict.rubrics:
        return Cell(_share(rubric.score == 1.0 for rubric in verdict.rubrics), mark, failing)
    judged = [sentence.support for sentence in verdict.sentences if sentence.support not in _UNJUDGED]
    if judged:
        return Cell(_share(support is SentenceSupport.SUPPORTED for support in judged), mark, failing)
    return Cell(score_text(verdict.score), mark, failing)


def _share(votes: Iterable[bool]) -> str:
    cast = list(votes)
    return f"{sum(cast)} of {len(cast)}"


def _arguments(pair: CallPair) -> str:
    count = len(pair.differing)
    return f"{count} {'arg' if count == 1 else 'args'}" if count else "arguments"


_DIFFERS = frozenset({CallMatch.ARGUMENTS, CallMatch.RENAMED})

_CALL_TEXTS: dict[CallMatch, Callable[[CallPair], str]] = {
    CallMatch.SAME: lambda pair: "" if pair.order is Order.KEPT else "moved",
    CallMatch.ARGUMENTS: _arguments,
    CallMatch.RENAMED: lambda _pair: "other tool",
    CallMatch.EXTRA: lambda _pair: "extra",
    CallMatch.MISSING: lambda _pair: "missing",
}

_CELLS: dict[Kind, Callable[[FileVerdicts, int, MetricLine], Cell]] = {
    Kind.CASE: _whole,
    Kind.TRACE: _whole,
    Kind.TURN: _whole,
    Kind.MISSING_TURN: _whole,
    Kind.CALL: _call,
    Kind.MISSING_CALL: _missing_call,
    Kind.ANSWER: _answer,
}
