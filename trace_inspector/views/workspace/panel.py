"""The Workspace panel: the open files by kind, with their results."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QModelIndex, QPoint, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QGuiApplication, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from trace_inspector.models.base.roles import Role
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.base.translation import tr
from trace_inspector.models.workspace.workspace_model import WorkspaceModel
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.views.widgets.panel import PanelWidget
from trace_inspector.views.widgets.tree_view import Index, TreeView
from trace_inspector.views.window_context.context_menu import Sections, do, offer_menu
from trace_inspector.views.window_context.desk import Desk
from trace_inspector.views.workspace.overview import Overview

ROW_PX = 24
DOT_PX = 7


class WorkspacePanel(PanelWidget):
    """A file selected here is shown in the tree."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.theme, tr("Workspace"))
        self._desk = desk
        self._model = WorkspaceModel(desk.workspace, self)
        self.view = TreeView(desk.theme, tr("Open files"))
        self.view.setHeaderHidden(True)
        self.view.header().setStretchLastSection(True)
        self.view.setModel(self._model)
        self.view.setItemDelegate(_FileDelegate(desk.theme, self.view))
        self.view.expandAll()
        offer_menu(self.view, self._offered)
        self.view.setDragDropMode(QAbstractItemView.DragDropMode.DragDrop)
        self._model.dropped.connect(self._compare)
        add = QToolButton()
        add.setIcon(desk.theme.icon("plus", "text2"))
        add.setToolTip(tr("Open files"))
        add.setAccessibleName(tr("Open files"))
        add.clicked.connect(lambda: desk.perform("open-files"))
        desk.theme.changed.connect(lambda: add.setIcon(desk.theme.icon("plus", "text2")))
        self.head.row.addWidget(add)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(self.view, 1)
        self.overview = Overview(desk)
        box.addWidget(self.overview)
        self.setFocusProxy(self.view)
        self._model.rowsInserted.connect(self._unfold)
        self.view.selectionModel().currentChanged.connect(self._chosen)
        self._read_again = 0  # the file whose row is removed and added again
        desk.workspace.files.reads_again.connect(self._is_reloading)
        desk.workspace.files.added.connect(self._added)
        desk.workspace.selection.changed.connect(self._follow)

    def _offered(self, place: QPoint) -> Sections:
        """What can be done with the file under the mouse, which is selected; on a heading, what opens more."""
        desk, selection = self._desk, self.view.indexAt(place).data(Role.SELECTION)
        file = desk.workspace.files.get(selection.file) if isinstance(selection, Selection) else None
        if file is not None:
            yield desk.actions(("evaluate", "coverage") if file.has_cases else ("evaluate",))
            yield desk.actions(("compare-file",))
            yield desk.actions(("save", "save-as", "revert"))
            yield desk.actions(("reload", "copy-link"))
            yield (do(tr("Copy path"), partial(_copy, str(file.path))),)
            yield desk.actions(("close-file",))
        else:
            yield desk.actions(("open-files", "open-folder", "open-recent"))

    def _compare(self, number: int, base: int) -> None:
        """A file was dropped on another one: compare it with that."""
        self._desk.workspace.selection.select(Selection(number))
        self._desk.workspace.file_pair.choose(base, number)
        self._desk.perform("view-compare")

    def _unfold(self, parent: QModelIndex, first: int, _last: int) -> None:
        """Unfold new rows, and show a file that is selected already."""
        if not parent.isValid():
            self.view.expand(self._model.index(first, 0))
            return
        selection = self._desk.workspace.selection.value
        if selection is not None and self._model.index(first, 0, parent).data(Role.NUMBER) == selection.file:
            self._follow(selection)

    def _is_reloading(self, number: int, _new: int) -> None:
        self._read_again = number

    def _added(self, _number: int) -> None:
        self._read_again = 0

    def _chosen(self, current: QModelIndex, previous: QModelIndex) -> None:
        """The neighbour of a row that is only being read again was not chosen by the person."""
        if previous.isValid() and previous.internalId() == self._read_again != 0:
            return
        place = current.data(Role.SELECTION)
        selection = self._desk.workspace.selection.value
        if isinstance(place, Selection) and (selection is None or selection.file != place.file):
            self._desk.workspace.selection.select(place)

    def _follow(self, selection: Selection | None) -> None:
        if selection is None:
            return
        index = self._model.index_of(selection.file)
        if index.isValid() and index != self.view.currentIndex():
            self.view.setCurrentIndex(index)
            self.view.scrollTo(index)


def _copy(text: str) -> None:
    QGuiApplication.clipboard().setText(text)


class _FileDelegate(QStyledItemDelegate):
    """Icon, name, and at the right end how many failed, were not evaluated, passed."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text_painter = TextPainter(theme)

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        """All rows are equally high."""
        return QSize(120, self._theme.row(ROW_PX))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """A heading or a file."""
        box = QRectF(option.rect).adjusted(2, 0, -12, 0)
        text, caption = str(index.data() or ""), str(index.data(Role.CAPTION) or "")
        if not isinstance(index.data(Role.SELECTION), Selection):
            width = self._text_painter.right(painter, box, caption, "secondary_strong", "text2") if caption else 0
            self._text_painter.left(painter, box.adjusted(0, 0, -width - 8, 0), text, "secondary_strong", "text2")
            return
        box.setLeft(box.left() - 8)
        if icon := index.data(Role.ICON):
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
