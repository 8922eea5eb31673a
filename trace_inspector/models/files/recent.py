"""The recently opened files and folders. Their names are kept in the user's settings only."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QSettings, Signal

KEPT = 20
_KEY = "recent"


class Recent(QObject):
    """Newest first."""

    changed = Signal()

    def __init__(self, settings: QSettings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = settings

    @property
    def paths(self) -> tuple[Path, ...]:
        """The recent paths without duplicates; they may not exist any more."""
        kept = self._settings.value(_KEY)
        names = [kept] if isinstance(kept, str) else kept if isinstance(kept, list) else []
        return tuple(Path(name) for name in names[:KEPT] if isinstance(name, str) and name)

    def add(self, paths: Sequence[Path]) -> None:
        """Add paths that were opened."""
        merged = dict.fromkeys((*reversed([path.absolute() for path in paths]), *self.paths))
        self._settings.setValue(_KEY, [str(path) for path in list(merged)[:KEPT]])
        self.changed.emit()

    def clear(self) -> None:
        """Forget all of them."""
        self._settings.remove(_KEY)
        self.changed.emit()
