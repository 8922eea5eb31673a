"""Edits that another window left behind unsaved: listed, taken up with their file, or forgotten."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QCoreApplication, QObject, Signal

from trace_inspector.core.left_behind import LeftBehind, Recoverable
from trace_inspector.models.files import Files
from trace_inspector.models.goldens import Goldens
from trace_inspector.models.open_file import FileState
from trace_inspector.settings import journal_folder
from trace_inspector.work.golden_requests import Forget, LeftWanted
from trace_inspector.work.warm import Answer


class GoldenRecovery(QObject):
    """`changed` comes when there is more or less to offer than before."""

    changed = Signal()
    message = Signal(str)

    def __init__(self, files: Files, goldens: Goldens, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._files = files
        self._goldens = goldens
        self._coming: dict[int, Recoverable] = {}  # by file, what is taken up when it is read
        self.found: tuple[Recoverable, ...] = ()
        files.changed.connect(self._go_on)
        files.closed.connect(lambda number: self._coming.pop(number, None))

    def look(self) -> None:
        """Look for what was left behind, in the background, where there is anything at all."""
        try:
            is_anything = any(journal_folder().iterdir())
        except OSError:
            return
        if is_anything:
            self._goldens.aside(LeftWanted(), self._take)

    def recover(self, one: Recoverable) -> None:
        """Open the file with the edits as they were."""
        self._drop(one)
        known = self._files.at(one.file)
        if known is not None and known.unsaved:
            self.message.emit(_tr("{0} is edited here already. Save and close it first.").format(known.name))
            self.found = (one, *self.found)
            self.changed.emit()
            return
        number = known.number if known is not None else self._files.open_kept(one.file)
        self._coming[number] = one
        self._go_on(number)

    def forget(self, one: Recoverable) -> None:
        """Remove these edits for good."""
        self._drop(one)
        self._goldens.aside(Forget(str(one.journal)), lambda _answer: None)

    def later(self) -> None:
        """Offer nothing more until the next start."""
        self.found = ()
        self.changed.emit()

    def _drop(self, one: Recoverable) -> None:
        self.found = tuple(other for other in self.found if other is not one)
        self.changed.emit()

    def _take(self, answer: Answer) -> None:
        if isinstance(answer.value, LeftBehind):
            self.found = answer.value.found
            for sentence in answer.value.problems:
                self.message.emit(sentence)
            self.changed.emit()

    def _go_on(self, number: int) -> None:
        """A file whose edits wait is read, or is not there to be read: its edits have a copy of it."""
        file, one = self._files.by_number.get(number), self._coming.get(number)
        if file is not None and one is not None and file.state is not FileState.LOADING:
            del self._coming[number]
            self._goldens.take_up(number, str(one.journal), partial(self._taken_up, one))

    def _taken_up(self, one: Recoverable, answer: Answer) -> None:
        if answer.sentence:
            self.found = (one, *self.found)
            self.changed.emit()


def _tr(text: str) -> str:
    return QCoreApplication.translate("GoldenRecovery", text)
