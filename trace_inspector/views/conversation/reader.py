"""The conversation under keys and mouse: going from item to item, folding, selecting text."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
)
from PySide6.QtWidgets import QMenu

from trace_inspector.models.base.translation import tr
from trace_inspector.models.conversation.conversation import Fold, Spot
from trace_inspector.models.conversation.section import Key
from trace_inspector.models.conversation.text import LongText, head_of
from trace_inspector.views.appearance.appearance import Look
from trace_inspector.views.conversation.area import ItemArea
from trace_inspector.views.conversation.marking import offset_at
from trace_inspector.views.conversation.placement import Placed
from trace_inspector.views.conversation.scene import Act
from trace_inspector.views.conversation.sentences import Answers

CUTTING_S = 0.004
WHEEL_PX = 20
OVERLAP_PX = 40
RAIL_PX = 2
_KEYPAD = Qt.KeyboardModifier.KeypadModifier


class Reader(ItemArea):
    """Shows one conversation. `chosen` gives the row of the item that the person went to."""

    chosen = Signal(int)
    evidence_wanted = Signal(str)
    overrule_wanted = Signal(str)  # the criterion, on the item that was chosen just before

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self._answers.entered.connect(self._choose)
        self._answers.watch.evidence_wanted.connect(self.evidence_wanted)
        self._answers.overrule_wanted.connect(self.overrule_wanted)
        self._cutting = QTimer(self)
        self._cutting.setInterval(0)
        self._cutting.timeout.connect(self._cut_more)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Conversation"))
        self.viewport().setMouseTracking(True)

    def go(self, key: Key) -> None:
        """Make an item the current one and bring it into sight."""
        spot = self._scenes.conversation.spot(key) if self._scenes else None
        if self._scenes is None or spot is None:
            return
        if self._current is None or self._current.row != key.row:
            self._current = self._scenes.conversation.key(spot)
            self._describe()
        spot = self._scenes.conversation.spot(self._current) or spot
        if spot.item or self._placement is None:
            self._reveal(spot)
        else:
            self.seen()
            self._placement.reveal_section(spot, self._high())
            self._moved()

    @property
    def answers(self) -> Answers:
        """The coloured answers in sight."""
        return self._answers

    def copied(self) -> str:
        """The selected characters, else the current item, as text."""
        marked = self._marking.text() if self._marking else ""
        if marked or self._scenes is None or self._current is None:
            return marked
        return self._scenes.item(self._current).copied()

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
            self._copy()
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self._mark_all()
        elif run is not None and not event.modifiers() & ~_KEYPAD:
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
            Qt.Key.Key_Right: lambda: self._show_more(1),
            Qt.Key.Key_Left: lambda: self._show_more(-1),
            Qt.Key.Key_Escape: self._unmark,
            **dict.fromkeys((Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space), self._toggle),
        }

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes into the sentences of the current answer first."""
        view = self._answers.view(self._current) if self._current is not None else None
        if forward and self.hasFocus() and view is not None:
            view.setFocus(Qt.FocusReason.TabFocusReason)
            return True
        return super().focusNextPrevChild(forward)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """What keys do, for the mouse."""
        if self._scenes is None or self._current is None:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(tr("Copy"), self._copy)
        menu.addAction(tr("Select all of this text"), self._mark_all)
        menu.addSeparator()
        folded = self._scenes.fold(self._current, self._scenes.item(self._current)) is Fold.FOLDED
        menu.addAction(tr("Show more"), lambda: self._show_more(1))
        less = menu.addAction(tr("Show less"), lambda: self._show_more(-1))
        less.setEnabled(not folded)
        menu.popup(event.globalPos())

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.copied())

    def _mark_all(self) -> None:
        if self._marking is not None and self._current is not None:
            self._marking.all_of(self._current)
            self.viewport().update()

    def _unmark(self) -> None:
        if self._marking is not None:
            self._marking.clear()
            self.viewport().update()

    # Folding

    def _toggle(self) -> None:
        """Fold or unfold the current item; a text without a fold shows whole, or its beginning."""
        if self._scenes is not None and self._current is not None:
            item = self._scenes.item(self._current)
            fold = self._scenes.fold(self._current, item)
            if item.foldable:
                self._set_fold(self._current, Fold.FOLDED if fold > Fold.FOLDED else Fold.HEAD)
            else:
                self._set_fold(self._current, Fold.HEAD if fold is Fold.WHOLE else Fold.WHOLE)

    def _show_more(self, step: int) -> None:
        """Show more (1) or less (-1) of the current item."""
        if self._scenes is not None and self._current is not None:
            item = self._scenes.item(self._current)
            least = Fold.FOLDED if item.foldable else Fold.HEAD
            fold = self._scenes.fold(self._current, item) + step
            self._set_fold(self._current, Fold(min(max(fold, least), Fold.WHOLE)))

    def _set_fold(self, key: Key, fold: Fold) -> None:
        scenes = self._scenes
        if scenes is None:
            return
        value = scenes.item(key).value
        if fold is Fold.WHOLE and not head_of(value)[1]:
            fold = Fold.HEAD
        text = LongText(value) if fold is Fold.WHOLE else None
        scenes.conversation.set_fold(key, fold, text)
        scenes.forget_pieces(key)
        self._current = key._replace(piece=0)
        if self._marking is not None:
            self._marking.clear()
        self.items_changed()
        spot = scenes.conversation.spot(self._current)
        if spot is not None and text is None:
            self._reveal(spot)
        if text is not None and not text.done:
            self._cutting.start()

    def _cut_more(self) -> None:
        """Some more pieces of long texts that are to show whole."""
        if self._scenes is not None:
            self._scenes.forget(*self._scenes.conversation.go_on(CUTTING_S))
            self.items_changed()
        if self._scenes is None or not self._scenes.conversation.cutting:
            self._cutting.stop()

    # Going

    def _choose(self, key: Key) -> None:
        self._current = key
        self._describe()
        self.viewport().update()
        self.chosen.emit(key.row)

    def _step(self, step: int) -> None:
        """To the next or previous item; through a tall one screen by screen."""
        if self._scenes is None:
            return
        conversation = self._scenes.conversation
        spot = conversation.spot(self._current) if self._current is not None else None
        if spot is None:
            self._go_to(self.seen()[0].spot)
        elif not self._read_on(spot, step):
            self._go_to(conversation.step(spot, step) or spot)

    def _read_on(self, spot: Spot, step: int) -> bool:
        """Scroll inside an item that is higher than the view."""
        here = next((one for one in self.seen() if one.spot == spot), None)
        if here is None or here.scene.height_px <= self._high():
            return False
        hidden = here.bottom_px - self._high() if step > 0 else -here.top_px
        if hidden > 1:
            self._scroll(step * min(hidden, self._high() - OVERLAP_PX))
        return hidden > 1

    def _go_to(self, spot: Spot) -> None:
        if self._scenes is not None:
            self._choose(self._scenes.conversation.key(spot))
            self._reveal(spot)

    def _page(self, step: int) -> None:
        self._scroll(step * (self._high() - OVERLAP_PX))
        seen = self.seen()
        inside = [one for one in seen if one.top_px >= 0 and one.bottom_px <= self._high()] or seen
        if inside:
            self._choose((inside[0] if step < 0 else inside[-1]).key)

    def _end(self, *, first: bool) -> None:
        if self._scenes is None or self._placement is None:
            return
        if first:
            self._placement.show(Spot(0, 0), 0.0)
        else:
            self._show_last()
        self._moved()
        self._choose(self._scenes.conversation.key(Spot(0, 0) if first else self._scenes.conversation.last()))

    def _describe(self) -> None:
        item = self._scenes.item(self._current) if self._scenes and self._current is not None else None
        self.setAccessibleDescription(item.spoken() if item else "")

    # The mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """On a link or a header: what it does. Elsewhere: the item, and the beginning of a selection of text."""
        self._answers.watch.hide()
        one = self._under(event.position())
        if one is None or self._marking is None:
            return
        if event.button() is not Qt.MouseButton.LeftButton:
            if self._current is None or one.key[:2] != self._current[:2]:
                self._choose(one.key)
            return
        self._choose(one.key)
        act = _act_at(one, event.position())
        if act is Act.TOGGLE:
            self._toggle()
        elif act is not None:
            self._set_fold(one.key, Fold.WHOLE if act is Act.SHOW_ALL else Fold.HEAD)
        else:
            self._marking.press(one, event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Select text, or show what a click would do."""
        one = self._under(event.position())
        if self._marking is not None and self._marking.pressed:
            if one is not None and self._marking.move(one, event.position()):
                self.viewport().update()
            return
        self.viewport().setCursor(_cursor_at(one, event.position()))

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        """The selection is made."""
        if self._marking is not None:
            self._marking.release()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Select a word."""
        one = self._under(event.position())
        if one is None or self._marking is None or not self._marking.word(one, event.position()):
            self.mousePressEvent(event)
        self.viewport().update()


def _act_at(one: Placed, point: QPointF) -> Act | None:
    inside = point - QPointF(0, one.top_px)
    return next((zone.act for zone in one.scene.zones if zone.box.contains(inside)), None)


def _cursor_at(one: Placed | None, point: QPointF) -> Qt.CursorShape:
    if one is None:
        return Qt.CursorShape.ArrowCursor
    if _act_at(one, point) is not None:
        return Qt.CursorShape.PointingHandCursor
    return Qt.CursorShape.ArrowCursor if offset_at(one, point) is None else Qt.CursorShape.IBeamCursor
