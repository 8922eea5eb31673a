"""The rows of a comparison, painted: ten thousand of them cost no more than those in sight."""

from __future__ import annotations

from array import array
from collections import OrderedDict

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QFocusEvent,
    QHelpEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QFrame, QToolTip

from trace_inspector.engine.trace_grid.row import Row, RowKind
from trace_inspector.models.base.tips import plain_tip
from trace_inspector.models.base.translation import tr
from trace_inspector.models.compare.apply_preview import has_place
from trace_inspector.models.compare.comparison import Compare
from trace_inspector.models.compare.sides import INKS, TITLES
from trace_inspector.models.compare.visible_rows import gap_words
from trace_inspector.models.compare.words import spoken
from trace_inspector.views.appearance.appearance import Look
from trace_inspector.views.appearance.text_painter import Lettering
from trace_inspector.views.compare.bar import ActionBar
from trace_inspector.views.compare.columns import Columns, columns
from trace_inspector.views.compare.given import Given, Tools
from trace_inspector.views.compare.layout import Layout
from trace_inspector.views.compare.left_out import add_band
from trace_inspector.views.compare.notes import notes_of, turn_mark
from trace_inspector.views.compare.placement import FAR, Placed, Placement
from trace_inspector.views.compare.shapes import Brush, Scene

WHEEL_PX = 20
RAIL_PX = 2
_KEPT_SCENES = 80
_DRAWN_PX = 400  # higher rows are not kept as pictures
_GUESS_PX = {RowKind.TURN: 28.0, RowKind.CALL: 38.0, RowKind.ANSWER: 92.0, RowKind.STATE: 38.0}


