"""The proposed pairing: a list that is corrected by keys, with a reason for each pair."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from PySide6.QtCore import QModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from trace_inspector.models.base.roles import Role
from trace_inspector.models.base.translation import tr
from trace_inspector.models.evaluation.evaluation import Evaluation
from trace_inspector.models.evaluation.pair_table import BY_HAND, NO_CASE, PairTable, case_name
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.views.widgets.controls import TagKind, paint_tag
from trace_inspector.views.widgets.palette import Entry, Palette
from trace_inspector.views.widgets.tree_view import Index, Offer, TreeView

WIDTHS_PX = [330, 280, 0]
TAG_PX = 56


class PairList(TreeView):
    """Enter chooses another case for a trace, Delete none, Backspace the proposed one. `corrected` after each."""

    corrected = Signal()

    def __init__(self, theme: Theme, evaluation: Evaluation, palette: Palette) -> None:
        super().__init__(theme, tr("Pairing of traces and cases"))
        self._evaluation = evaluation
        self._palette = palette
        self.table = PairTable(evaluation.proposal, self)
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setModel(self.table)
        self.setItemDelegate(_PairDelegate(theme, self))
        self.set_widths(WIDTHS_PX, stretch=2)
        self.opened.connect(lambda index: self.choose_case(index.row()))
        self.offers = self._offered

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The keys that correct, besides those of every list."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier and event.key() == Qt.Key.Key_Return:
            event.ignore()  # for the dialog
            return
        row = self.currentIndex().row()
        if row >= 0 and event.key() == Qt.Key.Key_Delete:
            self._correct(row, -1)
        elif row >= 0 and event.key() == Qt.Key.Key_Backspace:
            self._restore(row)
        elif event.key() == Qt.Key.Key_N and not event.modifiers():
            self.next_unsure()
        else:
            super().keyPressEvent(event)

    def _offered(self, index: QModelIndex) -> Iterable[Offer]:
        row = index.row()
        yield tr("Choose another case…"), partial(self.choose_case, row)
        yield tr("No case"), partial(self._correct, row, -1)
        yield tr("As proposed"), partial(self._restore, row)

    def _restore(self, row: int) -> None:
        self._evaluation.pairs.drop(self._evaluation.proposal.restore(row))
        self.corrected.emit()

    def choose_case(self, row: int) -> None:
        """Ask for the case of a trace."""
        cases = self._evaluation.proposal.cases
        entries = [Entry(tr("No case"), partial(self._correct, row, -1), tr("the trace is judged alone"))]
        entries += [
            Entry(case_name(case), partial(self._correct, row, index), case.path.rpartition("/")[2])
            for index, case in enumerate(cases)
        ]
        self._palette.ask(tr("The case of {0}").format(self.table.index(row, 0).data()), entries)

    def next_unsure(self) -> None:
        """Go to the next pairing that a person should look at."""
        row = self.table.next_uncertain(self.currentIndex().row())
        if row >= 0:
            self.setCurrentIndex(self.table.index(row, 0))
            self.setFocus()

    def _correct(self, row: int, golden: int) -> None:
        self._evaluation.pairs.add(self._evaluation.proposal.correct(row, golden))
        self.setFocus()
        self.corrected.emit()


class _PairDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text_painter = TextPainter(theme)

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        """All rows are equally high."""
        return QSize(80, 24)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Words; a mark before the reason, or the tag of a person's word."""
        box = QRectF(option.rect).adjusted(12 if index.column() == 0 else 8, 0, -8, 0)
        mark = index.data(Role.MARK)
        if mark == BY_HAND:
            tag = QRectF(box.left(), box.center().y() - 8, TAG_PX, 16)
            paint_tag(painter, tag, tr("by hand"), TagKind.HUMAN, self._theme, self._theme.fonts.caption)
            return
        if mark:
            self._theme.icons.paint_mark(painter, mark, self._theme.tokens, box.left(), box.center().y(), 14)
            box.setLeft(box.left() + 22)
        text = str(index.data() or "")
        ink = "text3" if text == NO_CASE else "text2" if index.column() == 2 else "text"
        self._text_painter.left(painter, box, text, "secondary" if index.column() == 2 else "body", ink)
