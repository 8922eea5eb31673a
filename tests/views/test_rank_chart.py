"""Percentiles of both runs as marks and figures: where the marks stand, and what they say aloud."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.run_comparison.rank_chart import MARK_PX, NAME_PX, RankChart
from trace_inspector.work.runs.comparison_messages import RankChange

CHANGE = RankChange(
    "seconds a tool call", ((50, 1.0), (90, 2.0)), ((50, 0.0), (90, 4.0)), (27, 27), (27, 30), "call"
)  # fmt: skip


def reach(chart: RankChart, ink: str, row: int) -> tuple[int, int]:
    """From where to where something of a colour is painted in a row, left of the figures."""
    image, colour = chart.grab().toImage(), chart._theme.color(ink)
    tall = chart.height() // 2
    found = [
        x
        for x in range(NAME_PX, chart.width() - 130)
        if any(image.pixelColor(x, y) == colour for y in range(row * tall, (row + 1) * tall))
    ]
    return (found[0], found[-1]) if found else (0, 0)


def test_marks_stand_to_one_scale_from_0_to_the_greatest(theme: Theme, qtbot: QtBot) -> None:
    chart = RankChart(theme, CHANGE)
    qtbot.addWidget(chart)
    chart.resize(430, chart.sizeHint().height())  # the lane goes from 36 to 300
    span = 430 - NAME_PX - 120 - 10 - MARK_PX
    for ink, row, value in (("baseline", 0, 1.0), ("baseline", 1, 2.0), ("candidate", 0, 0.0), ("candidate", 1, 4.0)):
        middle = NAME_PX + MARK_PX / 2 + value / 4.0 * span
        assert sum(reach(chart, ink, row)) / 2 == pytest.approx(middle, abs=1.5)


def test_without_room_the_figures_stand_alone(theme: Theme, qtbot: QtBot) -> None:
    chart = RankChart(theme, CHANGE)
    qtbot.addWidget(chart)
    chart.resize(chart.minimumSizeHint())
    assert reach(chart, "candidate", 1) == (0, 0)


def test_every_figure_is_said_aloud(theme: Theme, qtbot: QtBot) -> None:
    one_sided = RankChange("tokens a turn", ((50, 1200.0),), (), (3, 3), (0, 3))
    charts = [RankChart(theme, change) for change in (CHANGE, one_sided)]
    for chart in charts:
        qtbot.addWidget(chart)
    assert charts[0].accessibleName() == "Time of a tool call: p50 1.0 s to 0 s, p90 2.0 s to 4.0 s"
    assert charts[1].accessibleName() == "Tokens of a turn: p50 1.2 k to –"