class RowArea(QAbstractScrollArea):
    """Lays out and paints what is in sight, with the current row marked and its actions below it."""

    scrolled = Signal()
    resized = Signal()

    def __init__(self, look: Look, compare: Compare, bar: ActionBar) -> None:
        super().__init__()
        self._look = look
        self._compare = compare
        self._layout = Layout(look)
        self._brush = Brush(look)
        self._scenes: OrderedDict[int, Scene] = OrderedDict()
        self._placement: Placement | None = None
        self._placed = False
        self._value = 0
        self._shown_current = 0
        self._tail = ""  # what is left out behind the last row, in words
        self.results: set[int] = set()  # the rows whose results are unfolded
        self.bar = bar
        bar.setParent(self.viewport())
        bar.hide()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.verticalScrollBar().setSingleStep(WHEEL_PX)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Comparison"))
        look.changed.connect(self.forget)
        compare.rows_changed.connect(self.rows_changed)
        compare.sides_changed.connect(self._clear)
        compare.recoloured.connect(self.forget)
        compare.current_changed.connect(self.show_current)

    @property
    def columns(self) -> Columns:
        """Where the columns stand now."""
        return columns(self.viewport().width(), max(2, len(self._compare.sides)))

    @property
    def placement(self) -> Placement | None:
        """Where rows stand, for the strip beside it."""
        return self._placement

    def rows_changed(self) -> None:
        """Other rows; what was in sight stays in sight where it is still there."""
        before = self._placement
        rows = self._compare.rows
        self._scenes.clear()
        self._placement, self._tail = None, ""
        if rows is not None:
            self._tail = gap_words(rows.left_out(len(rows)), self._compare.shown)
            kinds = rows.packed.kinds
            guesses = array("d", (_GUESS_PX[RowKind(kinds[number])] for number in rows.numbers))
            self._placement = Placement(guesses, self._measured)
            if before is not None:
                self._placement.anchor = min(before.anchor, max(len(guesses) - 1, 0))
                self._placement.offset_px = before.offset_px
        self._moved()

    def _clear(self) -> None:
        """Rows of other sides are under way: those of the sides before are gone."""
        if self._compare.rows is None:
            self.rows_changed()
            self._hide_bar()

    def forget(self) -> None:
        """Colours, verdicts or the look changed: everything in sight is laid out again."""
        self._scenes.clear()
        self._tell()
        self._moved()

    def show_current(self) -> None:
        """The current row comes into sight."""
        for number in (self._shown_current, self._compare.current):
            self._scenes.pop(number, None)
        self._shown_current = self._compare.current
        rows = self._compare.rows
        if rows is not None and self._placement is not None and len(rows):
            self._placed = False
            self.seen()
            self._placement.reveal(rows.place(self._compare.current), self._high())
        self._tell()
        self._moved()

    def _tell(self) -> None:
        """What screen readers say of the current row, and what is copied of it."""
        compare, row = self._compare, self._compare.row
        if row is None or compare.rows is None:
            return
        turn = compare.rows.row(compare.rows.turn_head(compare.current))
        name = next((cell.title for cell in turn.cells if cell is not None), "")
        sides = {role: tr(TITLES[role]) for role in compare.roles}
        why = [words for note in notes_of(compare, compare.current, row) for words in (note.words, note.below)]
        counts = compare.rows.counts(compare.current, compare.rule)
        words = spoken(row, name, sides, why, counts=counts, value=compare.value)
        if words != self.accessibleDescription():
            self.setAccessibleDescription(words)
            if self.hasFocus() and QAccessible.isActive():
                QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, words))

    def seen(self) -> list[Placed]:
        """The rows in sight, from top to bottom."""
        self._place()
        return self._placement.seen if self._placement is not None else []

    def given(self, number: int) -> Given:
        """What a row is laid out with."""
        compare, rows = self._compare, self._compare.rows
        if rows is None:
            raise IndexError(number)
        row = rows.row(number)
        is_current = number == compare.current
        return Given(
            row,
            self.columns,
            tuple(INKS[role] for role in compare.roles),
            notes_of(compare, number, row),
            rows.counts(number, compare.rule),
            compare.is_dimmed(number) and row.kind is not RowKind.TURN,
            compare.takes and has_place(rows, number),
            self._hidden(number, row),
            turn_mark(compare, number) if row.kind is RowKind.TURN else "",
            self._banner(number),
            number in self.results,
            value=compare.value if is_current else -1,
            left_out=gap_words(rows.left_out(rows.place(number)), compare.shown),
        )

    def _hidden(self, number: int, row: Row) -> int:
        rows = self._compare.rows
        if rows is None or row.kind is not RowKind.TURN or row.turn not in self._compare.shown.folded:
            return -1
        turns, at = rows.packed.turns, number + 1
        while at < len(turns) and turns[at] == turns[number]:
            at += 1
        return at - number - 1

    def _banner(self, number: int) -> tuple[str, str]:
        compare, rows = self._compare, self._compare.rows
        if rows is None or number != compare.parting:
            return "", ""
        row = rows.row(number)
        head = rows.row(rows.turn_head(number))
        name = next((cell.title.lower() for cell in head.cells if cell is not None), "")
        cell = next((cell for cell in row.cells if cell is not None), None)
        where = f"{name}, call {cell.at + 1}" if row.kind is RowKind.CALL and cell is not None else name
        later = rows.differences_from(compare.dimmed_from) if compare.dimmed_from >= 0 else 0
        words = next((note.words for note in notes_of(compare, number, row)), "")
        if later:
            words += ". " + (
                tr("1 later difference may follow from it and is dimmed")
                if later == 1
                else tr("{0} later differences may follow from it and are dimmed").format(f"{later:,}")
            )
        return tr("First divergence: {0}.").format(where), f"{words}." if words else ""

    def _measured(self, place: int) -> tuple[Scene, float]:
        rows = self._compare.rows
        number = rows.number(place) if rows is not None else 0
        scene = self._scenes.get(number)
        if scene is None:
            scene = self._scenes[number] = self._layout.scene(self.given(number))
            if len(self._scenes) > _KEPT_SCENES:
                self._scenes.popitem(last=False)
        extra = self.bar.high_px if number == self._compare.current and self.bar.wanted else 0
        return scene, scene.height_px + extra + self._tail_scene(place).height_px

    def _tail_scene(self, place: int) -> Scene:
        """What stands below a row and its bar: nothing but behind the last one."""
        scene, rows = Scene(), self._compare.rows
        if self._tail and rows is not None and place >= len(rows) - 1:
            tools = Tools(self._look, Lettering(self._look), self._look.row)
            add_band(tools, scene, self._tail, self.viewport().width())
        return scene

    # Qt

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width wraps elsewhere."""
        super().resizeEvent(event)
        self.forget()
        self.resized.emit()

    def viewportEvent(self, event: QEvent) -> bool:
        """The whole of what is cut short."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), plain_tip(self.tip(QPointF(event.pos()))), self.viewport())
            return True
        return super().viewportEvent(event)

    def tip(self, point: QPointF) -> str:
        """What rests under the mouse and is not wholly seen."""
        one = self._under(point)
        return self._brush.hidden(one.scene.shapes, point - QPointF(0, one.top_px)) if one else ""

    def scrollContentsBy(self, _dx: int, _dy: int) -> None:  # noqa: N802
        """The scroll bar moved: near places are reached exactly, others by estimates."""
        bar, placement = self.verticalScrollBar(), self._placement
        if placement is None:
            return
        moved, self._value = bar.value() - self._value, bar.value()
        if abs(moved) > FAR * self._high():
            placement.show(bar.value())
        else:
            placement.move(moved)
        self._moved()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The rows in sight."""
        placed = self.seen()
        with QPainter(self.viewport()) as painter:
            painter.fillRect(event.rect(), self._look.color("base"))
            self._paint_gutters(painter)
            for one in placed:
                if one.bottom_px >= event.rect().top() and one.top_px <= event.rect().bottom():
                    self._paint(painter, one)
            if not placed:
                self._paint_tail(painter, 0, 0.0)

    def _paint_gutters(self, painter: QPainter) -> None:
        high = self._high()
        for at in range(len(self.columns.gutters)):
            box = self.columns.gutter(at, 0, high)
            painter.fillRect(box, self._look.color("window"))
            for x in (box.left(), box.right() - 1):
                painter.fillRect(QRectF(x, 0, 1, high), self._look.color("border"))

    def _paint(self, painter: QPainter, one: Placed) -> None:
        wide, rows = self.viewport().width(), self._compare.rows
        current = rows is not None and rows.number(one.place) == self._compare.current
        bottom = one.bottom_px - self._tail_scene(one.place).height_px
        if current:
            top = one.top_px + one.scene.head_px
            box = QRectF(0, top, wide, bottom - top)
            painter.fillRect(box, self._look.color("sel" if self._has_focus() else "sel_idle"))
        if one.scene.height_px <= _DRAWN_PX:
            painter.drawPixmap(QPointF(0, one.top_px), self._drawn(one.scene, wide))
        else:
            painter.save()
            painter.translate(0, one.top_px)
            self._brush.paint(painter, one.scene, QRectF(0, -one.top_px, wide, self._high()))
            painter.restore()
        painter.fillRect(QRectF(0, bottom - 1, wide, 1), self._look.color("grid"))
        self._paint_tail(painter, one.place, bottom)
        if current:
            painter.fillRect(QRectF(0, box.top(), RAIL_PX, box.height()), self._look.color("accent"))

    def _paint_tail(self, painter: QPainter, place: int, top_px: float) -> None:
        scene = self._tail_scene(place)
        painter.save()
        painter.translate(0, top_px)
        self._brush.paint(painter, scene, QRectF(0, 0, self.viewport().width(), scene.height_px))
        painter.restore()

    def _drawn(self, scene: Scene, wide: int) -> QPixmap:
        """A row as a picture, painted once: scrolling only puts it elsewhere."""
        scale = self.devicePixelRatioF()
        if scene.drawn is None or scene.drawn.devicePixelRatio() != scale:
            made = QPixmap(round(wide * scale), round(scene.height_px * scale) + 1)
            made.setDevicePixelRatio(scale)
            made.fill(Qt.GlobalColor.transparent)
            with QPainter(made) as painter:
                self._brush.paint(painter, scene, QRectF(0, 0, wide, scene.height_px))
            scene.drawn = made
        return scene.drawn

    def _has_focus(self) -> bool:
        inside = QApplication.focusWidget()
        return self.hasFocus() or (inside is not None and self.isAncestorOf(inside))

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The current row shows that the keyboard is here."""
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """It is elsewhere."""
        super().focusOutEvent(event)
        self.viewport().update()

    def _moved(self) -> None:
        self._placed = False
        self.viewport().update()
        self.scrolled.emit()

    def _place(self) -> None:
        """Lay out what is in sight, once until something moves."""
        if self._placed or self._placement is None:
            return
        self._placed = True
        self.bar.refresh()
        seen = self._placement.lay_out(self._high())
        bar, high = self.verticalScrollBar(), self._high()
        blocked = bar.blockSignals(True)  # noqa: FBT003 - Qt's own name for it
        bar.setPageStep(high)
        bar.setRange(0, max(0, round(self._placement.total_px) - high))
        bar.setValue(round(self._placement.value_px))
        self._value = bar.value()
        bar.blockSignals(blocked)
        self._put_bar(seen)

    def _put_bar(self, seen: list[Placed]) -> None:
        rows = self._compare.rows
        here = next(
            (one for one in seen if rows is not None and rows.number(one.place) == self._compare.current), None
        )
        if here is None or not self.bar.wanted:
            self._hide_bar()
            return
        high = self.bar.high_px
        bottom = here.bottom_px - self._tail_scene(here.place).height_px
        self.bar.setGeometry(0, round(bottom - high), self.viewport().width(), high)
        self.bar.show()

    def _hide_bar(self) -> None:
        if self.bar.isAncestorOf(QApplication.focusWidget() or self):
            self.setFocus()
        self.bar.hide()

    def _high(self) -> int:
        return max(self.viewport().height(), 1)

    def _under(self, point: QPointF) -> Placed | None:
        return next((one for one in self.seen() if one.top_px <= point.y() < one.bottom_px), None)
