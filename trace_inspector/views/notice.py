"""What stands where there is nothing to show: one sentence, and the next step."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from trace_inspector.views.controls import Label
from trace_inspector.views.look import Look

WIDEST_PX = 420


class Notice(QWidget):
    """A designed emptiness. The words may come from a file: they are plain text."""

    def __init__(self, look: Look, head: str = "", step: str = "") -> None:
        super().__init__()
        self.setObjectName("page")
        self._head = Label(look, head, font="strong", wrap=True)
        self._step = Label(look, step, font="body", ink="text2", wrap=True)
        box = QVBoxLayout(self)
        box.setContentsMargins(24, 24, 24, 24)
        box.setSpacing(4)
        box.addStretch(2)
        for label in (self._head, self._step):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            label.setMaximumWidth(WIDEST_PX)
            box.addWidget(label, 0, Qt.AlignmentFlag.AlignHCenter)
            label.setMinimumWidth(160)
        box.addStretch(3)

    def tell(self, head: str, step: str = "") -> None:
        """Say something else."""
        self._head.setText(head)
        self._step.setText(step)
        self.setAccessibleName(f"{head} {step}")
