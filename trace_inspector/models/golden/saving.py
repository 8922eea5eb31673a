"""Saves edited files, all of them or automatically after a pause, and reports the results."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Signal

from trace_inspector.models.base.counting import counted
from trace_inspector.models.base.open_file import OnDisk, OpenFile
from trace_inspector.models.base.translation import tr
from trace_inspector.models.evaluation.evaluation import Evaluation
from trace_inspector.models.files.files import Files
from trace_inspector.models.golden.sessions import Goldens
from trace_inspector.resources import is_sample
from trace_inspector.work.golden.requests import Clash, EditedFileState, Forecast, ForecastSave
from trace_inspector.work.processes.request_child import Answer

REST_MS = 2000  # from the last edit until a file is saved automatically


class GoldenSaving(QObject):
    """`changed` when a file was saved or is unsaved again; `foretold` with what others may refuse of a file."""

    changed = Signal()
    foretold = Signal(object)  # a Forecast with findings, once for each file

    def __init__(self, files: Files, goldens: Goldens, evaluation: Evaluation, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._files = files
        self._goldens = goldens
        self._evaluation = evaluation
        self._looked_at: set[int] = set()
        self._refused: set[int] = set()  # files that could not be saved are not tried again before another edit
        self.saved_s = 0.0  # the last time
        self.notes: list[str] = []  # notes about the files that were saved together
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(self._autosave)
        self._goldens.changed.connect(self._follow)
        self._goldens.queue.moved.connect(self.changed)
        self._goldens.drafts.changed.connect(self._drafted)
        self._goldens.saved.connect(self._note)
        files.closed.connect(self._forget)

    @property
    def unsaved(self) -> list[OpenFile]:
        """The files with edits that are not on disk, in the order of opening."""
        return [file for file in self._files.by_number.values() if self.is_unsaved(file)]

    def is_unsaved(self, file: OpenFile) -> bool:
        """Whether anything is not on disk: an edit, a pending edit, or text that could not become one."""
        return file.unsaved > 0 or self._is_pending(file.number) or bool(self._goldens.drafts.unfinished(file.number))

    @property
    def is_pending(self) -> bool:
        """Whether any typed text is not an edit yet."""
        return any(map(self._is_pending, self._files.by_number))

    @property
    def is_saved(self) -> bool:
        """Whether something was saved, and everything on the screen is in the file."""
        return bool(self.saved_s) and not self.unsaved

    def save(self, number: int, then: Callable[[Answer], None], *, force: bool = False) -> None:
        """Save one file in place; before the first time, it is checked for what other programs may refuse.

        A sample is not written: `then` gets a sentence that says so.

        Pending edits are saved as well. Unfinished text is not, and then `then` gets a sentence about that.
        """
        drafts, file = self._goldens.drafts, self._files.by_number.get(number)
        if file is not None and is_sample(file.path):
            sentence = tr("{0} is one of the samples, which stay as they are. “Save as” keeps a copy of your own.")
            then(Answer(sentence=sentence.format(file.name)))
            return
        if file is not None and not file.unsaved and not self._goldens.is_changing(number):
            why = drafts.why_unfinished(number)
            if why:
                then(Answer(sentence=why))
                return

        def saved(answer: Answer) -> None:
            is_done = not answer.sentence and not isinstance(answer.value, Clash)
            then(replace(answer, sentence=drafts.why_unfinished(number)) if is_done else answer)

        if number not in self._looked_at:
            self._looked_at.add(number)
            self._goldens.ask(number, ForecastSave(number), self._foretell)
        self._goldens.save(number, force=force, then=saved)

    def save_all(self, numbers: Sequence[int], then: Callable[[Mapping[int, str]], None]) -> None:
        """Save these files; `then` gets the reasons for those that were not saved, by number."""
        refused: dict[int, str] = {}
        self.notes = []
        for number in numbers:
            self.save(number, partial(self._note_answer, refused, number))
        self._goldens.done(lambda: then(refused))

    def _note_answer(self, refused: dict[int, str], number: int, answer: Answer) -> None:
        sentence = answer.value.sentence if isinstance(answer.value, Clash) else answer.sentence
        if sentence:
            refused[number] = sentence
        self.notes += notes_of(answer)

    def words(self) -> str:
        """The state of saving for the status bar; "" while nothing was edited."""
        everything, pending = self.unsaved, self.is_pending
        unfinished = [file for file in everything if self._goldens.drafts.unfinished(file.number)]
        parts = []
        if unfinished:
            count = sum(len(self._goldens.drafts.unfinished(file.number)) for file in unfinished)
            name = unfinished[0].name if len(unfinished) == 1 else counted(len(unfinished), "file")
            parts.append(tr("Not saved: {0} in {1}").format(counted(count, "unfinished text"), name))
        where = tr("writing down what was typed…") if pending else tr("all in the recovery journal")
        unsaved = [file for file in everything if file.unsaved]
        if len(unsaved) == 1:
            edits = counted(unsaved[0].unsaved, "unsaved edit")
            parts.append(tr("{0} has {1}, {2}").format(unsaved[0].name, edits, where))
        elif unsaved:
            edits = counted(sum(file.unsaved for file in unsaved), "unsaved edit")
            parts.append(tr("{0} files have {1}, {2}").format(len(unsaved), edits, where))
        elif pending:
            parts.append(tr("Not saved: writing down what was typed…"))
        if self.saved_s:
            words = tr("last saved {0}") if everything else tr("Saved {0}")
            parts.append(words.format(time.strftime("%H:%M", time.localtime(self.saved_s))))
        return " · ".join(parts)

    def _foretell(self, answer: Answer) -> None:
        if isinstance(answer.value, Forecast) and answer.value.count:
            self.foretold.emit(answer.value)

    def _follow(self, number: int) -> None:
        self._refused.discard(number)
        if self._evaluation.preferences.autosave:
            self._rest.start()
        self.changed.emit()

    def _is_pending(self, number: int) -> bool:
        return self._goldens.is_changing(number) or self._goldens.drafts.pending(number)

    def _drafted(self, number: int) -> None:
        self._refused.discard(number)
        self.changed.emit()

    def _note(self, _number: int) -> None:
        self.saved_s = time.time()
        self.changed.emit()

    def _forget(self, number: int) -> None:
        self._looked_at.discard(number)
        self._refused.discard(number)
        self.changed.emit()

    def _autosave(self) -> None:
        """Save automatically; a file that changed on disk waits for a person's decision."""
        for file in self.unsaved:
            if file.on_disk is not OnDisk.CHANGED and file.number not in self._refused:
                self.save(file.number, partial(self._autosaved, file.number))

    def _autosaved(self, number: int, answer: Answer) -> None:
        if answer.sentence or isinstance(answer.value, Clash):
            self._refused.add(number)


def notes_of(answer: Answer) -> tuple[str, ...]:
    """Notes about a successful save."""
    return tuple(loss.message for loss in answer.value.losses) if isinstance(answer.value, EditedFileState) else ()
