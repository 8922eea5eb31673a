"""Beside the cases: the criteria, latency and tokens of both runs, and what repeats tell."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QVBoxLayout, QWidget

from trace_inspector.models.runs import run_pair_words as words
from trace_inspector.views.appearance.appearance import Look
from trace_inspector.views.run_comparison.criteria_chart import CriteriaChart, legend
from trace_inspector.views.run_comparison.rank_chart import RankChart, RankLegend
from trace_inspector.views.run_comparison.wavering import add_title, add_wavering
from trace_inspector.views.widgets.controls import Elided, Label, hline
from trace_inspector.work.runs.comparison_messages import PairHead


def figures_page(look: Look, head: PairHead) -> QWidget:
    """The page, made anew for each comparison."""
    page = QWidget()
    page.setObjectName("page")
    box = QVBoxLayout(page)
    box.setContentsMargins(12, 10, 12, 12)
    box.setSpacing(8)
    add_title(look, box, _tr("Criteria"), _tr("means of the cases scored in both, baseline first"))
    if head.criteria:
        box.addWidget(CriteriaChart(look, head.criteria))
        box.addWidget(Label(look, legend(head.criteria), font="caption", ink="text2", wrap=True))
    else:
        box.addWidget(
            Label(look, _tr("No case has scores of the same criterion in both runs."), ink="text2", wrap=True)
        )
    box.addWidget(hline())
    add_title(look, box, _tr("Latency and tokens"), "").addWidget(RankLegend(look))
    for change in head.ranks:
        told = f"{words.rank_title(change)}: {words.rank_told(change)}"
        box.addWidget(Elided(look, told, font="secondary", ink="text"))
        box.addWidget(RankChart(look, change))
    box.addWidget(hline())
    add_wavering(look, box, head)
    box.addStretch(1)
    return page


def _tr(text: str) -> str:
    return QCoreApplication.translate("TwoRuns", text)
