"""State: every key before and after the selected place, what changed first, and the chosen value in full."""

from __future__ import annotations

from collections import Counter

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QStackedWidget, QStyledItemDelegate, QVBoxLayout, QWidget
from PySide6.QtWidgets import QStyleOptionViewItem as Option

from trace_inspector.core.values.values import Absent, JsonObject
from trace_inspector.models.base.counting import counted
from trace_inspector.models.base.roles import Role
from trace_inspector.models.base.translation import tr
from trace_inspector.models.details.state_changes import Change, compared
from trace_inspector.models.details.state_model import StateModel
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.views.blocks.json_view import JsonView
from trace_inspector.views.widgets.controls import Elided
from trace_inspector.views.widgets.empty_state import EmptyState
from trace_inspector.views.widgets.tree_view import Index, TreeView

ROW_PX = 24
WIDTHS_PX = (220, 180, 0, 150)
_COUNTED_CHANGES = (Change.ADDED, Change.CHANGED, Change.REMOVED)


class StatePage(QWidget):
    """Keys left, the value of the current key right."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.model = StateModel(self)
        self.view = TreeView(theme, tr("Session state"))
        self.view.setRootIsDecorated(False)
        self.view.setIndentation(0)
        self.view.setModel(self.model)
        self.view.setItemDelegate(_KeyDelegate(theme, self.view))
        self.view.set_widths(list(WIDTHS_PX), stretch=2)
        self.view.selectionModel().currentChanged.connect(self._show_value)
        self._value = QStackedWidget()
        self._value.setMinimumWidth(160)
        self.empty = EmptyState(theme)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        split.setHandleWidth(1)
        split.addWidget(self.view)
        split.addWidget(self._value)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        split.setSizes([3_000, 2_000])  # the preferred size of the key list would leave no room for the value
        self._stack = QStackedWidget()
        self._stack.addWidget(split)
        self._stack.addWidget(self.empty)
        self._counts = Elided(theme, font="strong")
        self._from = Elided(theme, font="secondary", ink="text2")
        head = QHBoxLayout()
        head.setContentsMargins(12, 6, 12, 6)
        head.setSpacing(12)
        head.addWidget(self._counts, 2)
        head.addWidget(self._from, 3)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addLayout(head)
        box.addWidget(self._stack, 1)
        self.setFocusProxy(self.view)

    def show_states(
        self, where: str, before: JsonObject, after: JsonObject, start: str, end: JsonObject | None
    ) -> None:
        """The state before and after a place; `end` is the final state as stated, when that is the place."""
        lines = compared(before, after)
        counts = Counter(line.change for line in lines)
        text = ", ".join(
            tr("{0} " + change.value).format(counts[change]) for change in _COUNTED_CHANGES if counts[change]
        )
        changes = text or tr("nothing changed")
        self._counts.setText(f"{where}: {changes}")
        self._from.setText(" ".join((start, _differs(after, end))).strip())
        self._drop_value()
        self.model.reset(lines)
        self._stack.setCurrentIndex(0 if lines else 1)
        self.empty.show_message(
            tr("The session state is empty here."), tr("Choose an event that writes to it, marked “state”.")
        )
        if lines:
            self.view.setCurrentIndex(self.model.index(0, 0))

    def _show_value(self, current: Index) -> None:
        self._drop_value()
        line = self.model.record(current.row()) if current.isValid() else None
        if line is None:
            return
        side = line.before if isinstance(line.after, Absent) else line.after
        if not isinstance(side, Absent):
            shown = JsonView(self._theme, side, tr("Value of {0}").format(line.path), fills=True)
            self._value.addWidget(shown)
            self._value.setCurrentWidget(shown)

    def _drop_value(self) -> None:
        while (shown := self._value.currentWidget()) is not None:
            self._value.removeWidget(shown)
            shown.deleteLater()


class _KeyDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text_painter = TextPainter(theme)

    def sizeHint(self, _option: Option, _index: Index) -> QSize:
        """All rows are equally high."""
        return QSize(80, self._theme.row(ROW_PX))

    def paint(self, painter: QPainter, option: Option, index: Index) -> None:
        """The mark before the key; what stayed is quiet."""
        box = QRectF(option.rect).adjusted(8, 0, -8, 0)
        if index.column() == 0:
            if mark := index.data(Role.MARK):
                self._theme.icons.paint_mark(painter, mark, self._theme.tokens, box.left(), box.center().y(), 14)
            box.setLeft(box.left() + 20)
        quiet = index.data(Role.DIM) or index.column() == 3
        font = "secondary" if index.column() == 3 else "data"
        self._text_painter.left(painter, box, str(index.data() or ""), font, "text2" if quiet else "text")


def _differs(after: JsonObject, end: JsonObject | None) -> str:
    if end is None:
        return ""
    count = sum(line.change is not Change.SAME for line in compared(after, end))
    if not count:
        return tr("The file states the same state at the end.")
    return tr("The state that the file gives at the end differs from this in {0}.").format(counted(count, "place"))
