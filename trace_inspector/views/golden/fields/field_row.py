"""One field of a golden with its label, and below it what is wrong or why the format has no place for it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.golden_change import GoldenChange
from trace_inspector.core.values.values import ABSENT, Absent, Json
from trace_inspector.models.golden.context import GoldenContext
from trace_inspector.models.golden.drafts import Draft, FieldSpot
from trace_inspector.models.golden.field import GoldenField, Kind, schema_misfit, text_of, value_of, why_large
from trace_inspector.models.golden.values import NotJson
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.golden.fields.line_field import GoldenLine
from trace_inspector.views.golden.fields.text_field import GoldenText
from trace_inspector.views.golden.fields.typing_state import Typed, Written
from trace_inspector.views.widgets.controls import Label
from trace_inspector.views.widgets.fields import Choice

LABEL_PX = 116
_DATA = (Kind.OBJECT, Kind.VALUE, Kind.COUNT)
_OF_CASE = ("case-", "session-", "scenario-", "note-case", "criteria-case")
_BLOCKS = (Kind.TEXT, Kind.LINES, Kind.OBJECT, Kind.VALUE)


class FieldRow(QWidget):
    """Reused after edits by the id of its field; typing is written at once, as one step of undo."""

    def __init__(self, theme: Theme, field: GoldenField, context: Callable[[], GoldenContext | None]) -> None:
        super().__init__()
        self.setObjectName(f"golden-{field.id}")
        self.field = field
        self._context = context
        self._value: Json | Absent = ABSENT
        self.editor = self._made(theme)
        self._name = Label(theme, field.label, font="secondary", ink="text2", wrap=True)
        self._name.setFixedWidth(LABEL_PX)
        self._name.setContentsMargins(0, 4, 0, 0)
        self._wrong = Label(theme, font="secondary", ink="fail", wrap=True)
        self._why = Label(theme, font="secondary", ink="text2", wrap=True)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(1, 1)
        grid.addWidget(self._name, 0, 0, Qt.AlignmentFlag.AlignTop)
        for row, widget in enumerate((self.editor, self._wrong, self._why)):
            grid.addWidget(widget, row, 1)
        self._wrong.hide()
        self._why.hide()

    @property
    def problem(self) -> str:
        """What is wrong with the text."""
        return self._wrong.text() if not self._wrong.isHidden() else ""

    @property
    def why(self) -> str:
        """Why the field cannot be edited."""
        return self._why.text()

    def show_field(self, field: GoldenField, context: GoldenContext, why_not: str, *, says_why: bool) -> None:
        """Show the golden's present value; `why_not` is why the format has no place for it."""
        self.field = field
        self._value = field.value(context.case)
        large = why_large(field.kind, self._value) if not why_not else ""
        self.editor.setEnabled(not why_not and not large)
        self._name.setText(field.label)
        self._set_text(self._why, large or (why_not if says_why else ""))
        if not isinstance(self.editor, Choice):
            self.editor.setPlaceholderText("" if why_not or large else field.hint)
        text = "" if large else text_of(field.kind, self._value)
        if isinstance(self.editor, Choice):
            if text not in [value for _words, value in field.choices]:
                self.editor.offer([*field.choices, (text, text)])
            self.editor.choose(text)
        else:
            self.editor.show_text(text, busy=context.goldens.busy)
        self._show_problem()

    def forget(self) -> None:
        """Reset: the row shows another golden from now on."""
        if not isinstance(self.editor, Choice):
            self.editor.forget()

    def _made(self, theme: Theme) -> GoldenLine | GoldenText | Choice[str]:
        field = self.field
        font = "data" if field.kind in _DATA else "body"
        if field.kind is Kind.CHOICE:
            return Choice(theme, field.label, field.choices, self._change)
        if field.kind in _BLOCKS:
            text = GoldenText(theme, field.label, self._write, self._spot, self._show_problem, font)
            text.grown.connect(self.updateGeometry, Qt.ConnectionType.QueuedConnection)
            return text
        return GoldenLine(theme, field.label, self._write, self._spot, self._show_problem, font)

    def _spot(self) -> FieldSpot | None:
        context = self._context()
        if context is None:
            return None
        of_case = self.field.id.startswith(_OF_CASE)
        place = context.place if of_case else context.turn_place or context.place
        return context.spot(place, self.field.id, self.field.label)

    def _write(self, typed: Typed) -> Written:
        try:
            value = value_of(self.field.kind, typed.text)
        except NotJson as problem:
            return Written(problem=str(problem))
        self._change(value, f"{typed.step} {self.field.id}", typed.draft)
        return Written(text_of(self.field.kind, value))

    def _change(self, value: Json | Absent, key: str = "", draft: Draft | None = None) -> None:
        context, field = self._context(), self.field
        if context is None:
            return

        def make(case: Case) -> list[GoldenChange]:
            return [*field.change(case, value)] if not _alike(field.value(case), value) else []

        context.change(field.step, make, key, draft)

    def _show_problem(self) -> None:
        problem = "" if isinstance(self.editor, Choice) else self.editor.problem
        warned = schema_misfit(self._value, self.field.schema) if not problem else ""
        self._set_text(self._wrong, problem or warned)

    def _set_text(self, label: Label, words: str) -> None:
        if words != label.text():
            label.setText(words)
        label.setVisible(bool(words))


def _alike(value: Json | Absent, other: Json | Absent) -> bool:
    """For a text field, absent and empty are the same."""
    return text_of(Kind.VALUE, value or ABSENT) == text_of(Kind.VALUE, other or ABSENT) and (value == {}) == (
        other == {}
    )
