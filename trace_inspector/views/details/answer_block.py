"""The answer in Details: its heading, its sentences, and the card with the reason for what is said of one."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from trace_inspector.core.trace.trace import answer_text
from trace_inspector.core.verdict.verdict import Provenance, SentenceSupport, Status
from trace_inspector.models.base.figures import score_text
from trace_inspector.models.base.roles import MARK_OF
from trace_inspector.models.base.translation import tr
from trace_inspector.models.evaluation.sentence_verdicts import named_beside
from trace_inspector.views.answer.answer import AnswerView
from trace_inspector.views.answer.sentence_card import SentenceCard
from trace_inspector.views.answer.sentence_watch import CardContents, SentenceWatch
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.blocks.blocks import Group
from trace_inspector.views.details.place import Place
from trace_inspector.views.widgets.controls import Button, ButtonKind, Label, MarkLabel

_COUNTED = {
    SentenceSupport.UNSUPPORTED: "unsupported",
    SentenceSupport.CONTRADICTORY: "contradictory",
    SentenceSupport.DISPUTED: "disputed",
    SentenceSupport.CANNOT_TELL: "cannot be told",
}


class AnswerBlock(QWidget):
    """Heading, score, sentences; the card opens beside it."""

    evidence_requested = Signal(str)
    overrule_requested = Signal(str)  # the criterion

    def __init__(self, theme: Theme, place: Place) -> None:
        super().__init__()
        self._theme = theme
        self._verdict = place.judged_sentences()
        turn = place.turn
        text = answer_text(turn) if turn else ""
        self._sentences = self._verdict.sentences if self._verdict else ()
        self.view = AnswerView(theme)
        self.view.set_answer(text, self._sentences)
        self._watch = SentenceWatch(theme, self)
        self._watch.evidence_requested.connect(self.evidence_requested)
        self._watch.watch(self.view, self._about)
        group = Group(theme, tr("Answer"), self._caption(), self._score())
        group.body.addWidget(self.view)
        if self.view.hidden_chars:
            group.body.addWidget(self._more(len(text)), 0, Qt.AlignmentFlag.AlignLeft)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(group)

    def hide_card(self) -> None:
        """Close the card, because something else is looked at now."""
        self._watch.hide()

    @property
    def card(self) -> SentenceCard | None:
        """The card, once it was opened."""
        return self._watch.card

    def _caption(self) -> str:
        if not self._sentences:
            return tr("no sentence was checked")
        bad = {
            words: count
            for support, words in _COUNTED.items()
            if (count := sum(sentence.support is support for sentence in self._sentences))
        }
        count = len(self._sentences)
        words = tr("1 sentence") if count == 1 else tr("{0} sentences").format(count)
        told = ", ".join((words, *(f"{number} {name}" for name, number in bad.items())))
        name = named_beside(self._verdict)
        return f"{name}: {told}" if name else told

    def _score(self) -> list[QWidget]:
        verdict = self._verdict
        if verdict is None or verdict.score is None:
            return []
        failing = verdict.status is Status.FAILED
        score = Label(
            self._theme, score_text(verdict.score), font="number_strong" if failing else "number",
            ink="fail" if failing else "text",
        )  # fmt: skip
        shown: list[QWidget] = [MarkLabel(self._theme, MARK_OF[verdict.status], 14), score]
        if verdict.threshold is not None:
            words = tr("needs {0}").format(score_text(verdict.threshold))
            shown.append(Label(self._theme, words, font="secondary", ink="text2"))
        return shown

    def _more(self, length: int) -> Button:
        shown = length - self.view.hidden_chars
        button = Button(self._theme, tr("{0:,} of {1:,} characters. Show all").format(shown, length), ButtonKind.LINK)
        button.clicked.connect(self.view.show_all)
        button.clicked.connect(button.hide)
        return button

    def _about(self, number: int) -> CardContents | None:
        verdict, count = self._verdict, len(self._sentences)
        if verdict is None or not 0 <= number < count:
            return None
        overrule = None if verdict.provenance is Provenance.REPORTED else self._overrule
        return CardContents(
            self._sentences[number], number + 1, count, verdict.provenance, self.view.global_rect(), overrule
        )

    def _overrule(self) -> None:
        if self._verdict is not None:
            self.overrule_requested.emit(self._verdict.metric)
