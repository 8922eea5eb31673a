"""The chart of criteria: scores are drawn to one scale, and a count beside them does not flatten them."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from trace_inspector.views.between_runs.criteria_chart import CriteriaChart
from trace_inspector.views.look import Look
from trace_inspector.work.run_pair_lines import CriterionChange

SCORE = CriterionChange("response_match_score", 36, 0.6, 0.8, 0.1, 0.3)
OTHER_SCORE = CriterionChange("hallucinations_v1", 36, 0.9, 0.85, -0.25, 0.15)
COUNT = CriterionChange("tool_call_count_v1", 36, 10.0, 50.0, 20.0, 60.0, is_score=False)


def test_a_count_has_a_scale_of_its_own(look: Look, qtbot: QtBot) -> None:
    chart, plain = CriteriaChart(look, (SCORE, COUNT, OTHER_SCORE)), CriteriaChart(look, (SCORE, OTHER_SCORE))
    for widget in (chart, plain):
        qtbot.addWidget(widget)
    assert [chart.reach(one) for one in (SCORE, OTHER_SCORE, COUNT)] == [0.3, 0.3, 60.0]
    assert [plain.reach(one) for one in (SCORE, OTHER_SCORE)] == [0.3, 0.3]
    assert (chart.has_others, plain.has_others) == (True, False)
    assert chart.sizeHint().height() == plain.sizeHint().height() + 2 * chart.sizeHint().height() // 6


def test_what_does_not_change_has_a_scale_too(look: Look, qtbot: QtBot) -> None:
    chart = CriteriaChart(look, (CriterionChange("m", 1, 0.5, 0.5), CriterionChange("n", 1, 3, 3, is_score=False)))
    qtbot.addWidget(chart)
    chart.resize(600, chart.sizeHint().height())
    assert chart.grab().width() > 0
    assert chart.score_reach == 1.0
