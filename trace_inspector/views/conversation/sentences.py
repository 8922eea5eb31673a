"""The coloured sentences of answers in sight: a widget for each answer, whose sentences are tab stops."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace
from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QWidget

from trace_inspector.core.verdict.verdict import MetricVerdict, Provenance, Sentence
from trace_inspector.models.conversation.section import Key
from trace_inspector.models.conversation.text import visible
from trace_inspector.views.answer.answer import AnswerView
from trace_inspector.views.answer.sentence_watch import CardContents, SentenceWatch
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.conversation.item_layout import ItemLayout


def inside(sentences: Sequence[Sentence], start: int, end: int) -> list[tuple[int, Sentence]]:
    """The sentences that lie in a piece of the answer, with their numbers; offsets count from the piece's start."""
    return [
        (number, replace(sentence, start=max(sentence.start - start, 0), end=min(sentence.end, end) - start))
        for number, sentence in enumerate(sentences)
        if sentence.start < end and sentence.end > start
    ]


class _Shown:
    """An answer, or a piece of one, in sight; its widget shows others later."""

    def __init__(self, view: AnswerView) -> None:
        self.view = view
        self.key = Key(-1)
        self.layout: ItemLayout | None = None
        self.numbers: list[int] = []


class Answers(QObject):
    """Keeps a widget for each answer that is seen, by its key."""

    entered = Signal(object)  # the key of the answer whose sentence took the focus or was clicked
    overrule_wanted = Signal(str)  # the criterion that labels the sentences of the answer just entered

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._parent = parent
        self._shown: dict[Key, _Shown] = {}
        self._spare: list[_Shown] = []  # never deleted: the card may give the focus back to one
        self.watch = SentenceWatch(theme, parent)

    def view(self, key: Key) -> AnswerView | None:
        """The widget of an answer in sight."""
        shown = self._shown.get(key)
        return shown.view if shown else None

    def put(self, visible: Sequence[tuple[float, ItemLayout]]) -> None:
        """These items are visible, each with its top; answers of all others go."""
        answers = {layout.key: (top_px, layout) for top_px, layout in visible if layout.answer is not None}
        for key in [key for key in self._shown if key not in answers]:
            self._let_go(self._shown.pop(key))
        for key, (top_px, layout) in answers.items():
            shown = self._shown.get(key) or self._make(key)
            if shown.layout is not layout:
                _fill(shown, layout)
            if layout.answer is not None:
                shown.view.setGeometry(layout.answer.translated(0, top_px).toAlignedRect())
                shown.view.show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """What lies around an answer tells where the keyboard is."""
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self._parent.update()
        return super().eventFilter(watched, event)

    def _let_go(self, gone: _Shown) -> None:
        around = self._parent.parentWidget()
        if gone.view.hasFocus() and around is not None:
            around.setFocus()
        gone.view.hide()
        gone.layout = None
        self._spare.append(gone)

    def _make(self, key: Key) -> _Shown:
        made = self._shown[key] = self._spare.pop() if self._spare else self._new()
        made.key = key
        return made

    def _new(self) -> _Shown:
        view = AnswerView(self._theme)
        view.setParent(self._parent)
        view.installEventFilter(self)
        made = _Shown(view)
        view.sentence_opened.connect(lambda _number: self.entered.emit(made.key))
        self.watch.watch(view, lambda number: self._about(made, number))
        return made

    def _about(self, shown: _Shown, number: int) -> CardContents | None:
        judged = shown.layout.item.judged if shown.layout else None
        if judged is None or not 0 <= number < len(shown.numbers):
            return None
        sentence_index = shown.numbers[number]
        room = self._parent.rect().intersected(shown.view.geometry())
        room.moveTopLeft(self._parent.mapToGlobal(room.topLeft()))
        overrule = None if judged.provenance is Provenance.REPORTED else partial(self._overrule, shown.key, judged)
        return CardContents(
            judged.sentences[sentence_index],
            sentence_index + 1,
            len(judged.sentences),
            judged.provenance,
            room,
            overrule,
        )

    def _overrule(self, key: Key, judged: MetricVerdict) -> None:
        self.entered.emit(key)
        self.overrule_wanted.emit(judged.metric)


def _fill(shown: _Shown, layout: ItemLayout) -> None:
    shown.layout, judged = layout, layout.item.judged
    text, start = layout.answer_text, layout.answer_start
    numbered = inside(judged.sentences, start, start + len(text)) if judged else []
    shown.numbers = [number for number, _sentence in numbered]
    shown.view.set_answer(visible(text), [sentence for _number, sentence in numbered])
