"""The baselines that other runs are compared with: one for each suite, remembered in the settings."""

from __future__ import annotations

from PySide6.QtCore import QObject, QSettings, Signal

from trace_inspector.models.runs.run_list import RunsList
from trace_inspector.work.runs.run_store import ListedRun

MOST = 50  # baselines; the list of runs reads each of them, however old it is
_KEY = "baseline-runs"
_ONE = "baseline-run"  # the only baseline of earlier versions, for all suites


class Baselines(QObject):
    """`changed` when there are other baselines. Only their ids are stored: runs state their suites themselves."""

    changed = Signal()

    def __init__(self, runs: RunsList, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runs = runs
        self._settings: QSettings | None = None
        self._ids: tuple[str, ...] = ()
        runs.changed.connect(self._follow)

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of all baselines, the latest first."""
        return self._ids

    def of(self, run: ListedRun) -> ListedRun | None:
        """The baseline of a run: the one of its suite, else the latest one that shares a file with the suite.

        None for none, and for a run that is the baseline itself.
        """
        listed = {listed_run.line.id: listed_run for listed_run in self._runs.runs}
        baselines = [listed[run_id] for run_id in self._ids if run_id in listed]
        own = next((listed_run for listed_run in baselines if listed_run.suite == run.suite), None)
        baseline = own or next((listed_run for listed_run in baselines if listed_run.suite & run.suite), None)
        return None if baseline is not None and baseline.line.id == run.line.id else baseline

    def remember_in(self, settings: QSettings) -> None:
        """Set the settings in which baselines are stored."""
        self._settings = settings
        run_id = settings.value(_ONE)
        if isinstance(run_id, str) and run_id:
            self._put((*self.chosen(), run_id))
            settings.remove(_ONE)
        self._ids = self.chosen()
        self._runs.seek(self._ids)
        self.changed.emit()

    def choose(self, run: ListedRun) -> None:
        """Make a run the baseline of its suite."""
        listed = {listed_run.line.id: listed_run.suite for listed_run in self._runs.runs}
        others = [run_id for run_id in self.chosen() if listed.get(run_id) != run.suite]
        self._put((run.line.id, *others))

    def drop(self, *run_ids: str) -> None:
        """Remove baselines."""
        self._put(tuple(run_id for run_id in self.chosen() if run_id not in run_ids))

    def chosen(self) -> tuple[str, ...]:
        """The stored ids, read again because another window may have changed them."""
        if self._settings is None:
            return self._ids
        kept = self._settings.value(_KEY)
        ids = [kept] if isinstance(kept, str) else kept if isinstance(kept, list) else []
        return tuple(run_id for run_id in ids if isinstance(run_id, str) and run_id)[:MOST]

    def _put(self, ids: tuple[str, ...]) -> None:
        self._ids = ids[:MOST]
        if self._settings is not None:
            self._settings.setValue(_KEY, list(self._ids))
        self._runs.seek(self._ids)
        self.changed.emit()

    def _follow(self) -> None:
        """Remove deleted runs from the baselines, unless the list of runs cannot be read."""
        if not self._runs.read or self._runs.problem:
            return
        listed = {listed_run.line.id: listed_run.suite for listed_run in self._runs.runs}
        gone = [run_id for run_id in self._ids if run_id in self._runs.sought and run_id not in listed]
        suites = [listed.get(run_id) for run_id in self._ids]
        doubles = [
            run_id for index, run_id in enumerate(self._ids) if run_id in listed and suites[index] in suites[:index]
        ]  # two of a suite: one was chosen before the list had the other
        if gone or doubles:
            self.drop(*gone, *doubles)
