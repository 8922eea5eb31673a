"""The rows of a rebase as a flat table, indented: what differs, what is decided, and what follows of it."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt

from trace_inspector.core.golden.bulk_calls import rule_text
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.translatable import N_
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.engine.rebasing.rule import RebaseDecision
from trace_inspector.models.base.record_table import Cells, Column, RecordTable
from trace_inspector.models.base.roles import MARK_OF, Role
from trace_inspector.models.base.translation import tr
from trace_inspector.models.bulk.rebase import RebaseEdit, RebaseRecord

_CHARS = 300
DECISIONS: dict[RebaseDecision, str] = {
    RebaseDecision.ACCEPT: N_("Accept"),
    RebaseDecision.LOOSEN: N_("Loosen"),
    RebaseDecision.REJECT: N_("Reject"),
    RebaseDecision.LATER: N_("Later"),
}


class RebaseTable(RecordTable[RebaseRecord]):
    """Shows the unfolded rows of a rebase, and follows its changes."""

    def __init__(self, edit: RebaseEdit, parent: QObject | None = None) -> None:
        self._edit = edit
        cells: Cells[RebaseRecord] = {Role.DIM: lambda record: edit.decision(record) is RebaseDecision.LATER}
        super().__init__(
            (
                Column(
                    N_("Difference"), self._what, cells={Qt.ItemDataRole.AccessibleTextRole: self._accessible_text}
                ),
                Column(N_("Decision"), self._decision),
                Column(N_("Cases"), lambda record: "" if record.case else f"{len(record.line.cases):,}", number=True),
                Column(N_("Verdict then, or conflict"), self._then, cells={Role.MARK: self._mark}),
            ),
            lambda record: (record.path, record.case),
            parent,
            cells,
        )
        edit.changed.connect(self._follow)
        edit.marked.connect(self.refresh)
        self._follow()

    def is_open(self, record: RebaseRecord) -> bool | None:
        """Whether a row is unfolded; None for a case."""
        return None if record.case else record.path in self._edit.opened

    def _what(self, record: RebaseRecord) -> str:
        return one_line(record.case or record.line.words, _CHARS)

    def _decision(self, record: RebaseRecord) -> str:
        decision = self._edit.decision(record)
        words = tr(DECISIONS[decision])
        matcher = self._edit.matcher(record)
        if decision is RebaseDecision.LOOSEN and matcher is not None:
            words += f": {one_line(rule_text(matcher), _CHARS)}"
        return tr("{0}, with exceptions").format(words) if self._edit.is_mixed(record) else words

    def _then(self, record: RebaseRecord) -> str:
        if record.case:
            return one_line(record.line.conflicts.get(record.case) or self._status(record).lower(), _CHARS)
        count = len(record.line.conflicts)
        return tr("{0} in conflict").format(f"{count:,}") if count else ""

    def _mark(self, record: RebaseRecord) -> str:
        status = self._status(record)
        return MARK_OF[Status[status]] if status else ""

    def _status(self, record: RebaseRecord) -> str:
        marks = self._edit.marks
        return marks.after_of.get(record.case, "") if record.case and marks is not None else ""

    def _accessible_text(self, record: RebaseRecord) -> str:
        folded = {True: tr("unfolded"), False: tr("folded"), None: ""}[self.is_open(record)]
        parts = (self._what(record), self._decision(record), self._then(record), folded)
        return ", ".join(part for part in parts if part)

    def _follow(self) -> None:
        self.show(self._edit.records)
