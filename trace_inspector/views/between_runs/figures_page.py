"""Beside the cases: the criteria, latency and tokens of both runs, and what repeats tell."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from trace_inspector.models import run_pair_words as words
from trace_inspector.views.between_runs.criteria_chart import CriteriaChart
from trace_inspector.views.between_runs.rank_chart import RankChart, RankLegend
from trace_inspector.views.controls import Elided, Label, hline
from trace_inspector.views.look import Look
from trace_inspector.work.run_pair_lines import PairHead

MOST_REPEATS = 40


def figures_page(look: Look, head: PairHead) -> QWidget:
    """The page, made anew for each comparison."""
    page = QWidget()
    page.setObjectName("page")
    box = QVBoxLayout(page)
    box.setContentsMargins(12, 10, 12, 12)
    box.setSpacing(8)
    _add_title(look, box, _tr("Criteria"), _tr("mean over the cases that both scored, baseline first"))
    if head.criteria:
        box.addWidget(CriteriaChart(look, head.criteria))
    else:
        box.addWidget(
            Label(look, _tr("No case has scores of the same criterion in both runs."), ink="text2", wrap=True)
        )
    box.addWidget(hline())
    _add_title(look, box, _tr("Latency and tokens"), "").addWidget(RankLegend(look))
    for change in head.ranks:
        told = f"{words.rank_title(change)}: {words.rank_told(change)}"
        box.addWidget(Elided(look, told, font="secondary", ink="text"))
        box.addWidget(RankChart(look, change))
    if head.repeats:
        box.addWidget(hline())
        _add_title(look, box, _tr("Repeats"), _tr("of cases that ran several times"))
        _add_repeats(look, box, head.repeats)
    box.addStretch(1)
    return page


def _add_title(look: Look, box: QVBoxLayout, title: str, meaning: str) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(8)
    row.addWidget(Label(look, title, font="strong"))
    row.addWidget(Elided(look, meaning, font="secondary", ink="text2"), 1)
    box.addLayout(row)
    return row


def _add_repeats(look: Look, box: QVBoxLayout, lines: Sequence[str]) -> None:
    for line in lines[:MOST_REPEATS]:
        box.addWidget(Label(look, line, font="secondary", ink="text2", wrap=True))
    if len(lines) > MOST_REPEATS:
        left = _tr("{0:,} more lines stand in the report: Export….").format(len(lines) - MOST_REPEATS)
        box.addWidget(Label(look, left, font="secondary", ink="text2", wrap=True))


def _tr(text: str) -> str:
    return QCoreApplication.translate("TwoRuns", text)
