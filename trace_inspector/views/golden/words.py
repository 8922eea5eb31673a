"""The reference answer of a turn and the words of its user, as plain text that grows with what is typed."""

from __future__ import annotations

from abc import abstractmethod

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.golden_change import Answers, GoldenChange, UserSays
from trace_inspector.core.trace.trace import Turn, answer_text, user_text
from trace_inspector.models.base.translation import tr
from trace_inspector.models.golden.context import GoldenContext
from trace_inspector.models.golden.drafts import FieldSpot
from trace_inspector.models.golden.live_status import Now
from trace_inspector.models.golden.scores import answer_figure
from trace_inspector.models.golden.values import MOST_CHARS
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.golden.fields.marks import NowLabel
from trace_inspector.views.golden.fields.section import SectionBody
from trace_inspector.views.golden.fields.text_field import GoldenText
from trace_inspector.views.golden.fields.typing_state import Typed, Written
from trace_inspector.views.widgets.controls import Button, ButtonKind, Elided, Label


class _TurnText(SectionBody):
    """One text of a turn, with its count of words."""

    def __init__(self, theme: Theme, name: str, field: str) -> None:
        super().__init__()
        self._field = field
        self._context: GoldenContext | None = None
        self._wrong = Label(theme, font="secondary", ink="fail", wrap=True)
        self._wrong.hide()
        self.field = GoldenText(theme, name, self._write, self._spot, self._show_problem)
        self._large = Label(theme, font="secondary", ink="text2", wrap=True)
        self._large.hide()
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(6)
        box.addWidget(self.field)
        box.addWidget(self._wrong)
        box.addWidget(self._large)
        self.field.textChanged.connect(self._count)

    def show_golden(self, context: GoldenContext) -> bool:
        """The text of the turn."""
        if context.turn is None:
            return False
        if self._context is None or self._context.identity != context.identity:
            self.field.forget()
        self._context = context
        text = self._text(context.turn)
        large = len(text) > MOST_CHARS
        self.field.setVisible(not large)
        self._large.setVisible(large)
        if large:
            words = tr("{0:,} characters are too many to be edited here. Edit the file by hand.")
            self._large.setText(words.format(len(text)))
            self._wrong.hide()
        else:
            self.field.show_text(text, busy=context.goldens.busy)
        self._count()
        return True

    @property
    def problem(self) -> str:
        """Why the text was not written."""
        return self._wrong.text() if not self._wrong.isHidden() else ""

    @abstractmethod
    def _text(self, turn: Turn) -> str: ...

    @abstractmethod
    def _change(self, turn: Turn, text: str) -> GoldenChange: ...

    @abstractmethod
    def _step(self) -> str: ...

    def _spot(self) -> FieldSpot | None:
        context = self._context
        return context.spot(context.turn_place, self._field, self.field.accessibleName()) if context else None

    def _write(self, typed: Typed) -> Written:
        def make(_case: Case, turn: Turn) -> list[GoldenChange]:
            return [self._change(turn, typed.text)] if typed.text != self._text(turn) else []

        if self._context is not None:
            self._context.change_turn(self._step(), make, f"{typed.step} {self._step()}", typed.draft)
        return Written(typed.text)

    def _show_problem(self) -> None:
        self._wrong.setText(self.field.problem)
        self._wrong.setVisible(bool(self.field.problem))

    def _count(self) -> None:
        count = len(self.field.toPlainText().split())
        text = tr("1 word") if count == 1 else tr("{0:,} words").format(count)
        if text != self.caption:
            self.caption = text
            self.head_changed.emit()


class ReferenceAnswer(_TurnText):
    """The reference answer of the turn, with the similarity of the observed one."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, tr("Reference answer"), "answer")
        self._score = NowLabel(theme)
        self._needs = Elided(theme, "", font="secondary", ink="text2")
        self._none = Button(theme, tr("Expect no answer"), ButtonKind.LINK, clicked=self._expect_none)
        self.right = holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        for widget in (self._score, self._needs):
            row.addWidget(widget)
        below = self.layout()
        if below is not None:
            below.addWidget(self._none)
        self.field.setPlaceholderText(tr("No answer is expected in this turn."))

    def show_golden(self, context: GoldenContext) -> bool:
        """The answer, and its score now."""
        shown = super().show_golden(context)
        figure = answer_figure(context)
        self._score.setVisible(figure is not None)
        self._needs.setVisible(figure is not None)
        if figure is not None:
            self._score.show_now(Now(figure.mark, tr("Response match {0}").format(figure.score)))
            self._needs.setText(figure.words)
        self._none.setVisible(context.turn is not None and context.turn.final_response is not None)
        return shown

    def _text(self, turn: Turn) -> str:
        return answer_text(turn)

    def _change(self, turn: Turn, text: str) -> GoldenChange:
        return Answers(turn.place, text)

    def _step(self) -> str:
        return tr("Edit the reference answer")

    def _expect_none(self) -> None:
        if self._context is not None:
            self.field.setFocus()
            self._context.change_turn(tr("Expect no answer"), lambda _case, turn: [Answers(turn.place, None)])


class UserWords(_TurnText):
    """What the user says in the turn."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, tr("Words of the user"), "user")

    def _text(self, turn: Turn) -> str:
        return user_text(turn)

    def _change(self, turn: Turn, text: str) -> GoldenChange:
        return UserSays(turn.place, text)

    def _step(self) -> str:
        return tr("Edit the user's words")


def make_answer(theme: Theme, context: GoldenContext) -> SectionBody | None:
    """The section of the answer."""
    return ReferenceAnswer(theme) if context.turn is not None else None


def make_user(theme: Theme, context: GoldenContext) -> SectionBody | None:
    """The section of the user's words."""
    return UserWords(theme) if context.turn is not None else None
