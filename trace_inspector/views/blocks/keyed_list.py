"""A flat list with keys of its own, and its cells: words, figures, shares with their intervals."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QEvent, QLineF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from trace_inspector.models.base.roles import Role
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.views.widgets.tree_view import ROW_PX, Index, TreeView

Keys = Mapping[Qt.Key, Callable[[], object]]
_DOT_PX = 3
_MARK_PX = 14


class KeyedList(TreeView):
    """A flat list with keys of its own, without modifiers."""

    def __init__(self, theme: Theme, name: str, keys: Keys) -> None:
        super().__init__(theme, name)
        self._keys = keys
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setItemDelegate(_Cells(theme, self))

    @property
    def rows(self) -> list[int]:
        """The selected rows in their order, the current one where none is."""
        rows = sorted(index.row() for index in self.selectionModel().selectedRows())
        current = self.currentIndex().row()
        return rows or ([current] if current >= 0 else [])

    def event(self, event: QEvent) -> bool:
        """F2 means something else in the rest of the window."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._own(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The keys of the list, then those of all."""
        run = self._own(event)
        if run is not None:
            run()
        else:
            super().keyPressEvent(event)

    def _own(self, event: QKeyEvent) -> Callable[[], object] | None:
        is_plain = event.modifiers() == Qt.KeyboardModifier.NoModifier
        return self._keys.get(Qt.Key(event.key())) if is_plain else None


class _Cells(QStyledItemDelegate):
    """Words, a mark before them, figures at the right, and a share with its interval as a line with a dot."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text_painter = TextPainter(theme)

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        """All rows are equally high."""
        return QSize(60, self._theme.row(ROW_PX))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """One cell."""
        box = QRectF(option.rect).adjusted(8, 0, -8, 0)
        if mark := index.data(Role.MARK):
            self._theme.icons.paint_mark(painter, mark, self._theme.tokens, box.left(), box.center().y(), _MARK_PX)
            box.setLeft(box.left() + _MARK_PX + 6)
        text = str(index.data() or "")
        spread = index.data(Role.SPREAD)
        if spread is not None:
            self._paint_spread(painter, box, text, spread)
        elif index.data(Role.NUMBER):
            self._text_painter.right(painter, box, text, "number", "text")
        elif index.column() == 0:
            head = bool(index.data(Role.BOLD))
            self._text_painter.left(painter, box, text, "strong" if head else "body", "text2" if head else "text")
        else:
            self._text_painter.left(painter, box, text, "secondary", "text2")

    def _paint_spread(
        self, painter: QPainter, box: QRectF, text: str, spread: tuple[float | None, float | None, float | None]
    ) -> None:
        """The interval in words, and to its left to scale: from 0 to all."""
        words = max(self._text_painter.width("100 to 100 %", "secondary"), 1)
        self._text_painter.left(painter, box.adjusted(box.width() - words, 0, 0, 0), text, "secondary", "text2")
        low, value, high = spread
        lane = box.adjusted(0, 0, -words - 12, 0)
        if low is None or value is None or high is None or lane.width() < 24:
            return
        tokens, middle = self._theme.tokens, round(lane.center().y()) + 0.5
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(tokens.border), 1))
        painter.drawLine(QLineF(lane.left(), middle, lane.right(), middle))
        painter.setPen(QPen(QColor(tokens.text3), 2))
        painter.drawLine(QLineF(lane.left() + low * lane.width(), middle, lane.left() + high * lane.width(), middle))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(tokens.text))
        painter.drawEllipse(
            QRectF(lane.left() + value * lane.width() - _DOT_PX, middle - _DOT_PX, 2 * _DOT_PX, 2 * _DOT_PX)
        )
        painter.restore()
