"""Goldens while people edit them: a child makes and journals each change, then the window shows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.golden_change import GoldenChange, SuiteDescribed
from trace_inspector.core.values.relocate import relocated
from trace_inspector.models.base.edited_file import EditedFile, case_in
from trace_inspector.models.base.messages import Messages
from trace_inspector.models.base.translation import tr
from trace_inspector.models.evaluation.evaluation import Evaluation
from trace_inspector.models.evaluation.shown_run import ShownRun
from trace_inspector.models.files.files import Files
from trace_inspector.models.golden.drafts import Draft, Drafts
from trace_inspector.models.golden.queue import GoldenQueue, Task
from trace_inspector.models.golden.rows import GoldenRows
from trace_inspector.models.golden.scoring import GoldenScoring
from trace_inspector.models.golden.undo import GoldenUndo
from trace_inspector.work.golden.bulk_requests import Making
from trace_inspector.work.golden.requests import (
    Arrange,
    Begin,
    Change,
    EditedFileState,
    Learn,
    Leave,
    Lines,
    ListChangedLines,
    Make,
    Merged,
    Request,
    Revert,
    Save,
    TakeUp,
)
from trace_inspector.work.processes.jobs import Jobs
from trace_inspector.work.processes.request_child import Answer

if TYPE_CHECKING:
    from trace_inspector.flows.goldens.golden_session import Arranged

Changes: TypeAlias = Mapping[str, Sequence[GoldenChange]]  # by the place of the case


class Goldens(QObject):
    """Editing sessions by file number. All methods return at once; work is done in a child process."""

    changed = Signal(int)  # the file: its cases, or whether it is as on disk
    stepped = Signal(int, object)  # and the steps by which its places are followed
    saving = Signal(int)  # its file on disk is about to be written, and
    save_ended = Signal(int, object)  # was, or was not: its stamp then, or None
    saved = Signal(int)

    def __init__(
        self,
        jobs: Jobs,
        files: Files,
        shown: ShownRun,
        evaluation: Evaluation,
        steps: QUndoStack,
        messages: Messages,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._messages = messages
        self._files = files
        self._edited: dict[int, EditedFile] = {}
        self._scoring = GoldenScoring(files, shown, evaluation, self._edited, self._put)
        self.drafts = Drafts(files, messages, self)
        self.queue = GoldenQueue(jobs, self.drafts, self._edited, self._on_disk, self._scoring.ground, messages, self)
        self._undo = GoldenUndo(steps, self.queue, self._edited, messages)
        self.rows = GoldenRows(files, self._edited, self.queue.aside, self)
        self.queue.taken.connect(self._take)
        self.queue.received.connect(self.rows.take)
        self.queue.ended.connect(self._scoring.forget)
        files.closed.connect(self._closed)
        evaluation.ready = self.settled

    # State

    def edited(self, file: int) -> EditedFile | None:
        """The editing state of a file; None when it was not edited yet."""
        return self._edited.get(file)

    def case(self, file: int, place: str) -> Case | None:
        """The current case at a place; None when there is none."""
        edited, shown = self._edited.get(file), self._files.by_number.get(file)
        edited_case = edited.cases.get(place) if edited is not None else None
        if edited_case is not None or shown is None:
            return edited_case
        if edited is not None and edited.process and place not in edited.places:
            return None
        was = shown.table.unshown_edits.was(place)
        return relocated(case_in(shown.table, was), was, place) if was is not None else None

    def places(self, file: int) -> tuple[str, ...]:
        """The current places of the cases of a file, in order."""
        edited, shown = self._edited.get(file), self._files.by_number.get(file)
        if edited is not None and edited.process:
            return edited.places
        return tuple(shown.table.place(top) for top in shown.table.tops) if shown is not None else ()

    @property
    def unsaved(self) -> list[int]:
        """The files that differ from what is on disk."""
        return [number for number, edited in self._edited.items() if edited.is_changed]

    @property
    def busy(self) -> bool:
        """Whether any request is under way."""
        return self.queue.busy

    def is_coming(self, file: int) -> bool:
        """Whether a request about a file is not answered: what was typed last may not be in the journal yet."""
        return self.queue.has(file)

    def is_changing(self, file: int) -> bool:
        """Whether an edit of a file is not answered."""
        return self.queue.has(file, edits=True)

    # Changing

    def begin(self, file: int) -> None:
        """Prepare a file for editing, so that the first change is as fast as the others."""
        shown = self._files.by_number.get(file)
        edited = self._edited.get(file)
        if shown is not None and (edited is None or edited.problem):
            self._edited[file] = EditedFile(file)
            asked = Begin(file, str(shown.path), shown.digest)
            self.queue.put(Task(file, lambda: asked, partial(self._begun, file)))

    def change(
        self, file: int, place: str, words: str, make: Callable[[Case], Sequence[GoldenChange]], key: str = "",
        draft: Draft | None = None,
    ) -> None:  # fmt: skip
        """Change the case at a place as one undo step. `make` gets the case as it is when the request is made.

        `words` name the step in the menu; consecutive steps with the same `key` are merged. `draft` is the
        typed text that it writes.
        """

        def changes(places: Mapping[str, str]) -> Changes:
            now = places.get(place, "")
            case = self.case(file, now) if place in places else None
            return {now: make(case)} if case is not None else {}

        self._change(file, words, (place,), changes, key, draft)

    def change_many(self, file: int, words: str, changes: Changes) -> None:
        """Change several cases of a file as one undo step."""
        self._change(
            file,
            words,
            tuple(changes),
            lambda places: {now: changes[place] for place, now in places.items()},
        )

    def arrange(self, file: int, words: str, make: Callable[[tuple[str, ...]], Sequence[Arranged]]) -> None:
        """Reorder cases as one undo step; `make` gets their current places."""
        self._step(file, words, "", lambda _places: Arrange(file, tuple(make(self.places(file)))))

    def make(
        self, file: int, words: str, what: Callable[[Mapping[str, str]], Making | None], about: Sequence[str] = (),
        then: Callable[[EditedFileState], None] = lambda _stand: None,
    ) -> None:  # fmt: skip
        """Make a larger edit as one undo step; `what` gets the current places of the cases that it is about."""

        def request(places: Mapping[str, str]) -> Request | None:
            return self._making(file, what(places), places)

        self._step(file, words, "", request, about, then)

    def make_together(
        self, words: str, what: Mapping[int, Making], then: Callable[[Mapping[int, str]], None]
    ) -> None:
        """Make a larger edit of each file, all as one undo step. `then` gets the sentences of files that refused."""
        refused: dict[int, str] = {}
        waiting = set(what)
        tasks: list[Task] = []

        def answered(task: Task, answer: Answer) -> None:
            self._stepped(task, lambda _stand: None, answer)
            edited = self._edited.get(task.file)
            if not isinstance(answer.value, EditedFileState):
                refused[task.file] = answer.sentence or (edited.problem if edited is not None else "")
            waiting.discard(task.file)
            if not waiting:
                then(refused)

        for file, making in what.items():
            self.begin(file)
            task = Task(file, partial(self._making, file, making), edits=True)
            task.then = partial(answered, task)
            tasks.append(task)
        self._undo.ask_together(tasks, words)

    def describe(self, file: int, words: str, change: SuiteDescribed, key: str, draft: Draft | None = None) -> None:
        """Change the description of a suite; consecutive steps of one `key` are merged."""
        self._step(file, words, key, lambda _places: Make(file, change, ()), draft=draft)

    def revert(self, file: int) -> None:
        """Revert a file to what is on disk, as one undo step."""
        self._step(file, tr("Revert to what was saved"), "", lambda _places: Revert(file))

    def save(
        self, file: int, path: Path | None = None, *, force: bool = False,
        then: Callable[[Answer], None] = lambda _answer: None,
    ) -> None:  # fmt: skip
        """Save in place or under another name. `then` gets the answer; its sentence says why nothing was saved."""
        asked = Save(file, str(path or ""), force)
        self._undo.note_save(file)
        depth = [0]  # when the request is made

        def request() -> Request | None:
            edited = self._edited.get(file)
            if edited is None:
                return None
            depth[0] = edited.depth
            self.saving.emit(file)
            return asked

        self.queue.put(Task(file, request, lambda answer: self._saved(file, depth[0], then, answer)))

    def merge(self, merged: Merged, then: Callable[[Answer], None]) -> None:
        """Merge the file on disk with the edits made here, as one undo step."""
        self.ask(merged.file, merged, partial(self._merged, merged.file, then))

    def ask(self, file: int, request: Request, then: Callable[[Answer], None]) -> None:
        """Ask something about an edited file, after all earlier requests."""
        self.queue.put(Task(file, lambda: request, then))

    def aside(self, request: Request, then: Callable[[Answer], None]) -> None:
        """Ask something that is independent of the edited files."""
        self.queue.aside(request, then)

    def done(self, then: Callable[[], None]) -> None:
        """Call when all requests so far are answered."""
        self.queue.put(Task(0, lambda: None, lambda _answer: then()))

    def leave(self, file: int, *, forget: bool) -> None:
        """Stop editing a file. Its edits can be recovered, unless they are to be forgotten."""
        self.drafts.leave(file, forget=forget)
        if self._edited.pop(file, None) is not None:
            self._undo.drop(file)
            asked = Leave(file, forget)
            self.queue.put(Task(file, lambda: asked))
            self.changed.emit(file)

    def take_up(self, file: int, journal: str, then: Callable[[Answer], None]) -> None:
        """Continue edits that another process left behind."""
        shown = self._files.by_number.get(file)
        if shown is not None:
            self._edited[file] = EditedFile(file)
            asked = TakeUp(file, str(shown.path), journal)
            self.queue.put(Task(file, lambda: asked, partial(self._taken_up, file, then)))

    def lines(self, file: int, then: Callable[[Lines], None]) -> None:
        """Ask which lines of the file the edits change."""
        answered = lambda answer: then(answer.value) if isinstance(answer.value, Lines) else None  # noqa: E731
        self.queue.put(Task(file, lambda: ListChangedLines(file), answered))

    def settled(self, then: Callable[[], None]) -> None:
        """Call when all edits are made, including later ones, and all rows show them; at once if they do."""
        if not self.busy and self.rows.current:
            then()
            return
        self.queue.put(Task(0, lambda: None, lambda _: self.rows.settle(lambda: self.settled(then)), waits=True))

    def expect_change(self, file: int, place: str) -> None:
        """Prepare the verdicts of a visible case, which may be changed next."""

        def request() -> Request | None:
            judged = self._scoring.judged(file, (place,)) if file in self._edited else ()
            return Learn(file, judged) if judged else None

        if file in self._edited:
            self.queue.put(Task(file, request))

    # Requests

    def _change(
        self, file: int, words: str, about: Sequence[str], changes: Callable[[Mapping[str, str]], Changes],
        key: str = "", draft: Draft | None = None,
    ) -> None:  # fmt: skip
        def request(places: Mapping[str, str]) -> Request | None:
            edited = self._edited.get(file)
            if edited is None or edited.problem:
                return None
            made_changes = tuple((place, tuple(made)) for place, made in changes(places).items() if made)
            judged = self._scoring.judged(file, [place for place, _made in made_changes])
            return Change(file, made_changes, judged) if made_changes else None

        self._step(file, words, key, request, about, draft=draft)

    def _step(
        self,
        file: int,
        words: str,
        key: str,
        make: Callable[[Mapping[str, str]], Request | None],
        about: Sequence[str] = (),
        then: Callable[[EditedFileState], None] = lambda _stand: None,
        draft: Draft | None = None,
    ) -> None:
        self.begin(file)
        places = {place: place for place in about}
        task = Task(file, lambda: make(places), places=places, edits=True, draft=draft)
        task.then = partial(self._stepped, task, then)
        self._undo.ask(task, words, key)

    def _making(self, file: int, making: Making | None, places: Mapping[str, str] | None = None) -> Request | None:
        edited = self._edited.get(file)
        if edited is None or edited.problem or making is None:
            return None
        return Make(file, making, self._scoring.judged(file, tuple((places or {}).values())))

    def _put(self, task: Task) -> None:
        self.queue.put(task)

    def _take(self, stand: EditedFileState) -> None:
        edited = self._edited.get(stand.file)
        if edited is None:
            return
        edited.take(stand)
        shown = self._files.by_number.get(stand.file)
        if shown is not None:
            shown.unsaved = edited.unsaved
            shown.table.unshown_edits.note(stand.steps)
            self.drafts.follow(stand.file, stand.steps)
            self.stepped.emit(stand.file, stand.steps)
        self._scoring.take(stand)
        if stand.moved or stand.cases:
            self.rows.schedule()
        for loss in stand.losses:
            self._messages.tell(loss.message)
        self.changed.emit(stand.file)

    def _on_disk(self, file: int) -> tuple[str, str]:
        shown = self._files.by_number.get(file)
        return (str(shown.path), shown.digest) if shown is not None else ("", "")

    # Answers

    def _begun(self, file: int, answer: Answer) -> None:
        edited = self._edited.get(file)
        if edited is not None and answer.sentence:
            edited.problem = answer.sentence
            self.changed.emit(file)

    def _stepped(self, task: Task, then: Callable[[EditedFileState], None], answer: Answer) -> None:
        self._undo.answered(task)
        edited = self._edited.get(task.file)
        if task.draft is not None:
            self.drafts.settle(task.draft, answer.sentence or (edited.problem if edited is not None else ""))
        if isinstance(answer.value, EditedFileState):
            then(answer.value)

    def _saved(self, file: int, depth: int, then: Callable[[Answer], None], answer: Answer) -> None:
        stand = answer.value
        if isinstance(stand, EditedFileState):
            self._undo.push_done(file, tr("Save as new items"), [1] * (stand.depth - depth))
            self._files.note_saved(file, Path(stand.path), stand.digest)
            self.save_ended.emit(file, stand.stamp)
            self.saved.emit(file)
        else:
            self.save_ended.emit(file, None)
        if answer == Answer():
            answer = Answer(sentence=tr("Nothing was saved: the file is not open any more."))
        then(answer)

    def _merged(self, file: int, then: Callable[[Answer], None], answer: Answer) -> None:
        stand = answer.value
        if isinstance(stand, EditedFileState):
            self._undo.drop(file)
            self._undo.push_done(file, tr("Merge both sides"), [1] * stand.depth)
            self._files.note_saved(file, Path(stand.path), stand.digest)
            self.save_ended.emit(file, stand.stamp)
        then(answer)

    def _taken_up(self, file: int, then: Callable[[Answer], None], answer: Answer) -> None:
        self._begun(file, answer)
        if isinstance(answer.value, EditedFileState):
            self._undo.push_done(file, tr("Recovered edit"), answer.value.edit_sizes)
        then(answer)

    def _closed(self, number: int) -> None:
        self.leave(number, forget=False)
