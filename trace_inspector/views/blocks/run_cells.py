"""Cells of the list of runs: words at the left, figures at the right, the run's mark before its time, a flag."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from trace_inspector.models.base.roles import Role
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.views.widgets.tree_view import ROW_PX, Index

MARK_PX = 14


class RunCells(QStyledItemDelegate):
    """Paints one cell."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text_painter = TextPainter(theme)

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        """All rows are equally high."""
        return QSize(60, self._theme.row(ROW_PX))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Mark and words, or a figure."""
        box = QRectF(option.rect).adjusted(8, 0, -8, 0)
        text = str(index.data() or "")
        if index.data(Role.NUMBER):
            self._text_painter.right(painter, box, text, "number", "text" if text and text != "–" else "text2")
            return
        if mark := index.data(Role.MARK):
            left = box.left() + 4
            self._theme.icons.paint_mark(painter, mark, self._theme.tokens, left, box.center().y(), MARK_PX)
            box.setLeft(left + MARK_PX + 8)
        if icon := index.data(Role.ICON):
            self._theme.icons.paint(painter, icon, self._theme.tokens.baseline, box.left(), box.center().y(), MARK_PX)
            box.setLeft(box.left() + MARK_PX + 6)
            text = text or str(index.data(Role.CAPTION) or "")
        font, ink = ("number", "text") if index.column() == 0 else ("secondary", "text2")
        self._text_painter.left(painter, box, text, font, ink)
