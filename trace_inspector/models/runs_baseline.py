"""The run that others are held against: one at a time, remembered from start to start."""

from __future__ import annotations

from PySide6.QtCore import QObject, QSettings, Signal

from trace_inspector.models.runs_list import RunsList
from trace_inspector.work.keeping import Listed

_KEY = "baseline-run"


class Baseline(QObject):
    """`changed`: another run is the baseline, or none is."""

    changed = Signal()

    def __init__(self, runs: RunsList, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runs = runs
        self._settings: QSettings | None = None
        self._id = ""
        runs.changed.connect(self._follow)

    @property
    def id(self) -> str:
        """The run's id, "" for none."""
        return self._id

    @property
    def run(self) -> Listed | None:
        """The run itself, as far as the list has been read."""
        return next((run for run in self._runs.runs if run.line.id == self._id), None)

    def remember_in(self, settings: QSettings) -> None:
        """Where it is kept."""
        self._settings = settings
        kept = settings.value(_KEY, "")
        self._id = kept if isinstance(kept, str) else ""
        self.changed.emit()

    def choose(self, run_id: str) -> None:
        """Make a run the baseline; "" takes that back."""
        if run_id != self._id:
            self._id = run_id
            if self._settings is not None:
                self._settings.setValue(_KEY, run_id)
            self.changed.emit()

    def _follow(self) -> None:
        """A run that was deleted is nobody's baseline. A list that cannot be read says nothing of it."""
        if self._id and self._runs.read and not self._runs.problem and self.run is None:
            self.choose("")
