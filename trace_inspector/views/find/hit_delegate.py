"""Paints a hit: its line with what was found tinted, then where it stands."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from trace_inspector.models.base.roles import Role
from trace_inspector.views.appearance.appearance import Look
from trace_inspector.views.appearance.text_painter import Lettering
from trace_inspector.views.widgets.row_delegate import ROW_PX, Index


class HitDelegate(QStyledItemDelegate):
    """One line a hit."""

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self._look = look
        self._letters = Lettering(look)

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        """All rows are equally high."""
        return QSize(80, self._look.row(ROW_PX))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """The words before the hit, the hit, and those behind it."""
        box = QRectF(option.rect).adjusted(12 if index.column() == 0 else 6, 0, -8, 0)
        text, tints = str(index.data() or ""), index.data(Role.TINTS)
        if not tints:
            self._letters.left(painter, box, text, "secondary", "text2")
            return
        start, end = tints[0]
        width, hit = self._letters.width(text[:start], "body"), self._letters.width(text[start:end], "body")
        tint = QRectF(box.left() + width, box.center().y() - 9, hit, 18).intersected(box)
        painter.fillRect(tint, self._look.color("accent_soft"))
        painter.fillRect(QRectF(tint.left(), tint.bottom() - 1, tint.width(), 1), self._look.color("accent"))
        self._letters.left(painter, box, text, "body", "text")
