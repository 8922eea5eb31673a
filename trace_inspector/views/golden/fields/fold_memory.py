"""Which sections of the Golden tab are open, remembered from one start to the next."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QObject, QSettings
from PySide6.QtWidgets import QWidget

from trace_inspector.views.golden.fields.group import SectionGroup


class FoldMemory(QObject):
    """Follows sections as soon as they are made."""

    def __init__(self, settings: QSettings, parent: QObject) -> None:
        super().__init__(parent)
        self._settings = settings
        self._names: dict[QObject, str] = {}

    def follow(self, groups: Mapping[str, SectionGroup]) -> None:
        """Restore the state of new ones, and remember its changes."""
        for name, group in groups.items():
            inside = group.body.parentWidget() if group.body is not None else None
            if group.body is None or inside is None or inside in self._names:
                continue
            stored = self._settings.value(_key(name))
            if stored is not None:
                inside.setHidden(str(stored) != "open")
            self._names[inside] = name
            inside.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """It was opened or folded."""
        if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent) and isinstance(watched, QWidget):
            self._settings.setValue(_key(self._names[watched]), "folded" if watched.isHidden() else "open")
        return super().eventFilter(watched, event)


def _key(name: str) -> str:
    return f"golden/{name}"
