"""Search results as a flat table that grows."""

from __future__ import annotations

from operator import attrgetter

from PySide6.QtCore import QObject, Qt

from trace_inspector.core.translatable import N_
from trace_inspector.models.base.record_table import Column, RecordTable
from trace_inspector.models.base.roles import Role
from trace_inspector.models.search.finding import Finding, Hit


def _matched_characters(hit: Hit) -> tuple[tuple[int, int], ...]:
    return ((hit.excerpt.start, hit.excerpt.end),)


_COLUMNS: tuple[Column[Hit], ...] = (
    Column(N_("Found"), attrgetter("excerpt.text"), cells={Role.TINTS: _matched_characters}),
    Column(N_("Where"), attrgetter("where")),
    Column(N_("Kind"), attrgetter("kind")),
    Column(N_("File"), attrgetter("file")),
)


class FindModel(RecordTable[Hit]):
    """In the order of the search until it is sorted by a column."""

    def __init__(self, finding: Finding, parent: QObject | None = None) -> None:
        super().__init__(_COLUMNS, id, parent, {Role.SELECTION: attrgetter("selection")})
        self._finding = finding
        finding.began.connect(self._begin)
        finding.changed.connect(self._follow)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Hits that are equal in the column keep the order that they have."""
        count = len(self._records)
        self._given = list(self._records) if column >= 0 else self._finding.hits[:count]
        super().sort(column, order)

    def _begin(self) -> None:
        self.show(self._finding.hits)

    def _follow(self) -> None:
        self.append(self._finding.hits[len(self._records) :])
