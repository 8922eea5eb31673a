"""The rows of the Workspace panel: headings, files, folders of sessions, and sessions in two lines."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from trace_inspector.models.base.roles import Role
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.files.session_rows import FIRST_ROW
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.views.widgets.tree_view import Index

ROW_PX, TWO_LINES_PX = 24, 42
DOT_PX = 7
_EDGE_PX, _BETWEEN_PX = 3, 1


class FileDelegate(QStyledItemDelegate):
    """Icon, name, and at the right end how many failed, were not evaluated, passed; a session has a second line."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text_painter = TextPainter(theme)
        self._one_line = self._two_lines = QSize()
        self._measure()
        theme.changed.connect(self._measure)

    def _measure(self) -> None:
        self._one_line, self._two_lines = (QSize(120, self._theme.row(px)) for px in (ROW_PX, TWO_LINES_PX))

    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:
        """Rows of one or of two lines, told by their numbers: all of thousands are asked whenever one is added."""
        return self._two_lines if index.internalId() > FIRST_ROW else self._one_line

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """A heading, a folder, a session or a file."""
        box = QRectF(option.rect).adjusted(2, 0, -12, 0)
        text, caption = str(index.data() or ""), str(index.data(Role.CAPTION) or "")
        icon, second = index.data(Role.ICON), index.data(Role.SECOND_LINE)
        if not icon:
            width = self._text_painter.right(painter, box, caption, "secondary_strong", "text2") if caption else 0
            self._text_painter.left(painter, box.adjusted(0, 0, -width - 8, 0), text, "secondary_strong", "text2")
            return
        has_arrows = second is not None or not isinstance(index.data(Role.SELECTION), Selection)
        box.setLeft(box.left() - (0 if has_arrows else 8))
        if second is not None:
            half = (box.height() - _BETWEEN_PX) / 2 - _EDGE_PX
            below = QRectF(box.left() + 22, box.bottom() - _EDGE_PX - half, box.width() - 22, half)
            self._text_painter.left(painter, below, str(second), "secondary", "text2")
            box = QRectF(box.left(), box.top() + _EDGE_PX, box.width(), half)
        self._theme.icons.paint(painter, str(icon), self._theme.tokens.text2, box.left(), box.center().y(), 14)
        box.setLeft(box.left() + 22)
        counts = index.data(Role.COUNTS) or ()
        other = bool(index.data(Role.FAILING))  # than what was read
        right = (
            self._paint_counts(painter, box, counts)
            if counts and not other
            else self._paint_caption(painter, box, caption, "warn" if other else "text2")
        )
        unsaved = bool(index.data(Role.UNSAVED))
        room = QRectF(box.left(), box.top(), right - box.left() - (20 if unsaved else 8), box.height())
        width = self._text_painter.left(painter, room, text, "body", "text")
        if unsaved:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("accent"))
            painter.drawEllipse(QPointF(box.left() + width + 9, box.center().y()), DOT_PX / 2, DOT_PX / 2)

    def _paint_caption(self, painter: QPainter, box: QRectF, caption: str, ink: str) -> float:
        room = box.adjusted(box.width() * 0.45, 0, 0, 0)
        return box.right() - self._text_painter.right(painter, room, caption, "secondary", ink)

    def _paint_counts(self, painter: QPainter, box: QRectF, counts: tuple[tuple[str, int], ...]) -> float:
        right = box.right()
        for mark, count in reversed(counts):
            room = QRectF(box.left(), box.top(), right - box.left(), box.height())
            right -= self._text_painter.right(painter, room, str(count), "number", "text2") + 15
            self._theme.icons.paint_mark(painter, mark, self._theme.tokens, right, box.center().y(), 11)
            right -= 7
        return right
