"""Edits of goldens on the undo stack; words typed one after the other are one step."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from msgspec import Struct
from PySide6.QtGui import QUndoCommand, QUndoStack

from trace_inspector.models.base.translation import tr

MOST_DONE = 1000  # of recovered edits that can be undone one by one
_GROUPED = 7  # any number but -1: only of such steps Qt asks whether they belong together


class Tally(Struct):
    """How many steps a request made in the child: 0 until it is done, or when it changed nothing."""

    steps: int = 0


class GoldenStep(QUndoCommand):
    """One undo step as shown. `go` redoes that many steps of the file, or undoes them when negative."""

    def __init__(self, file: int, words: str, key: str, tally: Tally, go: Callable[[GoldenStep, int], None]) -> None:
        super().__init__(words)
        self.file = file
        self.group = 0  # number of its requests in the journal, which joins them to one edit
        self.key = key  # steps with the same key that follow each other are one; "" never
        self._tallies = [tally]
        self._go = go
        self._is_new = True
        self._waiting = 1  # number of unanswered requests
        self._into: GoldenStep | None = None  # the step that it became part of
        self.still = False  # moves on the stack without a request
        self.together: StepOfSeveral | None = None  # the step of several files that it is part of

    @property
    def on_stack(self) -> GoldenStep | StepOfSeveral:
        """What stands on the stack for it."""
        return self.together or self.whole

    @property
    def whole(self) -> GoldenStep:
        """The step that this one was merged into, or itself."""
        return self if self._into is None else self._into.whole

    @property
    def is_empty(self) -> bool:
        """Whether it changed nothing, and will not."""
        return not self.steps and not self._waiting

    def answered(self) -> None:
        """Note that a request was answered, whatever the answer."""
        self.whole._waiting -= 1

    @property
    def steps(self) -> int:
        """How many steps of the file it stands for, as far as known."""
        return sum(tally.steps for tally in self._tallies)

    def begin(self, stack: QUndoStack) -> None:
        """Prepare it for a stack: find out whether it continues the last edit there."""
        last = stack.command(stack.index() - 1) if stack.index() else None
        goes_on = isinstance(last, GoldenStep) and self._goes_on_with(last)
        self.group = last.group if isinstance(last, GoldenStep) and goes_on else secrets.randbits(63) or 1

    def _goes_on_with(self, last: GoldenStep) -> bool:
        return bool(self.key) and (last.file, last.key) == (self.file, self.key)

    def redo(self) -> None:
        """Redo it. When it is put on the stack, its request was made already."""
        if not self._is_new and not self.still:
            self._go(self, 1)
        self._is_new = False

    def undo(self) -> None:
        """Undo it."""
        if not self.still:
            self._go(self, -1)

    def drop(self) -> None:
        """Make it obsolete."""
        with suppress(RuntimeError):  # Qt may have forgotten it already
            self.setObsolete(True)
        if self.together is not None:
            self.together.lost(self)

    def id(self) -> int:
        """The id by which Qt decides whether to try merging."""
        return _GROUPED if self.key else -1

    def mergeWith(self, other: QUndoCommand) -> bool:  # noqa: N802
        """Merge the next step into this one, when it continues the same edit."""
        if not isinstance(other, GoldenStep) or not other._goes_on_with(self):
            return False
        self._tallies += other._tallies
        self._waiting += other._waiting
        other._into = self
        self.setText(other.text())
        return True


class StepOfSeveral(QUndoCommand):
    """One undo step for edits of several files that were made together."""

    def __init__(self, words: str, parts: Sequence[GoldenStep], tell: Callable[[str], object]) -> None:
        super().__init__(words)
        self.parts = list(parts)
        self._count = len(self.parts)
        self._tell = tell
        for part in self.parts:
            part.together = self

    def redo(self) -> None:
        """Redo all parts."""
        for part in self.parts:
            part.redo()

    def undo(self) -> None:
        """Undo all parts, and say so where some cannot be undone any more."""
        is_shown = not any(part.still for part in self.parts)
        for part in reversed(self.parts):
            part.undo()
        lost = self._count - len(self.parts)
        if lost and is_shown:
            words = tr("“{0}” is undone in {1} of {2} files: the others were closed, or read anew from the disk.")
            self._tell(words.format(self.text(), len(self.parts), self._count))

    def lost(self, part: GoldenStep) -> None:
        """A part made nothing, or its file is not edited any more; the step is about the others then."""
        if part in self.parts:
            self.parts.remove(part)
            self._count -= part.is_empty  # it never was an edit
        if not self.parts:
            with suppress(RuntimeError):
                self.setObsolete(True)


def steps_on(stack: QUndoStack) -> Iterator[GoldenStep]:
    """All steps of goldens, also those that are parts."""
    for index in range(stack.count()):
        step = stack.command(index)
        if isinstance(step, GoldenStep):
            yield step
        elif isinstance(step, StepOfSeveral):
            yield from list(step.parts)


def is_top(stack: QUndoStack, step: GoldenStep) -> bool:
    """Whether it is the step that undo would undo: the next one may be merged into it."""
    return stack.index() > 0 and stack.command(stack.index() - 1) is step.whole


def drop_steps(stack: QUndoStack, file: int) -> None:
    """Drop all steps of a file: they cannot be undone any more."""
    for step in list(steps_on(stack)):
        if step.file == file:
            step.drop()
    prune(stack)


def put_back(stack: QUndoStack, step: GoldenStep, way: int) -> None:
    """Restore a step whose undo (-1) or redo (1) was refused, and the later steps of its file.

    The other files of a step of several were moved already: they are moved back.
    """
    steps = [stack.command(index) for index in range(stack.count())]
    whole = step.on_stack
    index = next((index for index, other in enumerate(steps) if other is whole), None)
    if index is None:
        return  # another edit took its place
    of_file = [other for other in steps_on(stack) if other.file == step.file]
    for other in of_file:
        other.still = True
    while way < 0 and stack.index() <= index:
        stack.redo()
    while way > 0 and stack.index() > index:
        stack.undo()
    for other in of_file:
        other.still = False


def push_done(
    stack: QUndoStack, file: int, words: str, sizes: Sequence[int], go: Callable[[GoldenStep, int], None]
) -> None:
    """Push edits that the child made by itself, with their step counts; the oldest of very many become one step."""
    oldest = max(len(sizes) - MOST_DONE, 0) + 1
    for size in (sum(sizes[:oldest]), *sizes[oldest:]) if sizes else ():
        stack.push(GoldenStep(file, words, "", Tally(size), go))


def prune(stack: QUndoStack) -> None:
    """Remove obsolete steps, so that every undo and redo changes something."""
    while stack.index() and stack.command(stack.index() - 1).isObsolete():
        stack.undo()
    while stack.index() < stack.count() and stack.command(stack.index()).isObsolete():
        stack.redo()
