"""At the right end of the status bar: when a file was last saved, and what is unsaved."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QHBoxLayout, QWidget

from trace_inspector.models.golden.saving import GoldenSaving
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.widgets.controls import Label, MarkLabel

SLOW_MS = 300  # longer saves are reported


class SavedState(QWidget):
    """Hidden until something was edited."""

    def __init__(self, theme: Theme, saving: GoldenSaving) -> None:
        super().__init__()
        self._saving = saving
        self._mark = MarkLabel(theme, "passed", 14)
        self._words = Label(theme, font="secondary", ink="text2")
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self._mark)
        row.addWidget(self._words)
        self._slow = QTimer(self, singleShot=True, interval=SLOW_MS)
        self._slow.timeout.connect(self._show)
        saving.changed.connect(self._follow)
        self._show()

    def words(self) -> str:
        """The text shown."""
        return self._words.text()

    def _follow(self) -> None:
        """Do not flicker with each key while something is unsaved anyway."""
        if self._saving.is_pending and self.words() and self._mark.isHidden():
            if not self._slow.isActive():
                self._slow.start()
            return
        self._slow.stop()
        self._show()

    def _show(self) -> None:
        words = self._saving.words()
        self._words.setText(words)
        self._mark.setVisible(self._saving.is_saved)
        self.setAccessibleName(words)
        self.setVisible(bool(words))
