"""Unsaved edits that another window left behind: listed, recovered with their file, or forgotten."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Signal

from trace_inspector.core.golden.recoverable_edits import Recoverable, RecoverableEdits
from trace_inspector.models.base.messages import Messages
from trace_inspector.models.base.open_file import FileState
from trace_inspector.models.base.translation import tr
from trace_inspector.models.files.files import Files
from trace_inspector.models.golden.sessions import Goldens
from trace_inspector.settings import journal_folder
from trace_inspector.work.golden.requests import BringBack, Forget, ListForgotten, ListRecoverable
from trace_inspector.work.processes.request_child import Answer

# A window that was killed leaves processes that hold its journals for a moment, on a busy machine for seconds.
_AGAIN_MS = (1_000, 2_000, 4_000, 8_000, 16_000)


class GoldenRecovery(QObject):
    """`changed` when there are more or fewer edits to offer."""

    changed = Signal()
    restored = Signal(int, object)  # text in fields of a file, and the Spot of the first

    def __init__(self, files: Files, goldens: Goldens, messages: Messages, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._files = files
        self._goldens = goldens
        self._messages = messages
        self._coming: dict[int, Recoverable] = {}  # by file, the edits to recover when it is read
        self.recoverable: tuple[Recoverable, ...] = ()
        self.problems: tuple[str, ...] = ()  # a sentence for each journal that cannot be read
        self.forgotten: Recoverable | None = None  # the last one, until another action
        self._forgetting: list[Recoverable] = []
        self._offered: set[Path] = set()  # journals that were offered, whatever was decided
        self._looks = 0
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.timeout.connect(self._look)
        files.changed.connect(self._go_on)
        files.closed.connect(lambda number: self._coming.pop(number, None))

    def look(self) -> None:
        """Look for journals in the background, where there are any."""
        self._offered.clear()
        self._looks = 0
        self._look()

    def _look(self) -> None:
        try:
            is_anything = any(journal_folder().iterdir())
        except OSError:
            return
        if is_anything:
            self._goldens.aside(ListRecoverable(), self._take)

    def recover(self, edits: Recoverable) -> None:
        """Open the file with the edits as they were."""
        self.forgotten = None
        self._drop(edits)
        file = self._files.by_path(edits.file)
        if file is not None and file.unsaved:
            self._messages.tell(tr("{0} is edited here already. Save and close it first.").format(file.name))
            self.recoverable = (edits, *self.recoverable)
            self.changed.emit()
            return
        number = file.number if file is not None else self._files.open_kept(edits.file)
        self._coming[number] = edits
        self._go_on(number)

    def forget(self, edits: Recoverable) -> None:
        """Stop offering these edits. They are kept for some time, and the last ones can be brought back."""
        if edits not in self._forgetting:
            self._forgetting.append(edits)
            self._goldens.aside(
                Forget(str(edits.journal), str(edits.draft_journal or "")), partial(self._forgot, edits)
            )

    def bring_back(self, kept: Path) -> None:
        """Offer forgotten edits again."""
        if self.forgotten is not None and self.forgotten.journal == kept:
            self.forgotten = None
        self._goldens.aside(BringBack(str(kept)), self._brought_back)

    def list_forgotten(self, then: Callable[[tuple[Recoverable, ...]], None]) -> None:
        """List forgotten edits that are still kept, the latest first."""
        self._goldens.aside(
            ListForgotten(), lambda answer: then(answer.value if isinstance(answer.value, tuple) else ())
        )

    def later(self) -> None:
        """Offer nothing more until the next start."""
        self._again.stop()
        self.recoverable, self.problems, self.forgotten = (), (), None
        self.changed.emit()

    def add_problem(self, sentence: str) -> None:
        """Add a sentence about something else that cannot be read."""
        if sentence not in self.problems:
            self.problems += (sentence,)
            self.changed.emit()

    def _forgot(self, edits: Recoverable, answer: Answer) -> None:
        self._forgetting.remove(edits)
        if isinstance(answer.value, Path):
            self.forgotten = replace(edits, journal=answer.value)
            self._drop(edits)
        elif answer.sentence:
            self._messages.tell(answer.sentence)

    def _brought_back(self, answer: Answer) -> None:
        if isinstance(answer.value, Path):
            self._offered.discard(answer.value)
            self._look()
        elif answer.sentence:
            self._messages.tell(answer.sentence)
            self.changed.emit()

    def _drop(self, edits: Recoverable) -> None:
        self.recoverable = tuple(other for other in self.recoverable if other is not edits)
        self.changed.emit()

    def _take(self, answer: Answer) -> None:
        if not isinstance(answer.value, RecoverableEdits):
            return
        self.recoverable += tuple(edits for edits in answer.value.recoverable if edits.journal not in self._offered)
        self._offered |= {edits.journal for edits in self.recoverable}
        for sentence in answer.value.problems if not self._looks else ():
            self._messages.tell(sentence)
            self.add_problem(sentence)
        self.changed.emit()
        if answer.value.in_use and self._looks < len(_AGAIN_MS):
            self._again.start(_AGAIN_MS[self._looks])
        self._looks += 1

    def _go_on(self, number: int) -> None:
        """Recover edits once their file is read, or cannot be read: the edits include a copy of it."""
        file, edits = self._files.by_number.get(number), self._coming.get(number)
        if file is not None and edits is not None and file.state is not FileState.LOADING:
            del self._coming[number]
            if edits.journal != edits.draft_journal:
                self._goldens.take_up(number, str(edits.journal), partial(self._taken_up, number, edits))
            elif file.state is FileState.READY:
                self._restore(number, edits)
            else:
                self._taken_up(number, edits, Answer(sentence=tr("The file of the unfinished text cannot be read.")))

    def _taken_up(self, number: int, edits: Recoverable, answer: Answer) -> None:
        if answer.sentence:
            self.recoverable = (edits, *self.recoverable)
            self.changed.emit()
        else:
            self._restore(number, edits)

    def _restore(self, number: int, edits: Recoverable) -> None:
        """Restore text that was no edit yet to its field, as soon as the rows show what it belongs to."""
        if edits.drafts:
            self._goldens.drafts.restore(number, edits.drafts, edits.draft_journal)
            self._goldens.settled(lambda: self.restored.emit(number, edits.drafts[0].spot))
