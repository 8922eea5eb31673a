"""The line below the views while a filter is in place: the counts shown, and a button that clears the filter."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout

from trace_inspector.models.base.selection import Selection
from trace_inspector.models.base.translation import tr
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.filtering.words import foot_words
from trace_inspector.views.widgets.controls import Button, ButtonKind, Elided

HEIGHT_PX = 28


class FilterFoot(QFrame):
    """Follows the filter. Tells where the view in front ignores it."""

    def __init__(self, theme: Theme, workspace: Workspace, clear: Callable[[], object]) -> None:
        super().__init__()
        self._workspace = workspace
        self._applied = True
        self.setObjectName("foot")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(HEIGHT_PX)
        self.words = Elided(theme, font="secondary", ink="text2")
        self.button = Button(theme, tr("Clear filter"), ButtonKind.LINK, clicked=clear)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 12, 0)
        row.setSpacing(8)
        row.addWidget(self.words)
        row.addWidget(self.button)
        row.addStretch(1)
        workspace.filtering.changed.connect(self._follow)
        workspace.selection.changed.connect(self._follow)
        self._follow()

    def show_applied(self, applied: bool) -> None:
        """Set whether the view in front applies the filter."""
        self._applied = applied
        self._follow()

    def _follow(self) -> None:
        filtering, selection = self._workspace.filtering, self._workspace.selection.value
        showing = filtering.showing(selection.file) if selection else None
        self.setVisible(showing is not None)
        if showing is None:
            return
        words = foot_words(showing, filtering.text)
        if not self._applied:
            words += " " + tr("This view ignores the filter and shows everything.")
        elif selection is not None and self._hides(selection):
            words += " " + tr("The selected row is among them.")
        if words != self.words.text():
            self.words.setText(words)

    def _hides(self, selection: Selection) -> bool:
        file = self._workspace.files.get(selection.file)
        return file is not None and selection.row >= 0 and not file.table.visible.passes(selection.row)
