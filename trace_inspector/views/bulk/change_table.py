"""Everything that a bulk edit would change: a list with a check box for each golden."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from PySide6.QtCore import QModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from trace_inspector.models.base.translation import tr
from trace_inspector.models.bulk.edit import BulkEdit
from trace_inspector.models.bulk.table import BulkTable
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.views.widgets.check_mark import paint_box
from trace_inspector.views.widgets.tree_view import Index, Offer, TreeView

WIDTHS_PX = [240, 48, 180, 210, 0]
_BOX_PX = 14


class ChangeTable(TreeView):
    """Space leaves the golden of a row out."""

    def __init__(self, theme: Theme, edit: BulkEdit) -> None:
        super().__init__(theme, tr("What would change"))
        self._edit = edit
        self.table = BulkTable(edit, self)
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setModel(self.table)
        self.setItemDelegate(_ChangeDelegate(theme, self))
        self.set_widths(WIDTHS_PX, stretch=len(WIDTHS_PX) - 1)
        self.clicked.connect(self._clicked)
        self.offers = self._offered

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space; Enter is for the dialog."""
        if event.key() == Qt.Key.Key_Space and self.currentIndex().isValid():
            self._edit.toggle(self.currentIndex().row())
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def _offered(self, index: QModelIndex) -> Iterable[Offer]:
        is_in = index.siblingAtColumn(0).data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Checked
        yield tr("Leave out") if is_in else tr("Include"), partial(self._edit.toggle, index.row())

    def _clicked(self, index: QModelIndex) -> None:
        inside = self.viewport().mapFromGlobal(self.cursor().pos()).x() - self.visualRect(index).left()
        if index.column() == 0 and inside < _BOX_PX + 20:
            self._edit.toggle(index.row())


class _ChangeDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text_painter = TextPainter(theme)

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        """All rows are equally high."""
        return QSize(80, self._theme.row(24))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """A box before the golden's name; what is left out is pale."""
        box = QRectF(option.rect).adjusted(12 if index.column() == 0 else 6, 0, -8, 0)
        checked = index.model().index(index.row(), 0).data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Checked
        if index.column() == 0:
            square = QRectF(box.left(), box.center().y() - _BOX_PX / 2, _BOX_PX, _BOX_PX)
            paint_box(painter, self._theme, square, checked=checked)
            box.setLeft(box.left() + _BOX_PX + 8)
        ink = "text3" if not checked else "text" if index.column() in (0, 4) else "text2"
        font = "data" if index.column() > 2 else "secondary" if index.column() else "body"
        self._text_painter.left(painter, box, str(index.data() or ""), font, ink)
