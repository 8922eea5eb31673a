"""The rows of a rebase as a list whose keys decide them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from PySide6.QtCore import QModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from trace_inspector.engine.rebasing.rule import RebaseDecision
from trace_inspector.models.base.roles import Role
from trace_inspector.models.base.translation import tr
from trace_inspector.models.bulk.rebase import RebaseEdit, RebaseRecord
from trace_inspector.models.bulk.rebase_table import DECISIONS, RebaseTable
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.views.widgets.tree_view import Index, Offer, TreeView

WIDTHS_PX, NARROW_WIDTHS_PX = [0, 180, 64, 190], [0, 110, 56, 130]
_NARROW_PX = 720  # where decisions and verdicts are cut before what differs is
KEYS: Mapping[Qt.Key, RebaseDecision] = {
    Qt.Key.Key_A: RebaseDecision.ACCEPT,
    Qt.Key.Key_L: RebaseDecision.LOOSEN,
    Qt.Key.Key_R: RebaseDecision.REJECT,
    Qt.Key.Key_T: RebaseDecision.LATER,
}
_INDENT_PX, _ARROW_PX, _MARK_PX = 18, 16, 14


class RowList(TreeView):
    """A, L, R and T decide the current row, → and ← unfold and fold it."""

    def __init__(self, theme: Theme, edit: RebaseEdit) -> None:
        super().__init__(theme, tr("What differs"))
        self._edit = edit
        self.table = RebaseTable(edit, self)
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setModel(self.table)
        self.setItemDelegate(_RebaseDelegate(theme, self))
        self._is_narrow = False
        self.set_widths(WIDTHS_PX, stretch=0)
        self.clicked.connect(self._clicked)
        self.offers = self._offered

    @property
    def current(self) -> RebaseRecord | None:
        """The current row."""
        return self.table.record(self.currentIndex().row()) if self.currentIndex().isValid() else None

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What differs keeps the most room."""
        is_narrow = self.width() < self._theme.grown(_NARROW_PX)
        if is_narrow is not self._is_narrow:
            self._is_narrow = is_narrow
            self.set_widths(NARROW_WIDTHS_PX if is_narrow else WIDTHS_PX, stretch=0)
        super().resizeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Decide, fold; Enter is for the dialog."""
        record = self.current
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        key = Qt.Key(event.key())
        if record is not None and plain and key in KEYS:
            self._edit.decide(record, KEYS[key])
        elif record is not None and plain and key in (Qt.Key.Key_Right, Qt.Key.Key_Left):
            self._fold(record, to=key == Qt.Key.Key_Right)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def _fold(self, record: RebaseRecord, *, to: bool) -> None:
        """Unfold or fold; where there is nothing to fold ← goes to the row around."""
        if not to and self.table.is_open(record) is not True:
            around = record.path if record.case else record.path[:-1]
            row = self.table.row_of((around, ""))
            if row >= 0:
                self.setCurrentIndex(self.table.index(row, 0))
            return
        self._edit.toggle(record, to=to)

    def _offered(self, index: QModelIndex) -> Iterable[Offer]:
        record = self.table.record(index.row())
        if record is None:
            return
        for decision in KEYS.values():
            if decision is not RebaseDecision.LOOSEN or record.can_loosen:
                yield tr(DECISIONS[decision]), partial(self._edit.decide, record, decision)

    def _clicked(self, index: QModelIndex) -> None:
        record = self.table.record(index.row())
        inside = self.viewport().mapFromGlobal(self.cursor().pos()).x() - self.visualRect(index).left()
        if record is not None and index.column() == 0 and inside < _left_px(record) + _ARROW_PX:
            self._edit.toggle(record, to=self.table.is_open(record) is False)


def _left_px(record: RebaseRecord) -> int:
    return 10 + _INDENT_PX * record.depth


class _RebaseDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, rows: RowList) -> None:
        super().__init__(rows)
        self._theme = theme
        self._rows = rows
        self._text_painter = TextPainter(theme)

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        """All rows are equally high."""
        return QSize(80, self._theme.row(24))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """An arrow before what can be unfolded; what is decided is dark."""
        record = self._rows.table.record(index.row())
        if record is None:
            return
        columns = (self._difference, self._decision, self._number, self._then)
        columns[index.column()](painter, QRectF(option.rect).adjusted(6, 0, -8, 0), index, record)

    def _difference(self, painter: QPainter, box: QRectF, index: Index, record: RebaseRecord) -> None:
        box.setLeft(box.left() - 6 + _left_px(record))
        is_open = self._rows.table.is_open(record)
        if is_open is not None:
            arrow = QRectF(box.left(), box.top(), _ARROW_PX, box.height())
            self._text_painter.left(painter, arrow, "▾" if is_open else "▸", "body", "text3")
        box.setLeft(box.left() + _ARROW_PX)
        self._text_painter.left(painter, box, str(index.data() or ""), "body", "text2" if record.case else "text")

    def _decision(self, painter: QPainter, box: QRectF, index: Index, _record: RebaseRecord) -> None:
        ink = "text3" if index.data(Role.DIM) else "text"
        self._text_painter.left(painter, box, str(index.data() or ""), "body", ink)

    def _number(self, painter: QPainter, box: QRectF, index: Index, _record: RebaseRecord) -> None:
        self._text_painter.right(painter, box, str(index.data() or ""), "body", "text2")

    def _then(self, painter: QPainter, box: QRectF, index: Index, record: RebaseRecord) -> None:
        is_conflict = bool(record.line.conflicts) if not record.case else record.case in record.line.conflicts
        mark = str(index.data(Role.MARK) or "")
        if mark:
            self._theme.icons.paint_mark(painter, mark, self._theme.tokens, box.left(), box.center().y(), _MARK_PX)
            box.setLeft(box.left() + _MARK_PX + 6)
        self._text_painter.left(
            painter, box, str(index.data() or ""), "secondary", "warn" if is_conflict else "text2"
        )
