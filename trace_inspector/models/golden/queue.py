"""What is asked of the child in which goldens are edited: one request at a time, and again where the child is gone.

What comes next is worked out from what came of the one before: quick fingers never change what stood there before.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

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
    Go,
    GoOn,
    Make,
    Request,
    Revert,
    Save,
    Stand,
    Trouble,
)
from trace_inspector.work.golden.service import golden_service
from trace_inspector.work.processes.child import Progress
from trace_inspector.work.processes.jobs import Jobs
from trace_inspector.work.processes.request_child import Answer
from trace_inspector.work.reading.file_messages import FileMessage

_STEPS = (Arrange, Change, Make, Revert)
_LOST = N_("The process that edits goldens ended and was started again; all edits are still there.")
_AGAIN = "The process that edits goldens ended over the same request again and again, which was given up."
MOST_TRIES = 4


@dataclass(slots=True, eq=False)
class Task:
    """A request that waits for its turn. `make` gives it when that comes; None is nothing to do."""

    file: int
    make: Callable[[], Request | None]
    then: Callable[[Answer], None] = lambda _answer: None
    tally: Tally | None = None
    places: dict[str, str] = field(default_factory=dict)  # as it was asked for → where that is now
    asked: Request | None = None  # what it came to
    tries: int = 0  # that ended with the end of the child
    waits: bool = False  # for all before it, and for nothing else
    edits: bool = False  # whether the file is another one once it is done
    behind: Task | None = None  # of a GoOn: what was being done when the child ended
    draft: Draft | None = None  # the typed text that it writes; it is in the journal before this is asked
    step: GoldenStep | None = None  # that it is part of


class GoldenQueue(QObject):
    """`taken` comes with each answer that says how a file stands; `told` with what the child says in between."""

    taken = Signal(object)  # the Stand
    received = Signal(object)
    ended = Signal()  # the child is gone, and knows nothing any more
    moved = Signal()  # something was asked for, or was answered

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
        """Whether anything is on its way; somebody who merely waits for that is not."""
        return self._busy is not None or not all(task.waits for task in self._waiting)

    def has(self, file: int, *, edits: bool = False) -> bool:
        """Whether something about a file is on its way; or something that edits it."""
        coming = (*([self._busy] if self._busy else []), *self._waiting)
        return any(task.file == file and (task.edits or not edits) for task in coming)

    def put(self, task: Task) -> None:
        """Ask when all that was asked before is answered."""
        self._waiting.append(task)
        if self._busy is None:
            self._next()
        self.moved.emit()

    def newest(self) -> Task | None:
        """The last task that waits to be asked, behind which nothing would change what it does."""
        return next((task for task in reversed(self._waiting) if not task.waits), None)

    def aside(self, request: Request, then: Callable[[Answer], None]) -> None:
        """What need not wait for edits, and no edit for it."""

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
        self._again.start()  # before anybody hears of it: what waits is not lost with whoever asked
        if answer.ended:
            self._begin_again(task, answer)
        else:
            self._end(task, answer)

    def _end(self, task: Task, answer: Answer) -> None:
        if isinstance(answer.value, Stand):
            self._take(answer.value, task.tally)
        if answer.sentence:
            self._messages.tell(answer.sentence)
        task.then(answer)
        self.moved.emit()

    def _take(self, stand: Stand, tally: Tally | None) -> None:
        if tally is not None and stand.moved:
            tally.steps += 1
        for task in self._waiting:
            if task.file == stand.file:
                moved = all_after(task.places.values(), stand.steps)
                remaining = {place: now for place, was in task.places.items() if (now := moved[was]) is not None}
                task.places.clear()
                task.places.update(remaining)
        self.taken.emit(stand)

    # When the child is gone

    def _begin_again(self, task: Task, answer: Answer) -> None:
        """The child is gone; what it had journalled is gone on with in another, and then with what it was asked."""
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
            edited.process = 0  # nobody goes on with it; its journal is offered with the next start
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
        if save is not None:  # it may be done, and nobody heard of it
            asked = replace(asked, digest="", saved_as=save.path)
        then = partial(self._gone_on, task, edited, edited.records)
        return Task(number, lambda: asked, then, asked=asked, behind=task)

    def _gone_on(self, task: Task | None, edited: EditedFile, records_before: int, answer: Answer) -> None:
        """Whether the child did what it was asked before it ended, its journal tells."""
        stand = answer.value
        if not isinstance(stand, Stand):
            edited.problem = answer.sentence
        elif task is not None and task in self._waiting and task.file == stand.file:
            self._settle(task, answer, stand, records_before)

    def _settle(self, task: Task, answer: Answer, stand: Stand, records_before: int) -> None:
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


def _is_saved(asked: Request | None, stand: Stand) -> bool:
    is_there = isinstance(asked, Save) and (not asked.path or Path(asked.path) == Path(stand.path))
    return is_there and not stand.is_changed


def _changes_asked(asked: Request | None) -> int:
    """How many changes it makes."""
    if isinstance(asked, Go):
        return abs(asked.steps)
    return int(isinstance(asked, _STEPS))
