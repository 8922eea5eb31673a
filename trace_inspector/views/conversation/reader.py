"""The scrolled list of items: painted, so that a hundred thousand of them cost no more than those in sight."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEvent, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QFrame

from trace_inspector.core.rows import Kind
from trace_inspector.models.conversation import Conversation, Fold, Key, Spot
from trace_inspector.models.conversation_items import Item, describe
from trace_inspector.models.conversation_text import LongText, head_of
from trace_inspector.models.open_file import OpenFile
from trace_inspector.models.run import CurrentRun
from trace_inspector.views.conversation.arranging import Arranger, Given
from trace_inspector.views.conversation.placement import Placed, Placement
from trace_inspector.views.conversation.scene import Act, Brushwork, Scene
from trace_inspector.views.conversation.sentences import Answers
from trace_inspector.views.look import Look

KEPT_SCENES = 400
CUTTING_S = 0.004
WHEEL_PX = 20
OVERLAP_PX = 40
RAIL_PX = 2


class Reader(QAbstractScrollArea):
    """Shows one conversation. `chosen` gives the row of the item that the person went to."""

    chosen = Signal(int)
    evidence_wanted = Signal(str)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._arranger, self._brush = Arranger(look), Brushwork(look)
        self._conversation: Conversation | None = None
        self._placement: Placement | None = None
        self._file: OpenFile | None = None
        self._run: Callable[[], CurrentRun | None] = lambda: None
        self._scenes: OrderedDict[Key, Scene] = OrderedDict()
        self._width = -1
        self._placed = False
        self.current: Key | None = None
        self._marked: tuple[Key, int, int] | None = None  # a text, and the characters selected in it
        self._pressed: tuple[Key, int] | None = None
        self._answers = Answers(look, self.viewport())
        self._answers.entered.connect(self._choose)
        self._answers.evidence_wanted.connect(self.evidence_wanted)
        self._cutting = QTimer(self)
        self._cutting.setInterval(0)
        self._cutting.timeout.connect(self._cut_more)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(_tr("Conversation"))
        self.viewport().setMouseTracking(True)
        self.verticalScrollBar().setSingleStep(WHEEL_PX)
        look.changed.connect(self.forget)

    # What is shown

    def show_conversation(
        self, conversation: Conversation | None, file: OpenFile | None, run: Callable[[], CurrentRun | None]
    ) -> None:
        """Another case or trace, from its beginning."""
        self._conversation, self._file, self._run = conversation, file, run
        self.current = self._marked = None
        self._scenes.clear()
        self._answers.hide_card()
        self._placement = Placement(conversation, self._scene) if conversation else None
        self._changed()

    def forget(self) -> None:
        """Verdicts or the look changed: everything in sight is laid out again."""
        self._scenes.clear()
        self._changed()

    def items_changed(self) -> None:
        """Items came or went."""
        if self._placement is not None:
            self._placement.find_anew()
        self._changed()

    def go(self, key: Key) -> None:
        """Make an item the current one and bring it into sight."""
        if self._conversation is None or self._placement is None:
            return
        spot = self._conversation.spot(key)
        if spot is None:
            return
        if self.current is None or self.current.row != key.row:
            self.current = self._conversation.key(spot)
            self._describe()
        self._reveal(spot)
        self.viewport().update()

    def seen(self) -> list[Placed]:
        """The items in sight, from top to bottom."""
        self._place()
        return self._placement.seen if self._placement else []

    def item(self, key: Key) -> Item | None:
        """What an item says."""
        return describe(self._file, self._run(), key) if self._file else None

    # Scrolling and painting

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width wraps elsewhere."""
        super().resizeEvent(event)
        if self.viewport().width() != self._width:
            self._width = self.viewport().width()
            self._scenes.clear()
        self._changed()

    def scrollContentsBy(self, _dx: int, dy: int) -> None:  # noqa: N802
        """The scroll bar moved."""
        if self._placement is None:
            return
        bar = self.verticalScrollBar()
        if bar.value() >= bar.maximum() and self._conversation is not None:
            last = self._conversation.last()
            self._placement.show(last, self._high() - self._placement.measured(last).height_px)
        elif bar.value() <= 0:
            self._placement.show(Spot(0, 0), 0.0)
        else:
            self._placement.move(-dy, self._high())
        self._answers.hide_card()
        self._changed()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The items in sight."""
        placed = self.seen()
        with QPainter(self.viewport()) as painter:
            painter.fillRect(event.rect(), self._look.color("base"))
            for one in placed:
                if one.bottom_px >= event.rect().top() and one.top_px <= event.rect().bottom():
                    self._paint(painter, one)

    def _paint(self, painter: QPainter, one: Placed) -> None:
        high = self._high()
        if self.current is not None and one.key[:2] == self.current[:2]:
            box = QRectF(0, one.top_px - 4, self.viewport().width(), one.scene.height_px)
            painter.fillRect(box, self._look.color("accent_soft" if self._has_focus() else "sel_idle"))
            painter.fillRect(QRectF(0, box.top(), RAIL_PX, box.height()), self._look.color("accent"))
        painter.save()
        painter.translate(0, one.top_px)
        seen = QRectF(0, -one.top_px, self.viewport().width(), high)
        self._brush.paint(painter, one.scene, seen, self._marked_in(one))
        painter.restore()

    def _has_focus(self) -> bool:
        return self.hasFocus() or ((inside := QApplication.focusWidget()) is not None and self.isAncestorOf(inside))

    def _marked_in(self, one: Placed) -> tuple[int, int]:
        prose = one.scene.prose
        if self._marked is None or prose is None or self._marked[0][:2] != one.key[:2]:
            return 0, 0
        first, last = sorted(self._marked[1:])
        length = len(prose.passage.text)
        return max(0, min(first - prose.start, length)), max(0, min(last - prose.start, length))

    def _changed(self) -> None:
        self._placed = False
        self.viewport().update()

    def _place(self) -> None:
        if self._placed or self._placement is None or self._conversation is None:
            if self._placement is None:
                self._answers.put([])
            return
        self._placed = True
        seen = self._placement.lay_out(self._high())
        bar = self.verticalScrollBar()
        blocked = bar.blockSignals(True)  # noqa: FBT003 - Qt's own name for it
        bar.setPageStep(self._high())
        bar.setRange(0, max(0, int(self._conversation.heights.total_px) - self._high()))
        bar.setValue(round(self._placement.value_px))
        bar.blockSignals(blocked)
        self._answers.put([(one.key, one.top_px, one.scene) for one in seen])

    def _high(self) -> int:
        return max(self.viewport().height(), 1)

    def _scene(self, key: Key) -> Scene:
        known = self._scenes.get(key)
        if known is None:
            known = self._scenes[key] = self._arranger.scene(self._given(key))
            if len(self._scenes) > KEPT_SCENES:
                self._scenes.popitem(last=False)
        else:
            self._scenes.move_to_end(key)
        return known

    def _given(self, key: Key) -> Given:
        item, conversation, file = self.item(key), self._conversation, self._file
        if item is None or conversation is None or file is None:
            raise LookupError("Nothing is shown.")
        fold = conversation.fold(key, item.usual if item.usual is not None else Fold.HEAD)
        joined = file.table.kind(key.row) is Kind.CALL and bool(file.table.children(key.row))
        width, text = float(self.viewport().width()), conversation.text(key)
        if text is None:
            return Given(item, fold, width, joined=joined)
        last = key.piece == text.pieces - 1
        return Given(
            item, fold, width, text.piece(key.piece), text.start(key.piece), key.piece, last and text.done, joined
        )

    # Keys

    def event(self, event: QEvent) -> bool:
        """Copying is for what is selected here, not for the tree's rows."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            own = (QKeySequence.StandardKey.Copy, QKeySequence.StandardKey.SelectAll)
            if any(event.matches(key) for key in own):
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """From item to item; Enter folds."""
        run = self._keys().get(Qt.Key(event.key()))
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.copied())
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self._mark_all()
        elif run is not None and event.modifiers() in (_PLAIN, Qt.KeyboardModifier.KeypadModifier):
            run()
        else:
            super().keyPressEvent(event)

    def _keys(self) -> dict[Qt.Key, Callable[[], None]]:
        return {
            Qt.Key.Key_Down: lambda: self._step(1),
            Qt.Key.Key_Up: lambda: self._step(-1),
            Qt.Key.Key_PageDown: lambda: self._page(1),
            Qt.Key.Key_PageUp: lambda: self._page(-1),
            Qt.Key.Key_Home: lambda: self._end(first=True),
            Qt.Key.Key_End: lambda: self._end(first=False),
            Qt.Key.Key_Return: self.toggle,
            Qt.Key.Key_Enter: self.toggle,
            Qt.Key.Key_Space: self.toggle,
            Qt.Key.Key_Right: lambda: self._more(1),
            Qt.Key.Key_Left: lambda: self._more(-1),
        }

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes into the sentences of the current answer first."""
        view = self._answers.view(self.current) if self.current is not None else None
        if forward and self.hasFocus() and view is not None:
            view.setFocus(Qt.FocusReason.TabFocusReason)
            return True
        return super().focusNextPrevChild(forward)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The current item shows that the keyboard is here."""
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """It is elsewhere."""
        super().focusOutEvent(event)
        self.viewport().update()

    def copied(self) -> str:
        """The selected characters, else the current item, as text."""
        if self._marked is not None and self._marked[1] != self._marked[2]:
            key, *ends = self._marked
            return self._whole(key)[min(ends) : max(ends)]
        item = self.item(self.current) if self.current is not None else None
        return item.copied() if item else ""

    def toggle(self) -> None:
        """Fold or unfold the current item."""
        item = self.item(self.current) if self.current is not None else None
        if item is None or self.current is None or self._conversation is None:
            return
        fold = self._conversation.fold(self.current, item.usual if item.usual is not None else Fold.HEAD)
        if item.foldable:
            self._fold(self.current, item, Fold.FOLDED if fold > Fold.FOLDED else Fold.HEAD)
        else:
            self._fold(self.current, item, Fold.HEAD if fold is Fold.WHOLE else Fold.WHOLE)

    def _more(self, step: int) -> None:
        """Show more (1) or less (-1) of the current item."""
        item = self.item(self.current) if self.current is not None else None
        if item is None or self.current is None or self._conversation is None:
            return
        fold = self._conversation.fold(self.current, item.usual if item.usual is not None else Fold.HEAD)
        least = Fold.FOLDED if item.foldable else Fold.HEAD
        self._fold(self.current, item, Fold(min(max(fold + step, least), Fold.WHOLE)))

    def _fold(self, key: Key, item: Item, fold: Fold) -> None:
        conversation = self._conversation
        if conversation is None:
            return
        if fold is Fold.WHOLE and not head_of(item.value)[1]:
            fold = Fold.HEAD
        text = LongText(item.value) if fold is Fold.WHOLE else None
        conversation.set_fold(key, fold, text)
        first = key._replace(piece=0)
        for known in [known for known in self._scenes if known[:2] == key[:2]]:
            del self._scenes[known]
        self.current, self._marked = first, None
        self.items_changed()
        spot = conversation.spot(first)
        if spot is not None and fold is not Fold.WHOLE:
            self._reveal(spot)
        if text is not None and not text.done:
            self._cutting.start()

    def _cut_more(self) -> None:
        if self._conversation is None or not self._conversation.go_on(CUTTING_S):
            self._cutting.stop()
        self._scenes.clear()
        self.items_changed()

    # Going

    def _choose(self, key: Key) -> None:
        self.current = key
        self._describe()
        self.viewport().update()
        self.chosen.emit(key.row)

    def _step(self, step: int) -> None:
        """To the next or previous item; through a tall one screen by screen."""
        conversation, placement = self._conversation, self._placement
        if conversation is None or placement is None:
            return
        spot = conversation.spot(self.current) if self.current is not None else None
        if spot is None:
            self._go_to(placement.seen[0].spot if placement.seen else Spot(0, 0))
            return
        if self._read_on(spot, step):
            return
        found = conversation.step(spot, step)
        if found is not None:
            self._go_to(found)

    def _read_on(self, spot: Spot, step: int) -> bool:
        """Scroll inside an item that is not wholly seen."""
        here = next((one for one in self.seen() if one.spot == spot), None)
        if here is None:
            return False
        hidden = here.bottom_px - self._high() if step > 0 else -here.top_px
        if hidden <= 1 or here.scene.height_px <= self._high():
            return False
        self._scroll(step * min(hidden, self._high() - OVERLAP_PX))
        return True

    def _go_to(self, spot: Spot) -> None:
        if self._conversation is not None:
            self._choose(self._conversation.key(spot))
            self._reveal(spot)

    def _page(self, step: int) -> None:
        self._scroll(step * (self._high() - OVERLAP_PX))
        seen = self.seen()
        if seen:
            inside = [one for one in seen if one.top_px >= 0 and one.bottom_px <= self._high()] or seen
            self._choose((inside[0] if step < 0 else inside[-1]).key)

    def _end(self, *, first: bool) -> None:
        conversation, placement = self._conversation, self._placement
        if conversation is None or placement is None:
            return
        spot = Spot(0, 0) if first else conversation.last()
        offset = 0.0 if first else self._high() - placement.measured(spot).height_px
        placement.show(spot, offset)
        self._changed()
        self._choose(conversation.key(spot))

    def _scroll(self, px: float) -> None:
        if self._placement is not None:
            self._placement.move(px, self._high())
            self._changed()

    def _reveal(self, spot: Spot) -> None:
        """Scroll no more than is needed to see an item, its beginning first."""
        placement, conversation = self._placement, self._conversation
        if placement is None or conversation is None:
            return
        high = self._high()
        for one in self.seen():
            if one.spot == spot:
                if one.top_px < 0 or one.scene.height_px > high:
                    self._scroll(one.top_px)
                elif one.bottom_px > high:
                    self._scroll(one.bottom_px - high)
                return
        near = self.seen()
        behind = bool(near) and spot > near[-1].spot
        height = placement.measured(spot).height_px
        next_one = bool(near) and spot in (conversation.step(near[-1].spot, 1), conversation.step(near[0].spot, -1))
        offset = (high - height if behind else 0.0) if next_one else high / 4
        placement.show(spot, max(0.0, min(offset, high - height)))
        self._changed()

    def _describe(self) -> None:
        item = self.item(self.current) if self.current is not None else None
        self.setAccessibleDescription(item.spoken() if item else "")

    # The mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """On a link or a header: what it does. Elsewhere: the item, and the beginning of a selection of text."""
        self._answers.hide_card()
        one = self._under(event.position())
        if one is None or event.button() is not Qt.MouseButton.LeftButton:
            return
        point = event.position() - QPointF(0, one.top_px)
        act = next((zone.act for zone in one.scene.zones if zone.box.contains(point)), None)
        self._marked = self._pressed = None
        self._choose(one.key)
        if act is not None:
            self._act(one, act)
            return
        offset = self._offset(one, point)
        if offset is not None:
            self._pressed = one.key, offset
            self._marked = one.key, offset, offset

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Select text, or show what a click would do."""
        one = self._under(event.position())
        if self._pressed is not None and one is not None and one.key[:2] == self._pressed[0][:2]:
            offset = self._offset(one, event.position() - QPointF(0, one.top_px), anywhere=True)
            if offset is not None:
                self._marked = *self._pressed, offset
                self.viewport().update()
            return
        self.viewport().setCursor(self._cursor_over(one, event.position()))

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        """The selection is done."""
        self._pressed = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Select a word."""
        one = self._under(event.position())
        offset = self._offset(one, event.position() - QPointF(0, one.top_px)) if one else None
        if one is None or offset is None or one.scene.prose is None:
            self.mousePressEvent(event)
            return
        prose = one.scene.prose
        first, last = prose.passage.word_at(offset - prose.start)
        self._marked = one.key, first + prose.start, last + prose.start
        self.viewport().update()

    def _act(self, one: Placed, act: Act) -> None:
        if act is Act.TOGGLE:
            self.toggle()
        else:
            self._fold(one.key, one.scene.item, Fold.WHOLE if act is Act.SHOW_ALL else Fold.HEAD)

    def _under(self, point: QPointF) -> Placed | None:
        return next((one for one in self.seen() if one.top_px <= point.y() < one.bottom_px), None)

    def _offset(self, one: Placed, point: QPointF, *, anywhere: bool = False) -> int | None:
        prose = one.scene.prose
        if prose is None or not (anywhere or prose.box.adjusted(-4, -4, 4, 4).contains(point)):
            return None
        return prose.start + prose.passage.offset_at(point - prose.at)

    def _cursor_over(self, one: Placed | None, point: QPointF) -> Qt.CursorShape:
        if one is None:
            return Qt.CursorShape.ArrowCursor
        inside = point - QPointF(0, one.top_px)
        if any(zone.box.contains(inside) for zone in one.scene.zones):
            return Qt.CursorShape.PointingHandCursor
        return Qt.CursorShape.ArrowCursor if self._offset(one, inside) is None else Qt.CursorShape.IBeamCursor

    def _mark_all(self) -> None:
        if self.current is not None:
            self._marked = self.current, 0, len(self._whole(self.current))
            self.viewport().update()

    def _whole(self, key: Key) -> str:
        """The text that offsets of a selection count in."""
        text = self._conversation.text(key) if self._conversation else None
        if text is not None:
            return "".join(text.raw(number) for number in range(text.pieces))
        prose = self._scene(key._replace(piece=0)).prose
        return prose.passage.text if prose else ""


_PLAIN = Qt.KeyboardModifier.NoModifier


def _tr(text: str) -> str:
    return QCoreApplication.translate("Conversation", text)
