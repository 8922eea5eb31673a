"""The braid, painted: columns are steps, branches say how many runs went there and how many of these passed."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from trace_inspector.models.base.translation import tr
from trace_inspector.models.runs.braid_places import BraidPlaces, BranchPlace
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.appearance.text_painter import TextPainter
from trace_inspector.work.runs.explaining import BraidShown, Strand

COLUMN_PX, GAP_PX, EDGE_PX = 132, 30, 12
BOX_PX, ROW_GAP_PX, LINE_PX, BAR_PX, PAD_PX = 50, 10, 18, 4, 8
STRIP_PX, LANE_PX = 14, 16
THICKEST_PX = 7.0
ROWS = 4  # branches of a column that are asked for room
_WHEEL = 120


class BraidView(QWidget):
    """Keys and the wheel go through the columns; the strip below shows all of them to scale."""

    opened = Signal(object)  # BranchPlace

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._text_painter = TextPainter(theme)
        self.places = BraidPlaces(None)
        self._strands: dict[int, list[Strand]] = {}
        self._first = 0  # column in sight
        self._marked = -1  # column of the finding
        self.column = self.branch = 0
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMouseTracking(True)
        self.setAccessibleName(tr("Braid of the runs"))
        theme.changed.connect(self.update)

    def show_braid(self, shown: BraidShown | None) -> None:
        """Other runs."""
        self.places = BraidPlaces(shown)
        self._strands = {}
        for strand in shown.strands if shown is not None else ():
            for column in range(strand.start[0], strand.end[0]):
                self._strands.setdefault(column, []).append(strand)
        self._marked = -1
        self.column = self.branch = self._first = 0
        self._tell()

    def mark(self, column: int) -> None:
        """The column where a finding shows first comes into sight."""
        self._marked = column
        if 0 <= column < len(self.places):
            self._go(column, 0)
        self.update()

    @property
    def current(self) -> BranchPlace | None:
        """The branch that the keyboard is on."""
        return self.places.branch(self.column, self.branch)

    def sizeHint(self) -> QSize:
        """Room for a few branches."""
        return QSize(600, self._top_px + ROWS * self._row_px + LANE_PX + STRIP_PX)

    def minimumSizeHint(self) -> QSize:
        """One branch and the strip."""
        return QSize(160, self._top_px + self._row_px + LANE_PX + STRIP_PX)

    # Keys and mouse

    def event(self, event: QEvent) -> bool:
        """Tips are made when they are asked for."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            place = self._at(event.pos().toPointF())
            QToolTip.showText(event.globalPos(), place.words if place is not None else "", self)
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows, Home and End, Enter."""
        moves = {
            Qt.Key.Key_Left: (self.column - 1, self.branch),
            Qt.Key.Key_Right: (self.column + 1, self.branch),
            Qt.Key.Key_Up: (self.column, self.branch - 1),
            Qt.Key.Key_Down: (self.column, self.branch + 1),
            Qt.Key.Key_PageUp: (self.column - self._fitting, self.branch),
            Qt.Key.Key_PageDown: (self.column + self._fitting, self.branch),
            Qt.Key.Key_Home: (0, 0),
            Qt.Key.Key_End: (len(self.places) - 1, 0),
        }
        key = Qt.Key(event.key())
        if key in moves:
            self._go(*moves[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.current is not None:
            self.opened.emit(self.current)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A branch is chosen; on the strip, what stands there comes into sight."""
        if event.position().y() >= self.height() - STRIP_PX:
            share = event.position().x() / max(1, self.width())
            self._go(int(share * len(self.places)), 0)
            return
        place = self._at(event.position())
        if place is not None:
            self._go(place.column, place.number)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """A branch is opened."""
        place = self._at(event.position())
        if place is not None:
            self.opened.emit(place)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Sideways, whichever wheel it is."""
        turned = event.angleDelta().x() or event.angleDelta().y()
        self._look_from(self._first - turned // _WHEEL)

    def focusInEvent(self, _event: object) -> None:
        """The current branch is framed."""
        self.update()

    def focusOutEvent(self, _event: object) -> None:
        """No frame."""
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The current column stays in sight."""
        super().resizeEvent(event)
        self._look_from(self._first)

    def _go(self, column: int, branch: int) -> None:
        self.column = min(max(0, column), max(0, len(self.places) - 1))
        self.branch = min(max(0, branch), max(0, len(self.places.branches(self.column)) - 1))
        if not self._first <= self.column < self._first + self._fitting:
            self._first = self.column - (self._fitting // 2 if self._fitting > 1 else 0)
        self._look_from(self._first)
        self._tell()

    def _look_from(self, first: int) -> None:
        self._first = min(max(0, first), max(0, len(self.places) - self._fitting))
        self.update()

    def _tell(self) -> None:
        self.setAccessibleDescription(self.current.words if self.current is not None else "")
        self.update()

    # Where things are

    @property
    def _column_px(self) -> int:
        return self._theme.grown(COLUMN_PX)

    @property
    def _row_px(self) -> int:
        return 2 * self._theme.row(LINE_PX) + BAR_PX + 10 + ROW_GAP_PX

    @property
    def _top_px(self) -> int:
        return self._theme.row(LINE_PX) + 6

    @property
    def _fitting(self) -> int:
        """How many columns are wholly in sight."""
        return max(1, (self.width() - 2 * EDGE_PX + GAP_PX) // (self._column_px + GAP_PX))

    @property
    def _rows(self) -> int:
        """How many branches of a column have room."""
        return max(1, (self.height() - self._top_px - LANE_PX - STRIP_PX) // self._row_px)

    def _left(self, column: int) -> float:
        return EDGE_PX + (column - self._first) * (self._column_px + GAP_PX)

    def _row_of(self, column: int, branch: int) -> int:
        """The row of a branch: what has no room of its own stands in the last one; the current one always shows."""
        if column == self.column and branch == self.branch and branch >= self._rows:
            return self._rows - 1
        return min(branch, self._rows - 1)

    def _box(self, column: int, branch: int) -> QRectF:
        top = self._top_px + self._row_of(column, branch) * self._row_px
        return QRectF(self._left(column), top, self._column_px, self._row_px - ROW_GAP_PX)

    def _in_sight(self) -> range:
        return range(self._first, min(len(self.places), self._first + self._fitting))

    def _shown(self, column: int) -> Iterator[BranchPlace]:
        """The branches of a column that have room; where not all do, the last place is that of the current one."""
        branches = self.places.branches(column)
        if len(branches) <= self._rows:
            yield from branches
            return
        yield from branches[: self._rows - 1]
        is_current = column == self.column and self.branch >= self._rows - 1
        yield branches[self.branch if is_current else self._rows - 1]

    def _at(self, position: QPointF) -> BranchPlace | None:
        return next(
            (
                place
                for column in self._in_sight()
                for place in self._shown(column)
                if self._box(place.column, place.number).contains(position)
            ),
            None,
        )

    # Painting

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Strands behind boxes, and the strip."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            seen: set[tuple[tuple[int, int], tuple[int, int]]] = set()
            for column in range(self._first - 1, self._first + self._fitting):
                for strand in self._strands.get(column, ()):
                    if (strand.start, strand.end) not in seen:
                        seen.add((strand.start, strand.end))
                        self._paint_strand(painter, strand)
            for column in self._in_sight():
                self._paint_column(painter, column)
            self._paint_strip(painter)

    def _paint_strand(self, painter: QPainter, strand: Strand) -> None:
        start, end = self._box(*strand.start), self._box(*strand.end)
        here, there = QPointF(start.right(), start.center().y()), QPointF(end.left(), end.center().y())
        path = QPainterPath(here)
        bend = GAP_PX / 2
        if strand.end[0] == strand.start[0] + 1:
            path.cubicTo(here + QPointF(bend, 0), there - QPointF(bend, 0), there)
        else:
            between = range(
                max(self._first, strand.start[0] + 1), min(strand.end[0], self._first + self._fitting + 1)
            )
            rows = max((len(self.places.branches(column)) for column in between), default=1)
            lane = self._top_px + min(rows, self._rows) * self._row_px + LANE_PX / 2 - ROW_GAP_PX / 2
            down, up = QPointF(here.x() + bend, lane), QPointF(there.x() - bend, lane)
            path.cubicTo(here + QPointF(bend, 0), down - QPointF(bend, 0), down)
            path.lineTo(up)
            path.cubicTo(up + QPointF(bend, 0), there - QPointF(bend, 0), there)
        ink = "passed" if strand.passed == strand.runs else "text3" if strand.passed else "fail"
        pen = QPen(self._theme.color(ink), max(1.0, THICKEST_PX * strand.runs / max(1, self.places.runs)))
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(path)

    def _paint_column(self, painter: QPainter, column: int) -> None:
        head = QRectF(self._left(column), 0, self._column_px, self._top_px - 4)
        hidden = len(self.places.branches(column)) - self._rows
        skipped = self.places.skipped(column)
        words = " · ".join(
            filter(
                None,
                (
                    tr("+{0}").format(f"{hidden + 1:,}") if hidden > 0 else "",
                    tr("{0} skip it").format(f"{skipped:,}") if skipped else "",
                ),
            )
        )
        if column == self._marked:
            painter.fillRect(QRectF(head.left(), 2, self._column_px, 3), self._theme.color("accent"))
        self._text_painter.left(painter, head.adjusted(0, 4, 0, 0), words, "secondary", "text2")
        for place in self._shown(column):
            self._paint_branch(painter, place)

    def _paint_branch(self, painter: QPainter, place: BranchPlace) -> None:
        box = self._box(place.column, place.number).adjusted(0.5, 0.5, -0.5, -0.5)
        is_current = self.hasFocus() and (place.column, place.number) == (self.column, self.branch)
        painter.setPen(QPen(self._theme.color("accent" if is_current else "border"), 2 if is_current else 1))
        painter.setBrush(self._theme.color("sunken" if place.is_turn else "raised"))
        painter.drawRoundedRect(box, 5, 5)
        line = self._theme.row(LINE_PX)
        inside = QRectF(box.left() + PAD_PX, box.top() + 3, box.width() - 2 * PAD_PX, line)
        self._text_painter.left(painter, inside, place.title, "strong" if place.is_turn else "body", "text")
        inside.translate(0, line)
        self._text_painter.left(painter, inside, place.counts, "secondary", "text2")
        bar = QRectF(inside.left(), box.bottom() - BAR_PX - 3, inside.width(), BAR_PX)
        passed = bar.width() * place.passed / place.runs
        painter.fillRect(QRectF(bar.left(), bar.top(), passed, BAR_PX), self._theme.color("passed"))
        painter.fillRect(
            QRectF(bar.left() + passed, bar.top() + BAR_PX / 4, bar.width() - passed, BAR_PX / 2),
            self._theme.color("fail"),
        )

    def _paint_strip(self, painter: QPainter) -> None:
        """All columns, each as high as runs skip it, and where the view is."""
        strip = QRectF(0, self.height() - STRIP_PX, self.width(), STRIP_PX)
        painter.fillRect(strip, self._theme.color("sunken"))
        count = max(1, len(self.places))
        wide = strip.width() / count
        for column in range(len(self.places)):
            share = self.places.skipped(column) / max(1, self.places.runs)
            high = (STRIP_PX - 4) * (1 - share)
            ink = "accent" if column == self._marked else "border2"
            painter.fillRect(
                QRectF(column * wide, strip.bottom() - high, max(1.0, wide - 1), high), self._theme.color(ink)
            )
        frame = QRectF(self._first * wide, strip.top(), min(count, self._fitting) * wide, STRIP_PX)
        painter.setPen(QPen(QColor(self._theme.tokens.text2), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(frame.adjusted(0.5, 0.5, -0.5, -0.5))
