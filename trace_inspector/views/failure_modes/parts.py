"""The parts of the panel: lists with keys of their own, the matrix, and the line that asks for a name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from PySide6.QtCore import QModelIndex, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPen, QResizeEvent
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
from trace_inspector.views.widgets.tree_view import ROW_PX, Index

_NO_COMPLETER: Any = None  # as Qt says it, which its types do not know
_COLUMN_PX, _LEAST_COLUMN_PX = 112, 32  # the least has room for a few letters and three digits
_NAMES_PX, _NAMES_SHARE = 160, 0.3  # of the width at most


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
        self.horizontalHeader().setFixedHeight(theme.row(ROW_PX))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width for the columns."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Narrower columns where all of them have no room; the tips have their whole names."""
        count, theme = self.model().columnCount(), self._theme
        bar = self.verticalScrollBar()
        whole = self.contentsRect().width() - (bar.width() if bar.isVisible() else 0)
        names = min(theme.grown(_NAMES_PX), round(_NAMES_SHARE * whole))
        if names != self.verticalHeader().width():
            self.verticalHeader().setFixedWidth(names)
        room = (whole - names) // count if count else 0
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
