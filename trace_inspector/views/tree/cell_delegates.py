"""The tree's other columns: scores with their marks, the time lane, plain figures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from trace_inspector.core.rows.rows import Kind
from trace_inspector.models.base.roles import Bar, Role
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.views.widgets.tree_view import ROW_PX, Index, cell_data

PADDING_PX = 8
CELL_MARK_PX = 11
HEAT_PX = 10
LANE_PX = 68
LEAST_BAR_PX = 2

# The ink of a cell without a mark, by the mark of its row.
_ROW_INKS = {"extra": "candidate", "missing": "golden"}
_QUIET = frozenset({"pending", "none", "skip", "stale"})
_NO_LANE = frozenset({Kind.SUITE, Kind.CASE, Kind.RUNS, Kind.TRACE, Kind.AGENTS, Kind.AGENT})


class FigureDelegate(QStyledItemDelegate):
    """A figure at the right edge, with its mark, if it has one, before it."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text_painter = TextPainter(theme)

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        """As wide as its figure."""
        return QSize(64, self._theme.row(ROW_PX))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """The figure, then its mark to the left."""
        data = cell_data(index)
        text, mark = str(data() or ""), str(data(Role.MARK) or "")
        if not text and not mark:
            return
        box = QRectF(option.rect).adjusted(2, 0, -PADDING_PX, 0)
        font, ink = self._dress(data, mark)
        room = box.adjusted(CELL_MARK_PX + 4 if mark else 0, 0, 0, 0)
        width = self._text_painter.right(painter, room, text, font, ink)
        if heat := data(Role.HEAT):
            self._paint_heat(painter, box.right() - width - HEAT_PX - 6, box.center().y(), int(heat))
        if mark:
            left = box.right() - width - CELL_MARK_PX - (5 if text else 0)
            self._theme.icons.paint_mark(painter, mark, self._theme.tokens, left, box.center().y(), CELL_MARK_PX)

    def _paint_heat(self, painter: QPainter, left: float, middle: float, heat: int) -> None:
        """One bar for a slow call, two for a very slow one: slow is not failed, so it has no colour of a verdict."""
        for step in range(heat):
            bar = QRectF(left + HEAT_PX - 3 - step * 5, middle - HEAT_PX / 2, 3, HEAT_PX)
            painter.fillRect(bar, self._theme.color("text2"))

    def _dress(self, data: Callable[..., Any], _mark: str) -> tuple[str, str]:
        """Font and ink."""
        return ("number_strong", "text") if data(Role.BOLD) else ("number", "text2")


class WordDelegate(FigureDelegate):
    """A quiet word at the left edge."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """The word."""
        box = QRectF(option.rect).adjusted(PADDING_PX, 0, -PADDING_PX, 0)
        self._text_painter.left(painter, box, str(cell_data(index)() or ""), "secondary", "text2")


class ScoreDelegate(FigureDelegate):
    """A score: only a failing one is bold and red. A word without a mark has the colour of its row's mark."""

    def _dress(self, data: Callable[..., Any], mark: str) -> tuple[str, str]:
        if data(Role.FAILING):
            return "number_strong", "fail"
        if mark:
            return "number", "text2" if mark in _QUIET else "text"
        return "number", _ROW_INKS.get(str(data(Role.ROW_MARK) or ""), "text2")


class LaneDelegate(QStyledItemDelegate):
    """The time of a row within its turn, on the scale of the longest turn. The figure is in the next column."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        """The lane with its padding."""
        return QSize(LANE_PX + 2 * PADDING_PX, self._theme.row(ROW_PX))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Lane and bar."""
        data = cell_data(index)
        if data(Role.KIND) in _NO_LANE:
            return
        lane = QRectF(option.rect).adjusted(PADDING_PX, 0, -PADDING_PX, 0)
        if not option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(lane, QColor(self._theme.tokens.raised))
        bar = data(Role.BAR)
        if isinstance(bar, Bar):
            self._paint_bar(painter, lane, bar, failing=data(Role.ROW_MARK) == "failed")

    def _paint_bar(self, painter: QPainter, lane: QRectF, bar: Bar, *, failing: bool) -> None:
        tokens = self._theme.tokens
        left = lane.left() + max(0.0, min(bar.start, 1.0)) * lane.width()
        width = max(LEAST_BAR_PX, (min(bar.end, 1.0) - max(bar.start, 0.0)) * lane.width())
        left = min(left, lane.right() - width)
        middle = lane.center().y()
        if bar.look == "missing":
            painter.fillRect(QRectF(lane.left(), middle - 4, lane.width(), 8), QBrush(QColor(tokens.border2), _HATCH))
            return
        colour, height = _BAR_LOOKS.get(bar.look, ("agent", 5.0))
        ink = QColor(getattr(tokens, colour))
        box = QRectF(left, round(middle - height / 2), width, height)
        painter.fillRect(box, QBrush(ink, _HATCH) if bar.guessed else QBrush(ink))
        if failing and bar.look != "turn":
            painter.setPen(QPen(QColor(tokens.fail), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(box.adjusted(-1.5, -1.5, 1.5, 1.5))


_HATCH = Qt.BrushStyle.BDiagPattern
_BAR_LOOKS = {"turn": ("agent", 3.0), "model": ("model", 7.0), "tool": ("tool", 7.0), "agent": ("agent", 5.0)}
