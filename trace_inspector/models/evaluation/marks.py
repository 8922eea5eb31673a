"""The mark of a row: a table with one function for each kind of row that has verdicts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from trace_inspector.core.alignment.sequence_alignment import Order
from trace_inspector.core.alignment.turn_alignment import CallMatch, CallPair
from trace_inspector.core.rows.rows import Flag, Kind
from trace_inspector.core.verdict.verdict import MetricVerdict, SentenceSupport, Status, compose
from trace_inspector.models.base.file_verdicts import FileVerdicts
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.roles import MARK_OF, MARK_OF_SUPPORT
from trace_inspector.models.evaluation.current_run import CurrentRun
from trace_inspector.models.evaluation.sentence_verdicts import sentence_verdicts

DECIDED_KINDS = frozenset({Kind.SUITE, Kind.CASE, Kind.RUNS, Kind.TRACE, Kind.TURN, Kind.MISSING_TURN})
JUDGED_KINDS = (DECIDED_KINDS - {Kind.MISSING_TURN}) | {Kind.EVENT, Kind.CALL, Kind.ANSWER}  # those of a file's rows
# The worst first: the worst sentence of an answer decides its mark.
_UNDECIDED = ("", "pending", "none")
_WORST_CALLS = ("failed", "differs", "extra", "passed")
_TELLING = (
    (SentenceSupport.CONTRADICTORY, "no"),
    (SentenceSupport.UNSUPPORTED, "unsupported"),
    (SentenceSupport.DISPUTED, "disputed"),
)


def mark_of(file: OpenFile, row: int, run: CurrentRun | None) -> str:
    """The name of a row's mark, "" for rows without verdicts."""
    judge = _MARKS.get(file.table.kind(row))
    if judge is not None and run is not None:
        return judge(run.on(file), row, run)
    if run is None and (status := file.reported.status(row)) is not None:
        return MARK_OF[status]
    return "warning" if file.table.flag(row) & Flag.ERROR else ""


def shown_mark(file: OpenFile, row: int, run: CurrentRun | None) -> str:
    """What stands at a row: its mark, or, while nothing is decided, that a turn that runs parts from its golden.

    That is no verdict, so whatever counts or filters verdicts goes by `mark_of`.
    """
    mark = mark_of(file, row, run)
    return "parts" if row in file.parted and mark in _UNDECIDED else mark


def marks_in(file: OpenFile, turn: int, run: CurrentRun) -> Iterator[tuple[int, str]]:
    """The marks of a turn and the rows in it, in a fraction of the time of `mark_of` row by row."""
    verdicts, table = run.on(file), file.table
    yield turn, _decided(verdicts, turn, run)
    pairs, kinds = verdicts.compared(turn), table.columns.kind
    for row in table.children(turn):
        if kinds[row] == Kind.CALL:
            yield row, _mark_of_pair(pairs.get(table.call_index(row)))
        elif kinds[row] == Kind.ANSWER:
            yield row, _answer(verdicts, row, run)
        elif kinds[row] == Kind.EVENT:
            marks = [(call, _mark_of_pair(pairs.get(table.call_index(call)))) for call in verdicts.calls_in(row)]
            yield from marks
            yield row, _worst(mark for _call, mark in marks)


def _decided(verdicts: FileVerdicts, row: int, _run: CurrentRun) -> str:
    return MARK_OF[verdicts.status(row)]


def _call(verdicts: FileVerdicts, row: int, _run: CurrentRun) -> str:
    return _mark_of_pair(verdicts.call(row))


def _mark_of_pair(pair_and_metric: tuple[CallPair, MetricVerdict] | None) -> str:
    if pair_and_metric is None:
        return ""
    pair, metric = pair_and_metric
    if pair.match in (CallMatch.ARGUMENTS, CallMatch.RENAMED) or pair.order is not Order.KEPT:
        return "failed" if metric.status is Status.FAILED else "differs"
    return {CallMatch.SAME: "passed", CallMatch.EXTRA: "extra"}.get(pair.match, "")


def _event(verdicts: FileVerdicts, row: int, run: CurrentRun) -> str:
    """The worst mark of its calls, so that failures are visible while it is folded."""
    return _worst(_call(verdicts, child, run) for child in verdicts.calls_in(row))


def _worst(marks: Iterable[str]) -> str:
    present = set(marks)
    return next((mark for mark in _WORST_CALLS if mark in present), "")


def _answer(verdicts: FileVerdicts, row: int, run: CurrentRun) -> str:
    metrics = list(verdicts.metrics(verdicts.turn_of(row)))
    labels = {sentence.support for metric in sentence_verdicts(metrics) for sentence in metric.sentences}
    for support, mark in _TELLING:
        if support in labels:
            return mark
    about = [metric.status for metric in metrics if _counts(metric, run)]
    if about:
        return MARK_OF[compose(about)]
    return MARK_OF_SUPPORT[SentenceSupport.CANNOT_TELL] if SentenceSupport.CANNOT_TELL in labels else ""


def _counts(metric: MetricVerdict, run: CurrentRun) -> bool:
    decides = metric.status not in (Status.INFORMATIONAL, Status.SKIPPED)
    return decides and run.metric(metric.metric).about_answer


def _missing(_verdicts: FileVerdicts, _row: int, _run: CurrentRun) -> str:
    return "missing"


_MARKS: dict[Kind, Callable[[FileVerdicts, int, CurrentRun], str]] = {
    **dict.fromkeys(DECIDED_KINDS, _decided),
    Kind.CALL: _call,
    Kind.ANSWER: _answer,
    Kind.EVENT: _event,
    Kind.MISSING_CALL: _missing,
    Kind.MISSING_TURN: _missing,
}
