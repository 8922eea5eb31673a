"""Asks for the name of a new group of rubrics; what is wrong with it is shown below during typing."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from trace_inspector.models.base.translation import tr
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.widgets.controls import Button, ButtonKind, Label
from trace_inspector.views.widgets.dialog_frame import Dialog

WIDTH_PX = 440


class AddGroupDialog(Dialog):
    """`named` is called with a valid name; `wrong_with` returns a sentence for an invalid one."""

    enter_in_fields = True

    def __init__(
        self, theme: Theme, wrong_with: Callable[[str], str], named: Callable[[str], object], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._wrong_with = wrong_with
        self._named = named
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Add a rubric group"))
        self.line = QLineEdit()
        self.line.setAccessibleName(tr("Name of the group"))
        self.line.setPlaceholderText("tone")
        self.line.setFont(theme.fonts.body)
        self._wrong = Label(theme, font="secondary", ink="fail", wrap=True)
        self.add = Button(theme, tr("Add"), ButtonKind.FILLED, clicked=self._add)
        meaning = tr(
            "A judge decides all rubrics of a group together: those that a golden has under this name "
            "and those you write here."
        )
        box = QVBoxLayout(self)
        box.setContentsMargins(16, 16, 16, 12)
        box.setSpacing(8)
        box.addWidget(Label(theme, meaning, ink="text2", wrap=True))
        box.addWidget(Label(theme, tr("Name of the group"), font="secondary", ink="text2"))
        box.addWidget(self.line)
        box.addWidget(self._wrong)
        box.addStretch(1)
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(Button(theme, tr("Cancel"), ButtonKind.FRAMED, clicked=self.reject))
        foot.addWidget(self.add)
        box.addLayout(foot)
        self.setMinimumWidth(WIDTH_PX)
        self.line.textChanged.connect(self._show_problem)
        self._show_problem("")

    def _show_problem(self, text: str) -> None:
        wrong = self._wrong_with(text)
        self.add.setEnabled(not wrong)
        self._wrong.setText(wrong if text else "")  # no error before the first letter

    def _add(self) -> None:
        name = self.line.text()
        if not self._wrong_with(name):
            self.accept()
            self._named(name)
