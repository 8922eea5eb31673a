"""The coloured sentences of answers in sight: a widget for each answer, and the card with the reason for a label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, QObject, QPoint, QTimer, Signal
from PySide6.QtWidgets import QWidget

from trace_inspector.core.verdict import MetricVerdict, Sentence
from trace_inspector.models.conversation_section import Key
from trace_inspector.models.conversation_text import visible
from trace_inspector.views.answer import AnswerView
from trace_inspector.views.conversation.scene import Scene
from trace_inspector.views.look import Look
from trace_inspector.views.sentence_card import SentenceCard

REST_MS = 350  # a pointer that only passes opens nothing
CARD_PX = 340


def inside(sentences: Sequence[Sentence], start: int, end: int) -> list[tuple[int, Sentence]]:
    """The sentences that lie in a piece of the answer, with their numbers; offsets count from the piece's start."""
    return [
        (number, replace(found, start=max(found.start - start, 0), end=min(found.end, end) - start))
        for number, found in enumerate(sentences)
        if found.start < end and found.end > start
    ]


class _Shown:
    """An answer, or a piece of one, in sight."""

    def __init__(self, view: AnswerView) -> None:
        self.view = view
        self.scene: Scene | None = None
        self.judged: MetricVerdict | None = None
        self.numbers: list[int] = []


class Answers(QObject):
    """Keeps a widget for each answer that is seen, by its key."""

    entered = Signal(object)  # the key of the answer whose sentence took the focus or was clicked
    evidence_wanted = Signal(str)

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self._look = look
        self._parent = parent
        self._shown: dict[Key, _Shown] = {}
        self._card: SentenceCard | None = None
        self._waiting: tuple[Key, int] | None = None
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST_MS)
        self._rest.timeout.connect(self._show_waiting)

    @property
    def card(self) -> SentenceCard | None:
        """The card, once it was opened."""
        return self._card

    def view(self, key: Key) -> AnswerView | None:
        """The widget of an answer in sight."""
        shown = self._shown.get(key)
        return shown.view if shown else None

    def put(self, seen: Sequence[tuple[Key, float, Scene]]) -> None:
        """These items are seen, each with its top; answers of all others go."""
        wanted = {key: (top, scene) for key, top, scene in seen if scene.answer is not None}
        for key in [key for key in self._shown if key not in wanted]:
            gone = self._shown.pop(key)
            gone.view.hide()
            gone.view.deleteLater()
        for key, (top, scene) in wanted.items():
            shown = self._shown.get(key) or self._make(key)
            if shown.scene is not scene:
                self._fill(shown, scene)
            if scene.answer is not None:
                shown.view.setGeometry(scene.answer.translated(0, top).toAlignedRect())
                shown.view.show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """What lies around an answer tells where the keyboard is."""
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self._parent.update()
        return super().eventFilter(watched, event)

    def hide_card(self) -> None:
        """Something else is looked at now."""
        self._rest.stop()
        if self._card is not None:
            self._card.hide()

    def _make(self, key: Key) -> _Shown:
        view = AnswerView(self._look)
        view.setParent(self._parent)
        view.installEventFilter(self)
        made = self._shown[key] = _Shown(view)
        view.sentence_hovered.connect(lambda number: self._hover(key, number))
        view.sentence_left.connect(self._leave)
        view.sentence_opened.connect(lambda number: self._open(key, number))
        return made

    def _fill(self, shown: _Shown, scene: Scene) -> None:
        shown.scene, shown.judged = scene, scene.item.judged
        if shown.judged is None:
            return
        text, start = scene.answer_text, scene.answer_start
        found = inside(shown.judged.sentences, start, start + len(text))
        shown.numbers = [number for number, _sentence in found]
        shown.view.set_answer(visible(text), [sentence for _number, sentence in found])

    def _hover(self, key: Key, number: int) -> None:
        self._waiting = key, number
        if self._card is not None and self._card.isVisible():
            self._show(key, number)
        else:
            self._rest.start()

    def _leave(self) -> None:
        self._rest.stop()
        if self._card is not None and not self._card.isActiveWindow() and not self._card.underMouse():
            self._card.hide()

    def _open(self, key: Key, number: int) -> None:
        self._rest.stop()
        self.entered.emit(key)
        self._show(key, number)
        shown = self._shown.get(key)
        if self._card is not None and shown is not None:
            self._card.take_focus(shown.view)

    def _show_waiting(self) -> None:
        if self._waiting is not None:
            self._show(*self._waiting)

    def _show(self, key: Key, number: int) -> None:
        shown = self._shown.get(key)
        if shown is None or shown.judged is None or not 0 <= number < len(shown.numbers):
            return
        if self._card is None:
            self._card = SentenceCard(self._look, self._parent)
            self._card.evidence_wanted.connect(self.evidence_wanted)
        at = shown.numbers[number]
        sentences = shown.judged.sentences
        room = self._parent.rect().intersected(shown.view.geometry())
        room.moveTopLeft(self._parent.mapToGlobal(QPoint(room.left(), room.top())))
        self._card.show_for(
            sentences[at], at + 1, len(sentences), shown.judged.provenance, room, max(CARD_PX, room.width())
        )
