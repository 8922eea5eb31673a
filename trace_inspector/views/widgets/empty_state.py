"""Shown where there is nothing to show: one sentence, and the next step."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.widgets.controls import Label

WIDEST_PX = 480


class EmptyState(QScrollArea):
    """One sentence and the next step. The words may come from a file: they are plain text.

    Where there is little room it scrolls: what is not there must not make its panel, or the window, higher.
    """

    def __init__(self, theme: Theme, head: str = "", step: str = "") -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidgetResizable(True)
        self._head = Label(theme, head, font="strong", wrap=True)
        self._step = Label(theme, step, font="body", ink="text2", wrap=True)
        page = QWidget()
        page.setObjectName("page")
        page.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._box = QVBoxLayout(page)
        self._box.setSpacing(4)
        self._box.addStretch(2)
        for label in (self._head, self._step):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            self._box.addWidget(label)
        self._box.addStretch(3)
        self.setWidget(page)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Limit the width of lines."""
        super().resizeEvent(event)
        side = max(24, (self.viewport().width() - WIDEST_PX) // 2)
        self._box.setContentsMargins(side, 16, side, 16)

    def show_message(self, head: str, step: str = "") -> None:
        """Show another sentence and step."""
        self._head.setText(head)
        self._step.setText(step)
        self.setAccessibleName(f"{head} {step}")
