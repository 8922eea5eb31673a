"""All cases of the selected file as one grid of marks, in file order: where trouble is, at a glance."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QHBoxLayout, QSizePolicy, QToolTip, QVBoxLayout, QWidget

from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.roles import MARK_NAMES
from trace_inspector.models.base.row_table import TOP
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.base.tips import plain_tip
from trace_inspector.models.base.translation import tr
from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.views.widgets.controls import Label
from trace_inspector.views.window_context.context_menu import Sections, do, elsewhere, offer_menu
from trace_inspector.views.window_context.desk import Desk
from trace_inspector.views.window_context.navigate import show_place

CELL_PX = 20
MARK_PX = 14
PAD_PX = 12
MOST_ROWS = 8  # in sight at once
LEAST_CASES = 2
_FADED = 0.3  # a case that the filter leaves out
_COUNTS = ("failed", "errors", "pending", "not_evaluated", "passed")
_MARK_OF_COUNT = {
    "failed": "failed",
    "errors": "warning",
    "pending": "pending",
    "not_evaluated": "none",
    "passed": "passed",
}


class Overview(QWidget):
    """The grid below its heading, and how many cases came out in which way. Hidden where a file has one case."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self.grid = CaseGrid(desk)
        self.counts = _Counts(desk)
        self._words = Label(desk.theme, font="secondary", ink="text2")
        head = QHBoxLayout()
        head.setContentsMargins(PAD_PX, 8, PAD_PX, 6)
        head.addWidget(Label(desk.theme, tr("Overview"), font="secondary_strong", ink="text"))
        head.addStretch(1)
        head.addWidget(self._words)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 6)
        box.setSpacing(0)
        box.addLayout(head)
        box.addWidget(self.grid)
        box.addWidget(self.counts)
        workspace = desk.workspace
        workspace.selection.changed.connect(self._follow)
        for signal in (workspace.files.rows_arrived, workspace.files.renewed, workspace.files.closed):
            signal.connect(self._follow)
        workspace.run.parted.connect(self._repaint)
        for signal in (workspace.run.changed, workspace.filtering.changed, desk.theme.changed):
            signal.connect(self._repaint)
        self._follow()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """A line between the files and their cases."""
        with QPainter(self) as painter:
            painter.fillRect(0, 0, self.width(), 1, self._desk.theme.color("border"))

    def _follow(self, _what: object = None) -> None:
        self.grid.follow()
        count = len(self.grid.cases)
        self.setVisible(count >= LEAST_CASES)
        self._words.setText(tr("{0} cases in file order").format(f"{count:,}"))
        self._repaint()

    def _repaint(self, _number: int = 0) -> None:
        self.grid.viewport().update()
        self.counts.update()


