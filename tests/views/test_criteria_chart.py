"""The chart of criteria: scores share one scale, what has no interval is no noise, and nothing of it is lost."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.run_comparison.criteria_chart import CriteriaChart, Sign, legend, sign_of
from trace_inspector.work.runs.comparison_messages import CriterionChange

SCORE = CriterionChange("response_match_score", 36, 0.6, 0.8, 0.1, 0.3)
OTHER_SCORE = CriterionChange("hallucinations_v1", 36, 0.9, 0.85, -0.25, 0.15)
COUNT = CriterionChange("tool_call_count_v1", 36, 10.0, 50.0, 20.0, 60.0, is_score=False)
ALL_FELL = CriterionChange("tool_trajectory_avg_score", 30, 1.0, 0.0)
LONG = CriterionChange("rubric_based_final_response_quality_v1 <b>of us</b>", 1, 0.5, 0.5)


def made(theme: Theme, qtbot: QtBot, *criteria: CriterionChange, width: int = 400) -> CriteriaChart:
    chart = CriteriaChart(theme, criteria)
    qtbot.addWidget(chart)
    chart.resize(width, chart.heightForWidth(width))
    return chart


def test_a_count_has_a_scale_of_its_own(theme: Theme, qtbot: QtBot) -> None:
    chart, plain = made(theme, qtbot, SCORE, COUNT, OTHER_SCORE), made(theme, qtbot, SCORE, OTHER_SCORE)
    assert [chart.reach(one) for one in (SCORE, OTHER_SCORE, COUNT)] == [0.3, 0.3, 60.0]
    assert [plain.reach(one) for one in (SCORE, OTHER_SCORE)] == [0.3, 0.3]
    assert "others have their own" in legend((SCORE, COUNT))
    assert "others have their own" not in legend((SCORE, OTHER_SCORE))


def test_what_does_not_change_has_a_scale_too(theme: Theme, qtbot: QtBot) -> None:
    chart = made(theme, qtbot, CriterionChange("m", 1, 0.5, 0.5), CriterionChange("n", 1, 3, 3, is_score=False))
    assert chart.grab().width() > 0
    assert chart.score_reach == 1.0


@pytest.mark.parametrize(
    ("one", "sign"),
    [
        (SCORE, Sign.SURE),
        (OTHER_SCORE, Sign.NOISE),
        (ALL_FELL, Sign.OPEN),
        (replace(ALL_FELL, chance=2e-9), Sign.SURE),
        (replace(ALL_FELL, cases=2, chance=0.5), Sign.OPEN),
    ],
    ids=["leaves-out-0", "holds-0", "none", "none-and-no-chance", "none-and-perhaps-chance"],
)
def test_a_change_without_an_interval_is_not_called_noise(one: CriterionChange, sign: Sign) -> None:
    assert sign_of(one) is sign
    assert legend((one,)) == sign.value


def test_p_is_told_where_there_is_no_interval(theme: Theme, qtbot: QtBot) -> None:
    chart = made(theme, qtbot, replace(ALL_FELL, chance=2e-9))
    assert "no interval, p = 2e-09 by chance" in chart.accessibleName()


def test_each_sign_looks_other_than_the_others(theme: Theme, qtbot: QtBot) -> None:
    looks = []
    for low, high in ((None, None), (-0.3, -0.1), (-0.3, 0.1)):
        chart = made(theme, qtbot, CriterionChange("m", 30, 0.9, 0.7, low, high))
        looks.append(chart.grab().toImage())
    assert looks[0] != looks[1] != looks[2] != looks[0]


def test_long_names_stand_above_their_figures(theme: Theme, qtbot: QtBot) -> None:
    chart, wide = made(theme, qtbot, ALL_FELL, LONG), made(theme, qtbot, ALL_FELL, LONG, width=900)
    assert chart.is_stacked(chart.width())
    assert not wide.is_stacked(wide.width())
    assert chart.height() > wide.height()


@pytest.mark.parametrize("width", [300, 900])
def test_the_tip_has_the_whole_name_and_all_figures_as_plain_text(theme: Theme, qtbot: QtBot, width: int) -> None:
    chart = made(theme, qtbot, ALL_FELL, SCORE, LONG, width=width)
    tips = list(dict.fromkeys(chart.tip(y) for y in range(chart.height())))
    assert tips[0] == tips[-1] or "" in tips
    told = [tip for tip in tips if tip]
    assert told[0] == "tool_trajectory_avg_score: 1.00 to 0.00, −1.00, no interval, over 30 cases"
    assert told[1] == "response_match_score: 0.60 to 0.80, +0.20, with 95 % from +0.10 to +0.30, over 36 cases"
    assert "quality_v1 &lt;b&gt;of us&lt;/b&gt;: 0.50" in told[2]
    assert all(words in chart.accessibleName() for words in told[:2])
