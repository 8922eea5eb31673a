"""The result of each criterion in a run: its mean as a bar, the spread around it, the threshold as a tick."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QHelpEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from trace_inspector.core.verdict.run_summary import CriterionFigures
from trace_inspector.models.base.figures import score_text
from trace_inspector.models.base.tips import plain_tip
from trace_inspector.models.base.translation import tr
from trace_inspector.models.runs import figures as runs_figures
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter

ROW_PX = 24
BAR_PX = 112
NARROW_BAR_PX = 56
ROOMY_PX = 480
BAR_HEIGHT_PX = 6
FIGURE_PX = 96
COUNT_PX = 84


class CriterionBars(QWidget):
    """One row for each criterion. Every figure is also given in words beside its bar."""

    def __init__(self, theme: Theme, criteria: Sequence[CriterionFigures], thresholds: Mapping[str, float]) -> None:
        super().__init__()
        self._theme = theme
        self._criteria = tuple(criteria)
        self._thresholds = thresholds
        self._text_painter = TextPainter(theme)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("; ".join(self._words(figures) for figures in criteria))

    def sizeHint(self) -> QSize:
        """As high as its rows."""
        theme = self._theme
        return QSize(BAR_PX + theme.grown(FIGURE_PX + COUNT_PX + 120), theme.row(ROW_PX) * len(self._criteria))

    def tip(self, y: float) -> str:
        """The whole name and all figures of that row."""
        index = int(y // self._theme.row(ROW_PX))
        return plain_tip(self._words(self._criteria[index])) if 0 <= index < len(self._criteria) else ""

    def event(self, event: QEvent) -> bool:
        """Tips are made when they are asked for."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.tip(event.pos().y()), self)
            return True
        return super().event(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Row by row."""
        with QPainter(self) as painter:
            high = self._theme.row(ROW_PX)
            for index, figures in enumerate(self._criteria):
                self._paint_row(painter, QRectF(0, index * high, self.width(), high), figures)

    def _paint_row(self, painter: QPainter, row: QRectF, figures: CriterionFigures) -> None:
        tokens, grown = self._theme.tokens, self._theme.grown
        count = row.adjusted(row.width() - grown(COUNT_PX), 0, 0, 0)
        figure = QRectF(count.left() - grown(FIGURE_PX), row.top(), grown(FIGURE_PX) - 8, row.height())
        width = BAR_PX if row.width() >= grown(ROOMY_PX) else NARROW_BAR_PX
        bar = QRectF(figure.left() - width - 8, row.center().y() - BAR_HEIGHT_PX / 2, width, BAR_HEIGHT_PX)
        name = QRectF(row.left(), row.top(), bar.left() - row.left() - 12, row.height())
        shown = self._text_painter.metrics("body").elidedText(
            figures.metric, Qt.TextElideMode.ElideMiddle, name.width()
        )
        self._text_painter.left(painter, name, shown, "body", "text")
        self._text_painter.right(painter, count, self._count(figures), "number", "text2")
        ink = "text" if figures.mean is not None else "text2"
        self._text_painter.right(painter, figure, runs_figures.mean_text(figures), "number", ink)
        if figures.mean is None:
            pen = QPen(QColor(tokens.control), 1)
            pen.setDashPattern([3, 2])
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(bar.adjusted(0, 0, -1, -1))
            return
        if 0.0 <= figures.mean <= 1.0:
            self._paint_bar(painter, bar, figures.mean, figures)

    def _paint_bar(self, painter: QPainter, bar: QRectF, mean: float, figures: CriterionFigures) -> None:
        tokens = self._theme.tokens
        threshold = self._thresholds.get(figures.metric)
        painter.fillRect(bar, QColor(tokens.sunken))
        ink = "agent" if threshold is None else "passed" if mean >= threshold else "fail"
        painter.fillRect(
            QRectF(bar.left(), bar.top(), max(2.0, bar.width() * mean), bar.height()), self._theme.color(ink)
        )
        low, high = max(0.0, mean - (figures.spread or 0.0)), min(1.0, mean + (figures.spread or 0.0))
        if high > low:
            left, right = bar.left() + bar.width() * low, bar.left() + bar.width() * high
            painter.fillRect(QRectF(left, bar.center().y() - 0.5, right - left, 1), QColor(tokens.text2))
            for end in (left, right):
                painter.fillRect(QRectF(end - 0.5, bar.center().y() - 4, 1, 8), QColor(tokens.text2))
        if threshold is not None:
            x = bar.left() + bar.width() * min(max(threshold, 0.0), 1.0)
            painter.fillRect(QRectF(min(x, bar.right() - 1) - 1, bar.center().y() - 8, 2, 16), QColor(tokens.text))

    def _count(self, figures: CriterionFigures) -> str:
        decided = figures.passed + figures.failed
        if decided:
            return tr("{0:,} of {1:,} pass").format(figures.passed, decided)
        return tr("{0:,} scored").format(figures.scored)

    def _words(self, figures: CriterionFigures) -> str:
        threshold = self._thresholds.get(figures.metric)
        needs = tr(", needs {0}").format(score_text(threshold)) if threshold is not None else ""
        return f"{figures.metric}: {runs_figures.mean_text(figures)}{needs}, {self._count(figures)}"
