"""A JSON value as a tree: copy path and value, find in it, unfold it; bounded in height, never in depth."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeyEvent, QKeySequence, QPainter
from PySide6.QtWidgets import QMenu, QStyledItemDelegate, QStyleOptionViewItem, QVBoxLayout, QWidget

from trace_inspector.core.values.values import Json
from trace_inspector.models.base.translation import tr
from trace_inspector.models.details.json_tree import JsonTreeModel
from trace_inspector.models.search.json_find import MOST_FOUND, JsonSearch, Path
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.views.widgets.find_bar import FindBar
from trace_inspector.views.widgets.tree_view import Index, TreeView

ROW_PX = 20
MOST_ROWS_SHOWN = 16
NAME_PX = 150
SEARCH_STEP_S = 0.008


class JsonView(QWidget):
    """The tree, and above it the line for finding. `fills`: as high as there is room, not as its rows."""

    def __init__(self, theme: Theme, value: Json, name: str, *, fills: bool = False) -> None:
        super().__init__()
        self._theme = theme
        self._value = value
        self._search: JsonSearch | None = None
        self._index = -1
        self.tree = JsonTree(theme, value, name, fills=fills)
        self._name = name
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(0)
        self._box.addWidget(self.tree, 1 if fills else 0)
        self.tree.find_requested.connect(self._open)
        self.setFocusProxy(self.tree)

    @cached_property
    def bar(self) -> FindBar:
        """Made with the first search: a page may have many trees."""
        bar = FindBar(self._theme, self._name)
        bar.typed.connect(self._look_for)
        bar.moved.connect(self._move)
        bar.closed.connect(self._close)
        self._box.insertWidget(0, bar)
        return bar

    @cached_property
    def _later(self) -> QTimer:
        later = QTimer(self)
        later.setSingleShot(True)
        later.setInterval(0)
        later.timeout.connect(self._look_further)
        return later

    def _open(self) -> None:
        self.bar.open_bar()

    def _look_for(self, text: str) -> None:
        self._search, self._index = JsonSearch(self._value, text), -1
        self._look_further()

    def _look_further(self) -> None:
        search = self._search
        if search is None:
            return
        if not search.go_on(SEARCH_STEP_S):
            self._later.start()
        if self._index < 0 and search.paths:
            self._show(0)
        self._show_count()

    def _move(self, step: int) -> None:
        if self._search is not None and self._search.paths:
            self._show((self._index + step) % len(self._search.paths))
            self._show_count()

    def _show(self, index: int) -> None:
        self._index = index
        if self._search is not None:
            self.tree.reveal(self._search.paths[index])

    def _show_count(self) -> None:
        search = self._search
        if search is not None:
            count = len(search.paths)
            self.bar.show_position(self._index, count, more=not search.ended or count >= MOST_FOUND)

    def _close(self) -> None:
        self._search = None
        self._later.stop()
        self.tree.setFocus()


class JsonTree(TreeView):
    """The value's rows; menu and keys copy, find and unfold. Its keys take precedence over the window's."""

    find_requested = Signal()

    def __init__(self, theme: Theme, value: Json, name: str, *, fills: bool) -> None:
        super().__init__(theme, name)
        self._fills = fills
        self._model = JsonTreeModel(value, self)
        self.setHeaderHidden(True)
        self.setModel(self._model)
        self.setItemDelegate(_JsonDelegate(theme, self))
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
        self._actions = [
            self._action(tr("Copy value"), "Ctrl+C", self._take_value),
            self._action(tr("Copy path"), "Ctrl+Shift+C", self._take_path),
            self._action(tr("Find"), "Ctrl+F", self.find_requested.emit),
            self._action(tr("Unfold all"), "*", self.unfold),
        ]

    def copied_rows(self) -> str:
        """The current value as JSON."""
        return self._model.json_at(self.currentIndex()) if self.currentIndex().isValid() else ""

    def reveal(self, path: Path) -> None:
        """Unfold the way to a value and choose it; the nearest above it that can be shown."""
        index = self._model.index_at(path)
        if index.isValid():
            self.setCurrentIndex(index)
            self.scrollTo(index)
            self._fit()

    def unfold(self) -> None:
        """Everything, or as deep as that stays quick."""
        self.expandToDepth(self._model.quick_depth())
        self._fit()

    def event(self, event: QEvent) -> bool:
        """Keys that the window uses too are for this tree while it has the focus."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._meant(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """One of its own keys, else as in every tree."""
        action = self._meant(event)
        if action is not None:
            action.trigger()
        else:
            super().keyPressEvent(event)

    def _meant(self, event: QKeyEvent) -> QAction | None:
        if event.text() == "*":
            return self._actions[-1]
        pressed = QKeySequence(event.keyCombination())
        return next((action for action in self._actions if action.property("key") == pressed.toString()), None)

    def _action(self, words: str, key: str, run: Callable[[], object]) -> QAction:
        action = QAction(f"{words}\t{key}", self)
        action.setProperty("key", key)
        action.triggered.connect(lambda _checked: run())
        return action

    def _menu(self, position: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions(self._actions)
        menu.popup(self.viewport().mapToGlobal(position))

    def _take_value(self) -> None:
        QGuiApplication.clipboard().setText(self.copied_rows())

    def _take_path(self) -> None:
        QGuiApplication.clipboard().setText(self._model.path_at(self.currentIndex()))

    def _fit(self) -> None:
        if self._fills:
            return
        rows, index = 0, self._model.index(0, 0)
        while index.isValid() and rows < MOST_ROWS_SHOWN:
            rows, index = rows + 1, self.indexBelow(index)
        self.setFixedHeight(max(rows, 1) * self._theme.row(ROW_PX) + 2)


class _JsonDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text_painter = TextPainter(theme)

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        """All rows are equally high."""
        return QSize(80, self._theme.row(ROW_PX))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """The name in a quiet ink, the value in a plain one."""
        box = QRectF(option.rect).adjusted(2, 0, -4, 0)
        ink = "text2" if index.column() == 0 else "text"
        self._text_painter.left(painter, box, str(index.data() or ""), "data", ink)
