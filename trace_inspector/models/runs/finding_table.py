"""What goes with failing, as a table: the findings, and beneath each what the same runs have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct
from PySide6.QtCore import QObject, Qt

from trace_inspector.core.translatable import N_
from trace_inspector.models.base.record_table import Column, RecordTable
from trace_inspector.models.base.tips import plain_tip
from trace_inspector.models.base.translation import tr

if TYPE_CHECKING:
    from trace_inspector.engine.braid.findings import Explanation, Finding

_MOST_BENEATH = 5  # that stand beneath one here


class FindingRow(Struct, frozen=True):
    """A finding with its rank; one without stands beneath another, because the same runs have it."""

    finding: Finding
    rank: int
    relation: str = ""

    @property
    def key(self) -> tuple[int, str, str]:
        """What it is."""
        from trace_inspector.engine.braid.words import sentence

        return self.rank, self.relation, sentence(self.finding)


def finding_rows(explanation: Explanation) -> Iterator[FindingRow]:
    """The findings in their order."""
    for rank, finding in enumerate(explanation.findings, 1):
        yield FindingRow(finding, rank)
        for one in finding.same[:_MOST_BENEATH]:
            yield FindingRow(one, rank, tr("the same runs"))
        for one in finding.follows[:_MOST_BENEATH]:
            yield FindingRow(one, rank, tr("follows"))


def finding_table(parent: QObject) -> RecordTable[FindingRow]:
    """The columns of findings."""
    from trace_inspector.engine.braid import words
    from trace_inspector.engine.failure_modes.words import points, points_interval

    columns: tuple[Column[FindingRow], ...] = (
        Column(
            N_("Failing runs…"),
            lambda row: (
                f"   ↳ {row.relation}: {words.deed(row.finding)}" if row.relation else words.deed(row.finding)
            ),
            0,
            cells={
                Qt.ItemDataRole.ToolTipRole: lambda row: plain_tip(
                    f"{words.sentence(row.finding)}.\n{words.evidence(row.finding)}"
                ),
            },
        ),
        Column(
            N_("Failing"),
            lambda row: _counted(row.finding.failing),
            88,
            meaning=N_("how many of the failing runs do it, of those of which it can be asked"),
        ),
        Column(
            N_("Passing"),
            lambda row: _counted(row.finding.passing),
            88,
            meaning=N_("how many of the passing runs do it"),
        ),
        Column(
            N_("More failures"),
            lambda row: f"{points(row.finding.effect)} ({points_interval(row.finding.effect)})",
            150,
            meaning=N_("how much larger the share of failures is with it, in points, and the 95 % interval"),
        ),
        Column(
            N_("p (Holm)"),
            lambda row: tr("not tested") if row.finding.adjusted is None else words.bare_chance(row.finding.adjusted),
            84,
            meaning=N_("Fisher’s exact test after Holm’s correction; what too few runs have is not tested"),
        ),
        Column(
            "Ochiai",
            lambda row: f"{row.finding.ochiai:.2f}",
            64,
            number=True,
            meaning=N_("a score of fault localisation: how alike doing it and failing are, from 0 to 1"),
        ),
        Column(N_("Verdict"), _verdict, 130),
    )
    return RecordTable(columns, lambda row: row.key, parent)


def _verdict(row: FindingRow) -> str:
    named = tr("cause") if row.finding.is_cause else tr("cannot tell")
    if row.finding.goes_with:
        named = tr("goes with {0}").format(row.finding.goes_with)
    return tr("{0}, circular").format(named) if row.finding.circular else named


def _counted(runs: tuple[int, int]) -> str:
    having, of = runs
    return tr("{0} of {1}").format(f"{having:,}", f"{of:,}")
