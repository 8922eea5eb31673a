"""The proposed pairing as a flat table: trace, case, how sure and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import PurePath
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from trace_inspector.core.trace.summary import one_line
from trace_inspector.models.base.roles import Role
from trace_inspector.models.evaluation.proposal import Proposal
from trace_inspector.work.runs.proposing import CandidateCase, PairLine

Index = QModelIndex | QPersistentModelIndex

_NOWHERE = QModelIndex()
_FLAGS = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
_NAME_CHARS = 120
NO_CASE = "no case"
TITLES = ("Trace", "Case", "How sure, and why")

# How sure a pairing is: the mark and the word for it.
SURE, UNSURE, ALONE, BY_HAND = "same", "warning", "none", "human"
WORDS = {SURE: "sure", UNSURE: "uncertain", ALONE: NO_CASE, BY_HAND: "by hand"}


def sureness(line: PairLine) -> str:
    """How sure a pairing is."""
    if line.how.startswith("by hand"):
        return BY_HAND
    if line.golden < 0:
        return ALONE
    return UNSURE if line.how.endswith("not sure") else SURE


def case_name(case: CandidateCase) -> str:
    """A case as people name it."""
    return one_line(f"{case.suite_id} / {case.case_id}" if case.suite_id else case.case_id, _NAME_CHARS)


def trace_name(line: PairLine) -> str:
    """A trace by its id, and the file it lies in."""
    return f"{one_line(line.trace_id, _NAME_CHARS)}  ·  {PurePath(line.path).name}"


class PairTable(QAbstractTableModel):
    """Follows a proposal."""

    def __init__(self, proposal: Proposal, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._proposal = proposal
        self._shown: list[PairLine] = []
        self._cells: tuple[Callable[[PairLine], str], ...] = (trace_name, self._case, _why)
        proposal.changed.connect(self._follow)
        self._follow()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._shown)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(TITLES)

    def flags(self, index: Index) -> Qt.ItemFlag:
        return _FLAGS if index.isValid() else Qt.ItemFlag.NoItemFlags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        line = self._shown[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._cells[index.column()](line)
        if role == Role.MARK and index.column() == len(TITLES) - 1:
            return sureness(line)
        if role == Role.DIM:
            return line.golden < 0
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return TITLES[section]
        return None

    def summary(self) -> str:
        """How many are how sure."""
        counts = Counter(map(sureness, self._shown))
        told = ", ".join(f"{counts[mark]:,} {word}" for mark, word in WORDS.items() if counts[mark])
        traces = "1 trace" if len(self._shown) == 1 else f"{len(self._shown):,} traces"
        return f"{traces}: {told}" if told else ""

    def next_unsure(self, row: int) -> int:
        """The next row after this one, around the end, that a person should look at; -1 when there is none."""
        count = len(self._shown)
        order = (at % count for at in range(row + 1, row + 1 + count)) if count else iter(())
        return next((at for at in order if sureness(self._shown[at]) in (UNSURE, ALONE)), -1)

    def _case(self, line: PairLine) -> str:
        cases = self._proposal.cases
        return case_name(cases[line.golden]) if 0 <= line.golden < len(cases) else NO_CASE

    def _follow(self) -> None:
        wanted = list(self._proposal.pairs)
        if [_trace(line) for line in wanted] == [_trace(line) for line in self._shown]:
            changed = [row for row, line in enumerate(wanted) if line != self._shown[row]]
            self._shown = wanted
            if changed:
                self.dataChanged.emit(self.index(changed[0], 0), self.index(changed[-1], len(TITLES) - 1))
            return
        self.beginResetModel()
        self._shown = wanted
        self.endResetModel()


def _trace(line: PairLine) -> tuple[str, str, str]:
    return line.path, line.place, line.trace_id


def _why(line: PairLine) -> str:
    word = WORDS[sureness(line)]
    return line.how if line.how.startswith(word) else f"{word}: {line.how}"
