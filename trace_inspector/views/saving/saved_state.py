"""At the right end of the status bar: when something was saved last, and what is not yet."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QHBoxLayout, QWidget

from trace_inspector.models.golden_saving import GoldenSaving
from trace_inspector.views.controls import Label, MarkLabel
from trace_inspector.views.look import Look


class SavedState(QWidget):
    """Hidden until something was edited."""

    def __init__(self, look: Look, saving: GoldenSaving) -> None:
        super().__init__()
        self._saving = saving
        self.setAccessibleName(QCoreApplication.translate("SavedState", "Saved"))
        self._mark = MarkLabel(look, "passed", 14)
        self._words = Label(look, font="secondary", ink="text2")
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self._mark)
        row.addWidget(self._words)
        saving.changed.connect(self._show)
        self._show()

    def words(self) -> str:
        """What it says."""
        return self._words.text()

    def _show(self) -> None:
        words = self._saving.words()
        self._words.setText(words)
        self._mark.setVisible(bool(self._saving.saved_s))
        self.setVisible(bool(words))
