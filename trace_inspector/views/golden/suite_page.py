"""The Golden tab of a suite's own row: name and description of the eval set."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from trace_inspector.core.golden.golden import Suite
from trace_inspector.core.golden.golden_change import SuiteDescribed
from trace_inspector.core.golden.recoverable_edits import Spot
from trace_inspector.models.base.translation import tr
from trace_inspector.models.golden.drafts import FieldSpot
from trace_inspector.models.golden.format_limits import why_not_described
from trace_inspector.views.golden.fields.field_row import LABEL_PX
from trace_inspector.views.golden.fields.line_field import GoldenLine
from trace_inspector.views.golden.fields.text_field import GoldenText
from trace_inspector.views.golden.fields.typing_state import Typed, Written
from trace_inspector.views.golden.foot import GoldenFoot
from trace_inspector.views.widgets.controls import Elided, Label
from trace_inspector.views.window_context.desk import Desk


class SuitePage(QWidget):
    """Name and description, written as they are typed, or why the format has neither."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        theme = desk.theme
        self._goldens, self._workspace = desk.workspace.goldens, desk.workspace
        self._file = 0
        self._shown: tuple[int, str] = (0, "")
        self.setObjectName("page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._title = Elided(theme, "", font="title")
        self.name = GoldenLine(
            theme,
            tr("Name of the eval set"),
            self._write_name,
            lambda: self._spot("name"),
            self._show_problems,
            "body",
        )
        self.description = GoldenText(
            theme, tr("Description of the eval set"), self._write_description,
            lambda: self._spot("description"), self._show_problems,
        )  # fmt: skip
        self._wrong = {field: Label(theme, font="secondary", ink="fail", wrap=True) for field in self._fields}
        self._why = Label(theme, font="secondary", ink="text2", wrap=True)
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        for row, (words, field) in enumerate(zip((tr("Name"), tr("Description")), self._fields, strict=True)):
            label = Label(theme, words, font="secondary", ink="text2")
            label.setFixedWidth(LABEL_PX)
            label.setContentsMargins(0, 4, 0, 0)
            below = QVBoxLayout()
            below.setSpacing(2)
            below.addWidget(field)
            below.addWidget(self._wrong[field])
            grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addLayout(below, row, 1)
        grid.addWidget(self._why, 2, 1)
        self._show_problems()
        self.foot = GoldenFoot(desk)
        box = QVBoxLayout()
        box.setContentsMargins(12, 10, 12, 8)
        box.setSpacing(12)
        box.addWidget(self._title)
        box.addLayout(grid)
        box.addStretch(1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(box, 1)
        whole.addWidget(self.foot)

    def show_suite(self, number: int, suite: Suite) -> None:
        """Show the file's present texts."""
        file = self._workspace.files.get(number)
        if file is None:
            return
        if self._shown != (number, suite.place):
            self.name.forget()
            self.description.forget()
            self._shown = number, suite.place
        self._file = number
        why = why_not_described(file.format)
        self._title.setText(tr("Eval set {0}").format(suite.id or file.name))
        self._why.setText(why)
        self._why.setVisible(bool(why))
        busy = self._goldens.busy or not self._goldens.rows.current
        for field, text in ((self.name, suite.name), (self.description, suite.description)):
            field.setEnabled(not why)
            field.show_text(text, busy=busy)

    def focus_first(self) -> bool:
        """Focus the name; false where it cannot be edited."""
        if self.name.isEnabled():
            self.name.setFocus()
        return self.name.isEnabled()

    @property
    def _fields(self) -> tuple[GoldenLine | GoldenText, ...]:
        return self.name, self.description

    def _show_problems(self) -> None:
        """Show what is wrong with a text below it."""
        for field, wrong in self._wrong.items():
            wrong.setText(field.problem)
            wrong.setVisible(bool(field.problem))

    def _spot(self, field: str) -> FieldSpot | None:
        if not self._file:
            return None
        label = self.name.accessibleName() if field == "name" else self.description.accessibleName()
        return FieldSpot(self._goldens.drafts, self._file, Spot(self._shown[1], f"suite-{field}"), label)

    def _write_name(self, typed: Typed) -> Written:
        change = SuiteDescribed(typed.text, self.description.golden_text)
        words = tr("Change the name of the eval set")
        self._goldens.describe(self._file, words, change, f"{typed.step} name", typed.draft)
        return Written(typed.text)

    def _write_description(self, typed: Typed) -> Written:
        change = SuiteDescribed(self.name.golden_text, typed.text)
        words = tr("Change the description of the eval set")
        self._goldens.describe(self._file, words, change, f"{typed.step} description", typed.draft)
        return Written(typed.text)
