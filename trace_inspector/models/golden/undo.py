"""Edits of goldens as undo steps: requested in order, and dropped where they changed nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Sequence
from functools import partial

from PySide6.QtGui import QUndoStack

from trace_inspector.models.base.messages import Messages
from trace_inspector.models.golden.queue import GoldenQueue, Task
from trace_inspector.models.golden.steps import (
    GoldenStep,
    StepOfSeveral,
    Tally,
    drop_steps,
    is_top,
    prune,
    push_done,
    put_back,
)
from trace_inspector.work.golden.requests import Go, Request, Unreached, in_group
from trace_inspector.work.processes.request_child import Answer


class GoldenUndo:
    """The part of the window's undo stack that is about goldens."""

    def __init__(self, stack: QUndoStack, queue: GoldenQueue, edited: Container[int], messages: Messages) -> None:
        self._stack = stack
        self._queue = queue
        self._edited = edited
        self._messages = messages
        self._saves: Counter[int] = Counter()  # that were asked for
        self._refused: Counter[int] = Counter()  # refused moves, by file: later ones would move other steps

    def ask(self, task: Task, words: str, key: str) -> None:
        """Ask for an edit as an undo step of this name; consecutive steps of one key are merged.

        A waiting request for typed text is replaced by one for newer text of its field: fast typing on a slow
        machine must not make a queue.
        """
        # Typing after a save starts a new step, so that undo can go back to what was saved.
        group = f"{self._saves[task.file]} {key}" if key else ""
        newest = self._queue.newest()
        if newest is not None and task.draft is not None and self._can_replace(newest, task.file, group):
            newest.places, newest.draft = task.places, task.draft
            if newest.step is not None:
                newest.make = _grouped(task.make, newest.step)
                newest.step.whole.setText(words)
            return
        task.tally = Tally()
        task.step = GoldenStep(task.file, words, group, task.tally, self._go)
        task.step.begin(self._stack)
        task.make = _grouped(task.make, task.step)
        self._queue.put(task)
        self._stack.push(task.step)

    def ask_together(self, tasks: Sequence[Task], words: str) -> None:
        """Ask for edits of several files as one undo step."""
        parts: list[GoldenStep] = []
        for task in tasks:
            task.tally = Tally()
            task.step = GoldenStep(task.file, words, "", task.tally, self._go)
            task.step.begin(self._stack)
            task.make = _grouped(task.make, task.step)
            parts.append(task.step)
        step = StepOfSeveral(words, parts, self._messages.tell)
        for task in tasks:
            self._queue.put(task)
        self._stack.push(step)

    def answered(self, task: Task) -> None:
        """Note that a request was answered, whatever the answer."""
        if task.step is not None:
            task.step.answered()
            self._drop_empty(task.step.whole)

    def note_save(self, file: int) -> None:
        """Note a save: what is typed from now on is another step."""
        self._saves[file] += 1

    def push_done(self, file: int, words: str, sizes: Sequence[int]) -> None:
        """Push edits that the child made by itself, with their step counts."""
        push_done(self._stack, file, words, sizes, self._go)

    def drop(self, file: int) -> None:
        """Drop all steps of a file: they cannot be undone any more."""
        drop_steps(self._stack, file)

    def _can_replace(self, task: Task, file: int, group: str) -> bool:
        is_same = task.file == file and task.step is not None and bool(group) and task.step.key == group
        # A request to a child that has ended may have been carried out.
        is_open = task.draft is not None and task.asked is None
        return is_same and is_open and task.step is not None and is_top(self._stack, task.step)

    def _go(self, step: GoldenStep, way: int) -> None:
        file, refused = step.file, self._refused[step.file]

        def request() -> Request | None:
            stands = file in self._edited and self._refused[file] == refused
            return Go(file, way * step.steps) if stands and step.steps else None

        self._queue.put(Task(file, request, partial(self._gone, step, way), edits=True))

    def _gone(self, step: GoldenStep, way: int, answer: Answer) -> None:
        """Handle a failed undo: drop a step that the child has lost; keep one that it refused, to try again."""
        if isinstance(answer.value, Unreached):
            self._messages.tell(answer.value.sentence)
            step.drop()
            prune(self._stack)
        elif answer.sentence and not answer.ended:
            self._refused[step.file] += 1
            put_back(self._stack, step, way)
        self._drop_empty(step)

    def _drop_empty(self, step: GoldenStep) -> None:
        """Drop a step that changed nothing, or whose request never made an edit."""
        if step.is_empty:
            step.drop()
            prune(self._stack)


def _grouped(make: Callable[[], Request | None], step: GoldenStep) -> Callable[[], Request | None]:
    """The request with the number of its step, so that the journal joins them to one edit."""
    return lambda: in_group(make(), step.group)
