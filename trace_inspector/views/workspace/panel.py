"""The Workspace panel: the open files by kind, with their results."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from functools import partial

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, Qt, QTimer
from PySide6.QtGui import QAction, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QMenu, QToolButton, QVBoxLayout

from trace_inspector.models.base.roles import Role
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.base.translation import tr
from trace_inspector.models.files.session_rows import Order
from trace_inspector.models.workspace.workspace_model import WorkspaceModel
from trace_inspector.views.widgets.panel import PanelWidget
from trace_inspector.views.widgets.tree_view import TreeView
from trace_inspector.views.window_context.context_menu import Sections, do, offer_menu
from trace_inspector.views.window_context.desk import Desk
from trace_inspector.views.workspace.file_delegate import FileDelegate
from trace_inspector.views.workspace.overview import Overview

REST_MS = 150  # on a session before it is read: whoever goes on with the arrow keys passes over many
_ORDER_KEY = "sessions/order"


class WorkspacePanel(PanelWidget):
    """A file selected here is shown in the tree; a session of a folder is read then."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.theme, tr("Workspace"))
        self._desk = desk
        self._read_again = 0  # the file whose row is removed and added again, or has another place
        desk.workspace.session_folders.adopting.connect(self._is_reloading)  # before the model does
        desk.workspace.session_folders.leaving.connect(self._step_aside)
        self._passes = False  # another row is current than somebody chose
        self._model = WorkspaceModel(desk.workspace, self)
        self.view = TreeView(desk.theme, tr("Open files"))
        self._sessions = desk.workspace.session_folders
        self.view.setHeaderHidden(True)
        self.view.setUniformRowHeights(False)
        self.view.header().setStretchLastSection(True)
        self.view.setModel(self._model)
        self.view.setItemDelegate(FileDelegate(desk.theme, self.view))
        self.view.expandAll()
        offer_menu(self.view, self._offered)
        self.view.installEventFilter(self)
        self.view.setDragDropMode(QAbstractItemView.DragDropMode.DragDrop)
        self._model.dropped.connect(self._compare)
        self._order = self._button("sliders", tr("Sort sessions"), self._offer_orders)
        self.head.row.addWidget(self._order)
        self.head.row.addWidget(self._button("plus", tr("Open files"), lambda: desk.perform("open-files")))
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(self.view, 1)
        self.overview = Overview(desk)
        box.addWidget(self.overview)
        self.setFocusProxy(self.view)
        self._model.rowsInserted.connect(self._unfold)
        self.view.selectionModel().currentChanged.connect(self._chosen)
        self.view.opened.connect(self._read)
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(lambda: self._read(self.view.currentIndex()))
        kept = str(desk.settings.value(_ORDER_KEY) or "")
        self._sessions.sort_by(Order[kept] if kept in Order.__members__ else Order.START)
        self._sessions.added.connect(self._folder_added)
        self._sessions.adopted.connect(self._adopted)
        self._sessions.closed.connect(self._show_order)
        self._show_order()
        desk.workspace.files.reads_again.connect(self._is_reloading)
        desk.workspace.files.added.connect(self._added)
        desk.workspace.selection.changed.connect(self._follow)
        for number in self._sessions.by_number:  # it was opened before this panel was made
            self._folder_added(number)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A folder is closed by the keys that close a file, whatever is selected beside it."""
        number = self.view.currentIndex().internalId()
        closes = isinstance(event, QKeyEvent) and event.matches(QKeySequence.StandardKey.Close)
        if closes and watched is self.view and number in self._sessions.by_number:
            if event.type() == QEvent.Type.KeyPress:
                self._sessions.close(number)
            event.accept()
            return True
        return super().eventFilter(watched, event)

    def _button(self, icon: str, words: str, run: Callable[[], object]) -> QToolButton:
        button = QToolButton()
        button.setIcon(self._desk.theme.icon(icon, "text2"))
        button.setToolTip(words)
        button.setAccessibleName(words)
        button.clicked.connect(lambda _checked: run())
        self._desk.theme.changed.connect(lambda: button.setIcon(self._desk.theme.icon(icon, "text2")))
        return button

    def _offered(self, place: QPoint) -> Sections:
        """What can be done with the file or folder under the mouse; on a heading, what opens more."""
        desk, index = self._desk, self.view.indexAt(place)
        selection, number = index.data(Role.SELECTION), index.data(Role.NUMBER)
        folder = self._sessions.by_number.get(number)
        if folder is not None:
            yield (
                do(tr("Read all sessions"), partial(self._sessions.read_all, number)),
                do(tr("List again"), partial(self._sessions.look_again, number)),
            )
            yield self._orders()
            yield (do(tr("Copy path"), partial(_copy, str(folder.path))),)
            yield (do(tr("Close folder"), partial(self._sessions.close, number)),)
            return
        row = self._sessions.rows.get(number) if not isinstance(selection, Selection) else None
        if row is not None:
            yield (do(tr("Read"), partial(self._sessions.choose, number)),)
            yield self._orders()
            yield (do(tr("Copy path"), partial(_copy, str(row.outline.path))),)
            return
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
        if parent.internalId() in self._sessions.by_number and not first:
            self.view.expand(parent)
        if parent.internalId():  # of a folder
            return
        selection = self._desk.workspace.selection.value
        if selection is not None and self._model.index(first, 0, parent).data(Role.NUMBER) == selection.file:
            self._follow(selection)

    def _read(self, index: QModelIndex) -> None:
        """Read the session that somebody stays on; Enter does it at once, and folds or unfolds a folder."""
        self._rest.stop()
        number = index.internalId() if index.isValid() else 0
        if number in self._sessions.by_number:
            if self.sender() is self.view:
                self.view.setExpanded(index, not self.view.isExpanded(index))
        elif number in self._sessions.rows:
            self._sessions.choose(number)

    def _folder_added(self, number: int) -> None:
        """A folder is shown, but nothing of it is chosen yet."""
        self._show_order()
        if self._desk.workspace.selection.value is None:
            index = self._model.index_of(number)
            self.view.setCurrentIndex(index)
            self.view.scrollTo(index)

    def _adopted(self, _number: int) -> None:
        """A file has its row elsewhere now; if it was selected, it still is."""
        self._read_again = 0
        self._follow(self._desk.workspace.selection.value)

    def _show_order(self, _number: int = 0) -> None:
        self._order.setVisible(bool(self._sessions.by_number))

    def _orders(self) -> list[QAction]:
        """What sessions can be sorted by."""
        actions = []
        for order in Order:
            action = do(tr("Sort by {0}").format(tr(order.value).lower()), partial(self._sort_by, order))
            action.setCheckable(True)
            action.setChecked(order is self._sessions.order)
            actions.append(action)
        return actions

    def _offer_orders(self) -> None:
        menu = QMenu(self._order)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for action in self._orders():
            action.setParent(menu)
            menu.addAction(action)
        menu.popup(self._order.mapToGlobal(self._order.rect().bottomLeft()))

    def _sort_by(self, order: Order) -> None:
        self._desk.settings.setValue(_ORDER_KEY, order.name)
        self._sessions.sort_by(order)
        self.view.scrollTo(self.view.currentIndex())

    def _step_aside(self, gone: AbstractSet[int]) -> None:
        """Where the current session is gone its neighbour is current, but nobody asked to read that."""
        index = self.view.currentIndex()
        if index.internalId() not in gone:
            return
        self._rest.stop()
        near = (index.siblingAtRow(index.row() + step) for step in range(1, self._model.rowCount(index.parent())))
        stays = next((each for each in near if each.isValid() and each.internalId() not in gone), index.parent())
        self._passes, before = True, self._passes
        self.view.setCurrentIndex(stays)
        self._passes = before

    def _is_reloading(self, number: int, _new: int = 0) -> None:
        self._read_again = number

    def _added(self, _number: int) -> None:
        self._read_again = 0

    def _chosen(self, current: QModelIndex, previous: QModelIndex) -> None:
        """The neighbour of a row that is only being read again was not chosen by the person."""
        if self._passes or (previous.isValid() and previous.internalId() == self._read_again != 0):
            return
        place = current.data(Role.SELECTION)
        self._rest.stop()
        if current.internalId() in self._sessions.rows and not isinstance(place, Selection):
            self._rest.start()
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
