"""A strip above the view: the file shown has changed on disk since it was read."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from trace_inspector.core.translatable import N_
from trace_inspector.models.base.open_file import OnDisk
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.base.translation import tr
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.widgets.controls import Button, ButtonKind, Elided, MarkLabel

HEIGHT_PX = 32
_WORDS = {
    OnDisk.CHANGED: N_("{0} changed on disk. What you see was read before the change."),
    OnDisk.GONE: N_("{0} is no longer on disk. What was read of it is still shown."),
}


class ChangeBar(QWidget):
    """Offers to read it again. Hidden while nothing has changed, and after “keep”."""

    def __init__(self, theme: Theme, workspace: Workspace, reload: Callable[[], None]) -> None:
        super().__init__()
        self._workspace = workspace
        self._dismissed: tuple[int, OnDisk] | None = None
        self.setObjectName("change-bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(HEIGHT_PX)
        self._words = Elided(theme, font="secondary")
        self._reload = Button(theme, tr("Reload"), ButtonKind.LINK, key="Ctrl+R", clicked=reload)
        keep = Button(theme, tr("Keep what is shown"), ButtonKind.LINK, clicked=self._dismiss)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 12, 0)
        row.setSpacing(12)
        row.addWidget(MarkLabel(theme, "warning", 14))
        row.addWidget(self._words, 1)
        row.addWidget(self._reload)
        row.addWidget(keep)
        workspace.selection.changed.connect(self._show)
        workspace.files.changed.connect(self._show)
        self._show()

    def _dismiss(self) -> None:
        selection = self._workspace.selection.value
        file = self._workspace.files.get(selection.file) if selection else None
        self._dismissed = (file.number, file.on_disk) if file else None
        self._show()

    def _show(self, _what: Selection | int | None = None) -> None:
        selection = self._workspace.selection.value
        file = self._workspace.files.get(selection.file) if selection else None
        other = (
            file is not None and file.on_disk is not OnDisk.SAME and self._dismissed != (file.number, file.on_disk)
        )
        if file is not None and other:
            self._words.setText(tr(_WORDS[file.on_disk]).format(file.name))
            self._reload.setVisible(file.on_disk is OnDisk.CHANGED)
        self.setVisible(other)
