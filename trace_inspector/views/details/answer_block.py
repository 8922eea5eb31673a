"""The answer in Details: its heading, its sentences, and the card with the reason for a label."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt, QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from trace_inspector.core.trace import answer_text
from trace_inspector.core.verdict import Label as SentenceLabel
from trace_inspector.core.verdict import Status
from trace_inspector.models.figures import score_text
from trace_inspector.models.roles import MARK_OF
from trace_inspector.views.answer import AnswerView
from trace_inspector.views.controls import Button, ButtonKind, Label, MarkLabel
from trace_inspector.views.details.blocks import Group
from trace_inspector.views.details.place import Place
from trace_inspector.views.look import Look
from trace_inspector.views.sentence_card import SentenceCard

REST_MS = 350  # a pointer that only passes opens nothing


class AnswerBlock(QWidget):
    """Owns the card: resting on a sentence shows it, Enter moves into it, leaving hides it."""

    evidence_wanted = Signal(str)

    def __init__(self, look: Look, place: Place) -> None:
        super().__init__()
        self._look = look
        self._verdict = place.judged_sentences()
        turn = place.turn
        text = answer_text(turn) if turn else ""
        self._sentences = self._verdict.sentences if self._verdict else ()
        self.view = AnswerView(look)
        self.view.set_answer(text, self._sentences)
        self._card: SentenceCard | None = None
        self._waiting = -1
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST_MS)
        self._rest.timeout.connect(lambda: self._show(self._waiting))
        group = Group(look, _tr("Answer"), self._caption(), self._score())
        group.body.addWidget(self.view)
        if self.view.hidden_chars:
            group.body.addWidget(self._more(len(text)), 0, Qt.AlignmentFlag.AlignLeft)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(group)
        self.view.sentence_hovered.connect(self._hover)
        self.view.sentence_left.connect(self._leave)
        self.view.sentence_opened.connect(self._open)

    def hide_card(self) -> None:
        """Close the card, because something else is looked at now."""
        self._rest.stop()
        if self._card is not None:
            self._card.hide()

    @property
    def card(self) -> SentenceCard | None:
        """The card, once it was opened."""
        return self._card

    def _caption(self) -> str:
        if not self._sentences:
            return _tr("no sentence was checked")
        bad = {
            label.value: count
            for label in (SentenceLabel.UNSUPPORTED, SentenceLabel.CONTRADICTORY, SentenceLabel.DISPUTED)
            if (count := sum(found.label is label for found in self._sentences))
        }
        count = len(self._sentences)
        words = _tr("1 sentence") if count == 1 else _tr("{0} sentences").format(count)
        return ", ".join((words, *(f"{number} {label}" for label, number in bad.items())))

    def _score(self) -> list[QWidget]:
        verdict = self._verdict
        if verdict is None or verdict.score is None:
            return []
        failing = verdict.status is Status.FAILED
        score = Label(
            self._look, score_text(verdict.score), font="number_strong" if failing else "number",
            ink="fail" if failing else "text",
        )  # fmt: skip
        shown: list[QWidget] = [MarkLabel(self._look, MARK_OF[verdict.status], 14), score]
        if verdict.threshold is not None:
            words = _tr("needs {0}").format(score_text(verdict.threshold))
            shown.append(Label(self._look, words, font="secondary", ink="text2"))
        return shown

    def _more(self, length: int) -> Button:
        shown = length - self.view.hidden_chars
        button = Button(self._look, _tr("{0:,} of {1:,} characters. Show all").format(shown, length), ButtonKind.LINK)
        button.clicked.connect(self.view.show_all)
        button.clicked.connect(button.hide)
        return button

    def _hover(self, sentence: int) -> None:
        self._waiting = sentence
        if self._card is not None and self._card.isVisible():
            self._show(sentence)
        else:
            self._rest.start()

    def _leave(self) -> None:
        self._rest.stop()
        if self._card is not None and not self._card.isActiveWindow() and not self._card.underMouse():
            self._card.hide()

    def _open(self, sentence: int) -> None:
        self._rest.stop()
        self._show(sentence)
        if self._card is not None:
            self._card.take_focus(self.view)

    def _show(self, sentence: int) -> None:
        if not 0 <= sentence < len(self._sentences) or self._verdict is None:
            return
        if self._card is None:
            self._card = SentenceCard(self._look, self)
            self._card.evidence_wanted.connect(self.evidence_wanted)
        provenance = self._verdict.provenance
        self._card.show_for(
            self._sentences[sentence], sentence + 1, len(self._sentences), provenance,
            self.view.global_rect(), max(340, self.view.width()),
        )  # fmt: skip


def _tr(text: str) -> str:
    return QCoreApplication.translate("Details", text)
