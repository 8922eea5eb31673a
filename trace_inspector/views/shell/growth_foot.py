"""The line below the views of a file that grows: how many turns are new, and whether it is followed.

It comes with the first news and stays, so that nothing moves while somebody reads.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout

from trace_inspector.models.base.translation import tr
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.widgets.controls import Button, ButtonKind, Elided

HEIGHT_PX = 28


class GrowthFoot(QFrame):
    """Follows the growth of the file that is shown."""

    def __init__(self, theme: Theme, workspace: Workspace, perform: Callable[[str], None]) -> None:
        super().__init__()
        self._workspace = workspace
        self.setObjectName("foot")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(HEIGHT_PX)
        self.words = Elided(theme, font="secondary", ink="text2")
        self.show_new = Button(
            theme, tr("Go to the first"), ButtonKind.LINK, key="Alt+End", clicked=lambda: perform("new-turns")
        )
        self.show_new.setAccessibleName(tr("Go to the first new turn"))
        self.pause = Button(theme, tr("Pause"), ButtonKind.LINK, clicked=lambda: perform("follow"))
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 12, 0)
        row.setSpacing(8)
        row.addWidget(self.words)
        row.addWidget(self.show_new)
        row.addStretch(1)
        row.addWidget(self.pause)
        workspace.growth.changed.connect(self._follow)
        workspace.selection.changed.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        growth, selection = self._workspace.growth, self._workspace.selection.value
        file = self._workspace.files.get(selection.file) if selection is not None else None
        shown = file is not None and growth.has_grown(file.number)
        self.setVisible(shown)
        if file is None or not shown:
            return
        count = growth.new_turns(file.number)
        new = tr("1 new turn") if count == 1 else tr("{0} new turns").format(f"{count:,}")
        state = tr("{0} is followed.") if growth.is_on else tr("Following is paused: {0} may have gone on.")
        words = state.format(file.name) + (f"  {new}" if count else "")
        if words != self.words.text():
            self.words.setText(words)
        self.show_new.setVisible(count > 0)
        self.pause.setText(tr("Pause") if growth.is_on else tr("Go on"))
        self.pause.setAccessibleName(tr("Pause following") if growth.is_on else tr("Go on following"))
