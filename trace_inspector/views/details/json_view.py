"""A JSON value as a tree: copy path, copy value; bounded in height, never in depth."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence, QPainter
from PySide6.QtWidgets import QMenu, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from trace_inspector.core.values import Json
from trace_inspector.models.json_tree import JsonTreeModel
from trace_inspector.views.lettering import Lettering
from trace_inspector.views.look import Look
from trace_inspector.views.row_delegate import Index
from trace_inspector.views.tree_view import TreeView

ROW_PX = 20
MOST_ROWS_SHOWN = 16
NAME_PX = 150


class JsonView(TreeView):
    """The value's rows; its menu and keys copy."""

    def __init__(self, look: Look, value: Json, name: str) -> None:
        super().__init__(look, name)
        self._model = JsonTreeModel(value, self)
        self.setHeaderHidden(True)
        self.setModel(self._model)
        self.setItemDelegate(_JsonDelegate(look, self))
        self.setIndentation(16)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._menu)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.header().setStretchLastSection(True)
        self.header().resizeSection(0, NAME_PX)
        self.expandToDepth(0)
        self._fit()
        self.expanded.connect(self._fit)
        self.collapsed.connect(self._fit)
        self._copy_value = self._action(_tr("Copy value"), "Ctrl+C", self._take_value)
        self._copy_path = self._action(_tr("Copy path"), "Ctrl+Shift+C", self._take_path)

    def copied_rows(self) -> str:
        """The current value as JSON."""
        return self._model.json_at(self.currentIndex()) if self.currentIndex().isValid() else ""

    def _action(self, words: str, key: str, run: object) -> QAction:
        action = QAction(words, self)
        action.setShortcut(QKeySequence(key))
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.triggered.connect(run)
        self.addAction(action)
        return action

    def _menu(self, at: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions([self._copy_value, self._copy_path])
        menu.popup(self.viewport().mapToGlobal(at))

    def _take_value(self) -> None:
        QGuiApplication.clipboard().setText(self.copied_rows())

    def _take_path(self) -> None:
        QGuiApplication.clipboard().setText(self._model.path_at(self.currentIndex()))

    def _fit(self) -> None:
        rows, index = 0, self._model.index(0, 0)
        while index.isValid() and rows < MOST_ROWS_SHOWN:
            rows, index = rows + 1, self.indexBelow(index)
        self.setFixedHeight(max(rows, 1) * ROW_PX + 2)


class _JsonDelegate(QStyledItemDelegate):
    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self._look = look
        self._letters = Lettering(look)

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        """All rows are equally high."""
        return QSize(80, ROW_PX)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """The name quiet, the value plain."""
        box = QRectF(option.rect).adjusted(2, 0, -4, 0)
        ink = "text2" if index.column() == 0 else "text"
        self._letters.left(painter, box, str(index.data() or ""), "data", ink)


def _tr(text: str) -> str:
    return QCoreApplication.translate("JsonView", text)
