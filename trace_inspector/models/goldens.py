"""Goldens while people edit them: each change is asked of a child, journalled there, and then shown everywhere.

One request is on its way at a time, and what comes next is worked out from what came of it: quick fingers never
change what stood there before.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeAlias

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal
from PySide6.QtGui import QUndoStack

from trace_inspector.core.golden import Case
from trace_inspector.core.golden_change import GoldenChange
from trace_inspector.flows.golden_session import Arranged
from trace_inspector.models.edited_file import EditedFile, after, case_in
from trace_inspector.models.evaluation import Evaluation
from trace_inspector.models.files import Files
from trace_inspector.models.golden_rows import GoldenRows
from trace_inspector.models.golden_scoring import GoldenScoring
from trace_inspector.models.golden_steps import GoldenStep, Tally
from trace_inspector.work.child import Progress
from trace_inspector.work.golden_desk import golden_desk
from trace_inspector.work.golden_requests import (
    Arrange,
    Begin,
    Change,
    Go,
    Leave,
    Lines,
    LinesWanted,
    Request,
    Revert,
    Save,
    Stand,
    TakeUp,
    Trouble,
)
from trace_inspector.work.jobs import Jobs
from trace_inspector.work.loading import FileMessage
from trace_inspector.work.warm import Answer

Changes: TypeAlias = Mapping[str, Sequence[GoldenChange]]  # by the place of the case
_LOST = "The process that edits goldens ended and was started again; all edits are still there."


@dataclass(slots=True)
class _Task:
    """A request that waits for its turn. `make` gives it when that comes; None is nothing to do."""

    file: int
    make: Callable[[], Request | None]
    then: Callable[[Answer], None] = lambda _answer: None
    tally: Tally | None = None
    places: dict[str, str] = field(default_factory=dict)  # as it was asked for → where that is now


class Goldens(QObject):
    """Sessions by the window's numbers for files. Everything here returns at once."""

    changed = Signal(int)  # the file: its cases, or whether it is as on disk
    saved = Signal(int)
    message = Signal(str)

    def __init__(
        self, jobs: Jobs, files: Files, evaluation: Evaluation, steps: QUndoStack, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._files = files
        self._steps = steps
        self._edited: dict[int, EditedFile] = {}
        self._waiting: deque[_Task] = deque()
        self._busy: _Task | None = None
        self._scoring = GoldenScoring(files, evaluation, self._edited)
        self.rows = GoldenRows(files, self._edited, self._ask_aside, self)
        self._again = QTimer(self, singleShot=True, interval=0)
        self._again.timeout.connect(self._next)
        files.closed.connect(self._closed)
        evaluation.ready = self.settled

    # What is known

    def edited(self, file: int) -> EditedFile | None:
        """How a file stands; None when nobody has begun to edit it."""
        return self._edited.get(file)

    def case(self, file: int, place: str) -> Case | None:
        """The case at a place as it is now; None when there is none."""
        edited, shown = self._edited.get(file), self._files.by_number.get(file)
        known = edited.cases.get(place) if edited is not None else None
        if known is not None or shown is None:
            return known
        if edited is not None and edited.places and place not in edited.places:
            return None
        return case_in(shown.table, place)

    def places(self, file: int) -> tuple[str, ...]:
        """Where the cases of a file stand now, in their order."""
        edited, shown = self._edited.get(file), self._files.by_number.get(file)
        if edited is not None and edited.places:
            return edited.places
        return tuple(shown.table.place(top) for top in shown.table.tops) if shown is not None else ()

    @property
    def unsaved(self) -> list[int]:
        """The files that differ from what is on disk."""
        return [number for number, edited in self._edited.items() if edited.is_changed]

    @property
    def busy(self) -> bool:
        """Whether anything is on its way."""
        return self._busy is not None or bool(self._waiting)

    # Changing

    def begin(self, file: int) -> None:
        """Make ready for editing, so that the first change is as quick as the others."""
        shown = self._files.by_number.get(file)
        edited = self._edited.get(file)
        if shown is not None and (edited is None or edited.problem):
            self._edited[file] = EditedFile(file)
            asked = Begin(file, str(shown.path), shown.digest)
            self._put(_Task(file, lambda: asked, partial(self._begun, file)))

    def change(
        self, file: int, place: str, words: str, make: Callable[[Case], Sequence[GoldenChange]], key: str = ""
    ) -> None:
        """Change the case at a place, as one step. `make` is given the case as it is when its turn comes.

        `words` name the step in the menu; steps with the same `key` that follow each other are one.
        """

        def changes(places: Mapping[str, str]) -> Changes:
            now = places.get(place, "")
            case = self.case(file, now) if place in places else None
            return {now: make(case)} if case is not None else {}

        self._change(file, words, (place,), changes, key)

    def change_many(self, file: int, words: str, changes: Changes) -> None:
        """Change several cases of a file, as one step."""
        self._change(
            file,
            words,
            tuple(changes),
            lambda places: {now: changes[place] for place, now in places.items()},
            "",
        )

    def arrange(
        self, file: int, words: str, make: Callable[[tuple[str, ...]], Sequence[Arranged]],
        then: Callable[[Stand], None] = lambda _stand: None,
    ) -> None:  # fmt: skip
        """Have these cases in this order, as one step; `make` is given where the cases stand."""
        self._step(file, words, "", lambda _places: Arrange(file, tuple(make(self.places(file)))), then=then)

    def revert(self, file: int) -> None:
        """Back to what is on disk, as one step that can be undone."""
        self._step(file, _tr("Revert to what was saved"), "", lambda _places: Revert(file))

    def save(
        self, file: int, path: Path | None = None, *, force: bool = False,
        then: Callable[[Answer], None] = lambda _answer: None,
    ) -> None:  # fmt: skip
        """Save in place or under another name. `then` hears what came of it; a sentence is why nothing was saved."""
        asked = Save(file, str(path or ""), force)
        self._put(_Task(file, lambda: asked, partial(self._saved, file, then)))

    def leave(self, file: int, *, forget: bool) -> None:
        """Edit a file no longer. Unless its edits are to be forgotten they can be recovered."""
        if self._edited.pop(file, None) is not None:
            asked = Leave(file, forget)
            self._put(_Task(file, lambda: asked))

    def take_up(self, file: int, journal: str, then: Callable[[Answer], None]) -> None:
        """Go on with edits that another process left behind."""
        shown = self._files.by_number.get(file)
        if shown is not None:
            self._edited[file] = EditedFile(file)
            asked = TakeUp(file, str(shown.path), journal)
            self._put(_Task(file, lambda: asked, partial(self._taken_up, file, then)))

    def lines(self, file: int, then: Callable[[Lines], None]) -> None:
        """Which lines of the file the edits change."""
        answered = lambda answer: then(answer.value) if isinstance(answer.value, Lines) else None  # noqa: E731
        self._put(_Task(file, lambda: LinesWanted(file), answered))

    def settled(self, then: Callable[[], None]) -> None:
        """Call when every edit is done and every row shows it: at once, where all do."""
        if not self.busy and self.rows.current:
            then()
            return
        self._put(_Task(0, lambda: None, lambda _answer: self.rows.settle(then)))

    # Requests

    def _change(
        self, file: int, words: str, about: Sequence[str], changes: Callable[[Mapping[str, str]], Changes], key: str
    ) -> None:
        def request(places: Mapping[str, str]) -> Request | None:
            edited = self._edited.get(file)
            if edited is None or edited.problem:
                return None
            wanted = tuple((place, tuple(made)) for place, made in changes(places).items() if made)
            judged = self._scoring.judged(file, [place for place, _made in wanted])
            return Change(file, wanted, judged) if wanted else None

        self._step(file, words, key, request, about)

    def _step(
        self,
        file: int,
        words: str,
        key: str,
        make: Callable[[Mapping[str, str]], Request | None],
        about: Sequence[str] = (),
        then: Callable[[Stand], None] = lambda _stand: None,
    ) -> None:
        self.begin(file)
        tally = Tally()
        step = GoldenStep(words, f"{file} {key}" if key else "", tally, partial(self._go, file))
        places = {place: place for place in about}
        task = _Task(file, lambda: make(places), partial(self._stepped, step, then), tally, places)
        self._put(task)
        self._steps.push(step)

    def _go(self, file: int, step: GoldenStep, way: int) -> None:
        def request() -> Request | None:
            return Go(file, way * step.steps) if file in self._edited and step.steps else None

        self._put(_Task(file, request, lambda _answer: self._drop_empty(step)))

    def _put(self, task: _Task) -> None:
        self._waiting.append(task)
        if self._busy is None:
            self._next()

    def _next(self) -> None:
        while self._waiting and self._busy is None:
            task = self._waiting.popleft()
            ground = self._scoring.ground()
            if ground is not None:
                self._jobs.order(golden_desk, ground, lambda _answer: None, self._told)
            asked = task.make()
            if asked is None:
                task.then(Answer())
                continue
            self._busy = task
            self._jobs.order(golden_desk, asked, partial(self._answered, task), self._told)

    def _answered(self, task: _Task, answer: Answer) -> None:
        self._busy = None
        if answer.ended:
            self._begin_again(answer)
        elif isinstance(answer.value, Stand):
            self._take(answer.value, task.tally)
        if answer.sentence:
            self.message.emit(answer.sentence)
        task.then(answer)
        self._again.start()

    def _take(self, stand: Stand, tally: Tally | None) -> None:
        edited = self._edited.get(stand.file)
        if edited is None:
            return
        if tally is not None and stand.moved:
            tally.steps += 1
        for task in self._waiting:
            if task.file == stand.file:
                moved = {place: after(now, stand.steps) for place, now in task.places.items()}
                task.places.clear()
                task.places.update({place: now for place, now in moved.items() if now is not None})
        edited.take(stand)
        self._scoring.take(stand)
        if stand.moved or stand.cases:
            self.rows.soon()
        for loss in stand.losses:
            self.message.emit(loss.message)
        self.changed.emit(stand.file)

    def _told(self, message: Trouble | Progress | FileMessage) -> None:
        match message:
            case Trouble():
                self.message.emit(message.sentence)
            case Progress():
                pass  # rows are shown when all of them are there
            case _:
                self.rows.take(message)

    def _ask_aside(self, request: Request, then: Callable[[Answer], None]) -> None:
        """What need not wait for edits, and no edit for it."""
        self._jobs.order(golden_desk, request, then, self._told)

    # What comes of them

    def _begun(self, file: int, answer: Answer) -> None:
        edited = self._edited.get(file)
        if edited is not None and answer.sentence:
            edited.problem = answer.sentence
            self.changed.emit(file)

    def _stepped(self, step: GoldenStep, then: Callable[[Stand], None], answer: Answer) -> None:
        self._drop_empty(step)
        if isinstance(answer.value, Stand):
            then(answer.value)

    def _drop_empty(self, step: GoldenStep) -> None:
        """A step that changed nothing, or of a file that is gone, is none that could be undone."""
        if step.steps:
            return
        step.setObsolete(True)
        if self._steps.count() and self._steps.command(self._steps.index() - 1) is step:
            self._steps.undo()

    def _saved(self, file: int, then: Callable[[Answer], None], answer: Answer) -> None:
        if isinstance(answer.value, Stand):
            self._files.note_saved(file, Path(answer.value.path), answer.value.digest)
            self.saved.emit(file)
        then(answer)

    def _taken_up(self, file: int, then: Callable[[Answer], None], answer: Answer) -> None:
        self._begun(file, answer)
        then(answer)

    def _begin_again(self, answer: Answer) -> None:
        """The child is gone; what it had journalled is taken up by another."""
        for number in self._edited:
            shown = self._files.by_number.get(number)
            if shown is not None:
                asked = TakeUp(number, str(shown.path))
                self._waiting.appendleft(_Task(number, partial(_give, asked)))
        if self._edited and answer.sentence:
            self.message.emit(_tr(_LOST))

    def _closed(self, number: int) -> None:
        self.leave(number, forget=False)


def _give(request: Request) -> Request:
    return request


def _tr(text: str) -> str:
    return QCoreApplication.translate("Goldens", text)
