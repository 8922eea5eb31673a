"""The parts of the panel: lists with keys of their own, the matrix, and the line that asks for a name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from PySide6.QtCore import QEvent, QLineF, QModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCompleter,
    QHBoxLayout,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from trace_inspector.models.base.roles import Role
from trace_inspector.models.base.translation import tr
from trace_inspector.models.review.mode_tables import MatrixModel
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.views.widgets.controls import Label
from trace_inspector.views.widgets.fields import EntryField
from trace_inspector.views.widgets.tree_view import ROW_PX, Index, TreeView

Keys = Mapping[Qt.Key, Callable[[], object]]
_NO_COMPLETER: Any = None  # as Qt says it, which its types do not know
_DOT_PX = 3
_COLUMN_PX, _LEAST_COLUMN_PX = 112, 56


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
    """Words, figures at the right, and a share with its interval as a line with a dot."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text_painter = TextPainter(theme)

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        """All rows are equally high."""
        return QSize(60, self._theme.row(ROW_PX))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """One cell."""
        box = QRectF(option.rect).adjusted(12 if index.column() == 0 else 8, 0, -8, 0)
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


class MatrixView(QTableView):
    """Modes by places. `opened` has the cell on Enter and a click."""

    opened = Signal(QModelIndex)

    def __init__(self, theme: Theme, name: str, model: MatrixModel) -> None:
        super().__init__()
        self._theme = theme
        self.setModel(model)
        self.setAccessibleName(name)
        self.setItemDelegate(_MatrixCells(theme, self))
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setCornerButtonEnabled(False)
        for head in (self.horizontalHeader(), self.verticalHeader()):
            head.setHighlightSections(False)
            head.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
            head.setTextElideMode(Qt.TextElideMode.ElideRight)
            head.setAccessibleName(name)
        self.verticalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.clicked.connect(self.opened)
        model.modelReset.connect(self._fit)
        self._take_text_size()
        theme.changed.connect(self._take_text_size)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter opens the cell."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.opened.emit(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def _take_text_size(self) -> None:
        theme = self._theme
        self.setFont(theme.fonts.secondary)
        for head in (self.horizontalHeader(), self.verticalHeader()):
            head.setFont(theme.fonts.secondary)
        self.verticalHeader().setDefaultSectionSize(theme.row(ROW_PX))
        self.verticalHeader().setFixedWidth(theme.grown(160))
        self.horizontalHeader().setFixedHeight(theme.row(ROW_PX))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width for the columns."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Narrower columns where all of them have no room; the tips have their whole names."""
        count, theme = self.model().columnCount(), self._theme
        room = self.viewport().width() // count if count else 0
        width = max(theme.grown(_LEAST_COLUMN_PX), min(theme.grown(_COLUMN_PX), room))
        if width != self.horizontalHeader().defaultSectionSize():
            self.horizontalHeader().setDefaultSectionSize(width)


class _MatrixCells(QStyledItemDelegate):
    """The number, on a fill that is the stronger the larger it is."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text_painter = TextPainter(theme)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """One cell."""
        box = QRectF(option.rect).adjusted(1, 1, -1, -1)
        share = float(index.data(Role.FRACTION) or 0.0)
        fill = self._theme.color("text3")
        fill.setAlphaF(0.35 * share)
        painter.fillRect(box, fill)
        text = str(index.data() or "")
        left = box.center().x() - self._text_painter.width(text, "number") / 2
        self._text_painter.left(painter, box.adjusted(left - box.left(), 0, 0, 0), text, "number", "text")
        if option.state & QStyle.StateFlag.State_Selected:
            painter.setPen(QPen(self._theme.color("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(box.adjusted(1, 1, -1, -1))


class AskLine(QWidget):
    """One line that asks for a name or a description. `closed` when it is answered or left."""

    closed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._take: Callable[[str], object] = str
        self._question = Label(theme, font="secondary")
        self._known: tuple[str, ...] = ()
        self._completer: QCompleter | None = None
        hint = tr("Enter takes it, Esc leaves it")
        self.field = EntryField(theme, tr("Name"), hint, self._answer, self.leave)
        box = QHBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(8)
        box.addWidget(self._question)
        box.addWidget(self.field, 1)
        self.hide()

    def know(self, names: Iterable[str]) -> None:
        """Names that complete what is typed."""
        self._known = (*names,)

    def ask(self, words: str, text: str, take: Callable[[str], object], *, completes: bool) -> None:
        """Ask; `take` gets the answer."""
        self._take = take
        self._question.setText(words)
        self.field.setAccessibleName(words)
        self._end_completions()
        completer = QCompleter(self._known if completes else (), self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self.field.setCompleter(completer)
        self._completer = completer
        self.field.setText(text)
        self.field.show()
        self.show()
        self.field.setFocus()
        self.field.selectAll()

    def _answer(self, text: str) -> None:
        self._take(text)

    def leave(self) -> None:
        """Ask nothing any more."""
        self._end_completions()
        self.hide()
        self.closed.emit()

    def _end_completions(self) -> None:
        """The list is a window of its own. It is deleted later: it may be what told of the key."""
        if self._completer is not None:
            popup = self._completer.popup()
            if popup is not None:
                popup.hide()
            self.field.setCompleter(_NO_COMPLETER)
            self._completer.deleteLater()
            self._completer = None


def nothing_in(tab: int) -> tuple[str, str]:
    """What is told where a tab has nothing to list."""
    return (
        (tr("No turn shows this mode."), tr("Tag one in a review, or give it to failures without a mode.")),
        (tr("Every failure has a mode."), ""),
        (tr("No failure has a mode yet."), ""),
    )[tab]