class CaseGrid(QAbstractScrollArea):
    """Only the cells in sight are painted. A click or an arrow key selects a case, Enter goes to it."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._file = -1
        self._at = -1  # the number of the selected case
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Overview of all cases"))
        self.viewport().setMouseTracking(True)
        offer_menu(self, self._offered)

    @property
    def file(self) -> OpenFile | None:
        """The file whose cases are shown."""
        return self._desk.workspace.files.get(self._file)

    @property
    def cases(self) -> Sequence[int]:
        """Their rows, in file order."""
        file = self.file
        return file.table.tops if file is not None else ()

    @property
    def columns(self) -> int:
        """How many stand in a row."""
        return max(1, (self.viewport().width() - 2 * PAD_PX) // CELL_PX)

    def follow(self) -> None:
        """Show the file of the selection, and frame the selected case."""
        selection = self._desk.workspace.selection.value
        self._file = selection.file if selection is not None else -1
        file, self._at = self.file, -1
        if selection is not None and file is not None and selection.row != TOP and file.table.has(selection.row):
            top = file.table.top_of(selection.row)
            self._at = self.cases.index(top) if top != TOP else -1
        self._fit()
        self.setAccessibleDescription(self._tip(self._at))

    def cell(self, number: int) -> QRect:
        """The cell of a case in the viewport."""
        row, column = divmod(number, self.columns)
        return QRect(PAD_PX + column * CELL_PX, row * CELL_PX - self.verticalScrollBar().value(), CELL_PX, CELL_PX)

    def number_at(self, x: float, y: float) -> int:
        """The number of the case there, -1 for none."""
        column, row = int(x - PAD_PX) // CELL_PX, int(y + self.verticalScrollBar().value()) // CELL_PX
        number = row * self.columns + column
        return number if x >= PAD_PX and column < self.columns and 0 <= number < len(self.cases) else -1

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The marks in sight, the selected one in a frame."""
        file, theme, cases = self.file, self._desk.theme, self.cases
        if file is None:
            return
        first = self.verticalScrollBar().value() // CELL_PX * self.columns
        count = (self.viewport().height() // CELL_PX + 2) * self.columns
        with QPainter(self.viewport()) as painter:
            for number in range(first, min(len(cases), first + count)):
                box, row = QRectF(self.cell(number)), cases[number]
                mark = self._desk.workspace.verdicts.mark_of(file.number, row) or "skip"
                painter.setOpacity(1.0 if file.table.visible.passes(row) else _FADED)
                left = box.center().x() - MARK_PX / 2
                theme.icons.paint_mark(painter, mark, theme.tokens, left, box.center().y(), MARK_PX)
            painter.setOpacity(1.0)
            if self._at >= 0:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(QPen(theme.color("accent"), 1.5))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(QRectF(self.cell(self._at)).adjusted(1, 1, -1, -1), 3, 3)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select a case."""
        if event.button() is Qt.MouseButton.LeftButton:
            self._select(self.number_at(event.position().x(), event.position().y()))

    def mouseDoubleClickEvent(self, _event: QMouseEvent) -> None:
        """Go to it."""
        self._desk.take_focus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows walk through the cases, Enter goes to the selected one."""
        last = len(self.cases) - 1
        places = {
            Qt.Key.Key_Right: self._at + 1,
            Qt.Key.Key_Left: self._at - 1,
            Qt.Key.Key_Down: self._at + self.columns,
            Qt.Key.Key_Up: self._at - self.columns,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }
        key = Qt.Key(event.key())
        if key in places:
            self._select(min(max(places[key], 0), last))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._desk.take_focus()
        else:
            super().keyPressEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        """The name of a case and how it came out, as a tool tip."""
        if isinstance(event, QHelpEvent):
            number = self.number_at(event.x(), event.y())
            QToolTip.showText(event.globalPos(), plain_tip(self._tip(number)), self)
            return True
        return super().viewportEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Other cases stand below each other."""
        super().resizeEvent(event)
        self._fit()

    def sizeHint(self) -> QSize:
        """As high as its rows, up to a limit."""
        rows = -(-len(self.cases) // self.columns)
        return QSize(12 * CELL_PX + 2 * PAD_PX, min(max(rows, 1), MOST_ROWS) * CELL_PX)

    def _offered(self, place: QPoint) -> Sections:
        self._select(self.number_at(place.x(), place.y()))
        if self._at >= 0:
            yield (do(tr("Go there"), self._desk.take_focus),)
            yield elsewhere(self._desk)
            yield self._desk.actions(("this-again", "copy-link"))

    def _tip(self, number: int) -> str:
        file = self.file
        if file is None or number < 0:
            return ""
        row = self.cases[number]
        mark = self._desk.workspace.verdicts.mark_of(file.number, row)
        said = ", ".join(word for word in (file.table.label(row), tr(MARK_NAMES.get(mark, mark))) if word)
        return "\n".join((said, *self._trust(file, row)))

    def _trust(self, file: OpenFile, row: int) -> list[str]:
        """How far the judges of a case agree with people."""
        workspace = self._desk.workspace
        run, reported = workspace.run.value, file.reported.case(row)
        case = run.on(file).case(row) if run is not None else reported
        return workspace.calibrations.lines(file, case.metrics if case is not None else ())

    def _select(self, number: int) -> None:
        if 0 <= number < len(self.cases):
            show_place(self._desk, Selection(self._file, self.cases[number]))

    def _fit(self) -> None:
        rows = -(-len(self.cases) // self.columns)
        high = self.sizeHint().height()
        if self.height() != high:
            self.setFixedHeight(high)
        self.verticalScrollBar().setPageStep(high)
        bar, top = self.verticalScrollBar(), self._at // self.columns * CELL_PX
        bar.setRange(0, max(0, rows * CELL_PX - high))
        if self._at >= 0:
            bar.setValue(min(max(bar.value(), top + CELL_PX - high), top))


class _Counts(QWidget):
    """How many failed, were not evaluated, passed: the legend of the grid."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._text_painter = TextPainter(desk.theme)
        self.setFixedHeight(24)

    def words(self) -> list[tuple[str, str]]:
        """A mark and what stands beside it, of each kind that there is."""
        selection = self._desk.workspace.selection.value
        if selection is None or self._desk.workspace.files.get(selection.file) is None:
            return []
        counts = self._desk.workspace.verdicts.counts(selection.file)
        found = [(_MARK_OF_COUNT[name], int(getattr(counts, name))) for name in _COUNTS]
        return [(mark, f"{count:,} {tr(MARK_NAMES[mark])}") for mark, count in found if count]

    def paintEvent(self, _event: QPaintEvent) -> None:
        """One after the other, as far as there is room."""
        theme = self._desk.theme
        words = self.words()
        self.setAccessibleName(", ".join(text for _mark, text in words))
        with QPainter(self) as painter:
            left, middle = float(PAD_PX), self.height() / 2
            whole = sum(self._text_painter.width(text, "caption") + 27 for _mark, text in words)
            for mark, said in words:
                text = said if whole <= self.width() - PAD_PX or mark != "passed" else said.partition(" ")[0]
                width = self._text_painter.width(text, "caption")
                theme.icons.paint_mark(painter, mark, theme.tokens, left, middle, 11)
                room = QRectF(left + 15, 0, width + 1, self.height())
                self._text_painter.left(painter, room, text, "caption", "text2")
                left += 15 + width + 12
