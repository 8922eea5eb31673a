"""When the card of a sentence comes and goes: rest on a sentence to see it, Enter moves into it, leaving hides it."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from PySide6.QtCore import QObject, QRect, QTimer, Signal
from PySide6.QtWidgets import QWidget

from trace_inspector.core.verdict.verdict import Provenance, Sentence
from trace_inspector.views.answer.answer import AnswerView
from trace_inspector.views.answer.sentence_card import SentenceCard
from trace_inspector.views.appearance.appearance import Theme

REST_MS = 350  # a pointer that only passes opens nothing
LEAST_PX = 340


class CardContents(Struct, frozen=True):
    """What a card shows: the index of the sentence, their count, the source, and the block that it must not cover."""

    sentence: Sentence
    number: int
    count: int
    provenance: Provenance
    answer: QRect
    overrule: Callable[[], object] | None = None  # where the verdict can be overruled


class SentenceWatch(QObject):
    """One card for all answers that are watched."""

    evidence_requested = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._parent = parent
        self._card: SentenceCard | None = None
        self._waiting: Callable[[], object] | None = None
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST_MS)
        self._rest.timeout.connect(self._rested)

    @property
    def card(self) -> SentenceCard | None:
        """The card, once it was opened."""
        return self._card

    def watch(self, view: AnswerView, about: Callable[[int], CardContents | None]) -> None:
        """Show the card for this answer's sentences; `about` gives its contents for each."""
        view.sentence_hovered.connect(lambda number: self._hover(lambda: self._show(about(number))))
        view.sentence_left.connect(self._leave)
        view.sentence_opened.connect(lambda number: self._open(view, about(number)))

    def hide(self) -> None:
        """Close the card, because something else is shown now."""
        self._rest.stop()
        if self._card is not None:
            self._card.hide()

    def _hover(self, show: Callable[[], object]) -> None:
        self._waiting = show
        if self._card is not None and self._card.isVisible():
            show()
        else:
            self._rest.start()

    def _rested(self) -> None:
        if self._waiting is not None:
            self._waiting()

    def _leave(self) -> None:
        self._rest.stop()
        if self._card is not None and not self._card.isActiveWindow() and not self._card.underMouse():
            self._card.hide()

    def _open(self, view: AnswerView, about: CardContents | None) -> None:
        self._rest.stop()
        if self._show(about) and self._card is not None:
            self._card.take_focus(view)

    def _show(self, about: CardContents | None) -> bool:
        if about is None:
            return False
        if self._card is None:
            self._card = SentenceCard(self._theme, self._parent)
            self._card.evidence_requested.connect(self.evidence_requested)
        self._card.overrule = about.overrule
        width_px = max(LEAST_PX, about.answer.width())
        self._card.show_for(about.sentence, about.number, about.count, about.provenance, about.answer, width_px)
        return True
