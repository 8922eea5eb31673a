"""The chart of a grouped answer: a bar for each row, as long as its first figure."""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from trace_inspector.models.base.translation import tr
from trace_inspector.models.runs.results_query import Table
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter

MOST_BARS = 40
_ROW_PX, _EDGE_PX, _GAP_PX = 24, 12, 8
_LABEL_SHARE, _FIGURE_PX, _BAR_PX = 0.3, 96, 12


class Bar(Struct, frozen=True):
    """A row of the answer: what it is about, its figure as it stands in the table, and as a number."""

    label: str
    figure: str
    value: float


def bars_of(table: Table) -> list[Bar]:
    """A bar for each row that has a figure, by the first column of numbers; none where there is no such column.

    The columns of words are what a row is about.
    """
    numbers = [index for index, column in enumerate(table.columns) if column.number]
    words = [index for index, column in enumerate(table.columns) if not column.number]
    if not numbers or not words:
        return []
    bars = []
    for record in table.records[:MOST_BARS]:
        figure = record.cells[numbers[0]]
        try:
            value = float(figure)
        except ValueError:  # there is none
            continue
        if math.isfinite(value):
            label = ", ".join(record.cells[index] for index in words if index < numbers[0] or index == words[0])
            bars.append(Bar(label, figure, value))
    return bars


class Chart(QWidget):
    """Bars from zero, in the order of the rows."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._painter = TextPainter(theme)
        self.bars: Sequence[Bar] = ()
        self.setAccessibleName(tr("Chart"))
        theme.changed.connect(self.update)

    def show_bars(self, bars: Sequence[Bar]) -> None:
        """Other bars."""
        self.bars = bars
        self.setAccessibleDescription("; ".join(f"{bar.label}: {bar.figure}" for bar in bars))
        self.setMinimumHeight(self.sizeHint().height())
        self.update()

    def sizeHint(self) -> QSize:
        """A row for each bar."""
        return QSize(320, 2 * _EDGE_PX + len(self.bars) * self._theme.row(_ROW_PX))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Label, bar, figure."""
        longest = max((abs(bar.value) for bar in self.bars), default=0.0) or 1.0
        row = self._theme.row(_ROW_PX)
        labels = self.width() * _LABEL_SHARE
        lane = max(0.0, self.width() - labels - _FIGURE_PX - 2 * (_EDGE_PX + _GAP_PX))
        with QPainter(self) as painter:
            painter.setPen(Qt.PenStyle.NoPen)
            for number, bar in enumerate(self.bars):
                top = _EDGE_PX + number * row
                self._painter.left(painter, QRectF(_EDGE_PX, top, labels, row), bar.label, "secondary", "text")
                left, length = _EDGE_PX + labels + _GAP_PX, lane * abs(bar.value) / longest
                ink = self._theme.tokens.accent if bar.value >= 0 else self._theme.tokens.text3
                painter.fillRect(QRectF(left, top + (row - _BAR_PX) / 2, length, _BAR_PX), QColor(ink))
                box = QRectF(left + length + _GAP_PX, top, _FIGURE_PX, row)
                self._painter.left(painter, box, bar.figure, "number", "text2")
