"""What all views in the centre share: the controls beside their tab, and the target of the focus."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget


class CentreView(QWidget):
    """One way to look at the file that is selected. Follows the workspace's selection by itself.

    `controls` stand at the right end of the tabs while the view is in front. `said` is a sentence for the status bar.
    """

    said = Signal(str)
    follows_filter = True  # whether it leaves out what the filter hides

    def __init__(self) -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.controls = QWidget()
        row = QHBoxLayout(self.controls)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addStretch(1)  # another view's controls may be wider

    def add_control(self, widget: QWidget) -> None:
        """Add a control, right of those before it."""
        row = self.controls.layout()
        if row is not None:
            row.addWidget(widget)

    def fit_controls(self, room_px: int) -> None:
        """The room for controls beside the tabs; a view with many hides some."""

    def take_focus(self) -> None:
        """Focus this view."""
        self.setFocus()
