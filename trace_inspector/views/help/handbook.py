"""The help in the window: the tour, the criteria, the formats and more, section by section, found by any word."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QSize, Qt
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from trace_inspector.models.base.translation import tr
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.help.help_text import SPACE_PX, HelpText
from trace_inspector.views.help.pages import PAGES, HelpSection, all_sections, with_words
from trace_inspector.views.widgets.controls import Label
from trace_inspector.views.widgets.dialog_frame import show_inside
from trace_inspector.views.widgets.fields import LineField
from trace_inspector.views.widgets.tree_view import TreeView
from trace_inspector.views.window_context.desk import Desk

LIST_PX = 260
ROW_PX = 24
SIZE_PX = (960, 640)
_SECTION = Qt.ItemDataRole.UserRole + 1


def show_handbook(desk: Desk, page: str) -> None:
    """Open the help at a page."""
    handbook = Handbook(desk.theme)
    handbook.show_page(page)
    room = desk.window.size()
    size = (min(SIZE_PX[0], room.width() - 80), min(SIZE_PX[1], room.height() - 80))
    show_inside(desk.theme, desk.window, tr("Help"), handbook, size)
    handbook.field.setFocus()


class Handbook(QWidget):
    """A field, the sections that have what is typed in it, and the chosen section."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = theme
        self._sections = all_sections()
        self.field = LineField(theme, tr("Find in the help"), self._find, tr("Find in the help"))
        self.field.textChanged.connect(self._find)
        self._model = QStandardItemModel(self)
        self.list = TreeView(theme, tr("Sections"))
        self.list.setHeaderHidden(True)
        self.list.header().setStretchLastSection(True)
        self.list.setModel(self._model)
        self.list.setFixedWidth(LIST_PX)
        self.list.selectionModel().currentChanged.connect(self._show)
        self._nothing = Label(theme, tr("No section has these words."), font="secondary", ink="text2", wrap=True)
        self._nothing.hide()
        self.text = HelpText(theme)
        side = QVBoxLayout()
        side.setSpacing(8)
        side.addWidget(self.field)
        side.addWidget(self._nothing)
        side.addWidget(self.list, 1)
        side.addStretch(0)
        row = QHBoxLayout(self)
        row.setContentsMargins(SPACE_PX, 12, SPACE_PX, 0)
        row.setSpacing(SPACE_PX)
        row.addLayout(side)
        row.addWidget(self.text, 1)
        self._find("")

    def show_page(self, page: str) -> None:
        """Turn to the beginning of a page."""
        for row in range(self._model.rowCount()):
            section = self._first(row).data(_SECTION)
            if isinstance(section, HelpSection) and section.page == page:
                self.list.setCurrentIndex(self._first(row))
                self.list.scrollTo(self._model.index(row, 0), TreeView.ScrollHint.PositionAtTop)

    def _first(self, row: int) -> QModelIndex:
        return self._model.index(0, 0, self._model.index(row, 0))

    def _find(self, text: str) -> None:
        """List the sections in which every typed word stands, and show the first."""
        self._model.clear()
        pages = with_words(self._sections, text)
        for page, sections in pages.items():
            above = self._item(tr(PAGES[page]))
            above.setSelectable(False)
            above.setFont(self._theme.fonts.secondary_strong)
            self._model.appendRow(above)
            for section in sections:
                item = self._item(section.title)
                item.setData(section, _SECTION)
                above.appendRow(item)
        self.list.expandAll()
        self._nothing.setVisible(not pages)
        self.list.setVisible(bool(pages))
        if pages:
            self.list.setCurrentIndex(self._first(0))

    def _item(self, title: str) -> QStandardItem:
        item = QStandardItem(title)
        item.setToolTip(title)
        item.setSizeHint(QSize(0, self._theme.row(ROW_PX)))
        return item

    def _show(self, current: QModelIndex) -> None:
        section = current.data(_SECTION)
        if isinstance(section, HelpSection):
            self.text.show_section(section, self.field.text().split())
