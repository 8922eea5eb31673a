"""The conversation as a painted list: going from item to item, folding, selecting text."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QContextMenuEvent, QKeySequence, QMouseEvent, QPainter

from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.translation import tr
from trace_inspector.models.conversation.conversation import Conversation, Fold, Spot
from trace_inspector.models.conversation.section import Key
from trace_inspector.models.conversation.text import LongText, head_of
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.conversation.item_layout import ItemAction, ItemLayout
from trace_inspector.views.conversation.item_source import ItemSource, Run
from trace_inspector.views.conversation.sentences import Answers
from trace_inspector.views.conversation.text_selection import TextSelection, VisibleItem, offset_at
from trace_inspector.views.painting.painted_list import OVERLAP_PX, RAIL_PX, PaintedList
from trace_inspector.views.painting.visible_range import VisibleRange

CUTTING_S = 0.004
FAR_SHARE = 0.25  # of the view: there an item comes to stand that was far away


class Reader(PaintedList[Spot, ItemLayout]):
    """Shows one conversation. `chosen` gives the row of the item that the person went to."""

    chosen = Signal(int)
    evidence_wanted = Signal(str)
    overrule_wanted = Signal(str)  # the criterion, on the item that was chosen just before

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, tr("Conversation"))
        self.further_actions: Callable[[], Sequence[QAction]] = tuple  # that its context menu offers, too
        self.trust: Callable[[int], str] = lambda _row: ""  # how far the judges of the item of a row are right
        self._source: ItemSource | None = None
        self._selection: TextSelection | None = None
        self._current: Key | None = None
        self._answers = Answers(theme, self.viewport())
        self._answers.entered.connect(self._choose)
        self._answers.watch.evidence_requested.connect(self.evidence_wanted)
        self._answers.overrule_wanted.connect(self.overrule_wanted)
        self._cutting = QTimer(self)
        self._cutting.setInterval(0)
        self._cutting.timeout.connect(self._cut_more)

    def show_conversation(self, conversation: Conversation | None, file: OpenFile | None, run: Run) -> None:
        """Another case or trace, from its beginning."""
        self._source = self._range = self._selection = self._current = None
        self._answers.watch.hide()
        self._answers.put([])
        if conversation is not None and file is not None:
            self._source = ItemSource(self._measures, conversation, file, run)
            self._range = VisibleRange(conversation, self._source.measured, Spot(0, 0), FAR_SHARE)
            self._selection = TextSelection(self._source)
        self._relayout()

    def forget(self) -> None:
        """Verdicts or the theme changed: everything visible is laid out again."""
        if self._source is not None:
            self._source.layouts.clear()
        self._relayout()

    def items_changed(self) -> None:
        """Items came or went."""
        if self._range is not None and self._source is not None:
            self._range.rows_changed(self._source.find)
        self._relayout()

    @property
    def current(self) -> Key | None:
        """The item that keys work on."""
        return self._current

    # Painting

    def scrollContentsBy(self, dx: int, dy: int) -> None:  # noqa: N802
        """The card of a sentence stays where it was: it goes."""
        if self._range is not None:
            self._answers.watch.hide()
        super().scrollContentsBy(dx, dy)

    def _before_layout(self) -> None:
        if self._source is not None:
            self._source.layouts.set_width(self.viewport().width())

    def _after_layout(self, rows: Sequence[VisibleItem]) -> None:
        self._answers.put([(row.top_px, row.layout) for row in rows])

    def _paint_row(self, painter: QPainter, row: VisibleItem) -> None:
        layout = row.layout
        if self._current is not None and layout.key[:2] == self._current[:2]:
            box = QRectF(0, row.top_px - 4, self.viewport().width(), row.height_px)
            painter.fillRect(box, self._theme.color("accent_soft" if self._has_focus else "sel_idle"))
            painter.fillRect(QRectF(0, box.top(), RAIL_PX, box.height()), self._theme.color("accent"))
        layout.selected = self._selection.within(row) if self._selection is not None else (0, 0)
        self._paint_layout(painter, layout, row.top_px)

    # What is current

    def go(self, key: Key) -> None:
        """Make an item the current one and bring it into sight."""
        spot = self._source.conversation.spot(key) if self._source else None
        if self._source is None or spot is None:
            return
        if self._current is None or self._current.row != key.row:
            self._current = self._source.conversation.key(spot)
            self._describe_current()
        spot = self._source.conversation.spot(self._current) or spot
        if spot.item or self._range is None:
            self._reveal(spot)
        else:
            self._reveal_section(spot, self._range)

    @property
    def in_sight(self) -> tuple[Key, float] | None:
        """The topmost item in sight, and how far its top is below that of the view."""
        if self._source is None or self._range is None or (spot := self._range.anchor) is None:
            return None
        return self._source.conversation.key(spot), self._range.offset_px

    def put_in_sight(self, key: Key, top_px: float) -> None:
        """Scroll so that an item stands there again."""
        spot = self._source.conversation.spot(key) if self._source else None
        if spot is not None and self._range is not None:
            self._range.show(spot, top_px)
            self._relayout()

    def _reveal_section(self, spot: Spot, visible: VisibleRange[Spot, ItemLayout]) -> None:
        """See a header with what follows it: it stands in the upper third, else at the top."""
        self.visible_rows()
        row = visible.visible(spot)
        if row is None or not 0 <= row.top_px <= self._view_px / 3:
            visible.show(spot, 0.0)
        self._relayout()

    @property
    def answers(self) -> Answers:
        """The coloured answers in sight."""
        return self._answers

    def copied(self) -> str:
        """The selected characters, else the current item, as text."""
        selected = self._selection.text() if self._selection else ""
        if selected or self._source is None or self._current is None:
            return selected
        return self._source.item(self._current).copied()

    # Keys

    def _shortcuts(self) -> dict[QKeySequence.StandardKey, Callable[[], object]]:
        return {**super()._shortcuts(), QKeySequence.StandardKey.SelectAll: self._select_all}

    def _keys(self) -> dict[Qt.Key, Callable[[], object]]:
        return {**super()._keys(), Qt.Key.Key_Escape: self._unselect}

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes into the sentences of the current answer first."""
        view = self._answers.view(self._current) if self._current is not None else None
        if forward and self.hasFocus() and view is not None:
            view.setFocus(Qt.FocusReason.TabFocusReason)
            return True
        return super().focusNextPrevChild(forward)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """What keys do, for the mouse."""
        if self._source is None or self._current is None:
            return
        menu = self._new_menu()
        menu.addAction(tr("Copy"), self._copy)
        menu.addAction(tr("Select all of this text"), self._select_all)
        menu.addSeparator()
        item = self._source.item(self._current)
        fold = self._source.fold(self._current, item)
        if fold is not Fold.WHOLE:
            menu.addAction(tr("Show more"), lambda: self._step_inside(1))
        if fold is not Fold.FOLDED:
            menu.addAction(tr("Show less"), lambda: self._step_inside(-1))
        menu.addSeparator()
        for action in self.further_actions():
            if action.isEnabled():
                if action.parent() is None:
                    action.setParent(menu)
                menu.addAction(action)
        menu.popup(event.globalPos())

    def _select_all(self) -> None:
        if self._selection is not None and self._current is not None:
            self._selection.all_of(self._current)
            self.viewport().update()

    def _unselect(self) -> None:
        if self._selection is not None:
            self._selection.clear()
            self.viewport().update()

    # Folding

    def _toggle(self) -> None:
        """Fold or unfold the current item; a text without a fold shows whole, or its beginning."""
        if self._source is not None and self._current is not None:
            item = self._source.item(self._current)
            fold = self._source.fold(self._current, item)
            if item.foldable:
                self._set_fold(self._current, Fold.FOLDED if fold > Fold.FOLDED else Fold.HEAD)
            else:
                self._set_fold(self._current, Fold.HEAD if fold is Fold.WHOLE else Fold.WHOLE)

    def _step_inside(self, step: int) -> None:
        """Show more (1) or less (-1) of the current item."""
        if self._source is not None and self._current is not None:
            item = self._source.item(self._current)
            least = Fold.FOLDED if item.foldable else Fold.HEAD
            fold = self._source.fold(self._current, item) + step
            self._set_fold(self._current, Fold(min(max(fold, least), Fold.WHOLE)))

    def _set_fold(self, key: Key, fold: Fold) -> None:
        source = self._source
        if source is None:
            return
        value = source.item(key).value
        if fold is Fold.WHOLE and not head_of(value)[1]:
            fold = Fold.HEAD
        text = LongText(value) if fold is Fold.WHOLE else None
        source.conversation.set_fold(key, fold, text)
        source.layouts.forget(lambda layout_key: layout_key[:2] == key[:2])
        self._current = key._replace(piece=0)
        if self._selection is not None:
            self._selection.clear()
        self.items_changed()
        spot = source.conversation.spot(self._current)
        if spot is not None and text is None:
            self._reveal(spot)
        if text is not None and not text.done:
            self._cutting.start()

    def _cut_more(self) -> None:
        """Some more pieces of long texts that are to show whole."""
        if self._source is not None:
            ends = self._source.conversation.go_on(CUTTING_S)
            self._source.layouts.forget(ends.__contains__)
            self.items_changed()
        if self._source is None or not self._source.conversation.cutting:
            self._cutting.stop()

    # Going

    def _choose(self, key: Key) -> None:
        self._current = key
        self._describe_current()
        self.viewport().update()
        self.chosen.emit(key.row)

    def _step(self, step: int) -> None:
        """To the next or previous item; through a tall one screen by screen."""
        if self._source is None:
            return
        conversation = self._source.conversation
        spot = conversation.spot(self._current) if self._current is not None else None
        if spot is None:
            self._go_to(self.visible_rows()[0].position)
        elif not self._read_on(spot, step):
            self._go_to(conversation.step(spot, step) or spot)

    def _read_on(self, spot: Spot, step: int) -> bool:
        """Scroll inside an item that is higher than the view."""
        self.visible_rows()
        row = self._range.visible(spot) if self._range is not None else None
        if row is None or row.height_px <= self._view_px:
            return False
        hidden_px = row.bottom_px - self._view_px if step > 0 else -row.top_px
        if hidden_px > 1:
            self._scroll(step * min(hidden_px, self._view_px - OVERLAP_PX))
        return hidden_px > 1

    def _go_to(self, spot: Spot) -> None:
        if self._source is not None:
            self._choose(self._source.conversation.key(spot))
            self._reveal(spot)

    def _step_page(self, step: int) -> None:
        visible = self._scroll_page(step)
        rows = [row for row in visible if row.top_px >= 0 and row.bottom_px <= self._view_px] or visible
        if rows:
            self._choose((rows[0] if step < 0 else rows[-1]).layout.key)

    def _go_to_end(self, *, first: bool) -> None:
        if self._source is None or self._range is None:
            return
        if first:
            self._range.show_first()
        else:
            self._range.show_last(self._view_px)
        self._relayout()
        self._choose(self._source.conversation.key(Spot(0, 0) if first else self._source.conversation.last()))

    def _describe_current(self) -> None:
        item = self._source.item(self._current) if self._source and self._current is not None else None
        trust = self.trust(self._current.row) if self._current is not None else ""
        self._describe(", ".join(filter(None, (item.spoken(), trust.replace("\n", ", ")))) if item else "")

    def tip(self, point: QPointF) -> str:
        """Also how far its judges may be believed."""
        row = self._row_at(point)
        trust = self.trust(row.layout.key.row) if row is not None else ""
        return "\n".join(filter(None, (super().tip(point), trust)))

    # The mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """On a link or a header: what it does. Elsewhere: the item, and the beginning of a selection of text."""
        self._answers.watch.hide()
        row, area = self._row_at(event.position()), self._click_area_at(event.position())
        if row is None or self._selection is None:
            return
        key = row.layout.key
        if event.button() is not Qt.MouseButton.LeftButton:
            if self._current is None or key[:2] != self._current[:2]:
                self._choose(key)
            return
        self._choose(key)
        if area is None:
            self._selection.press(row, event.position())
        elif area.action is ItemAction.TOGGLE:
            self._toggle()
        else:
            self._set_fold(key, Fold.WHOLE if area.action is ItemAction.SHOW_ALL else Fold.HEAD)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Select text, or show what a click would do."""
        if self._selection is None or not self._selection.pressed:
            super().mouseMoveEvent(event)
            return
        row = self._row_at(event.position())
        if row is not None and self._selection.move(row, event.position()):
            self.viewport().update()

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        """The selection is made."""
        if self._selection is not None:
            self._selection.release()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Select a word."""
        row = self._row_at(event.position())
        if row is None or self._selection is None or not self._selection.word(row, event.position()):
            self.mousePressEvent(event)
        self.viewport().update()

    def _cursor_at(self, point: QPointF) -> Qt.CursorShape:
        shape, row = super()._cursor_at(point), self._row_at(point)
        is_text = shape is Qt.CursorShape.ArrowCursor and row is not None and offset_at(row, point) is not None
        return Qt.CursorShape.IBeamCursor if is_text else shape
