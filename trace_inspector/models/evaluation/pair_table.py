"""The proposed pairs as a flat table: trace, case, certainty and reason."""

from __future__ import annotations

from collections import Counter
from pathlib import PurePath

from PySide6.QtCore import QObject

from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.translatable import N_
from trace_inspector.models.base.record_table import Column, RecordTable
from trace_inspector.models.base.roles import Role
from trace_inspector.models.evaluation.proposal import Proposal
from trace_inspector.work.runs.proposing import CandidateCase, PairLine

_NAME_CHARS = 120
NO_CASE = "no case"

# The mark and the word for the certainty of a pair.
SURE, UNSURE, ALONE, BY_HAND = "same", "warning", "none", "human"
WORDS = {SURE: "sure", UNSURE: "uncertain", ALONE: NO_CASE, BY_HAND: "by hand"}


def certainty_of(line: PairLine) -> str:
    """The certainty of a pair."""
    if line.how.startswith("by hand"):
        return BY_HAND
    if line.golden < 0:
        return ALONE
    return UNSURE if line.how.endswith("not sure") else SURE


def case_name(case: CandidateCase) -> str:
    """The name of a case."""
    return one_line(f"{case.suite_id} / {case.case_id}" if case.suite_id else case.case_id, _NAME_CHARS)


def trace_name(line: PairLine) -> str:
    """A trace by its id and file."""
    return f"{one_line(line.trace_id, _NAME_CHARS)}  ·  {PurePath(line.path).name}"


class PairTable(RecordTable[PairLine]):
    """Follows a proposal."""

    def __init__(self, proposal: Proposal, parent: QObject | None = None) -> None:
        columns: tuple[Column[PairLine], ...] = (
            Column(N_("Trace"), trace_name),
            Column(N_("Case"), self._case_text),
            Column(N_("Confidence and reason"), _reason, cells={Role.MARK: certainty_of}),
        )
        super().__init__(columns, _trace_key, parent, {Role.DIM: lambda line: line.golden < 0})
        self._proposal = proposal
        proposal.changed.connect(self._follow)
        self._follow()

    def summary(self) -> str:
        """The number of pairs by certainty."""
        counts = Counter(map(certainty_of, self.records))
        by_word = ", ".join(f"{counts[mark]:,} {word}" for mark, word in WORDS.items() if counts[mark])
        traces = "1 trace" if len(self.records) == 1 else f"{len(self.records):,} traces"
        return f"{traces}: {by_word}" if by_word else ""

    def next_uncertain(self, row: int) -> int:
        """The next uncertain row after this one, wrapping around; -1 when there is none."""
        rows = [*range(row + 1, len(self.records)), *range(row + 1)]
        return next((row for row in rows if certainty_of(self.records[row]) in (UNSURE, ALONE)), -1)

    def _case_text(self, line: PairLine) -> str:
        cases = self._proposal.cases
        return case_name(cases[line.golden]) if 0 <= line.golden < len(cases) else NO_CASE

    def _follow(self) -> None:
        self.show(self._proposal.pairs)


def _trace_key(line: PairLine) -> tuple[str, str, str]:
    return line.path, line.place, line.trace_id


def _reason(line: PairLine) -> str:
    word = WORDS[certainty_of(line)]
    return line.how if line.how.startswith(word) else f"{word}: {line.how}"
