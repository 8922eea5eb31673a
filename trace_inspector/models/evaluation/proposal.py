"""A preview of an evaluation, computed while a person chooses its options, and the pairs that the person made."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator

from msgspec.structs import astuple, replace
from PySide6.QtCore import QObject, QSettings, Signal

from trace_inspector.core.alignment.manual_pair import HandPair
from trace_inspector.work.processes.jobs import Job, Jobs, JobState
from trace_inspector.work.runs import proposing
from trace_inspector.work.runs.proposing import CandidateCase, CasesListed, PairLine, PairsListed, Proposed
from trace_inspector.work.runs.run_request import RunOrder

PROPOSING = "proposing"
MOST_PAIRS = 2000  # that are remembered
_KEY = "pairs-by-hand"
_FIELDS = 6


class Proposal(QObject):
    """Cases, pairs and costs. `changed` when computing them starts or ends, or a pair was corrected."""

    changed = Signal()
    done = Signal()

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._job = 0
        self._coming: tuple[list[CandidateCase], list[PairLine]] = ([], [])
        self.cases: list[CandidateCase] = []
        self.pairs: list[PairLine] = []
        self.result: Proposed | None = None
        self.sentence = ""  # why there is no proposal

    @property
    def working(self) -> bool:
        """Whether a newer proposal is being computed."""
        return self._job > 0

    def make(self, order: RunOrder, payload: Iterator[bytes]) -> None:
        """Compute it for these files and options; an older computation is cancelled."""
        self._coming = ([], [])
        self._job = self._jobs.start(
            PROPOSING,
            "Preparing the evaluation",
            proposing.propose,
            (order,),
            payload=payload,
            receive=self._take,
            end=self._end,
            latest=True,
        )
        self.changed.emit()

    def refuse(self, sentence: str) -> None:
        """Show why there is no proposal."""
        self.cancel()
        self.cases, self.pairs, self.result, self.sentence = [], [], None, sentence
        self.changed.emit()

    def cancel(self) -> None:
        """Stop computing it."""
        number, self._job = self._job, 0
        if number:
            self._jobs.stop(number)

    def correct(self, row: int, golden: int) -> HandPair:
        """Pair a trace with another case (-1: none), shown at once; costs follow with the next proposal."""
        line = self.pairs[row]
        how = "by hand" if golden >= 0 else "by hand: no case"
        self.pairs[row] = replace(line, golden=golden, how=how)
        self.changed.emit()
        case = self.cases[golden] if golden >= 0 else None
        trace = (line.path, line.place, line.trace_id)
        return HandPair(*trace, case.path, case.place, case.case_id) if case else HandPair(*trace)

    def restore(self, row: int) -> tuple[str, str, str]:
        """Restore the proposed case; returns the trace."""
        line = self.pairs[row]
        self.pairs[row] = replace(line, golden=line.proposed, how=line.proposed_how)
        self.changed.emit()
        return line.path, line.place, line.trace_id

    def _take(self, message: object) -> None:
        match message:
            case CasesListed():
                self._coming[0].extend(message.cases)
            case PairsListed():
                self._coming[1].extend(message.pairs)
            case Proposed():
                self.cases, self.pairs = self._coming
                self.result, self.sentence = message, ""

    def _end(self, job: Job) -> None:
        if job.number != self._job:
            return
        self._job = 0
        if job.state is not JobState.DONE:
            if self._coming[1]:
                self.cases, self.pairs = self._coming
            self.result = None
            self.sentence = job.sentence or "Preparing the evaluation was stopped."
        self.changed.emit()
        self.done.emit()


class RememberedPairs:
    """Pairs that a person made, by trace, in the order of making; the oldest are forgotten first."""

    def __init__(self, settings: QSettings | None = None) -> None:
        self._settings = settings
        self._pairs = {pair.trace: pair for pair in _read_pairs(settings)}

    def of(self, paths: Collection[str]) -> tuple[HandPair, ...]:
        """The pairs of traces in these files."""
        return tuple(pair for pair in self._pairs.values() if pair.trace_path in paths)

    def add(self, pair: HandPair) -> None:
        """Add a pair; it replaces an earlier one of the same trace."""
        self._pairs.pop(pair.trace, None)
        self._pairs[pair.trace] = pair
        for trace in list(self._pairs)[:-MOST_PAIRS]:
            del self._pairs[trace]
        self._keep()

    def drop(self, trace: tuple[str, str, str]) -> None:
        """Forget a pair: the proposed one is used again."""
        self._pairs.pop(trace, None)
        self._keep()

    def _keep(self) -> None:
        if self._settings is not None:
            self._settings.setValue(_KEY, json.dumps([astuple(pair) for pair in self._pairs.values()]))


def _read_pairs(settings: QSettings | None) -> list[HandPair]:
    """The stored pairs, as far as they are valid: settings may be edited by hand."""
    kept = settings.value(_KEY, "") if settings is not None else ""
    try:
        listed = json.loads(kept) if isinstance(kept, str) and kept else []
    except (ValueError, RecursionError):
        return []
    return [
        HandPair(*fields)
        for fields in (listed if isinstance(listed, list) else [])[-MOST_PAIRS:]
        if isinstance(fields, list) and len(fields) == _FIELDS and all(isinstance(text, str) for text in fields)
    ]
