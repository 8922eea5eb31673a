"""“Save evidence”: whether rules take secrets out of the page, or no text is in it at all. Asked anew each time."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize

from trace_inspector.core.translatable import N_
from trace_inspector.models.base.translation import tr
from trace_inspector.views.saving.dialog import SavingDialog
from trace_inspector.views.widgets.check_mark import Check
from trace_inspector.views.widgets.controls import Button, ButtonKind
from trace_inspector.views.window_context.desk import Desk

NAME = "save-evidence"
SIZE_PX = QSize(520, 220)
_LEAST_PX = 400  # narrower, the sentence would be longer than the dialog is high
_BY_RULES = N_(
    "Rules take secrets out. They miss some: of lists by people who had not read the rules, 7 to 14 secrets of 100 "
    "stayed, most of them ordinary words as passwords. Read the page before you send it."
)
_WITHOUT = N_(
    "No question, answer, argument, result, error, id or name of a file or person is in the page: placeholders stand "
    "there, equal ones for equal values. Steps, names of tools and arguments, scores, times and tokens stay."
)


class EvidenceDialog(SavingDialog):
    """`chosen` is called with whether all texts are left out."""

    def __init__(self, desk: Desk, chosen: Callable[[bool], object]) -> None:
        super().__init__(desk, NAME, tr("Save evidence"), tr(_BY_RULES), (SIZE_PX.width(), SIZE_PX.height()))
        self._chosen = chosen
        self.without = Check(desk.theme, tr("Leave out all texts and values"))
        self.without.toggled.connect(self._say)
        self.inside.addWidget(self.without)
        self.inside.addStretch(1)
        self.go_on = Button(desk.theme, tr("Choose a file…"), ButtonKind.FILLED, clicked=self._go_on)
        self.add_buttons(Button(desk.theme, tr("Cancel"), clicked=self.reject), self.go_on)
        self.setMinimumWidth(desk.theme.grown(_LEAST_PX))
        self.without.setFocus()

    def _say(self, without: bool) -> None:
        self.words.setText(tr(_WITHOUT if without else _BY_RULES))
        self.without.setAccessibleDescription(self.words.text())
        layout = self.layout()
        if layout is not None:
            self.resize(self.width(), max(self.height(), layout.totalHeightForWidth(self.width())))

    def _go_on(self) -> None:
        without = self.without.isChecked()
        self.accept()
        self._chosen(without)
