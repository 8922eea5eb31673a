"""Requests to the process that edits goldens: one at a time, and again when the process has ended.

Each request is made from the state after the one before, so that fast typing never edits an older state.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Signal

from trace_inspector.core.translatable import N_
from trace_inspector.models.base.edited_file import EditedFile
from trace_inspector.models.base.messages import Messages
from trace_inspector.models.base.moved_places import all_after
from trace_inspector.models.base.translation import tr
from trace_inspector.models.golden.drafts import Draft, Drafts
from trace_inspector.models.golden.steps import GoldenStep, Tally
from trace_inspector.work.golden.requests import (
    Arrange,
    Change,
    EditedFileState,
    Go,
    GoOn,
    Make,
    Request,
    Revert,
    Save,
    Trouble,
)
from trace_inspector.work.golden.service import golden_service
from trace_inspector.work.processes.child import Progress
from trace_inspector.work.processes.jobs import Jobs
from trace_inspector.work.processes.request_child import Answer
from trace_inspector.work.reading.file_messages import FileMessage

_STEPS = (Arrange, Change, Make, Revert)
_LOST = N_("The process that edits goldens ended and was started again; all edits are still there.")
_AGAIN = "The process that edits goldens ended several times over the same request, which was given up."
MOST_TRIES = 4


class Task(Struct, eq=False):
    """A request that waits for its turn. `make` returns the request then, or None when there is nothing to do."""

    file: int
    make: Callable[[], Request | None]
    then: Callable[[Answer], None] = lambda _answer: None
    tally: Tally | None = None
    places: dict[str, str] = field(default_factory=dict)  # place at the time of asking → place now
    asked: Request | None = None  # the request that was made
    tries: int = 0  # that failed because the child ended
    waits: bool = False  # only for the tasks before it, without a request of its own
    edits: bool = False  # whether it changes the file
    behind: Task | None = None  # of a GoOn: the task that was under way when the child ended
    draft: Draft | None = None  # the typed text that it writes; it is in the journal before this is asked
    step: GoldenStep | None = None  # the undo step that it is part of


class GoldenQueue(QObject):
    """`taken` has the state of a file after each answer; `received` the messages that the child sends in between."""

    taken = Signal(object)  # the Stand
    received = Signal(object)
    ended = Signal()  # the child ended, and its state is lost
    moved = Signal()  # a task was added or answered

    def __init__(
        self,
        jobs: Jobs,
        drafts: Drafts,
        edited: dict[int, EditedFile],
        on_disk: Callable[[int], tuple[str, str]],
        ground: Callable[[], Request | None],
        messages: Messages,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._drafts = drafts
        self._edited = edited
        self._on_disk = on_disk  # path and digest of a file as it lies on disk
        self._ground = ground
        self._messages = messages
        self._waiting: deque[Task] = deque()
        self._busy: Task | None = None
        self._again = QTimer(self, singleShot=True, interval=0)
        self._again.timeout.connect(self._next)
        drafts.written.connect(self._next)

    @property
    def busy(self) -> bool:
        """Whether any request is under way; tasks that only wait do not count."""
        return self._busy is not None or not all(task.waits for task in self._waiting)

    def has(self, file: int, *, edits: bool = False) -> bool:
        """Whether a request about a file is under way, or one that edits it."""
        coming = (*([self._busy] if self._busy else []), *self._waiting)
        return any(task.file == file and (task.edits or not edits) for task in coming)

    def put(self, task: Task) -> None:
        """Add a task, to be asked when all earlier ones are answered."""
        self._waiting.append(task)
        if self._busy is None:
            self._next()
        self.moved.emit()

    def newest(self) -> Task | None:
        """The last waiting task that has a request of its own: no later task changes what it does."""
        return next((task for task in reversed(self._waiting) if not task.waits), None)

    def aside(self, request: Request, then: Callable[[Answer], None]) -> None:
        """Ask something that is independent of edits: neither waits for the other."""

        def answered(answer: Answer) -> None:
            if answer.ended:
                self._go_on_all(None)
                self._again.start()
            then(answer)

        self._order(request, answered)

    def _order(self, request: Request, then: Callable[[Answer], None]) -> None:
        self._jobs.order(golden_service, request, then, self._tell)

    def _tell(self, message: Trouble | Progress | FileMessage) -> None:
        if isinstance(message, Trouble):
            self._messages.tell(message.sentence)
        elif not isinstance(message, Progress):  # rows are shown when all of them are there
            self.received.emit(message)

    def _next(self) -> None:
        while self._waiting and self._busy is None:
            draft = self._waiting[0].draft
            if draft is not None and not self._drafts.is_written(draft):
                return  # an edit must not be older on disk than what was typed into its field
            task = self._waiting.popleft()
            ground = self._ground()
            if ground is not None:
                self._order(ground, lambda _answer: None)
            task.asked = task.asked if task.tries else task.make()
            if task.asked is None:
                task.then(Answer())
                continue
            self._busy = task
            self._order(task.asked, partial(self._answered, task))

    def _answered(self, task: Task, answer: Answer) -> None:
        self._busy = None
        self._again.start()  # before callbacks: an error in one must not stop the queue
        if answer.ended:
            self._begin_again(task, answer)
        else:
            self._end(task, answer)

    def _end(self, task: Task, answer: Answer) -> None:
        if isinstance(answer.value, EditedFileState):
            self._take(answer.value, task.tally)
        if answer.sentence:
            self._messages.tell(answer.sentence)
        task.then(answer)
        self.moved.emit()

    def _take(self, stand: EditedFileState, tally: Tally | None) -> None:
        if tally is not None and stand.moved:
            tally.steps += 1
        for task in self._waiting:
            if task.file == stand.file:
                moved = all_after(task.places.values(), stand.steps)
                remaining = {place: now for place, was in task.places.items() if (now := moved[was]) is not None}
                task.places.clear()
                task.places.update(remaining)
        self.taken.emit(stand)

    # When the child ended

    def _begin_again(self, task: Task, answer: Answer) -> None:
        """Start another child, which continues from the journals, and then ask again what was under way."""
        task.tries += 1
        if task.tries < MOST_TRIES:
            self._waiting.appendleft(task)
        else:
            self._give_up(task, answer)
        self._go_on_all(task)

    def _give_up(self, task: Task, answer: Answer) -> None:
        self._messages.tell(tr(_AGAIN))
        edited = self._edited.get(task.file)
        if isinstance(task.asked, GoOn) and edited is not None:
            edited.process = 0  # it is not continued; its journal is offered at the next start
        task.then(answer)

    def _go_on_all(self, task: Task | None) -> None:
        self.ended.emit()
        begun = {number: edited for number, edited in self._edited.items() if edited.process}
        for number, edited in begun.items():
            waiting = next(
                (other for other in self._waiting if isinstance(other.asked, GoOn) and other.file == number), None
            )
            again = self._go_on(number, edited, waiting.behind if waiting is not None else task)
            if waiting is not None:
                self._waiting.remove(waiting)
                again.tries = waiting.tries
            self._waiting.appendleft(again)
        if begun:
            self._messages.tell(tr(_LOST))

    def _go_on(self, number: int, edited: EditedFile, task: Task | None) -> Task:
        path, digest = self._on_disk(number)
        save = task.asked if task is not None and task.file == number and isinstance(task.asked, Save) else None
        asked = GoOn(number, path, digest, edited.process, edited.journal, edited.records)
        if save is not None:  # it may be done, though no answer arrived
            asked = replace(asked, digest="", saved_as=save.path)
        then = partial(self._gone_on, task, edited, edited.records)
        return Task(number, lambda: asked, then, asked=asked, behind=task)

    def _gone_on(self, task: Task | None, edited: EditedFile, records_before: int, answer: Answer) -> None:
        """Find out from the journal whether the child made the edit before it ended."""
        stand = answer.value
        if not isinstance(stand, EditedFileState):
            edited.problem = answer.sentence
        elif task is not None and task in self._waiting and task.file == stand.file:
            self._settle(task, answer, stand, records_before)

    def _settle(self, task: Task, answer: Answer, stand: EditedFileState, records_before: int) -> None:
        expected = _changes_asked(task.asked)
        made = (
            stand.records - records_before if stand.records >= records_before else expected
        )  # the journal began anew
        if isinstance(task.asked, Go) and 0 < made < expected:
            task.asked = replace(task.asked, steps=(expected - made) * (1 if task.asked.steps > 0 else -1))
        elif (made >= expected > 0) or _is_saved(task.asked, stand):
            self._waiting.remove(task)
            if task.tally is not None:
                task.tally.steps += 1
            task.then(answer)


def _is_saved(asked: Request | None, stand: EditedFileState) -> bool:
    is_there = isinstance(asked, Save) and (not asked.path or Path(asked.path) == Path(stand.path))
    return is_there and not stand.is_changed


def _changes_asked(asked: Request | None) -> int:
    """How many changes a request makes."""
    if isinstance(asked, Go):
        return abs(asked.steps)
    return int(isinstance(asked, _STEPS))
