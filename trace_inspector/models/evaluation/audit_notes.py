"""Notes beside a row's verdict: contradictions in the file's own, what the run's hides, which turns it failed by.

And where there is none yet: what a turn that still runs does otherwise than its golden.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.translatable import N_
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, Status, unpaired, unpaired_turns
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.translation import tr
from trace_inspector.models.evaluation.current_run import CurrentRun

_TOPS = (Kind.CASE, Kind.TRACE)
_TURNS = (Kind.TURN, Kind.MISSING_TURN)
_NOTED = (*_TOPS, Kind.TURN)
_NO_VERDICT = N_("The turn still runs. This is no verdict, and goes where what comes later makes it right.")
_ON_TURNS = {"passed-with-failure": "overall passed"}  # the turn's own mark says that it failed


class Note(Struct, frozen=True):
    """A few words for the row, and sentences for its tool tip."""

    short: str
    sentences: tuple[str, ...]
    mark: str = "warning"

    @property
    def text(self) -> str:
        """All sentences, one a line."""
        return "\n".join(self.sentences)


def note_of(file: OpenFile, row: int, run: CurrentRun | None) -> Note | None:
    """The note on a case, trace or turn. What this run hides comes before what the file reports."""
    kind = file.table.kind(row)
    if (parting := file.parted.get(row)) is not None and kind in (Kind.CALL, Kind.TURN):
        short = tr("parts here") if kind is Kind.CALL else tr("parts at call {0}").format(parting.call + 1)
        return Note(short, (tr("Not as its golden: {0}.").format(parting.sentence), tr(_NO_VERDICT)), "parts")
    if kind not in _NOTED:
        return None
    case = run.on(file).case(row) if run is not None and kind in _TOPS else None
    return (_hidden(case) if case is not None else None) or reported_note(file, row)


def turns_failed_by(file: OpenFile, row: int, run: CurrentRun | None) -> str:
    """The turns that only one side has, where a case, trace or turn failed by them: no score tells of these."""
    kind = file.table.kind(row)
    if kind in _TOPS:
        case = run.on(file).case(row) if run is not None else file.reported.case(row)
        return unpaired_turns(case) if case is not None else ""
    if kind not in _TURNS:
        return ""
    turn = run.on(file).turn(row) if run is not None else file.reported.turn(row)
    return unpaired(turn) if turn is not None else ""


def reported_note(file: OpenFile, row: int) -> Note | None:
    """The contradictions in the verdict that the file reports on the row."""
    odd = file.reported.contradictions(row)
    if not odd:
        return None
    first = _ON_TURNS.get(odd[0].code, "") if file.table.kind(row) is Kind.TURN else ""
    more = f" +{len(odd) - 1}" if len(odd) > 1 else ""
    return Note((first or odd[0].short) + more, tuple(contradiction.sentence for contradiction in odd))


def _hidden(case: CaseVerdict) -> Note | None:
    if case.status is not Status.PASSED or not case.hides:
        return None
    crashed = any(metric.crashed for metric in _metrics(case))
    return Note("a metric broke" if crashed else "not all decided", tuple(_sentence(reason) for reason in case.hides))


def _metrics(case: CaseVerdict) -> Iterator[MetricVerdict]:
    yield from case.metrics
    for turn in case.turns:
        yield from turn.metrics


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:].rstrip(".") + "."
