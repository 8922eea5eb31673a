"""Cells of the compared cases: groups on a raised background, verdicts as mark → mark, changes with their sign."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from trace_inspector.engine.run_comparison.change_group import Group
from trace_inspector.models.base.roles import MARK_OF
from trace_inspector.models.runs.run_pair_table import SCORES, VERDICT, WORDS, RunPairTable
from trace_inspector.models.runs.run_pair_words import GROUPS, MINUS, meaning
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.views.widgets.tree_view import ROW_PX, Index
from trace_inspector.work.runs.comparison_messages import CaseLine, CaseSide

MARK_PX = 14
MARK_GAP_PX = 4
ARROW_PX = 24
SPARE_PX = 16
ICONS = {
    Group.REGRESSED: ("down", "fail"),
    Group.WORSE: ("down", "fail"),
    Group.IMPROVED: ("up", "passed"),
    Group.NEW: ("plus", "text2"),
    Group.GONE: ("minus", "text2"),
}


class CaseCells(QStyledItemDelegate):
    """Paints one cell."""

    def __init__(self, theme: Theme, table: RunPairTable, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._table = table
        self._text_painter = TextPainter(theme)

    def verdicts_px(self) -> int:
        """How wide the verdicts are, with how many repeats passed."""
        shares = (sum(self._text_painter.width(text, "secondary") for text in both) for both in self._table.shares)
        return round(max(shares, default=0)) + 2 * (MARK_PX + MARK_GAP_PX) + ARROW_PX + SPARE_PX

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        """All rows are equally high."""
        return QSize(60, self._theme.row(ROW_PX))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """A group's name over all columns, or a case's cell."""
        box, line = QRectF(option.rect).adjusted(4, 0, -8, 0), self._table.line(index)
        if line is None:
            self._paint_group(painter, box, index)
        elif index.column() == VERDICT:
            self._paint_verdicts(painter, box, line)
        elif index.column() >= SCORES:
            text = self._table.text(line, index.column())
            self._paint_change(painter, box, text, is_score=self._table.is_score(index.column()))
        else:
            ink = "text2" if index.column() == WORDS else "text"
            self._text_painter.left(painter, box, self._table.text(line, index.column()), "body", ink)

    def _paint_group(self, painter: QPainter, box: QRectF, index: Index) -> None:
        group = self._table.group(index)
        if group is None or index.column():
            return
        icon, ink = ICONS.get(group, ("", ""))
        if icon:
            colour = self._theme.color(ink).name()
            self._theme.icons.paint(painter, icon, colour, box.left(), box.center().y(), MARK_PX)
            box.setLeft(box.left() + MARK_PX + 6)
        for text, font, ink in (
            (GROUPS[group][0], "strong", "text"),
            (f"{self._table.count(index):,}", "secondary_strong", "text2"),
            (meaning(group, repeated=self._table.repeated), "secondary", "text2"),
        ):
            box.setLeft(box.left() + self._text_painter.left(painter, box, text, font, ink) + 10)

    def _paint_verdicts(self, painter: QPainter, box: QRectF, line: CaseLine) -> None:
        left = self._paint_side(painter, box, line.base)
        arrow = QRectF(left, box.top(), ARROW_PX, box.height())
        self._text_painter.left(painter, arrow.adjusted(5, 0, 0, 0), "→", "secondary", "text2")
        self._paint_side(
            painter, QRectF(arrow.right(), box.top(), box.right() - arrow.right(), box.height()), line.new
        )

    def _paint_side(self, painter: QPainter, box: QRectF, side: CaseSide) -> float:
        """Returns its right end; where a run lacks the case, its place stays empty."""
        if side.status is not None:
            mark, middle = MARK_OF[side.status], box.center().y()
            self._theme.icons.paint_mark(painter, mark, self._theme.tokens, box.left(), middle, MARK_PX)
        beside = box.adjusted(MARK_PX + MARK_GAP_PX, 0, 0, 0)
        return beside.left() + self._text_painter.left(painter, beside, side.share, "secondary", "text2")

    def _paint_change(self, painter: QPainter, box: QRectF, text: str, *, is_score: bool) -> None:
        """Red and green are for verdicts: for scores, not for counts and times."""
        signs = {MINUS: "fail", "+": "passed"} if is_score else {}
        ink = signs.get(text[:1], "text" if text[:1] in f"+{MINUS}" else "text2")
        self._text_painter.right(painter, box, text, "number", ink)
