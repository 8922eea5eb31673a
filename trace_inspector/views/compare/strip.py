"""The whole comparison in a strip beside the scroll bar: kinds differ by width and pattern."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QWidget

from trace_inspector.engine.trace_grid.row import Relation, RowKind
from trace_inspector.models.base.translation import tr
from trace_inspector.models.compare.comparison import Compare
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.compare.area import RowArea

WIDE_PX = 24
_LEAST_PX = 2.0
# How wide, which ink, and whether only dashed: by what the row is.
_SAME, _TEXT, _ARGUMENTS = (4, "border2", False), (8, "text3", False), (12, "text", False)
_STYLES = {
    Relation.ARGUMENTS: _ARGUMENTS,
    Relation.RENAMED: _ARGUMENTS,
    Relation.VALUE: _ARGUMENTS,
    Relation.MOVED: (12, "text2", False),
    Relation.ANSWER: _TEXT,
    Relation.MISSING: (12, "golden", True),
    Relation.EXTRA: (12, "candidate", False),
    Relation.REPEATED: (12, "candidate", False),
}


class OverviewStrip(QWidget):
    """Click or drag to go there. Keys are those of the rows."""

    def __init__(self, theme: Theme, compare: Compare, area: RowArea) -> None:
        super().__init__()
        self._theme = theme
        self._compare = compare
        self._area = area
        self._drawn: QPixmap | None = None
        self.setFixedWidth(WIDE_PX)
        self.setAccessibleName(tr("Overview of all turns"))
        self._dimmed_from = -1  # as it is drawn
        for signal in (compare.rows_changed, compare.sides_changed, theme.changed):
            signal.connect(self._forget)
        compare.recoloured.connect(self._recolour)
        area.scrolled.connect(self.update)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The rows, and the frame around what is seen."""
        if self._drawn is None:
            self._drawn = self._draw()
        with QPainter(self) as painter:
            painter.drawPixmap(0, 0, self._drawn)
            if not self._area.heights.total_px:
                return
            scale = self.height() / max(self._area.heights.total_px, self._area.viewport().height())
            top, high = self._area.value_px * scale, self._area.viewport().height() * scale
            painter.setPen(QPen(self._theme.color("accent"), 1.5))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.drawRoundedRect(QRectF(2, top + 1, self.width() - 4, max(high - 2, 8)), 3, 3)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go there."""
        self._go(event.position().y())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Go on."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._go(event.position().y())

    def _go(self, y: float) -> None:
        high, total_px = self._area.viewport().height(), self._area.heights.total_px
        self._area.verticalScrollBar().setValue(round(y / max(self.height(), 1) * total_px - high / 2))

    def _forget(self) -> None:
        self._drawn = None
        self.update()

    def _recolour(self) -> None:
        """Of another rule or other verdicts only what is dimmed is seen here."""
        if self._dimmed_from != self._compare.dimmed_from:
            self._forget()

    def resizeEvent(self, _event: object) -> None:
        """Another height draws anew."""
        self._forget()

    def _draw(self) -> QPixmap:
        scale = self.devicePixelRatioF()
        made = QPixmap(round(self.width() * scale), round(max(self.height(), 1) * scale))
        made.setDevicePixelRatio(scale)
        made.fill(self._theme.color("window"))
        with QPainter(made) as painter:
            painter.fillRect(QRectF(0, 0, 1, self.height()), self._theme.color("border"))
            self._draw_rows(painter)
        return made

    def _draw_rows(self, painter: QPainter) -> None:
        rows = self._compare.rows
        if rows is None:
            return
        self._dimmed_from = self._compare.dimmed_from
        factor = self.height() / max(self._area.heights.total_px, self._area.viewport().height())
        relations = rows.packed.relations
        top, pixel, drawn = 0.0, -1, set[int]()
        apart: list[tuple[int, Relation, QRectF]] = []  # drawn last, so that nothing lies over them
        for number, high in zip(rows.numbers, self._area.heights, strict=True):
            begins, top = top * factor, top + high
            if int(begins) != pixel:
                pixel, drawn = int(begins), set()
            if relations[number] in drawn:
                continue  # of as many rows as stand on one line of pixels, each kind once
            drawn.add(relations[number])
            relation = rows.relation(number)
            box = QRectF(0, begins, 0, max(high * factor, _LEAST_PX))
            if relation.differs:
                apart.append((number, relation, box))
            else:
                self._draw_row(painter, number, relation, box)
        for number, relation, box in apart:
            self._draw_row(painter, number, relation, box)

    def _draw_row(self, painter: QPainter, number: int, relation: Relation, box: QRectF) -> None:
        rows = self._compare.rows
        if rows is not None and rows.kind(number) is RowKind.TURN and not relation.differs:
            if box.height() > _LEAST_PX:
                painter.fillRect(QRectF(0, box.top(), self.width(), 1), self._theme.color("border2"))
            return
        wide, ink, dashed = _STYLES.get(relation, _SAME)
        if box.height() > 3:
            box.setHeight(box.height() - 1)
        box.setLeft((self.width() - wide) / 2)
        box.setWidth(wide)
        colour = self._theme.color(ink)
        if self._compare.is_dimmed(number):
            painter.fillRect(box, QBrush(self._theme.color("text3"), Qt.BrushStyle.Dense6Pattern))
        elif dashed and box.height() > 4:
            pen = QPen(colour, 1.5)
            pen.setDashPattern([2, 2])
            painter.setPen(pen)
            painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))
        else:
            painter.fillRect(box, colour)
