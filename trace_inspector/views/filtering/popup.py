"""The popup under the filter field: why the filter cannot be parsed, or completions at the cursor."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from trace_inspector.models.base.translation import tr
from trace_inspector.models.search.filter_language import Completion
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.views.widgets.controls import Label, MarkLabel

ROW_PX = 24
MOST_ROWS = 10
LEAST_PX, MOST_PX = 320, 560
MEANING_PX = 96  # from the left, where nothing longer is offered
EDGE_PX = 8
LINE_PX = 18
ERROR_EDGE_PX = 4
ERROR_ROOM_PX = 40  # beside the sentence: mark, gap, edges

Index = QModelIndex | QPersistentModelIndex


class CompletionModel(QAbstractListModel):
    """The completions at the cursor."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.offered: Sequence[Completion] = ()

    def rowCount(self, parent: Index | None = None) -> int:
        """Top level only."""
        return 0 if parent is not None and parent.isValid() else len(self.offered)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The text; with its meaning for screen readers."""
        if not index.isValid():
            return None
        completion = self.offered[index.row()]
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{completion.text}, {completion.meaning}" if completion.meaning else completion.text
        return completion.text if role == Qt.ItemDataRole.DisplayRole else None

    def offer(self, completions: Sequence[Completion]) -> None:
        """Others."""
        self.beginResetModel()
        self.offered = completions
        self.endResetModel()


class FilterPopup(QFrame):
    """Lies over the window, never takes the focus. Hidden while there is nothing to show."""

    def __init__(self, theme: Theme, field: QWidget, window: QWidget) -> None:
        super().__init__(window)
        self._theme = theme
        self._field = field
        self.setObjectName("card")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.model = CompletionModel(self)
        self.list = QListView()
        self.list.setModel(self.model)
        self._delegate = _CompletionDelegate(theme, self.list)
        self.list.setItemDelegate(self._delegate)
        self.list.setUniformItemSizes(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setAccessibleName(tr("Completions"))
        self.error = Label(theme, font="secondary", ink="text", wrap=True)
        self._error_row = QWidget()
        row = QHBoxLayout(self._error_row)
        row.setContentsMargins(ERROR_EDGE_PX, ERROR_EDGE_PX, ERROR_EDGE_PX, ERROR_EDGE_PX)
        row.setSpacing(8)
        row.addWidget(MarkLabel(theme, "warning", 14), 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.error, 1)
        self._keys = Label(theme, tr("Tab takes the first, ↓ chooses"), font="caption", ink="text3")
        box = QVBoxLayout(self)
        box.setContentsMargins(EDGE_PX, EDGE_PX, EDGE_PX, EDGE_PX)
        box.setSpacing(4)
        box.addWidget(self._error_row)
        box.addWidget(self.list)
        box.addWidget(self._keys)
        self.hide()

    @property
    def chosen(self) -> Completion | None:
        """The completion chosen with the arrows."""
        index = self.list.currentIndex()
        return self.model.offered[index.row()] if index.isValid() else None

    def show_completions(self, sentence: str, completions: Sequence[Completion]) -> None:
        """Show these; the popup is hidden when both are empty."""
        self.model.offer(completions)
        self._delegate.fit(completions)
        self.list.setCurrentIndex(QModelIndex())
        self.error.setText(sentence)
        self._error_row.setVisible(bool(sentence))
        for widget in (self.list, self._keys):
            widget.setVisible(bool(completions))
        self.list.setFixedHeight(min(len(completions), MOST_ROWS) * self._theme.row(ROW_PX))
        self.setVisible(bool(sentence or completions))
        if self.isVisible():
            self._place()

    def move_by(self, step: int) -> None:
        """Another line; before the first one none is chosen."""
        row = min(self.list.currentIndex().row() + step, self.model.rowCount() - 1)
        self.list.setCurrentIndex(self.model.index(row) if row >= 0 else QModelIndex())

    def _place(self) -> None:
        """Under the field, inside the window."""
        window, layout = self.parentWidget(), self.layout()
        if window is None or layout is None:
            return
        preferred = min(max(LEAST_PX, self._delegate.width_px + 2 * EDGE_PX), MOST_PX)
        width = min(max(preferred, self._field.width()), window.width() - 2 * EDGE_PX)
        # A wrapped sentence is as high as the width makes it.
        lines_px = max(LINE_PX, self.error.heightForWidth(width - 2 * EDGE_PX - ERROR_ROOM_PX))
        self.error.setFixedHeight(lines_px)
        self._error_row.setFixedHeight(lines_px + 2 * ERROR_EDGE_PX)
        layout.invalidate()
        layout.activate()
        self.resize(width, layout.sizeHint().height())
        corner = self._field.mapTo(window, self._field.rect().bottomRight())
        self.move(max(EDGE_PX, min(corner.x(), window.width() - EDGE_PX) - width + 1), corner.y() + 4)
        self.raise_()


class _CompletionDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text_painter = TextPainter(theme)
        self._meaning_px = float(MEANING_PX)
        self.width_px = 0  # in which nothing is cut

    def fit(self, completions: Sequence[Completion]) -> None:
        """Align all meanings after the longest text."""
        texts = max((self._text_painter.width(completion.text, "data") for completion in completions), default=0.0)
        meanings = max(
            (self._text_painter.width(completion.meaning, "secondary") for completion in completions), default=0.0
        )
        self._meaning_px = min(max(texts + 12, MEANING_PX), MOST_PX / 2)
        self.width_px = math.ceil(self._meaning_px + meanings) + 24

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        """All rows are equally high."""
        return QSize(LEAST_PX, self._theme.row(ROW_PX))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """The text, and what it means."""
        model = index.model()
        if not isinstance(model, CompletionModel):
            return
        completion, box = model.offered[index.row()], QRectF(option.rect)
        if option.state & option.state.State_Selected:
            painter.fillRect(box, self._theme.color("sel"))
            painter.fillRect(QRectF(box.left(), box.top(), 2, box.height()), self._theme.color("accent"))
        box.adjust(8, 0, -8, 0)
        self._text_painter.left(painter, box, completion.text, "data", "text")
        box.setLeft(box.left() + self._meaning_px)
        if completion.meaning and box.width() > 24:
            self._text_painter.left(painter, box, completion.meaning, "secondary", "text2")
